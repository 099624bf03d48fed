//! Texts for fields: by the suite, by type and hint, from pools.

use super::*;
use crate::gui::{RawNode, Rect};
use crate::util::seed::generator;

fn texts(generator_: &TextGenerator, node: RawNode) -> Vec<String> {
    let mut interner = Interner::default();
    let flags = Flags::VISIBLE | Flags::ENABLED | Flags::EDITABLE;
    let node = RawNode {
        parent: -1,
        flags,
        bounds: Rect::from([0, 0, 9, 9]),
        ..node
    };
    let page = Page::build(&[node], "A", 0, (9, 9), &mut interner);
    let mut rng = generator(5, "", "", 0);
    (0..200)
        .map(
            |_| match generator_.generate(&page, 0, &interner, &mut rng) {
                Input::Text { s, .. } => s,
                Input::Secret { .. } | Input::Point(..) => panic!(),
            },
        )
        .collect()
}

#[test]
fn a_number_field_gets_digits_only() {
    let typed = texts(
        &TextGenerator::default(),
        RawNode {
            input_type: 2,
            ..RawNode::default()
        },
    );
    assert!(
        typed
            .iter()
            .all(|t| t.chars().all(|c| c.is_ascii_digit() || c == 'x')),
        "{typed:?}"
    );
}

#[test]
fn a_field_for_a_day_gets_days_and_their_ends_often() {
    let typed = texts(
        &TextGenerator::default(),
        RawNode {
            resource_id: "org.x:id/start_day".into(),
            input_type: 2,
            ..RawNode::default()
        },
    );
    let day = |t: &&String| t.parse().is_ok_and(|day: u64| (1..=31).contains(&day));
    let last = typed.iter().filter(|t| *t == "31").count();
    assert!(
        typed.iter().filter(day).count() > 120 && last > 20,
        "{typed:?}"
    );
}

#[test]
fn the_suites_value_wins_by_id_then_by_hint() {
    let values = vec![
        ("User".into(), "demo".into()),
        ("pin".into(), "4711".into()),
    ];
    let generator = TextGenerator::with_values(values);
    let by_id = texts(
        &generator,
        RawNode {
            resource_id: "com.x:id/user".into(),
            ..RawNode::default()
        },
    );
    assert!(by_id.iter().all(|t| t == "demo"));
    let by_hint = texts(
        &generator,
        RawNode {
            hint: "Your PIN".into(),
            ..RawNode::default()
        },
    );
    assert!(by_hint.iter().all(|t| t == "4711"));
}

#[test]
fn hints_tell_what_is_wanted_and_the_longest_text_is_kept_to() {
    let node = RawNode {
        hint: "E-mail".into(),
        max_length: Some(30),
        ..RawNode::default()
    };
    let typed = texts(&TextGenerator::default(), node);
    assert!(typed.iter().filter(|t| t.contains('@')).count() > 100);
    assert!(typed.iter().all(|t| t.chars().count() <= 30));
}

#[test]
fn fates_pool_is_drawn_from_uniformly() {
    let generator = TextGenerator::from_pool(vec!["a".into(), "b".into()]);
    let typed = texts(&generator, RawNode::default());
    assert!((60..140).contains(&typed.iter().filter(|t| *t == "a").count()));
}

#[test]
fn a_secret_is_named_by_the_suites_own_key_and_cut_like_any_other_text() {
    let values = vec![
        ("Account".into(), "adalovelace".into()),
        ("title".into(), "plain".into()),
    ];
    let mut generator_ = TextGenerator::with_values(values);
    generator_.keep_secret(&["Account".into()]);
    let mut interner = Interner::default();
    let field = |hint: &str, max_length| RawNode {
        parent: -1,
        flags: Flags::VISIBLE | Flags::ENABLED | Flags::EDITABLE,
        bounds: Rect::from([0, 0, 9, 9]),
        hint: hint.into(),
        max_length,
        ..RawNode::default()
    };
    let nodes = [field("Your account", Some(6)), field("Title", None)];
    let page = Page::build(&nodes, "A", 0, (9, 9), &mut interner);
    let mut rng = generator(5, "", "", 0);
    let mut typed = |n| generator_.generate(&page, n, &interner, &mut rng);
    let secret = Input::Secret {
        key: "Account".into(),
        s: "adalov".into(),
        enter: false,
    };
    assert_eq!(typed(0), secret);
    // The journal has its key only.
    let line = serde_json::to_string(&secret).unwrap();
    assert_eq!(line, r#"{"secret":{"key":"Account"}}"#);
    let plain = Input::Text {
        s: "plain".into(),
        enter: false,
    };
    assert_eq!(typed(1), plain);
}

#[test]
fn a_value_for_every_field_gives_way_to_one_of_its_own() {
    let values = [("*", "all"), ("name", "Ada")];
    let values = values.map(|(key, value)| (key.to_owned(), value.to_owned()));
    let generator = TextGenerator::with_values(values.into());
    let typed = |id: &str| {
        let node = RawNode {
            resource_id: id.into(),
            ..RawNode::default()
        };
        texts(&generator, node).remove(0)
    };
    assert_eq!(typed("org.x:id/name"), "Ada");
    assert_eq!(typed("org.x:id/last_name"), "Ada");
    assert_eq!(typed("org.x:id/comment"), "all");
    assert_eq!(typed(""), "all");
}
