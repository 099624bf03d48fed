//! Base builds: the apps before the change.

use super::Replays;
use crate::config::{self, AppSource, ModelRef, Suite};
use crate::explore::Stop;
use crate::run::inputs::Inputs;
use crate::run::observer::Observer;
use crate::run::prepare::{self, PrepareError, Ready};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Prepares the base builds, each for the app of its package.
///
/// # Errors
/// A file cannot be read, or no app of the suite has its package.
pub(in crate::run) fn base_builds(
    suite: &Suite,
    wanted: &Replays,
    inputs: &Inputs,
    apps: &BTreeMap<String, Ready>,
    (observer, stop): (&Arc<dyn Observer>, &Stop),
) -> Result<BTreeMap<String, Ready>, PrepareError> {
    let mut builds = BTreeMap::new();
    let several = wanted.base.len() > 1;
    for file in &wanted.base {
        let models = !matches!(file.extension(), Some("apk" | "apks" | "xapk"));
        let same = |app: &&config::App| matches!(app.source, AppSource::Model(_)) == models;
        let mut packages = BTreeSet::new();
        let mut found = false;
        for app in suite.settings.apps.iter().filter(same) {
            // Of two apps of one package each takes one of several base builds, in order; a single one serves both.
            let Some(head) = apps
                .get(&app.name)
                .filter(|_| !builds.contains_key(&app.name))
            else {
                continue;
            };
            let source = match models {
                true => AppSource::Model(ModelRef::File(file.clone())),
                false => AppSource::Apk(file.clone()),
            };
            let build = config::App {
                source,
                splits: Vec::new(),
                build: None,
                classes: Vec::new(),
                mapping: wanted.base_mapping.clone(),
                ..app.clone()
            };
            let ready = prepare::prepare(suite, inputs, &build, observer, stop)?;
            if ready.app.package == head.app.package {
                found = true;
                builds.insert(app.name.clone(), ready);
                if several {
                    break;
                }
            } else {
                packages.insert(ready.app.package);
            }
        }
        let prepared = suite
            .settings
            .apps
            .iter()
            .all(|app| apps.contains_key(&app.name));
        if !found && !prepared {
            observer.warn(&format!(
                "{file} is the base build of no app of this run: it is not used"
            ));
        } else if !found {
            let package = packages.into_iter().next().unwrap_or_default();
            let of_apps: Vec<_> = apps.values().map(|r| r.app.package.as_str()).collect();
            return Err(PrepareError::Base {
                file: file.to_string(),
                package,
                apps: of_apps.join(", "),
            });
        }
    }
    Ok(builds)
}
