use super::*;
use crate::gui::{RawNode, Rect};

/// Two rows with the same id, a button with a text, a bare image.
fn page(size: i32) -> (Page, Interner) {
    let mut interner = Interner::default();
    let node = |id: &str, text: &str, class: &str, row: i32| RawNode {
        parent: -1,
        class: class.into(),
        resource_id: id.into(),
        text: text.into(),
        flags: Flags::VISIBLE | Flags::ENABLED | Flags::CLICKABLE,
        bounds: Rect::from([0, row * size, size, (row + 1) * size]),
        ..RawNode::default()
    };
    let nodes = [
        node("a:id/row", "Milk", "Text", 0),
        node("a:id/row", "Eggs", "Text", 1),
        node("", "Save", "Button", 2),
        node("", "", "Image", 3),
        node("", "", "Image", 4),
    ];
    let page = Page::build(&nodes, "A", 0, (size, 5 * size), &mut interner);
    (page, interner)
}

fn found(target: &Target, fit: Fit) -> Option<(u32, By)> {
    let (page, interner) = page(10);
    find(&page, &interner, target, EventKind::Click, fit)
}

fn row(text: &str) -> Target {
    Target {
        id: "row".into(),
        text: text.into(),
        ..Target::default()
    }
}

#[test]
fn all_that_is_said_decides_then_the_number() {
    assert_eq!(found(&row("Eggs"), Fit::Strict), Some((1, By::All)));
    let second = Target {
        nth: Some(1),
        ..row("")
    };
    assert_eq!(found(&second, Fit::Strict), Some((1, By::All)));
    let third = Target {
        nth: Some(2),
        ..row("")
    };
    assert_eq!(found(&third, Fit::Strict), None);
}

#[test]
fn a_widget_that_is_gone_is_gone_when_strict_and_the_likeliest_when_loose() {
    assert_eq!(found(&row("Soap"), Fit::Strict), None);
    assert_eq!(found(&row("Soap"), Fit::Loose), Some((0, By::Id)));
    let renamed = Target {
        id: "a:id/store".into(),
        text: "Save".into(),
        ..Target::default()
    };
    assert_eq!(found(&renamed, Fit::Strict), None);
    assert_eq!(found(&renamed, Fit::Loose), Some((2, By::Text)));
}

#[test]
fn a_field_named_by_its_text_alone_shows_that_text_or_has_it_for_a_hint() {
    let mut interner = Interner::default();
    let field = |id: &str, text: &str, hint: &str| RawNode {
        parent: -1,
        resource_id: id.into(),
        text: text.into(),
        hint: hint.into(),
        flags: Flags::VISIBLE | Flags::ENABLED | Flags::EDITABLE,
        bounds: Rect::from([0, 0, 9, 9]),
        ..RawNode::default()
    };
    let nodes = [
        field("mail", "", "E-mail"),
        field("word", "secret", "Password"),
    ];
    let page = Page::build(&nodes, "A", 0, (9, 9), &mut interner);
    let found = |target: &Target, kind, fit| find(&page, &interner, target, kind, fit);
    let text = |text: &str| Target {
        text: text.into(),
        ..Target::default()
    };
    for fit in [Fit::Loose, Fit::Strict] {
        for name in ["Password", "secret"] {
            let there = found(&text(name), EventKind::Text, fit);
            assert_eq!(there, Some((1, By::All)), "{name}");
        }
        for kind in [EventKind::Text, EventKind::Click] {
            assert_eq!(found(&text("Nope"), kind, fit), None);
        }
        // Another text in it does not make it another field.
        let other = Target {
            id: "word".into(),
            ..text("was here")
        };
        assert_eq!(found(&other, EventKind::Text, fit), Some((1, By::All)));
    }
}

/// Rows without a name, each with a text inside.
fn rows(texts: &[&str]) -> (Page, Interner) {
    let mut interner = Interner::default();
    let node = |parent, class: &str, text: &str, flags| RawNode {
        parent,
        class: class.into(),
        text: text.into(),
        flags: Flags::VISIBLE | Flags::ENABLED | flags,
        bounds: Rect::from([0, 0, 9, 9]),
        ..RawNode::default()
    };
    let nodes: Vec<_> = (0..)
        .step_by(2)
        .zip(texts)
        .flat_map(|(at, text)| {
            let row = node(-1, "Row", "", Flags::CLICKABLE);
            [row, node(at, "Text", text, 0)]
        })
        .collect();
    let page = Page::build(&nodes, "A", 0, (9, 9), &mut interner);
    (page, interner)
}

#[test]
fn a_row_is_known_by_the_text_inside_it_before_its_place_in_the_list() {
    let (old, _) = rows(&["Milk", "Eggs"]);
    let eggs = Target {
        class: "Row".into(),
        caption: "Eggs".into(),
        path: Some(old.widgets[2].path),
        ..Target::default()
    };
    let found = |texts: &[&str], target: &Target, fit| {
        let (page, interner) = rows(texts);
        find(&page, &interner, target, EventKind::Click, fit)
    };
    for fit in [Fit::Loose, Fit::Strict] {
        assert_eq!(found(&["Milk", "Eggs"], &eggs, fit), Some((2, By::All)));
    }
    let longer = ["Bread", "Milk", "Eggs"];
    assert_eq!(found(&longer, &eggs, Fit::Loose), Some((4, By::All)));
    // The row has moved: it is the same one wherever it is.
    assert_eq!(found(&longer, &eggs, Fit::Strict), Some((4, By::All)));
    // If no row has the text, the place in the list is a guess.
    let other = ["Milk", "Soap"];
    assert_eq!(found(&other, &eggs, Fit::Loose), Some((2, By::Path)));
    assert_eq!(found(&other, &eggs, Fit::Strict), Some((2, By::All)));
    let older = Target {
        caption: String::new(),
        ..eggs.clone()
    };
    assert_eq!(found(&longer, &older, Fit::Loose), Some((2, By::All)));
    let by_hand = Target {
        caption: "Eggs".into(),
        ..Target::default()
    };
    for fit in [Fit::Loose, Fit::Strict] {
        assert_eq!(found(&longer, &by_hand, fit), Some((4, By::All)));
        assert_eq!(found(&other, &by_hand, fit), None);
    }
}

#[test]
fn what_has_no_name_is_known_by_its_path_and_last_by_its_place_on_any_screen() {
    let (small, _) = page(10);
    let path = small.widgets[4].path;
    let nameless = |path| Target {
        class: "Image".into(),
        path: Some(path),
        at: Some(Spot { x: 0.5, y: 0.9 }),
        ..Target::default()
    };
    assert_eq!(found(&nameless(path), Fit::Strict), Some((4, By::All)));
    assert_eq!(found(&nameless(1), Fit::Strict), None);
    let (large, interner) = page(333);
    let other = find(
        &large,
        &interner,
        &nameless(1),
        EventKind::Click,
        Fit::Loose,
    );
    assert_eq!(other, Some((4, By::Place)));
}

/// A page with what a flow of Maestro selects: a title, buttons with a description and with a text, a field with a label
/// above it, rows.
fn form() -> (Page, Interner) {
    let mut interner = Interner::default();
    let node = |parent, id: &str, text: &str, flags| RawNode {
        parent,
        resource_id: id.into(),
        text: text.into(),
        flags: Flags::VISIBLE | Flags::ENABLED | flags,
        bounds: Rect::from([0, 0, 9, 9]),
        ..RawNode::default()
    };
    let described = |node: RawNode, description: &str| RawNode {
        description: description.into(),
        ..node
    };
    let field = node(-1, "a:id/mail", "", Flags::EDITABLE | Flags::CLICKABLE);
    let nodes = [
        node(-1, "", "Delete", 0),
        described(node(-1, "", "", Flags::CLICKABLE), "Search"),
        node(-1, "a:id/del", "Delete", Flags::CLICKABLE),
        node(-1, "", "E-mail", 0),
        RawNode {
            hint: "you@example.org".into(),
            ..field
        },
        node(-1, "a:id/row", "", Flags::CLICKABLE),
        node(5, "", "Milk", 0),
        node(5, "", "today", 0),
        node(-1, "a:id/row", "", Flags::CLICKABLE),
        node(8, "", "Eggs", 0),
        node(8, "", "today", 0),
        described(node(-1, "", "", Flags::CLICKABLE), "A card"),
        node(11, "", "Inside\nthe card", 0),
    ];
    let page = Page::build(&nodes, "A", 0, (9, 9), &mut interner);
    (page, interner)
}

#[test]
fn what_a_flow_selects_is_found_by_what_a_person_reads_on_it() {
    let (page, interner) = form();
    let target = |id: &str, text: &str, caption: &str, nth| Target {
        id: id.into(),
        text: text.into(),
        caption: caption.into(),
        nth,
        ..Target::default()
    };
    let long = "b".repeat(TEXT - 1) + "…";
    for (wanted, loose) in [
        // The button, not the title above it; the title, if the flow counts further than there are buttons.
        (target("", "Delete", "", None), Some((2, By::All))),
        (target("", "Delete", "", Some(0)), Some((2, By::All))),
        (target("", "Delete", "", Some(1)), Some((2, By::All))),
        (target("", "Delete", "", Some(2)), None),
        (target("del", "", "", None), Some((2, By::All))),
        (target("a:id/del", "Remove", "", None), Some((2, By::Id))),
        (target("b:id/del", "", "", None), None),
        (target("gone", "Delete", "", None), Some((2, By::Text))),
        (target("", "Search", "", None), Some((1, By::Description))),
        (target("", "you@example.org", "", None), Some((4, By::All))),
        // A text inside a row, and how many-th such row.
        (target("", "Eggs", "", None), Some((8, By::Caption))),
        (target("", "today", "", None), Some((5, By::Caption))),
        (target("", "today", "", Some(1)), Some((8, By::Caption))),
        (target("row", "", "Eggs", None), Some((8, By::All))),
        (target("", "", "Eggs", None), Some((8, By::All))),
        (target("row", "", "Soap", None), Some((5, By::All))),
        (target("", "", "Soap", None), None),
        // A text inside something with another name.
        (
            target("", "Inside\nthe card", "", None),
            Some((12, By::All)),
        ),
        // Other tools compare without capitals and line breaks.
        (
            target("", "inside the CARD", "", None),
            Some((12, By::Text)),
        ),
        (target("", "delete", "", None), Some((2, By::Text))),
        (target("", "search", "", None), Some((1, By::Description))),
        (
            target("", "YOU@example.org", "", None),
            Some((4, By::Caption)),
        ),
        (target("", "eggs", "", None), Some((8, By::Caption))),
        (target("", "delet", "", None), None),
        (target("", &long, "", None), None),
    ] {
        let found = |fit| find(&page, &interner, &wanted, EventKind::Click, fit);
        assert_eq!(found(Fit::Loose), loose, "{wanted:?}");
        // A field offers no click, and neither does a text inside something else.
        let strict = loose.filter(|(n, by)| *by == By::All && ![4, 12].contains(n));
        let strict = strict.filter(|_| wanted.nth != Some(1));
        let by_id = loose.filter(|(n, by)| *by == By::Id && *n == 2);
        assert_eq!(found(Fit::Strict), strict.or(by_id), "{wanted:?}");
    }
}

#[test]
fn nothing_but_a_field_is_typed_into() {
    let (page, interner) = form();
    let text = |text: &str| Target {
        text: text.into(),
        at: Some(Spot { x: 0.5, y: 0.5 }),
        ..Target::default()
    };
    let bare = |text_of: &str| Target {
        at: None,
        ..text(text_of)
    };
    let found = |target: &Target| find(&page, &interner, target, EventKind::Text, Fit::Loose);
    for name in [
        "E-mail",
        "Delete",
        "Search",
        "Milk",
        "Inside\nthe card",
        "delete",
    ] {
        assert_eq!(found(&bare(name)), None, "{name}");
        // In a recorded trace its place is left.
        assert_eq!(found(&text(name)), Some((4, By::Place)), "{name}");
    }
    assert_eq!(found(&bare("you@example.org")), Some((4, By::All)));
    assert_eq!(found(&bare("You@example.org")), Some((4, By::Caption)));
}
