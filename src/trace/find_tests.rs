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
