//! A page: the widgets of the windows that can take input, and the events they offer.

use super::event::{self, Event};
use super::hierarchy::{self, RawNode};
use super::widget::{Flags, Listeners, Rect, Widget};
use crate::util::hash::{mix, of_bytes};
use crate::util::intern::{Interner, Sym};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Structural identity: activity, classes, resource-ids and positions in the tree.
/// For graphs, visit counts and loops; texts and states don't change it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct PageId(pub u64);

/// Exact identity: the structure plus texts and states.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct ExactId(pub u64);

macro_rules! hex_id {
    ($name:ident) => {
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{:016x}", self.0)
            }
        }
        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}({self})", stringify!($name))
            }
        }
        impl From<$name> for String {
            fn from(id: $name) -> Self {
                id.to_string()
            }
        }
        impl TryFrom<String> for $name {
            type Error = std::num::ParseIntError;
            fn try_from(text: String) -> Result<Self, Self::Error> {
                u64::from_str_radix(&text, 16).map($name)
            }
        }
    };
}
hex_id!(PageId);
hex_id!(ExactId);
pub(crate) use hex_id;

/// One observed screen of the app.
#[derive(Clone, Debug)]
pub struct Page {
    /// Foreground activity's class, empty when there is none.
    pub activity: Sym,
    /// Structural identity.
    pub id: PageId,
    /// Exact identity.
    pub exact: ExactId,
    /// `Surface.ROTATION_*`, 0 to 3.
    pub rotation: u8,
    /// Screen size in pixels as it is turned now.
    pub screen: (i32, i32),
    /// All nodes, depth first.
    pub widgets: Vec<Widget>,
    /// Every event offered, widgets' first, in depth-first order, then the keys'.
    pub events: Vec<Event>,
    /// Hash over the listener bits of the tree, part of neither identity.
    pub listeners: u64,
}

/// Words shown while an app is busy; a page that reports it is not blank.
const LOADING: [&str; 3] = ["loading", "please wait", "progress"];

impl Page {
    /// Builds a page from raw nodes; parents that do not come before their children are taken as roots, and what is below
    /// [`hierarchy::DEEPEST`] levels as siblings.
    pub fn build(
        nodes: &[RawNode],
        activity: &str,
        rotation: u8,
        screen: (i32, i32),
        interner: &mut Interner,
    ) -> Self {
        let mut widgets: Vec<Widget> = Vec::with_capacity(nodes.len());
        let mut children: Vec<u32> = Vec::with_capacity(nodes.len());
        let activity = interner.intern(activity);
        let mut roots = 0_u32;
        let mut id = interner.hash(activity);
        let mut exact = mix(id, u64::from(rotation));
        let mut listeners = 0;
        for (node, parent) in nodes.iter().zip(hierarchy::parents(nodes)) {
            let class = interner.intern(&node.class);
            let resource_id = interner.intern(&node.resource_id);
            let parent = u32::try_from(parent).ok();
            let (base, position) = match parent {
                Some(p) => {
                    children[p as usize] += 1;
                    (widgets[p as usize].path, children[p as usize])
                }
                None => {
                    roots += 1;
                    (u64::from(node.window), roots)
                }
            };
            let path = mix(mix(base, interner.hash(class)), u64::from(position));
            let widget = Widget {
                parent,
                window: node.window,
                class,
                resource_id,
                text: interner.intern(&node.text),
                description: interner.intern(&node.description),
                hint: interner.intern(&node.hint),
                state: interner.intern(&node.state),
                role: interner.intern(&node.role),
                range: interner.intern(&node.range),
                collection: interner.intern(&node.collection),
                item: interner.intern(&node.item),
                bounds: node.bounds,
                flags: Flags(node.flags),
                listeners: Listeners(node.listeners),
                input_type: node.input_type,
                ime_action: node.ime_action,
                max_length: node.max_length,
                scrolls: node.scrolls,
                path,
            };
            if widget.flags.has(Flags::VISIBLE) {
                id = mix(mix(id, path), interner.hash(resource_id));
                exact = mix(mix(exact, path), interner.hash(resource_id));
                exact = mix(exact, interner.hash(widget.text));
                exact = mix(exact, interner.hash(widget.description));
                if !widget.state.is_empty() {
                    exact = mix(exact, interner.hash(widget.state));
                }
                // Focus moves with every touch and tells nothing of the app's state.
                exact = mix(exact, u64::from(node.flags & !(Flags::FOCUSED)));
            }
            listeners = mix(listeners, u64::from(node.listeners));
            widgets.push(widget);
            children.push(0);
        }
        let events = event::enumerate(&widgets, interner);
        Self {
            activity,
            id: PageId(id),
            exact: ExactId(exact),
            rotation,
            screen,
            widgets,
            events,
            listeners,
        }
    }

    /// The complete screen as a rectangle.
    pub const fn bounds(&self) -> Rect {
        Rect {
            left: 0,
            top: 0,
            right: self.screen.0,
            bottom: self.screen.1,
        }
    }

    /// Shows nothing a person could read or act on, and does not say that it is loading. Where the windows leave the
    /// better half of the screen free (an empty menu), what is behind them is seen, and the page is not blank.
    pub fn is_blank(&self, interner: &Interner) -> bool {
        let shown = |w: &Widget| w.flags.has(Flags::VISIBLE) && !w.bounds.is_empty();
        let area = |width: i32, height: i32| i64::from(width) * i64::from(height);
        let half = area(self.screen.0, self.screen.1) / 2;
        if !self.widgets.is_empty()
            && !self
                .widgets
                .iter()
                .any(|w| w.parent.is_none() && area(w.bounds.width(), w.bounds.height()) >= half)
        {
            return false;
        }
        let says = |sym: Sym| {
            LOADING
                .iter()
                .any(|word| interner.get(sym).to_lowercase().contains(word))
        };
        let leaf_drawn = |w: &Widget| {
            let class = interner.get(w.class);
            w.listeners.any(Listeners::OWN_TOUCH)
                || ["Image", "Surface", "Texture", "ProgressBar"]
                    .iter()
                    .any(|c| class.contains(c))
                || class == "android.view.View"
        };
        // As large as what it has loaded, which the jvm device does not paint.
        let web = |w: &Widget| interner.get(w.class).contains("WebView");
        !self.widgets.iter().any(|w| {
            web(w)
                || shown(w)
                    && (!w.text.is_empty()
                        || !w.description.is_empty()
                        || !w.hint.is_empty()
                        || w.flags.0 & (Flags::CLICKABLE | Flags::LONG_CLICKABLE | Flags::EDITABLE)
                            != 0
                        || leaf_drawn(w)
                        || says(w.text))
        })
    }

    /// The raw form again, for dumps.
    pub fn to_raw(&self, interner: &Interner) -> Vec<RawNode> {
        let text = |sym| interner.get(sym).to_owned();
        self.widgets
            .iter()
            .map(|w| RawNode {
                parent: w.parent.map_or(-1, i64::from),
                window: w.window,
                class: text(w.class),
                resource_id: text(w.resource_id),
                text: text(w.text),
                description: text(w.description),
                hint: text(w.hint),
                state: text(w.state),
                role: text(w.role),
                range: text(w.range),
                collection: text(w.collection),
                item: text(w.item),
                bounds: w.bounds,
                flags: w.flags.0,
                listeners: w.listeners.0,
                input_type: w.input_type,
                ime_action: w.ime_action,
                max_length: w.max_length,
                scrolls: w.scrolls,
            })
            .collect()
    }
}

/// The empty page of a process that is not alive.
pub fn none() -> Page {
    Page {
        activity: Sym::EMPTY,
        id: PageId(of_bytes(b"no page")),
        exact: ExactId(of_bytes(b"no page")),
        rotation: 0,
        screen: (0, 0),
        widgets: Vec::new(),
        events: Vec::new(),
        listeners: 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn button(text: &str, flags: u32) -> RawNode {
        RawNode {
            parent: 0,
            class: "android.widget.Button".into(),
            text: text.into(),
            bounds: Rect::from([0, 0, 10, 10]),
            flags,
            ..RawNode::default()
        }
    }

    fn page(texts: &[&str]) -> (Page, Interner) {
        let mut interner = Interner::default();
        let on = Flags::VISIBLE | Flags::ENABLED | Flags::CLICKABLE;
        let mut nodes = vec![RawNode {
            parent: -1,
            ..button("", Flags::VISIBLE | Flags::ENABLED)
        }];
        nodes.extend(texts.iter().map(|t| button(t, on)));
        (
            Page::build(&nodes, "a.Main", 0, (10, 10), &mut interner),
            interner,
        )
    }

    #[test]
    fn texts_change_the_exact_identity_only() {
        let (a, _) = page(&["x", "y"]);
        let (b, _) = page(&["x", "z"]);
        let (c, _) = page(&["x", "y", "z"]);
        assert_eq!(a.id, b.id);
        assert_ne!(a.exact, b.exact);
        assert_ne!(a.id, c.id);
    }

    #[test]
    fn values_and_places_in_lists_change_no_identity() {
        let mut interner = Interner::default();
        let mut page = |range: &str, item: &str| {
            let node = RawNode {
                parent: -1,
                range: range.into(),
                item: item.into(),
                role: "slider".into(),
                ..button("", Flags::VISIBLE)
            };
            let page = Page::build(&[node], "a.Main", 0, (10, 10), &mut interner);
            (page.id, page.exact)
        };
        assert_eq!(page("1 (0..9)", "3,0"), page("2 (0..9)", "4,0"));
    }

    #[test]
    fn a_page_without_anything_to_read_or_press_is_blank() {
        let (full, interner) = page(&["x"]);
        assert!(!full.is_blank(&interner));
        let (blank, interner) = page(&[]);
        assert!(blank.is_blank(&interner));
        let (mut menu, interner) = page(&[]);
        menu.widgets[0].bounds = Rect::from([1, 1, 4, 9]);
        assert!(!menu.is_blank(&interner), "behind it is the activity");
    }
}
