//! The coverage of changed methods, from JaCoCo's report of all methods.

use super::jacoco::Report;
use crate::apk::{Changed, ChangedMethod};
use crate::outcome::changed::{ChangedCoverage, Unreached};
use rustc_hash::FxHashMap;

/// What a report shows of the changed methods. A line with code of two methods counts in both.
pub fn cover(changed: &Changed, report: &Report) -> ChangedCoverage {
    let key = |method: &ChangedMethod| {
        let (class, name) = (method.class.clone(), method.name.clone());
        (class, name, method.descriptor.clone())
    };
    let wanted: FxHashMap<_, _> = changed.methods.iter().map(|m| (key(m), m)).collect();
    let mut found = ChangedCoverage {
        removed: changed.removed.len() as u64,
        ..ChangedCoverage::default()
    };
    for class in report.packages.iter().flat_map(|package| &package.classes) {
        for method in &class.methods {
            let (name, descriptor) = (method.name.clone(), method.descriptor.clone());
            let Some(changed) = wanted.get(&(class.name.clone(), name, descriptor)) else {
                continue;
            };
            let code = &method.counters.code;
            let reached = code.instruction.covered > 0;
            found.methods.total += 1;
            found.methods.covered += u64::from(reached);
            found.lines.total += code.line.total;
            found.lines.covered += code.line.covered;
            if !reached {
                found.unreached.push(Unreached {
                    method: changed.title.clone(),
                    place: changed.place.clone(),
                    activity: changed.activity.clone(),
                });
            }
        }
    }
    found
        .unreached
        .sort_by_cached_key(|unreached| (unreached.activity.is_none(), unreached.method.clone()));
    found
}
