//! Translates a step of a trace into a device command on the current page.

use crate::device::{Action, lower_system};
use crate::explore::follow::Texts;
use crate::gui::Page;
use crate::outcome::run_event::RawInput;
use crate::step::Decision;
use crate::trace::find::{By, Fit, find};
use crate::trace::{Deed, Gesture, Step, Typed};
use crate::util::intern::Interner;

/// A step ready to be performed.
#[derive(Clone, PartialEq, Debug)]
pub enum Act {
    /// Send this to the device. The widget and how it was identified, if the step names one.
    Perform(Action, Option<(u32, By)>),
    /// Restart the app.
    Relaunch,
}

/// Why a step cannot be performed here.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Hindrance {
    /// The widget is not on the page.
    #[error("the widget was not found")]
    Gone,
    /// A secret to type is not known.
    #[error(
        "no value for the secret `{0}`: define it under [app.text] in the suite and set its variable"
    )]
    Secret(String),
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
    let plain = |action| Ok(Act::Perform(action, None));
    match step {
        Step::Key(code) => plain(Action::Key { code: *code }),
        Step::Launch => plain(Action::Launch),
        Step::Wait(ms) => plain(Action::Wait { ms: *ms }),
        Step::System(event) => match lower_system(event, page.rotation) {
            Some(action) => plain(action),
            None => Ok(Act::Relaunch),
        },
        Step::Gesture(gesture) => plain(on_screen(gesture, page)),
        Step::On(target, deed) => {
            let (n, by) = find(page, interner, target, deed.kind(), fit).ok_or(Hindrance::Gone)?;
            let action = match deed {
                Deed::Click => Action::Click { n },
                Deed::LongClick => Action::Long { n },
                Deed::Type(typed) => Action::Text {
                    n,
                    s: text(typed, texts)?,
                    ime: typed.enter,
                },
                Deed::Scroll(dir) => Action::Scroll { n, dir: *dir },
                Deed::Swipe(dir) => Action::Swipe { n, dir: *dir },
                Deed::Pinch { inward } => Action::Pinch {
                    n,
                    dir: way(*inward),
                },
                Deed::Tap(spot) => {
                    let (x, y) = spot.within(page.widgets[n as usize].bounds);
                    Action::Tap { x, y }
                }
            };
            Ok(Act::Perform(action, Some((n, by))))
        }
    }
}

const fn way(inward: bool) -> &'static str {
    if inward { "in" } else { "out" }
}

fn text(typed: &Typed, texts: &Texts) -> Result<String, Hindrance> {
    let Some(key) = &typed.secret else {
        return Ok(typed.text.clone());
    };
    let value = texts.iter().find(|(known, _)| known == key);
    value
        .map(|(_, value)| value.clone())
        .ok_or_else(|| Hindrance::Secret(key.clone()))
}

fn on_screen(gesture: &Gesture, page: &Page) -> Action {
    let pixel = |spot: &crate::trace::Spot| spot.within(page.bounds());
    match gesture {
        Gesture::Tap(at) => {
            let (x, y) = pixel(at);
            Action::Tap { x, y }
        }
        Gesture::Drag(at, to) => {
            let ((x, y), (x2, y2)) = (pixel(at), pixel(to));
            Action::Drag {
                x,
                y,
                x2,
                y2,
                ms: 60,
            }
        }
        Gesture::Pinch { at, inward } => {
            let (x, y) = pixel(at);
            match crate::explore::lower::widget_at(page, x, y) {
                Some(n) => Action::Pinch {
                    n,
                    dir: way(*inward),
                },
                None => Action::Tap { x, y },
            }
        }
        Gesture::Trackball { moves, press } => Action::Trackball {
            moves: *moves,
            click: *press,
        },
    }
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
