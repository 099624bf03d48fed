//! The app ends its process, which looks like a crash to its user.

use super::{Oracle, finding};
use crate::outcome::finding::{Finding, FindingKind};
use crate::step::Step;
use crate::util::hash;

/// Reports `System.exit`, `Runtime.halt` and `Process.killProcess`; leaving by finishing the last activity is
/// not a failure, and an app that the system ends because it does not respond is an ANR.
#[derive(Debug, Default)]
pub struct AppExit;

impl Oracle for AppExit {
    fn name(&self) -> &'static str {
        "app-exit"
    }

    fn inspect(&mut self, step: &Step<'_>) -> Vec<Finding> {
        match step.after.exit.as_deref() {
            None | Some("finished" | "not-responding") => Vec::new(),
            Some(how) => {
                let activity = step.interner.get(step.before.activity);
                let hash = hash::mix(
                    hash::of_bytes(how.as_bytes()),
                    hash::of_bytes(activity.as_bytes()),
                );
                let title = format!("the app ended its process by {how}");
                vec![finding(
                    step,
                    FindingKind::AppExit,
                    hash,
                    title.clone(),
                    title,
                )]
            }
        }
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
    fn finishing_is_no_exit() {
        let (page, interner) = (none(), Interner::default());
        let found = |how: &str| {
            let after = Observation {
                exit: Some(how.into()),
                ..Observation::default()
            };
            AppExit
                .inspect(&step(&page, &page, None, &after, &interner))
                .len()
        };
        assert_eq!((found("finished"), found("System.exit(1)")), (0, 1));
    }
}
