//! From a step of a trace or a script to what it does on the current page.

use crate::gui::{Event, EventKind, Page, SystemEvent};
use crate::outcome::run_event::{Input, RawInput};
use crate::step::Decision;
use crate::trace::find::{By, Fit, find};
use crate::trace::{Deed, Gesture, Spot, Step, Typed};
use crate::util::intern::Interner;

/// What is typed where a step names a secret: key and value, from the suite and the environment.
pub type Texts = [(String, String)];

/// Why a step cannot be performed here.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Hindrance {
    /// The widget is not on the page.
    #[error("the widget was not found")]
    Gone,
    /// A secret to type is not known.
    #[error(
        "no value for the secret `{0}`: define it under [app.text] in the suite and set its variable, or use --ask if a script asks for it"
    )]
    Secret(String),
}

/// A step on this page.
#[derive(Clone, PartialEq, Debug)]
pub enum Found {
    /// An event of this kind on this widget, which was identified so.
    On(u32, By, EventKind, Option<Input>),
    /// Raw input.
    Raw(RawInput),
    /// A system event.
    System(SystemEvent),
}

/// What a step does on this page.
///
/// # Errors
/// Its widget is gone, or its secret is not known.
pub fn find_step(
    step: &Step,
    page: &Page,
    interner: &Interner,
    texts: &Texts,
    fit: Fit,
) -> Result<Found, Hindrance> {
    Ok(match step {
        Step::Key(code) => Found::Raw(RawInput::Key { code: *code }),
        Step::Launch => Found::Raw(RawInput::AppSwitch),
        Step::System(event) => Found::System(event.clone()),
        Step::Gesture(gesture) => Found::Raw(raw(gesture, page)),
        Step::Wait(ms) => Found::Raw(RawInput::Wait { ms: *ms }),
        Step::On(target, deed) => {
            let (n, by) = find(page, interner, target, deed.kind(), fit).ok_or(Hindrance::Gone)?;
            let input = match deed {
                Deed::Type(typed) => Some(text(typed, texts)?),
                Deed::Tap(spot) => {
                    let (x, y) = spot.within(page.widgets[n as usize].bounds);
                    Some(Input::Point(x, y))
                }
                _ => None,
            };
            Found::On(n, by, deed.kind(), input)
        }
    })
}

fn text(typed: &Typed, texts: &Texts) -> Result<Input, Hindrance> {
    let enter = typed.enter;
    let Some(key) = &typed.secret else {
        let s = typed.text.clone();
        return Ok(Input::Text { s, enter });
    };
    let known = texts.iter().find(|(known, _)| known == key);
    let (key, s) = known
        .cloned()
        .ok_or_else(|| Hindrance::Secret(key.clone()))?;
    Ok(Input::Secret { key, s, enter })
}

/// The decision for a step; `None`: its widget is gone or takes no such event, or its secret is not known.
pub fn decision(
    step: &Step,
    page: &Page,
    interner: &Interner,
    texts: &Texts,
    fit: Fit,
) -> Option<Decision> {
    match find_step(step, page, interner, texts, fit).ok()? {
        Found::Raw(raw) => Some(Decision::Raw(raw)),
        Found::System(event) => Some(Decision::System(event)),
        Found::On(n, _, kind, input) => {
            let same = |e: &Event| e.kind == kind && e.widget == Some(n);
            if let Some(event) = page.events.iter().position(same) {
                return Some(Decision::Perform { event, input });
            }
            // A text inside a row that takes the click.
            let bounds = page.widgets[n as usize].bounds;
            let (x, y) = Spot { x: 0.5, y: 0.5 }.within(bounds);
            let tap = Decision::Raw(RawInput::Tap { x, y });
            (kind == EventKind::Click).then_some(tap)
        }
    }
}

fn raw(gesture: &Gesture, page: &Page) -> RawInput {
    let pixel = |spot: &Spot| spot.within(page.bounds());
    match gesture {
        Gesture::Tap(at) => {
            let (x, y) = pixel(at);
            RawInput::Tap { x, y }
        }
        Gesture::Drag(at, to) => {
            let ((x, y), (x2, y2)) = (pixel(at), pixel(to));
            RawInput::Drag { x, y, x2, y2 }
        }
        Gesture::Pinch { at, inward } => {
            let ((x, y), inward) = (pixel(at), *inward);
            RawInput::Pinch { x, y, inward }
        }
        Gesture::Trackball { moves, press } => RawInput::Trackball {
            moves: *moves,
            click: *press,
        },
    }
}
