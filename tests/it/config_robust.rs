//! Whatever is in a suite, loading ends in settings or in problems that
//! point into it: never in a panic, and never in a value that the schema lets
//! through and the settings cannot take.

use crate::common::suite::Case;
use droidtest::config::check::check;
use droidtest::config::diagnose::Code;
use droidtest::config::source::{Source, parse};
use proptest::prelude::*;
use toml::Value;

const FULL: &str = include_str!("../../example-configs/full.toml");

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

/// Does something to the `at`-th value of a document, counted from its root; how
/// many are left to count where it has fewer.
fn replace(node: &mut Value, at: usize, with: &mut impl FnMut(&mut Value)) -> Option<usize> {
    if at == 0 {
        with(node);
        return None;
    }
    match node {
        Value::Table(table) => table
            .iter_mut()
            .try_fold(at - 1, |at, (_, inner)| replace(inner, at, with)),
        Value::Array(items) => items
            .iter_mut()
            .try_fold(at - 1, |at, inner| replace(inner, at, with)),
        _ => Some(at - 1),
    }
}

/// Loads a suite, and says what its loading must never do.
fn complaint(text: &str) -> Option<String> {
    let source = Source::new("droidtest.toml", text.to_owned());
    let checked = parse(&source).map_or_else(|_| Vec::new(), |root| check(&source, &root));
    let problems = Case::new(text).problems();
    for problem in problems.iter().flat_map(|problems| problems.iter()) {
        // What `serde` refuses, the schema has refused before.
        let unforeseen = problem.code == Code::WrongType && checked.is_empty();
        if problem.code == Code::Internal || unforeseen {
            return Some(problem.to_string());
        }
        for place in &problem.places {
            assert!(place.source.text.get(place.span.clone()).is_some());
        }
    }
    None
}

#[test]
fn no_value_anywhere_passes_the_schema_and_fails_the_settings() {
    let full: Value = toml::from_str(FULL).unwrap();
    let numbers = [i64::from(i32::MIN) - 1, i64::from(u32::MAX) + 1, i64::MAX].map(Value::Integer);
    let arrays = [0, 1, 11].map(|count| Value::Array(vec![Value::Integer(1); count]));
    let mut complaints = Vec::new();
    for at in 1.. {
        let mut was = None;
        replace(&mut full.clone(), at, &mut |value| {
            was = Some(std::mem::replace(value, Value::Boolean(true)));
        });
        // Values of other types differ from these by their type alone.
        let values = match was {
            Some(Value::Integer(_) | Value::Float(_)) => &numbers,
            Some(Value::Array(_)) => &arrays,
            Some(_) => continue,
            None => break, // The document has no more values.
        };
        for with in values {
            let mut changed = full.clone();
            replace(&mut changed, at, &mut |value| *value = with.clone());
            let text = toml::to_string(&changed).unwrap();
            complaints.extend(complaint(&text).map(|why| format!("{at} = {with}: {why}")));
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]
    #[test]
    fn what_the_schema_lets_through_can_be_read(at in 1_usize..240, with in value()) {
        let mut document: Value = toml::from_str(FULL).unwrap();
        replace(&mut document, at, &mut |value| *value = with.clone());
        prop_assert_eq!(complaint(&toml::to_string(&document).unwrap()), None);
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
