use super::*;
use proptest::prelude::*;

fn plain(node: &Node) -> serde_json::Value {
    match &node.json {
        Json::Null => serde_json::Value::Null,
        Json::Bool(b) => (*b).into(),
        Json::Int(i) => (*i).into(),
        Json::Float(f) => (*f).into(),
        Json::Text(t) => t.as_str().into(),
        Json::List(l) => l.iter().map(plain).collect(),
        Json::Object(o) => o
            .iter()
            .map(|m| (m.key.to_string(), plain(&m.value)))
            .collect(),
    }
}

fn json() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<i64>().prop_map(Into::into),
        (-1e9..1e9_f64).prop_map(Into::into),
        ".*".prop_map(Into::into),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..6).prop_map(Into::into),
            proptest::collection::hash_map(".{0,8}", inner, 0..6)
                .prop_map(|m| m.into_iter().collect()),
        ]
    })
}

proptest! {
    #[test]
    fn reads_what_another_writer_writes(value in json()) {
        let text = serde_json::to_string_pretty(&value).unwrap();
        prop_assert_eq!(plain(&parse(&text).unwrap()), value);
    }

    #[test]
    fn garbage_is_refused_without_a_panic(text in "[\\[\\]{}:,\"\\\\u0-9eE.+\\-ntfa \u{e4}\u{1f600}]{0,40}") {
        let ours = parse(&text).is_ok();
        // The other reader knows neither our limits nor our refusal of repeated keys.
        if ours { prop_assert!(serde_json::from_str::<serde_json::Value>(&text).is_ok(), "{}", text); }
    }
}

#[test]
fn ten_million_brackets_are_refused_at_once() {
    for bracket in ["[", "{\"a\":"] {
        let fault = parse(&bracket.repeat(10_000_000 / bracket.len())).unwrap_err();
        assert_eq!(fault.code, "json-depth");
    }
}

#[test]
fn offsets_inside_strings_survive_escapes() {
    let text = r#"{"a": "x\n\u00e4\"y"}"#;
    // Decoded: x, line break, ä (two bytes), quote, y.
    assert_eq!(&text[offset_within(text, 6, 5)..], "y\"}");
    assert_eq!(&text[offset_within(text, 6, 0)..][..2], "x\\");
}
