//! Oracles: what counts as a failure of the app.

pub mod anr;
pub mod app_exit;
pub mod assertion;
pub mod blank_page;
pub mod environment;
pub mod fingerprint;
mod fingerprint_v1;
mod frames;
pub mod java_crash;
pub mod mapping;
mod original_names;
pub mod place;
pub mod process_death;
pub mod program;
pub mod registry;
pub mod retrace;
pub mod rotation_loss;
mod script;

use self::fingerprint::Fingerprint;
use crate::outcome::finding::{Blame, Finding, FindingKind, Trigger};
use crate::step::{Decision, Step};

/// Checks every step for failures.
pub trait Oracle: Send {
    /// Its name in the suite.
    fn name(&self) -> &'static str;
    /// Findings of this step; the same failure gives the same fingerprint each time.
    fn inspect(&mut self, step: &Step<'_>) -> Vec<Finding>;
}

/// A finding of this step, its id made of kind and fingerprint.
fn finding(
    step: &Step<'_>,
    kind: FindingKind,
    fingerprint: impl Into<Fingerprint>,
    title: String,
    evidence: String,
) -> Finding {
    let fingerprint = fingerprint.into();
    let digits = format!("{:016x}", fingerprint.hash);
    let name = kind.to_string().replace(' ', "-").to_lowercase();
    // The previous page names the activity: after a crash there is none.
    let page = if step.page.activity.is_empty() {
        step.before
    } else {
        step.page
    };
    Finding {
        id: format!("{name}-{}", &digits[..8]),
        kind,
        fingerprint: fingerprint.text(),
        v1: format!("{:016x}", fingerprint.v1),
        title,
        exception: None,
        frame: None,
        evidence,
        activity: step.interner.get(page.activity).to_owned(),
        trigger: trigger(step.decision),
        event: step.number,
        warning: false,
        environment: None,
        provoked_by: Vec::new(),
        left: step.after.left.clone(),
    }
}

/// The trigger of a step's failure.
fn trigger(decision: Option<&Decision>) -> Trigger {
    match decision {
        None | Some(Decision::Restart) => Trigger::Launch,
        Some(Decision::System(_)) => Trigger::System,
        Some(_) => Trigger::Event,
    }
}

fn blame(rule: Option<&String>, detail: Option<&String>) -> Option<Blame> {
    rule.map(|rule| Blame {
        rule: rule.clone(),
        detail: detail.cloned(),
    })
}

#[cfg(test)]
pub(crate) mod testing {
    use crate::device::Observation;
    use crate::gui::Page;
    use crate::step::{Decision, Step};
    use crate::util::intern::Interner;

    /// A step with these ends, for oracles' tests.
    pub(crate) fn step<'a>(
        before: &'a Page,
        page: &'a Page,
        decision: Option<&'a Decision>,
        after: &'a Observation,
        interner: &'a Interner,
    ) -> Step<'a> {
        Step {
            number: 7,
            decision,
            ..Step::to(before, after, page, interner)
        }
    }
}
