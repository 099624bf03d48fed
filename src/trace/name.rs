//! The name of a widget of the current page in a trace: the inverse of [`super::find`].

use super::find::TEXT;
use super::format::{Spot, Target};
use crate::gui::{EventKind, Flags, Page, caption};
use crate::util::intern::Interner;
use crate::util::text::shorten;

/// All that a widget is known by, so that it alone is found on this page. One that does not offer such an event goes by
/// the name of the widget around it that does: a row for the text inside it.
pub fn name(page: &Page, interner: &Interner, widget: u32, kind: EventKind) -> Target {
    let offers = |n: &u32| {
        let mut events = page.events.iter();
        events.any(|event| event.kind == kind && event.widget == Some(*n))
    };
    let outward = |n: &u32| page.widgets.get(*n as usize)?.parent;
    let meant = std::iter::successors(Some(widget), outward).find(offers);
    let meant = meant.unwrap_or(widget);
    let Some(widget) = page.widgets.get(meant as usize) else {
        return Target::default();
    };
    let get = |sym| shorten(interner.get(sym), TEXT).into_owned();
    Target {
        id: get(widget.resource_id),
        // The content of a field is not its name.
        text: match widget.flags.has(Flags::EDITABLE) {
            true => String::new(),
            false => get(widget.text),
        },
        desc: get(widget.description),
        caption: shorten(&caption::of_nameless(page, meant, interner), TEXT).into_owned(),
        class: get(widget.class),
        path: Some(widget.path),
        nth: None,
        at: Some(Spot::middle(widget.bounds, page.bounds())),
    }
}

#[cfg(test)]
mod tests {
    use super::super::find::{By, Fit, find};
    use super::*;
    use crate::gui::{RawNode, Rect};

    #[test]
    fn by_its_name_the_same_widget_alone_is_found_again() {
        let mut interner = Interner::default();
        let node = |parent, id: &str, text: &str, flags, row| RawNode {
            parent,
            class: "Row".into(),
            resource_id: id.into(),
            text: text.into(),
            flags: Flags::VISIBLE | Flags::ENABLED | flags,
            bounds: Rect::from([0, 10 * row, 10, 10 * row + 10]),
            ..RawNode::default()
        };
        let nodes = [
            node(-1, "a:id/row", "", Flags::CLICKABLE, 0),
            node(0, "", "Milk", 0, 0),
            node(-1, "a:id/row", "", Flags::CLICKABLE, 1),
            node(2, "", "Milk", 0, 1),
            node(-1, "", "", Flags::CLICKABLE, 2),
            node(-1, "", "", Flags::CLICKABLE, 3),
        ];
        let page = Page::build(&nodes, "A", 0, (10, 40), &mut interner);
        let named = |n| {
            let target = name(&page, &interner, n, EventKind::Click);
            find(&page, &interner, &target, EventKind::Click, Fit::Strict)
        };
        // Milk is written inside the rows.
        for (of, meant) in [(0, 0), (1, 0), (2, 2), (3, 2), (4, 4), (5, 5)] {
            assert_eq!(named(of), Some((meant, By::All)), "{of}");
        }
        assert!(name(&page, &interner, 99, EventKind::Click).is_empty());
    }
}
