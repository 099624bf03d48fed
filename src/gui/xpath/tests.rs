use super::*;
use crate::gui::{RawNode, Rect};
use proptest::prelude::*;

/// A form (a label, two fields, an unseen button, a button) and a second window with a list of three rows.
fn page() -> (Page, Interner) {
    let mut interner = Interner::default();
    let node = |parent: i64, class: &str, id: &str, text: &str, flags: u32| RawNode {
        parent,
        class: class.into(),
        resource_id: id.into(),
        text: text.into(),
        flags: flags | Flags::ENABLED,
        bounds: Rect::from([0, 0, 9, 9]),
        ..RawNode::default()
    };
    let seen = Flags::VISIBLE;
    let nodes = [
        node(-1, "android.widget.LinearLayout", "", "", seen),
        node(0, "android.widget.TextView", "", "Sign in", seen),
        node(0, "android.widget.EditText", "a:id/user", "", seen),
        node(
            0,
            "android.widget.EditText",
            "a:id/pin",
            "",
            seen | Flags::PASSWORD,
        ),
        node(0, "android.widget.Button", "a:id/ok", "Hidden", 0),
        node(0, "android.widget.Button", "a:id/ok", "It's on", seen),
        node(-1, "android.widget.ListView", "", "", seen),
        node(6, "Row", "", "Milk", seen),
        node(6, "Row", "", "Eggs", seen | Flags::CHECKED),
        node(8, "Row", "", "inner", seen),
        node(6, "Row", "", "", seen),
    ];
    let page = Page::build(&nodes, "A", 0, (9, 9), &mut interner);
    (page, interner)
}

fn found(path: &str) -> Vec<u32> {
    let (page, interner) = page();
    path.parse::<XPath>().unwrap().select(&page, &interner)
}

#[test]
fn steps_go_down_the_tree_by_class_and_depth() {
    assert_eq!(found("//EditText"), [2, 3]);
    assert_eq!(found("//android.widget.EditText"), [2, 3]);
    assert_eq!(found("/ListView/Row"), [7, 8, 10]);
    assert_eq!(found("//Row//Row"), [9]);
    assert_eq!(found("/*/*"), [1, 2, 3, 5, 7, 8, 10]);
    assert_eq!(found("//*").len(), 10);
    assert_eq!(found("/Row"), [0_u32; 0]);
}

#[test]
fn what_cannot_be_seen_is_not_there() {
    assert_eq!(found("//Button"), [5]);
    assert_eq!(found("//*[@text='Hidden']"), [0_u32; 0]);
}

#[test]
fn predicates_compare_attributes() {
    assert_eq!(found("//*[@resource-id='a:id/user']"), [2]);
    assert_eq!(found("//*[@resource-id='user']"), [2]);
    assert_eq!(found("//*[@resource-id='ser']"), [0_u32; 0]);
    assert_eq!(found("//node[@password='true']"), [3]);
    assert_eq!(
        found("//Row[@checked]"),
        [7, 8, 9, 10],
        "both values are texts"
    );
    assert_eq!(found("//Row[@text]"), [7, 8, 9]);
    assert_eq!(found("//Row[not(@text)]"), [10]);
    assert_eq!(found("//*[@text=\"It's on\"]"), [5]);
    assert_eq!(found("//*[contains(@text, 'ign')]"), [1]);
    assert_eq!(found("//*[starts-with(@text,'Si')]"), [1]);
    assert_eq!(found("//*[ends-with(@class,'View')]"), [1, 6]);
    assert_eq!(
        found("//Row[@text='Milk' or @text='Eggs' and @checked='false']"),
        [7],
        "`and` binds more tightly"
    );
    assert_eq!(
        found("//Row[ ( @text='Milk' or @text='Eggs' ) and @checked!='false' ]"),
        [8]
    );
}

#[test]
fn places_count_among_the_children_of_one_parent() {
    assert_eq!(found("//Row[2]"), [8]);
    assert_eq!(found("//Row[1]"), [7, 9]);
    assert_eq!(found("/ListView/Row[last()]"), [10]);
    assert_eq!(found("//Row[@text][2]"), [8]);
    assert_eq!(found("//Row[2][@text='Milk']"), [0_u32; 0]);
}

#[test]
fn an_id_alone_is_a_path() {
    let (page, interner) = page();
    assert_eq!(XPath::with_id("pin").select(&page, &interner), [3]);
    assert!(!XPath::with_id("pi").matches(&page, &interner));
}

#[test]
fn mistakes_are_told_with_their_place() {
    for (path, at, said) in [
        ("", 1, "begins with"),
        ("Button", 1, "continues with"),
        ("//", 3, "`*` or a class"),
        ("//*[@txt='x']", 6, "no attribute `txt`"),
        ("//*[@text='x'", 14, "`]` is missing"),
        ("//*[@text=x]", 11, "text in quotes"),
        ("//*[@text='x]", 11, "not closed"),
        ("//*[0]", 5, "from 1"),
        ("//*[text()='x']", 5, "an attribute such as"),
        ("//*[@checked='yes']", 19, "'true' or 'false'"),
        ("//parent::*", 3, "axes"),
    ] {
        let error = path.parse::<XPath>().unwrap_err();
        assert!(error.message.contains(said), "{path}: {error}");
        assert_eq!(error.at + 1, at, "{path}: {error}");
    }
    let deep = format!("//*[{}@text{}]", "not(".repeat(99), ")".repeat(99));
    assert!(
        deep.parse::<XPath>()
            .unwrap_err()
            .message
            .contains("too deeply")
    );
}

proptest! {
    #[test]
    fn any_text_is_a_path_or_an_error_and_never_a_panic(text in r"[/*\[\]@()'a-z=!,0-9 ü-]{0,40}") {
        if let Ok(path) = text.parse::<XPath>() {
            let (page, interner) = page();
            prop_assert!(path.select(&page, &interner).len() <= page.widgets.len());
        }
    }
}
