//! Events: the actions a page offers, one per widget and action.

use super::page::hex_id;
use super::untold;
use super::widget::{Flags, Listeners, Widget};
use crate::util::hash::mix;
use crate::util::intern::Interner;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Index of an event in [`super::Page::events`].
pub type EventIx = usize;

/// Identity of an event across pages and sessions: kind, class, resource-id, description, text and path.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct EventKey(pub u64);
hex_id!(EventKey);

/// A direction on the screen.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum Direction {
    Up,
    Down,
    Left,
    Right,
}

impl Direction {
    /// All four, in the order of the agent's scroll bits.
    pub const ALL: [Direction; 4] = [Self::Up, Self::Down, Self::Left, Self::Right];

    /// The other way: content appears on the side that the finger leaves.
    pub const fn opposite(self) -> Self {
        match self {
            Self::Up => Self::Down,
            Self::Down => Self::Up,
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }
}

/// What is done.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "do")]
pub enum EventKind {
    /// A tap at the middle of the widget.
    Click,
    /// A long press.
    LongClick,
    /// Text typed into a field; then the field's editor action when it has one.
    Text,
    /// A drag that reveals content in this direction.
    Scroll {
        /// Where the content to reveal lies.
        dir: Direction,
    },
    /// A fast fling with the finger moving in this direction.
    Swipe {
        /// The finger's direction.
        dir: Direction,
    },
    /// Two fingers together or apart.
    Pinch {
        /// Together (zoom out)?
        inward: bool,
    },
    /// A tap at a point inside a view that draws itself; the point is the decision's input.
    Point,
    /// The back key.
    Back,
    /// The menu key.
    Menu,
    /// The enter key, where a text field has the focus.
    Enter,
}

impl EventKind {
    /// A stable number for hashes.
    pub const fn code(self) -> u64 {
        match self {
            Self::Click => 1,
            Self::LongClick => 2,
            Self::Text => 3,
            Self::Scroll { dir } => 4 + dir as u64,
            Self::Swipe { dir } => 8 + dir as u64,
            Self::Pinch { inward } => 12 + inward as u64,
            Self::Point => 14,
            Self::Back => 15,
            Self::Menu => 16,
            Self::Enter => 17,
        }
    }

    /// A key or the device itself, no widget's.
    pub const fn is_global(self) -> bool {
        matches!(self, Self::Back | Self::Menu | Self::Enter)
    }
}

impl fmt::Display for EventKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Self::Click => "click",
            Self::LongClick => "long click",
            Self::Text => "type",
            Self::Scroll { dir } => {
                return write!(f, "scroll {}", format!("{dir:?}").to_lowercase());
            }
            Self::Swipe { dir } => return write!(f, "swipe {}", format!("{dir:?}").to_lowercase()),
            Self::Pinch { inward: true } => "pinch in",
            Self::Pinch { inward: false } => "pinch out",
            Self::Point => "tap a point",
            Self::Back => "back",
            Self::Menu => "menu",
            Self::Enter => "enter",
        };
        f.write_str(name)
    }
}

/// One action offered by a page; also the unit of every budget.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Event {
    /// What is done.
    pub kind: EventKind,
    /// With which widget (index in [`super::Page::widgets`]); `None` for keys.
    pub widget: Option<u32>,
    /// Identity.
    pub key: EventKey,
}

/// All events of these widgets, disabled and invisible ones out.
pub(super) fn enumerate(widgets: &[Widget], interner: &Interner) -> Vec<Event> {
    let mut has_child = vec![false; widgets.len()];
    for w in widgets {
        if let Some(p) = w.parent {
            has_child[p as usize] = true;
        }
    }
    let mut events = Vec::with_capacity(widgets.len() + 3);
    for (ix, widget) in widgets.iter().enumerate() {
        if !widget.is_live() {
            continue;
        }
        let identity = identity(widget, interner);
        let mut offer = |kind: EventKind| {
            events.push(Event {
                kind,
                widget: u32::try_from(ix).ok(),
                key: EventKey(mix(identity, kind.code())),
            });
        };
        let flags = widget.flags;
        let listeners = widget.listeners;
        let editable = flags.has(Flags::EDITABLE);
        if editable {
            offer(EventKind::Text);
        }
        // A click on a plain text field only moves the focus, which typing does too.
        if flags.has(Flags::CLICKABLE) && !editable || listeners.any(Listeners::CLICK) {
            offer(EventKind::Click);
        }
        if flags.has(Flags::LONG_CLICKABLE) && !editable
            || listeners.any(Listeners::LONG_CLICK | Listeners::CONTEXT_MENU)
        {
            offer(EventKind::LongClick);
        }
        for (bit, dir) in Direction::ALL.into_iter().enumerate() {
            if widget.scrolls & (1 << bit) != 0 {
                offer(EventKind::Scroll { dir });
            }
        }
        // A leaf that handles touches itself is a canvas: every point may mean something else. A button
        // with a touch listener (the action bar's overflow has one) is still a button.
        let touched = listeners.any(Listeners::TOUCH) && !flags.has(Flags::CLICKABLE);
        let canvas = (touched || listeners.any(Listeners::OWN_TOUCH)) && !has_child[ix];
        if canvas && !editable {
            offer(EventKind::Point);
            for dir in Direction::ALL {
                offer(EventKind::Swipe { dir });
            }
            offer(EventKind::Pinch { inward: true });
            offer(EventKind::Pinch { inward: false });
        }
    }
    untold::offer(widgets, interner, &mut events);
    let typing = widgets.iter().any(|w| {
        w.flags
            .has(Flags::EDITABLE | Flags::FOCUSED | Flags::VISIBLE)
    });
    // Most screens have no options menu. Where the device knows that nobody would hear the key, it is
    // no action of the page, as a disabled button is none.
    let menu = !widgets.iter().any(|w| w.flags.has(Flags::NO_MENU));
    let keys = !widgets.iter().any(|w| w.flags.has(Flags::NO_KEYS));
    let keys = [
        (EventKind::Back, keys),
        (EventKind::Menu, menu && keys),
        (EventKind::Enter, typing),
    ];
    for (kind, _) in keys.into_iter().filter(|&(_, offered)| offered) {
        events.push(Event {
            kind,
            widget: None,
            key: EventKey(mix(0, kind.code())),
        });
    }
    events
}

pub(super) fn identity(widget: &Widget, interner: &Interner) -> u64 {
    let mut hash = mix(widget.path, interner.hash(widget.class));
    hash = mix(hash, interner.hash(widget.resource_id));
    hash = mix(hash, interner.hash(widget.description));
    // What a user typed is not what the field is.
    if !widget.flags.has(Flags::EDITABLE) {
        hash = mix(hash, interner.hash(widget.text));
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::super::{Page, RawNode, Rect};
    use super::*;

    fn kinds(node: RawNode) -> Vec<EventKind> {
        let mut interner = Interner::default();
        let node = RawNode {
            parent: -1,
            bounds: Rect::from([0, 0, 9, 9]),
            ..node
        };
        Page::build(&[node], "A", 0, (9, 9), &mut interner)
            .events
            .iter()
            .map(|e| e.kind)
            .filter(|k| !k.is_global())
            .collect()
    }

    const LIVE: u32 = Flags::VISIBLE | Flags::ENABLED;

    #[test]
    fn a_text_field_is_typed_into_and_clicked_only_where_it_listens() {
        let flags = LIVE | Flags::EDITABLE | Flags::CLICKABLE | Flags::LONG_CLICKABLE;
        let field = RawNode {
            flags,
            ..RawNode::default()
        };
        assert_eq!(kinds(field.clone()), [EventKind::Text]);
        let listening = RawNode {
            listeners: Listeners::CLICK,
            ..field
        };
        assert_eq!(kinds(listening), [EventKind::Text, EventKind::Click]);
    }

    #[test]
    fn disabled_and_invisible_widgets_offer_nothing() {
        for flags in [
            Flags::CLICKABLE | Flags::VISIBLE,
            Flags::CLICKABLE | Flags::ENABLED,
        ] {
            assert_eq!(
                kinds(RawNode {
                    flags,
                    ..RawNode::default()
                }),
                []
            );
        }
    }

    #[test]
    fn the_menu_key_is_offered_unless_nobody_would_hear_it() {
        let mut interner = Interner::default();
        let mut offered = |flags| {
            let node = RawNode {
                parent: -1,
                flags: LIVE | flags,
                bounds: Rect::from([0, 0, 9, 9]),
                ..RawNode::default()
            };
            Page::build(&[node], "A", 0, (9, 9), &mut interner)
                .events
                .iter()
                .any(|e| e.kind == EventKind::Menu)
        };
        assert!(offered(0));
        assert!(!offered(Flags::NO_MENU));
    }

    #[test]
    fn a_button_with_a_touch_listener_is_no_canvas() {
        let offered = kinds(RawNode {
            flags: LIVE | Flags::CLICKABLE,
            listeners: Listeners::TOUCH,
            ..RawNode::default()
        });
        assert_eq!(offered, [EventKind::Click]);
    }

    #[test]
    fn a_canvas_offers_points_swipes_and_pinches() {
        let offered = kinds(RawNode {
            flags: LIVE,
            listeners: Listeners::OWN_TOUCH,
            ..RawNode::default()
        });
        assert_eq!(offered.len(), 7);
        assert!(offered.contains(&EventKind::Point));
    }

    #[test]
    fn scrolling_is_offered_only_where_there_is_more() {
        let offered = kinds(RawNode {
            flags: LIVE | Flags::SCROLLABLE,
            scrolls: 2,
            ..RawNode::default()
        });
        assert_eq!(
            offered,
            [EventKind::Scroll {
                dir: Direction::Down
            }]
        );
    }

    #[test]
    fn every_event_of_a_page_has_its_own_key() {
        let mut interner = Interner::default();
        let flags = LIVE | Flags::CLICKABLE | Flags::LONG_CLICKABLE;
        let node = |parent| RawNode {
            parent,
            flags,
            bounds: Rect::from([0, 0, 9, 9]),
            ..RawNode::default()
        };
        let page = Page::build(&[node(-1), node(0), node(0)], "A", 0, (9, 9), &mut interner);
        let mut keys: Vec<_> = page.events.iter().map(|e| e.key).collect();
        keys.sort();
        keys.dedup();
        assert_eq!(keys.len(), page.events.len());
    }
}
