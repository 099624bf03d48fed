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
        // Of each act the node of its widget.
        let mut widgets: Vec<Option<usize>> = Vec::with_capacity(self.acts.len());
        for (kind, at) in &self.acts {
            let widget = match kind {
                // The key is offered where a field has the focus.
                EventKind::Enter => {
                    let mut field = node(0, &EventIdentity::default());
                    field.flags = Flags::EDITABLE | Flags::FOCUSED | Flags::VISIBLE;
                    nodes.push(field);
                    None
                }
                EventKind::Back | EventKind::Menu => None,
                kind => {
                    let mut before = self.acts.iter().zip(&widgets);
                    let known =
                        before.find_map(|((_, known), ix)| ix.filter(|_| is_one(known, at)));
                    let ix = known.unwrap_or_else(|| widget(&mut nodes, at));
                    offer(&mut nodes[ix], *kind, at);
                    Some(ix)
                }
            };
            widgets.push(widget);
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
        let event = |((kind, _), widget): (&Act, &Option<usize>)| {
            let widget = widget.and_then(|ix| u32::try_from(ix).ok());
            let mut events = page.events.iter();
            events.position(|event| event.kind == *kind && event.widget == widget)
        };
        let events = self.acts.iter().zip(&widgets).map(event).collect();
        (page, events)
    }
}

/// Is it the same widget, wherever it was?
fn is_one(one: &EventIdentity, other: &EventIdentity) -> bool {
    let EventIdentity {
        class,
        id,
        text,
        desc,
        caption,
        path,
        bounds: _,
    } = one;
    (class, id, text) == (&other.class, &other.id, &other.text)
        && (desc, caption, path) == (&other.desc, &other.caption, &other.path)
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
