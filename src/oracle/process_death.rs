//! The process died without a Java exception while app code ran: native code, or memory.

use super::{Oracle, finding};
use crate::device::Death;
use crate::outcome::finding::{Finding, FindingKind};
use crate::step::Step;
use crate::util::hash;

/// Reports deaths of the app's process.
#[derive(Debug, Default)]
pub struct ProcessDeath;

impl Oracle for ProcessDeath {
    fn name(&self) -> &'static str {
        "process-death"
    }

    fn inspect(&mut self, step: &Step<'_>) -> Vec<Finding> {
        let Some(Death { words, fingerprint }) = &step.after.death else {
            return Vec::new();
        };
        let first = words.lines().next().unwrap_or_default();
        // Without a stack, the message and the place distinguish causes.
        let hash = fingerprint.unwrap_or_else(|| {
            let activity = step.interner.get(step.before.activity);
            hash::mix(
                hash::of_bytes(first.as_bytes()),
                hash::of_bytes(activity.as_bytes()),
            )
        });
        vec![finding(
            step,
            FindingKind::ProcessDeath,
            hash,
            format!("the process died: {first}"),
            words.clone(),
        )]
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::step;
    use super::*;
    use crate::device::Observation;
    use crate::gui::page::none;
    use crate::util::intern::Interner;

    #[test]
    fn a_death_is_a_finding_with_its_evidence() {
        let (page, interner) = (none(), Interner::default());
        let after = Observation {
            death: Some(Death::said("signal 11\nlast words".into())),
            ..Observation::default()
        };
        let found = ProcessDeath.inspect(&step(&page, &page, None, &after, &interner));
        assert_eq!(found[0].title, "the process died: signal 11");
        assert_eq!(found[0].evidence, "signal 11\nlast words");
    }
}
