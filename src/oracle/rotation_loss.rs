//! State lost on rotation: typed text or a selection is gone after a rotation.
//!
//! Only widgets with a separate resource-id that are on both pages are compared, and only what a
//! person sets: texts of fields and checked states.

use super::{Oracle, finding};
use crate::gui::{Flags, Page, SystemEvent, Widget};
use crate::outcome::finding::{Finding, FindingKind};
use crate::outcome::run_event::RawInput;
use crate::step::{Decision, Step};
use crate::util::hash;
use crate::util::intern::Sym;
use rustc_hash::FxHashMap;

/// Compares the pages before and after every rotation.
#[derive(Debug, Default)]
pub struct RotationLoss;

impl Oracle for RotationLoss {
    fn name(&self) -> &'static str {
        "rotation-loss"
    }

    fn inspect(&mut self, step: &Step<'_>) -> Vec<Finding> {
        let turned = matches!(
            step.decision,
            Some(Decision::System(SystemEvent::Rotate) | Decision::Raw(RawInput::Rotate))
        );
        if !turned || !step.after.alive || step.before.activity != step.page.activity {
            return Vec::new();
        }
        let after = by_id(step.page);
        let mut lost = Vec::new();
        for (id, before) in by_id(step.before) {
            let (Some(before), Some(Some(after))) = (before, after.get(&id)) else {
                continue;
            };
            let name = step.interner.get(id);
            if before.flags.has(Flags::EDITABLE) && after.flags.has(Flags::EDITABLE) {
                if !before.text.is_empty()
                    && before.text != before.hint
                    && before.text != after.text
                {
                    lost.push((id, format!("the text of {name}")));
                }
            } else if before.flags.has(Flags::CHECKABLE)
                && before.flags.has(Flags::CHECKED) != after.flags.has(Flags::CHECKED)
            {
                lost.push((id, format!("the choice of {name}")));
            }
        }
        lost.sort_by(|a, b| a.1.cmp(&b.1));
        lost.into_iter()
            .map(|(id, what)| {
                let place = hash::mix(
                    step.interner.hash(step.page.activity),
                    step.interner.hash(id),
                );
                let title = format!("{what} is lost when the screen turns");
                let hash = hash::mix(hash::of_bytes(b"rotation"), place);
                finding(step, FindingKind::RotationLoss, hash, title.clone(), title)
            })
            .collect()
    }
}

/// Widgets by resource-id; `None` if several share it (rows of a list).
fn by_id(page: &Page) -> FxHashMap<Sym, Option<&Widget>> {
    let mut map = FxHashMap::default();
    for widget in page
        .widgets
        .iter()
        .filter(|w| !w.resource_id.is_empty() && w.is_live())
    {
        map.entry(widget.resource_id)
            .and_modify(|slot| *slot = None)
            .or_insert(Some(widget));
    }
    map
}

#[cfg(test)]
mod tests {
    use super::super::testing::step;
    use super::*;
    use crate::device::Observation;
    use crate::gui::{RawNode, Rect};
    use crate::util::intern::Interner;

    #[test]
    fn a_field_that_forgets_is_a_finding_and_one_that_remembers_is_not() {
        let mut interner = Interner::default();
        let mut page = |name: &str, city: &str| {
            let field = |id: &str, text: &str| RawNode {
                parent: -1,
                resource_id: id.into(),
                text: text.into(),
                flags: Flags::VISIBLE | Flags::ENABLED | Flags::EDITABLE,
                bounds: Rect::from([0, 0, 9, 9]),
                ..RawNode::default()
            };
            Page::build(
                &[field("id/name", name), field("id/city", city)],
                "A",
                0,
                (9, 9),
                &mut interner,
            )
        };
        let (before, after) = (page("Ada", "Rome"), page("Ada", ""));
        let obs = Observation {
            alive: true,
            ..Observation::default()
        };
        let turn = Decision::System(SystemEvent::Rotate);
        let found = RotationLoss.inspect(&step(&before, &after, Some(&turn), &obs, &interner));
        assert_eq!(found.len(), 1);
        assert_eq!(
            found[0].title,
            "the text of id/city is lost when the screen turns"
        );
        assert!(
            RotationLoss
                .inspect(&step(&before, &after, None, &obs, &interner))
                .is_empty()
        );
    }
}
