//! Whatever stands in a suite, loading ends in settings or in problems that
//! point into it: never in a panic, and never in a value that the schema lets
//! through and the settings cannot take.

mod common;

use common::Case;
use droidtest::config::check::check;
use droidtest::config::diagnose::Code;
use droidtest::config::source::{Source, parse};
use proptest::prelude::*;
use toml::Value;

const FULL: &str = include_str!("../example-configs/full.toml");

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        any::<i64>().prop_map(Value::Integer),
        (-3_i64..200).prop_map(Value::Integer),
        any::<f64>()
            .prop_filter("TOML text", |x| x.is_finite())
            .prop_map(Value::Float),
        any::<bool>().prop_map(Value::Boolean),
        "[ -~]{0,8}".prop_map(Value::String),
        prop::sample::select(vec![
            "off",
            "auto",
            "jvm",
            "sim",
            "random",
            "5s",
            "phone",
            "en",
            "\u{1f600}\r\n"
        ])
        .prop_map(|word| Value::String(word.to_owned())),
        Just(Value::Datetime("2024-01-01".parse().unwrap())),
    ];
    leaf.prop_recursive(2, 6, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::Array),
            prop::collection::btree_map("[a-z-]{1,8}", inner, 0..3)
                .prop_map(|table| Value::Table(table.into_iter().collect())),
        ]
    })
}

/// Replaces the `at`-th value of a document, counted from its root.
fn replace(node: &mut Value, at: &mut usize, with: &Value) {
    if *at == 0 {
        *node = with.clone();
        *at = usize::MAX;
        return;
    }
    *at = at.saturating_sub(1);
    match node {
        Value::Table(table) => table
            .iter_mut()
            .for_each(|(_, inner)| replace(inner, at, with)),
        Value::Array(items) => items.iter_mut().for_each(|inner| replace(inner, at, with)),
        _ => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]
    #[test]
    fn what_the_schema_lets_through_can_be_read(at in 1_usize..140, with in value()) {
        let mut document: Value = toml::from_str(FULL).unwrap();
        replace(&mut document, &mut at.clone(), &with);
        let text = toml::to_string(&document).unwrap();
        let case = Case::new(&text);
        let source = Source::new("droidtest.toml", text.clone());
        let checked = parse(&source).map(|root| check(&source, &root)).unwrap_or_default();
        for problem in case.problems().iter().flat_map(|problems| problems.iter()) {
            prop_assert_ne!(problem.code, Code::Internal, "{}\n{}", problem, text);
            // What `serde` refuses, the schema has refused before.
            prop_assert!(problem.code != Code::WrongType || !checked.is_empty(), "{}\n{}", problem, text);
            for place in &problem.places {
                prop_assert!(place.source.text.get(place.span.clone()).is_some());
            }
        }
        let _ = case.told_if_wrong();
    }

    #[test]
    fn any_cut_or_garbage_is_told_and_not_a_panic(
        from in 0_usize..4000,
        length in 0_usize..40,
        garbage in "(\\PC|[\\[\\]\"'={},.\n]){0,12}",
    ) {
        let mut text: Vec<char> = FULL.chars().collect();
        let from = from.min(text.len());
        let to = (from + length).min(text.len());
        text.splice(from..to, garbage.chars());
        let _ = Case::new(&text.into_iter().collect::<String>()).told_if_wrong();
    }
}
