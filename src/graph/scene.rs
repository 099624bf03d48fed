//! Pages for the tests of states.

use crate::gui::{Flags, Page, RawNode, Rect};
use crate::util::intern::Interner;

const FLAGS: u32 = Flags::VISIBLE | Flags::ENABLED | Flags::NO_MENU;

/// A button of a page.
pub fn button(text: &str) -> RawNode {
    RawNode {
        parent: 0,
        flags: FLAGS | Flags::CLICKABLE,
        class: "android.widget.Button".into(),
        text: text.into(),
        bounds: Rect::from([0, 0, 9, 9]),
        ..RawNode::default()
    }
}

/// A page of buttons without a menu key: an event for each of them, and back.
pub fn page(
    activity: &str,
    buttons: impl IntoIterator<Item = RawNode>,
    interner: &mut Interner,
) -> Page {
    let root = RawNode {
        parent: -1,
        flags: FLAGS,
        ..button("")
    };
    let nodes: Vec<_> = std::iter::once(root).chain(buttons).collect();
    Page::build(&nodes, activity, 0, (9, 9), interner)
}
