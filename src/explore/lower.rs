//! From a decision to the device's action, with the free parts (texts, points) filled in.

use super::text::TextGenerator;
use crate::device::announced::filled;
use crate::device::{Action, key, lower_system};
use crate::gui::{EventKind, Page, Rect};
use crate::outcome::run_event::{Did, Input, RawInput};
use crate::step::Decision;
use crate::util::intern::Interner;
use crate::util::seed::Rng;
use rand::RngExt as _;

/// An action for a device, and its journal record.
#[derive(Clone, Debug, PartialEq)]
pub enum Lowered {
    /// Send this.
    Perform(Action, Did),
    /// Start the app anew; nothing is sent.
    Relaunch(Did),
    /// Nothing is sent, the step is scored all the same.
    Nothing(Did),
}

/// Turns a decision on this page into an action. `Restart`, `Save`, `Restore` and `Stop` are the loop's own and never come here.
pub fn lower(
    decision: &Decision,
    page: &Page,
    texts: &TextGenerator,
    interner: &Interner,
    rng: &mut Rng,
) -> Lowered {
    match decision {
        Decision::Perform { event: ix, input } => {
            let Some(event) = page.events.get(*ix) else {
                return Lowered::Nothing(Did::Invalid);
            };
            let n = event.widget.unwrap_or(0);
            let mut input = input.clone();
            match event.kind {
                EventKind::Text => {
                    input.get_or_insert_with(|| texts.generate(page, n, interner, rng));
                }
                EventKind::Point => {
                    let widget = page.widgets.get(n as usize);
                    let bounds = widget.map_or_else(|| page.bounds(), |w| w.bounds);
                    input.get_or_insert_with(|| point_in(bounds, rng));
                }
                _ => {}
            }
            let action = event_action(event.kind, n, input.as_ref());
            let ix = u32::try_from(*ix).unwrap_or(u32::MAX);
            Lowered::Perform(
                action,
                Did::Event {
                    k: event.key,
                    ix,
                    input,
                },
            )
        }
        Decision::Raw(raw) => {
            let did = Did::Raw { action: *raw };
            match lower_raw(*raw, page) {
                Some(action) => Lowered::Perform(action, did),
                None => Lowered::Nothing(did),
            }
        }
        Decision::System(event) => {
            let event = filled(event, rng);
            let action = lower_system(&event, page.rotation);
            let did = Did::System { event };
            match action {
                Some(action) => Lowered::Perform(action, did),
                None => Lowered::Relaunch(did),
            }
        }
        Decision::Invalid
        | Decision::Restart
        | Decision::Save(_)
        | Decision::Restore(_)
        | Decision::Stop => Lowered::Nothing(Did::Invalid),
    }
}

/// The action for an event of this kind on widget `n`.
pub fn event_action(kind: EventKind, n: u32, input: Option<&Input>) -> Action {
    match kind {
        EventKind::Click => Action::Click { n },
        EventKind::LongClick => Action::Long { n },
        EventKind::Text => {
            let (s, ime) = match input {
                Some(Input::Text { s, enter } | Input::Secret { s, enter, .. }) => {
                    (s.clone(), *enter)
                }
                Some(Input::Point(..)) | None => (String::new(), false),
            };
            Action::Text { n, s, ime }
        }
        EventKind::Scroll { dir } => Action::Scroll { n, dir },
        EventKind::Swipe { dir } => Action::Swipe { n, dir },
        EventKind::Pinch { inward } => Action::Pinch {
            n,
            dir: pinch(inward),
        },
        EventKind::Point => match input {
            Some(Input::Point(x, y)) => Action::Tap { x: *x, y: *y },
            _ => Action::Click { n },
        },
        EventKind::Back => Action::Key { code: key::BACK },
        EventKind::Menu => Action::Key { code: key::MENU },
        EventKind::Enter => Action::Key { code: key::ENTER },
    }
}

/// The action for raw input. `None`: the app does not notice it.
pub fn lower_raw(raw: RawInput, page: &Page) -> Option<Action> {
    Some(match raw {
        RawInput::Tap { x, y } => Action::Tap { x, y },
        RawInput::Drag { x, y, x2, y2 } => Action::Drag {
            x,
            y,
            x2,
            y2,
            ms: 60,
        },
        RawInput::Pinch { x, y, inward } => match widget_at(page, x, y) {
            Some(n) => Action::Pinch {
                n,
                dir: pinch(inward),
            },
            None => Action::Tap { x, y },
        },
        RawInput::Key { code } => Action::Key { code },
        RawInput::Trackball { moves, click } => Action::Trackball { moves, click },
        RawInput::Rotate => Action::Rotate {
            to: (page.rotation + 1) % 2,
        },
        RawInput::AppSwitch => Action::Launch,
        RawInput::Wait { ms } => Action::Wait { ms },
        RawInput::Nothing => return None,
    })
}

const fn pinch(inward: bool) -> &'static str {
    if inward { "in" } else { "out" }
}

fn point_in(bounds: Rect, rng: &mut Rng) -> Input {
    Input::Point(
        rng.random_range(bounds.left..bounds.right.max(bounds.left + 1)),
        rng.random_range(bounds.top..bounds.bottom.max(bounds.top + 1)),
    )
}

/// The last (topmost) live widget at a point.
pub fn widget_at(page: &Page, x: i32, y: i32) -> Option<u32> {
    let holds = |r: &Rect| (r.left..r.right).contains(&x) && (r.top..r.bottom).contains(&y);
    page.widgets
        .iter()
        .rposition(|w| w.is_live() && holds(&w.bounds))
        .and_then(|ix| u32::try_from(ix).ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gui::{Flags, Listeners, RawNode, SystemEvent};
    use crate::util::seed::generator;

    fn canvas() -> (Page, Interner) {
        let mut interner = Interner::default();
        let node = RawNode {
            parent: -1,
            flags: Flags::VISIBLE | Flags::ENABLED,
            listeners: Listeners::OWN_TOUCH,
            bounds: Rect::from([10, 20, 30, 40]),
            ..RawNode::default()
        };
        (
            Page::build(&[node], "A", 0, (100, 100), &mut interner),
            interner,
        )
    }

    #[test]
    fn a_point_lies_inside_its_widget_and_is_recorded() {
        let (page, interner) = canvas();
        let mut rng = generator(1, "", "", 0);
        let event = page
            .events
            .iter()
            .position(|e| e.kind == EventKind::Point)
            .unwrap();
        for _ in 0..200 {
            let decision = Decision::Perform { event, input: None };
            let lowered = lower(
                &decision,
                &page,
                &TextGenerator::default(),
                &interner,
                &mut rng,
            );
            let Lowered::Perform(Action::Tap { x, y }, Did::Event { input, .. }) = lowered else {
                panic!()
            };
            assert!((10..30).contains(&x) && (20..40).contains(&y));
            assert_eq!(input, Some(Input::Point(x, y)));
        }
    }

    #[test]
    fn a_decision_beside_the_page_is_invalid_not_a_panic() {
        let (page, interner) = canvas();
        let mut rng = generator(1, "", "", 0);
        let decision = Decision::Perform {
            event: 999,
            input: None,
        };
        let lowered = lower(
            &decision,
            &page,
            &TextGenerator::default(),
            &interner,
            &mut rng,
        );
        assert_eq!(lowered, Lowered::Nothing(Did::Invalid));
    }

    #[test]
    fn relaunch_is_no_action() {
        let (page, interner) = canvas();
        let mut rng = generator(1, "", "", 0);
        let decision = Decision::System(SystemEvent::Relaunch);
        let lowered = lower(
            &decision,
            &page,
            &TextGenerator::default(),
            &interner,
            &mut rng,
        );
        assert!(matches!(lowered, Lowered::Relaunch(_)));
    }
}
