//! Taps where a page does not say what takes a touch.

use super::event::{self, Event, EventKey, EventKind};
use super::widget::{Flags, Widget};
use crate::util::hash::mix;
use crate::util::intern::Interner;

/// Virtual nodes may name texts only, and nothing that takes a touch: what a user reads there is what they tap.
pub(super) fn offer(widgets: &[Widget], interner: &Interner, events: &mut Vec<Event>) {
    let touch = |e: &Event| {
        matches!(
            e.kind,
            EventKind::Click | EventKind::LongClick | EventKind::Text | EventKind::Point
        )
    };
    if events.iter().any(touch) {
        return;
    }
    let read = |w: &Widget| {
        w.is_live()
            && w.flags.has(Flags::VIRTUAL)
            && !(w.text.is_empty() && w.description.is_empty())
    };
    for (ix, widget) in widgets.iter().enumerate().filter(|(_, w)| read(w)) {
        let kind = EventKind::Click;
        events.push(Event {
            kind,
            widget: u32::try_from(ix).ok(),
            key: EventKey(mix(event::identity(widget, interner), kind.code())),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Page, RawNode, Rect};
    use super::*;

    const LIVE: u32 = Flags::VISIBLE | Flags::ENABLED;

    fn clicked(nodes: &[RawNode]) -> Vec<u32> {
        let mut interner = Interner::default();
        Page::build(nodes, "A", 0, (9, 9), &mut interner)
            .events
            .iter()
            .filter_map(|e| e.widget)
            .collect()
    }

    #[test]
    fn texts_without_a_view_are_tapped_only_where_nothing_else_takes_a_touch() {
        let text = RawNode {
            parent: -1,
            flags: LIVE | Flags::VIRTUAL,
            text: "Start".into(),
            bounds: Rect::from([0, 0, 9, 9]),
            ..RawNode::default()
        };
        let view = RawNode {
            flags: LIVE,
            ..text.clone()
        };
        let silent = RawNode {
            text: String::new(),
            ..text.clone()
        };
        let button = RawNode {
            flags: LIVE | Flags::VIRTUAL | Flags::CLICKABLE,
            ..text.clone()
        };
        assert_eq!(clicked(&[view, silent, text.clone()]), [2]);
        assert_eq!(clicked(&[text, button]), [1]);
    }
}
