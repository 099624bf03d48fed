//! From a step of a trace or a script to a decision, on the page that is there now.

use crate::gui::{Event, EventKind, Page};
use crate::outcome::run_event::{Input, RawInput};
use crate::step::Decision;
use crate::trace::find::{Fit, find};
use crate::trace::{Deed, Gesture, Spot, Step};
use crate::util::intern::Interner;

/// What is typed where a step names a secret: key and value, from the suite and the environment.
pub type Texts = [(String, String)];

/// What to do for this step on this page; `None`: its widget is gone, or its secret is not known.
pub fn decision(
    step: &Step,
    page: &Page,
    interner: &Interner,
    texts: &Texts,
    fit: Fit,
) -> Option<Decision> {
    Some(match step {
        Step::Key(code) => Decision::Raw(RawInput::Key { code: *code }),
        Step::Launch => Decision::Raw(RawInput::AppSwitch),
        Step::System(event) => Decision::System(event.clone()),
        Step::Gesture(gesture) => Decision::Raw(raw(gesture, page)),
        Step::Wait(ms) => Decision::Raw(RawInput::Wait { ms: *ms }),
        Step::On(target, deed) => {
            let kind = deed.kind();
            let (n, _) = find(page, interner, target, kind, fit)?;
            let same = |e: &Event| e.kind == kind && e.widget == Some(n);
            let Some(event) = page.events.iter().position(same) else {
                // A text inside a row that takes the click.
                let bounds = page.widgets[n as usize].bounds;
                let (x, y) = Spot { x: 0.5, y: 0.5 }.within(bounds);
                let tap = Decision::Raw(RawInput::Tap { x, y });
                return (kind == EventKind::Click).then_some(tap);
            };
            let input = match deed {
                Deed::Type(typed) => Some(match &typed.secret {
                    None => Input::Text {
                        s: typed.text.clone(),
                        enter: typed.enter,
                    },
                    Some(key) => Input::Secret {
                        key: key.clone(),
                        s: texts.iter().find(|(known, _)| known == key)?.1.clone(),
                        enter: typed.enter,
                    },
                }),
                Deed::Tap(spot) => {
                    let (x, y) = spot.within(page.widgets[n as usize].bounds);
                    Some(Input::Point(x, y))
                }
                _ => None,
            };
            Decision::Perform { event, input }
        }
    })
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
