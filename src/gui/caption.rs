//! The text that tells a person what a widget does.

use super::page::Page;
use super::widget::Flags;
use crate::util::intern::{Interner, Sym};

/// Pieces of text taken from inside a widget that has none of its own.
const PIECES: usize = 4;
/// Between the pieces of a caption.
pub const BETWEEN: &str = " · ";

/// Appends a widget's caption to `out`: its text, else its description, else its hint, else the first texts
/// inside it (a list's row, a card). What was typed into a field is not a caption of it. Nothing for a widget
/// that says nothing, and for an index next to the page.
pub fn caption(page: &Page, widget: u32, out: &mut Vec<Sym>) {
    let start = widget as usize;
    let Some(this) = page.widgets.get(start) else {
        return;
    };
    let editable = this.flags.has(Flags::EDITABLE);
    let own = [this.text, this.description, this.hint];
    if let Some(&said) = own[usize::from(editable)..].iter().find(|s| !s.is_empty()) {
        out.push(said);
        return;
    }
    // Depth first, so that what is inside stands right behind.
    let inside = page.widgets[start + 1..]
        .iter()
        .take_while(|w| w.parent.is_some_and(|p| p >= widget));
    for inner in inside {
        let editable = inner.flags.has(Flags::EDITABLE);
        let own = [inner.text, inner.description];
        if let Some(&said) = own[usize::from(editable)..].iter().find(|s| !s.is_empty()) {
            out.push(said);
            if out.len() >= PIECES {
                return;
            }
        }
    }
}

/// The caption of a widget that has neither text nor description of its own, its pieces in one line; empty for
/// others. What was typed into a field is not a text of its own.
pub fn of_nameless(page: &Page, widget: u32, interner: &Interner) -> String {
    let Some(this) = page.widgets.get(widget as usize) else {
        return String::new();
    };
    let own = [this.text, this.description];
    let typed = usize::from(this.flags.has(Flags::EDITABLE));
    if own[typed..].iter().any(|sym| !sym.is_empty()) {
        return String::new();
    }
    let mut said = Vec::new();
    caption(page, widget, &mut said);
    let said: Vec<_> = said.iter().map(|sym| interner.get(*sym)).collect();
    said.join(BETWEEN)
}

/// Is this what such a widget says: the complete caption, or one piece of it?
pub fn says(caption: &str, wanted: &str) -> bool {
    caption == wanted || caption.split(BETWEEN).any(|piece| piece == wanted)
}

#[cfg(test)]
mod tests {
    use super::super::{RawNode, Rect};
    use super::*;
    use crate::util::intern::Interner;

    fn node(parent: i64, text: &str, flags: u32) -> RawNode {
        RawNode {
            parent,
            text: text.into(),
            flags: flags | Flags::VISIBLE | Flags::ENABLED,
            bounds: Rect::from([0, 0, 9, 9]),
            ..RawNode::default()
        }
    }

    #[test]
    fn a_row_is_called_by_what_stands_in_it_and_a_field_never_by_what_was_typed() {
        let mut interner = Interner::default();
        let nodes = [
            node(-1, "", 0),
            node(0, "", Flags::CLICKABLE),
            node(1, "Groceries", 0),
            node(1, "today", 0),
            node(0, "typed", Flags::EDITABLE),
            node(0, "OK", Flags::CLICKABLE),
        ];
        let page = Page::build(&nodes, "A", 0, (9, 9), &mut interner);
        let said = |widget| {
            let mut out = Vec::new();
            caption(&page, widget, &mut out);
            out.iter()
                .map(|s| interner.get(*s).to_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(said(1), ["Groceries", "today"]);
        assert!(said(4).is_empty());
        assert_eq!(said(5), ["OK"]);
        assert!(said(99).is_empty());
        let line = |widget| of_nameless(&page, widget, &interner);
        assert_eq!(line(1), "Groceries · today");
        // It has its own name.
        assert_eq!(line(5), "");
        assert_eq!((line(4), line(99)), (String::new(), String::new()));
        assert!(says(&line(1), "today") && says(&line(1), &line(1)) && !says(&line(1), "to"));
    }
}
