//! A page made of what a journal or a trace says of it.

use super::{Act, Place};
use crate::gui::{
    Direction, EventIx, EventKind, Flags, Listeners, Page, RawNode, Rect, caption::BETWEEN,
};
use crate::outcome::run_event::EventIdentity;
use crate::util::intern::Interner;

/// The screen: places on it are not known.
const SCREEN: [i32; 4] = [0, 0, 100, 100];
/// Nameless events of a page at most: those of a long list teach nothing more.
const NAMELESS: usize = 48;

impl Place {
    /// The page: a widget for each one that was used, with the texts on it or inside it, and nameless ones for the other
    /// events that the page offers. With the index of each of [`Place::acts`] in its events.
    pub fn page(&self, interner: &mut Interner) -> (Page, Vec<Option<EventIx>>) {
        let mut nodes = vec![node(-1, &EventIdentity::default())];
        let mut used: Vec<(&EventIdentity, usize)> = Vec::new();
        for (kind, at) in &self.acts {
            match kind {
                // The key is offered where a field has the focus.
                EventKind::Enter => {
                    let mut field = node(0, &EventIdentity::default());
                    field.flags = Flags::EDITABLE | Flags::FOCUSED | Flags::VISIBLE;
                    nodes.push(field);
                }
                EventKind::Back | EventKind::Menu => {}
                kind => {
                    let known = used.iter().find(|(known, _)| is_one(known, at));
                    let ix = known.map(|(_, ix)| *ix).unwrap_or_else(|| {
                        used.push((at, nodes.len()));
                        widget(&mut nodes, at)
                    });
                    offer(&mut nodes[ix], *kind, at);
                }
            }
        }
        let with_widget = self.acts.iter().filter(|(kind, _)| !kind.is_global());
        // Back and menu are events, too.
        let others = (self.offers as usize).saturating_sub(with_widget.count() + 2);
        for _ in 0..others.min(NAMELESS) {
            let mut nameless = node(0, &EventIdentity::default());
            nameless.flags |= Flags::CLICKABLE;
            nodes.push(nameless);
        }
        let page = Page::build(&nodes, &self.activity, 0, (SCREEN[2], SCREEN[3]), interner);
        let event = |(kind, at): &Act| {
            let used = used.iter().find(|(known, _)| is_one(known, at));
            let widget = used.and_then(|(_, ix)| u32::try_from(*ix).ok());
            let widget = widget.filter(|_| !kind.is_global());
            let mut events = page.events.iter();
            events.position(|event| event.kind == *kind && event.widget == widget)
        };
        let events = self.acts.iter().map(event).collect();
        (page, events)
    }
}

/// Is it the same widget, wherever it was?
fn is_one(one: &EventIdentity, other: &EventIdentity) -> bool {
    let without_place = |at: &EventIdentity| EventIdentity {
        bounds: None,
        ..at.clone()
    };
    without_place(one) == without_place(other)
}

/// Adds a widget with what it contains; its index.
fn widget(nodes: &mut Vec<RawNode>, at: &EventIdentity) -> usize {
    let ix = nodes.len();
    nodes.push(node(0, at));
    if at.text.is_empty() && at.desc.is_empty() {
        for piece in at.caption.split(BETWEEN).filter(|piece| !piece.is_empty()) {
            let mut inside = node(i64::try_from(ix).unwrap_or(-1), &EventIdentity::default());
            piece.clone_into(&mut inside.text);
            nodes.push(inside);
        }
    }
    ix
}

fn node(parent: i64, at: &EventIdentity) -> RawNode {
    RawNode {
        parent,
        class: at.class.clone(),
        resource_id: at.id.clone(),
        text: at.text.clone(),
        description: at.desc.clone(),
        bounds: Rect::from(SCREEN),
        flags: Flags::VISIBLE | Flags::ENABLED,
        ..RawNode::default()
    }
}

/// Makes the widget one with which this can be done.
fn offer(node: &mut RawNode, kind: EventKind, at: &EventIdentity) {
    match kind {
        EventKind::Click => {
            node.flags |= Flags::CLICKABLE;
            node.listeners |= Listeners::CLICK;
        }
        EventKind::LongClick => node.listeners |= Listeners::LONG_CLICK,
        EventKind::Text => {
            node.flags |= Flags::EDITABLE;
            node.hint.clone_from(&at.caption);
        }
        EventKind::Scroll { dir } => {
            let bit = Direction::ALL.iter().position(|known| *known == dir);
            node.scrolls |= 1 << bit.unwrap_or(0);
        }
        EventKind::Swipe { .. } | EventKind::Pinch { .. } | EventKind::Point => {
            node.listeners |= Listeners::OWN_TOUCH;
        }
        EventKind::Back | EventKind::Menu | EventKind::Enter => {}
    }
}
