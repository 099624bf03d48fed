//! A coarse identity of pages: what a page is made of, whatever its lists hold and its texts say.
//!
//! On an app with one activity nearly every page has a separate identity: a list with one row more is another page,
//! and so is everything behind it. Two pages with one sketch have the same kinds of widgets and the same commands, so
//! what leads out of the one is likely to lead out of the other. Minimizing goes by sketches where identities differ.

use super::page::{Page, hex_id};
use super::widget::Flags;
use crate::util::hash::{mix, of_bytes};
use crate::util::intern::{Interner, Sym};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The coarse identity.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct SketchId(pub u64);
hex_id!(SketchId);

/// A command has a text of so many characters at most.
const COMMAND: usize = 40;
/// Abilities that make a widget another kind of widget.
const KIND: u32 = Flags::CLICKABLE | Flags::CHECKABLE | Flags::EDITABLE | Flags::SCROLLABLE;

/// The sketch of a page: its activity and windows, and the set of the kinds of widgets on it (class, resource-id, what
/// can be done with them), with what the clickable ones outside of lists say, digits left out.
pub fn of(page: &Page, interner: &Interner) -> SketchId {
    let mut kinds: Vec<u64> = Vec::with_capacity(page.widgets.len());
    // For each widget: is it in a list, or inside something clickable outside of lists?
    let mut inside: Vec<(bool, bool)> = Vec::with_capacity(page.widgets.len());
    for widget in &page.widgets {
        let above = widget.parent.and_then(|parent| inside.get(parent as usize));
        let (listed, command) = above.copied().unwrap_or_default();
        let clickable = widget.flags.0 & Flags::CLICKABLE != 0;
        let commands = (command || clickable) && !listed;
        let scrolls = widget.flags.0 & Flags::SCROLLABLE != 0;
        inside.push((listed || scrolls, commands));
        if !widget.flags.has(Flags::VISIBLE) {
            continue;
        }
        let mut kind = mix(
            interner.hash(widget.class),
            interner.hash(widget.resource_id),
        );
        kind = mix(kind, u64::from(widget.window));
        kind = mix(kind, u64::from(widget.flags.0 & KIND));
        if commands && widget.flags.0 & Flags::EDITABLE == 0 {
            kind = mix(kind, command_of(widget.text, interner));
            kind = mix(kind, command_of(widget.description, interner));
        }
        kinds.push(kind);
    }
    kinds.sort_unstable();
    kinds.dedup();
    let start = mix(of_bytes(b"sketch"), interner.hash(page.activity));
    SketchId(kinds.into_iter().fold(start, mix))
}

/// What a command says, without digits, which count things; 0 for what is too long to be one.
fn command_of(text: Sym, interner: &Interner) -> u64 {
    let text = interner.get(text);
    if text.chars().nth(COMMAND).is_some() {
        return 0;
    }
    let kept = text.bytes().filter(|byte| !byte.is_ascii_digit());
    kept.fold(1, |hash, byte| mix(hash, u64::from(byte)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gui::RawNode;

    const ON: u32 = Flags::VISIBLE | Flags::ENABLED;

    fn node(parent: i32, id: &str, text: &str, flags: u32) -> RawNode {
        RawNode {
            parent: parent.into(),
            class: "android.view.View".into(),
            resource_id: id.into(),
            text: text.into(),
            flags: ON | flags,
            ..RawNode::default()
        }
    }

    fn sketch(nodes: &[RawNode]) -> SketchId {
        let mut interner = Interner::default();
        let page = Page::build(nodes, "a.Main", 0, (9, 9), &mut interner);
        of(&page, &interner)
    }

    /// A page with a title, a button and a list of these rows.
    fn list(title: &str, button: &str, rows: &[&str]) -> Vec<RawNode> {
        let mut nodes = vec![
            node(-1, "", "", 0),
            node(0, "title", title, 0),
            node(0, "", button, Flags::CLICKABLE),
            node(0, "list", "", Flags::SCROLLABLE),
        ];
        nodes.extend(rows.iter().map(|row| node(3, "row", row, Flags::CLICKABLE)));
        nodes
    }

    #[test]
    fn rows_titles_and_counts_change_nothing() {
        let one = sketch(&list("Rice", "Buy 3", &["a"]));
        assert_eq!(one, sketch(&list("Flour", "Buy 12", &["b", "c", "d"])));
    }

    #[test]
    fn another_command_or_kind_of_widget_is_another_page() {
        let one = sketch(&list("Rice", "Buy", &["a"]));
        assert_ne!(one, sketch(&list("Rice", "Delete", &["a"])));
        let mut more = list("Rice", "Buy", &["a"]);
        more.push(node(0, "undo", "", Flags::CLICKABLE));
        assert_ne!(one, sketch(&more));
    }
}
