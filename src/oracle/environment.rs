//! Device limitations, each reported once by the device: findings that never count as the app's.

use super::{Oracle, finding};
use crate::outcome::finding::{Blame, Finding, FindingKind};
use crate::step::Step;
use crate::util::hash;

/// Turns the device's notes on its own limits into environment findings.
#[derive(Debug, Default)]
pub struct Environment;

impl Oracle for Environment {
    fn name(&self) -> &'static str {
        "environment"
    }

    fn inspect(&mut self, step: &Step<'_>) -> Vec<Finding> {
        step.after
            .environment
            .iter()
            .map(|limit| {
                let title = format!("{}: {}", limit.rule, limit.detail);
                let hash = hash::of_bytes(title.as_bytes());
                let mut finding =
                    finding(step, FindingKind::Environment, hash, title.clone(), title);
                finding.environment = Some(Blame {
                    rule: limit.rule.clone(),
                    detail: Some(limit.detail.clone()),
                });
                finding
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::step;
    use super::*;
    use crate::device::Observation;
    use crate::gui::page::none;
    use crate::outcome::EnvironmentLimit;
    use crate::util::intern::Interner;

    #[test]
    fn a_limit_carries_its_rule() {
        let limit = EnvironmentLimit {
            rule: "native-library".into(),
            detail: "libfoo.so".into(),
        };
        let after = Observation {
            environment: vec![limit],
            ..Observation::default()
        };
        let (page, interner) = (none(), Interner::default());
        let found = Environment.inspect(&step(&page, &page, None, &after, &interner));
        assert_eq!(
            found[0].environment.as_ref().unwrap().rule,
            "native-library"
        );
    }
}
