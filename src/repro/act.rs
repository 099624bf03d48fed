//! Translates a step of a trace into a device command on the current page.

use crate::device::{Action, lower_system};
pub use crate::explore::follow::Hindrance;
use crate::explore::follow::{Found, Texts, find_step};
use crate::explore::lower::{event_action, lower_raw};
use crate::gui::Page;
use crate::outcome::run_event::RawInput;
use crate::step::Decision;
use crate::trace::Step;
use crate::trace::find::{By, Fit};
use crate::util::intern::Interner;

/// A step ready to be performed.
#[derive(Clone, PartialEq, Debug)]
pub enum Act {
    /// Send this to the device. The widget and how it was identified, if the step names one.
    Perform(Action, Option<(u32, By)>),
    /// Restart the app.
    Relaunch,
}

/// The action for this step on this page.
///
/// # Errors
/// The widget is gone, or a secret is not known.
pub fn act(
    step: &Step,
    page: &Page,
    interner: &Interner,
    texts: &Texts,
    fit: Fit,
) -> Result<Act, Hindrance> {
    let action = match find_step(step, page, interner, texts, fit)? {
        Found::On(n, by, kind, input) => {
            let action = event_action(kind, n, input.as_ref());
            return Ok(Act::Perform(action, Some((n, by))));
        }
        Found::Raw(raw) => lower_raw(raw, page),
        Found::System(event) => lower_system(&event, page.rotation),
    };
    Ok(action.map_or(Act::Relaunch, |action| Act::Perform(action, None)))
}

/// The step as an exploration's decision, for oracles: all they ask is the trigger of a failure.
pub fn decision(step: &Step) -> Decision {
    match step {
        Step::System(event) => Decision::System(event.clone()),
        Step::Launch => Decision::Raw(RawInput::AppSwitch),
        Step::Key(code) => Decision::Raw(RawInput::Key { code: *code }),
        _ => Decision::Perform {
            event: 0,
            input: None,
        },
    }
}
