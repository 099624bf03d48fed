//! Each mistake a model can have, and the place reported for it.

use super::tests::{parse, with};

/// The mistake's code, a word from its text, and its place: where the text has a `¦`.
fn refused(marked: &str, code: &str, word: &str) {
    let at = marked.find('¦').expect("a mark");
    let text = marked.replacen('¦', "", 1);
    let error = parse(&text).expect_err("a mistake");
    let reported = error.to_string();
    let around: String = text[at..].chars().take(60).collect();
    assert_eq!(
        (error.code, error.offset),
        (code, at),
        "{reported}\n{around}"
    );
    let (line, column) = crate::device::sim::fault::position(&text, at);
    assert!(
        reported.starts_with(&format!("m.json:{line}:{column}: ")),
        "{reported}"
    );
    assert!(reported.contains(word), "{reported}");
    assert!(!error.fix.is_empty());
}

#[test]
fn mistakes_in_expressions_are_told_where_they_are() {
    let guard = |text: &str| {
        with(&format!(
            r#"{{"type": "button", "destination": "A", "guard": {text}}}"#
        ))
    };
    let set = |text: &str| {
        with(&format!(
            r#"{{"type": "button", "destination": "A", "set": {text}}}"#
        ))
    };
    let cases = [
        (
            guard(r#""¦usr == 'x'""#),
            "unknown-name",
            "did you mean `user`",
        ),
        (
            guard(r#""a == \"\\n\\u00e4\\\"\" + ¦usr""#),
            "unknown-name",
            "usr",
        ),
        (guard(r#""a == 1 &¦""#), "expression-syntax", "too early"),
        (guard(r#""a ¦= 1""#), "expression-unsupported", "write `==`"),
        (guard(r#""f¦(a)""#), "expression-unsupported", "call"),
        (guard(r#""a¦.b""#), "expression-unsupported", "attribute"),
        (
            guard(r#""__import__¦('os').system('x')""#),
            "expression-unsupported",
            "call",
        ),
        (guard(r#""a¦[0]""#), "expression-unsupported", "index"),
        (
            guard(r#""a == 1 & a ¦== 2""#),
            "expression-unsupported",
            "parentheses",
        ),
        (guard(r#""a ¦is None""#), "expression-unsupported", "`is`"),
        (
            guard(r#""1 ¦if a else 2""#),
            "expression-unsupported",
            "`if`",
        ),
        (
            guard(r#""¦lambda: 1""#),
            "expression-unsupported",
            "`lambda`",
        ),
        (guard(r#""a ¦** 2""#), "expression-unsupported", "`**`"),
        (guard(r#""(a¦""#), "expression-syntax", "never closed"),
        (guard(r#""a¦)""#), "expression-syntax", "without its"),
        (
            guard(r#""a ¦b""#),
            "expression-syntax",
            "operator is missing",
        ),
        (guard(r#""a == ¦not a""#), "expression-syntax", "`not`"),
        (guard(r#""a ¦# b""#), "expression-syntax", "comments"),
        (
            guard(r#""a == ¦'x""#),
            "expression-string",
            "without an end",
        ),
        (guard(r#""a == '¦\\q'""#), "expression-string", "escape"),
        (guard(r#""a == ¦012""#), "expression-number", "zero"),
        (
            guard(r#""a == ¦99999999999999999999""#),
            "expression-number",
            "64 bits",
        ),
        (guard(r#""a == ¦1e999""#), "expression-number", "too large"),
        (
            guard(r#""a == ¦1_000""#),
            "expression-number",
            "is not separated from",
        ),
        (
            guard(r#""a > 1 ¦/ 0""#),
            "constant-error",
            "division by zero",
        ),
        (
            guard(r#""a and 'x' ¦< 1""#),
            "constant-error",
            "cannot be applied to str and int",
        ),
        (
            guard(r#""¦input_text == 'x'""#),
            "input-of-a-button",
            "editText",
        ),
        (guard("¦7"), "wrong-type", "an integer"),
        (set(r#""¦b = 1""#), "unknown-name", "`a`"),
        (set(r#""a = 1\nuser = ¦b""#), "unknown-name", "`b`"),
        (set(r#""a ¦+= 1""#), "expression-syntax", "`a = a + ..`"),
        (set(r#""a¦""#), "expression-syntax", "`=`"),
        (set(r#""a¦.b = 1""#), "expression-unsupported", "attribute"),
        (set(r#""a¦[0] = 1""#), "expression-unsupported", "index"),
        (set(r#""exec¦('a')""#), "expression-unsupported", "call"),
        (
            set(r#""a = 1;¦; user = 2""#),
            "expression-syntax",
            "name of a global",
        ),
        (
            set(r#""¦; a = 1""#),
            "expression-syntax",
            "separated by `;`",
        ),
        (set(r#""a = 1; user = ¦b""#), "unknown-name", "`b`"),
        (
            guard(r#""a == 1¦; a == 2""#),
            "expression-unsupported",
            "second statement",
        ),
        (
            set(r#""¦import os""#),
            "expression-syntax",
            "name of a global",
        ),
        (
            set(r#""¦True = 1""#),
            "expression-syntax",
            "name of a global",
        ),
        (set("¦[1]"), "wrong-type", "a list"),
    ];
    for (text, code, word) in cases {
        refused(&text, code, word);
    }
}

#[test]
fn mistakes_in_the_model_are_told_where_they_are() {
    let node = |rest: &str| format!("{{\"nodes\": [\n {rest}]}}");
    let globals =
        |rest: &str| format!("{{\"global_vars\": {rest}, \"nodes\": [{{\"node_id\": \"A\"}}]}}");
    let meta = |rest: &str| format!("{{\"meta\": {rest}, \"nodes\": [{{\"node_id\": \"A\"}}]}}");
    let button = |rest: &str| {
        with(&format!(
            r#"{{"type": "button", "destination": "A", {rest}}}"#
        ))
    };
    let cases = [
        ("¦".into(), "json-syntax", "ends"),
        ("¦[]".into(), "wrong-type", "an object"),
        ("¦{}".into(), "missing-key", "`nodes`"),
        (r#"{"nodes": ¦[]}"#.into(), "no-nodes", "no nodes"),
        (r#"{"nodes": ¦{}}"#.into(), "wrong-type", "a list"),
        (
            r#"{¦"node": []}"#.into(),
            "unknown-key",
            "did you mean `nodes`",
        ),
        (node("¦{}"), "missing-key", "`node_id`"),
        (node(r#"{"node_id": ¦3}"#), "wrong-type", "a string"),
        (node(r#"{"node_id": ¦""}"#), "empty-id", "name"),
        (
            node("{\"node_id\": \"A\"},\n{\"node_id\": ¦\"A\"}"),
            "duplicate-node",
            "`A`",
        ),
        (
            node(r#"{"node_id": "A", "transition": ¦3}"#),
            "wrong-type",
            "an object",
        ),
        (
            node(r#"{"node_id": "Ä"},¦]}"#),
            "json-syntax",
            "missing here",
        ),
        (with("¦{}"), "missing-key", "`type`"),
        (
            with(r#"{"type": ¦"Button"}"#),
            "unknown-value",
            "did you mean `button`",
        ),
        (
            with(r#"¦{"type": "button"}"#),
            "missing-key",
            "`destination`",
        ),
        (
            with(r#"{"type": "button", "destination": ¦"AA"}"#),
            "unknown-node",
            "did you mean `A`",
        ),
        (
            with(r#"{"type": "button", "destination": ¦1}"#),
            "wrong-type",
            "an integer",
        ),
        (
            button(
                r#""transition_id": 1}, {"type": "button", "destination": "A", "transition_id": ¦1"#,
            ),
            "duplicate-transition",
            "`1`",
        ),
        (button(r#""transition_id": ¦[1]"#), "wrong-type", "a list"),
        (button(r#""active": ¦1"#), "wrong-type", "true or false"),
        (
            button(r#"¦"crahs": {}"#),
            "unknown-key",
            "did you mean `crash`",
        ),
        (button(r#""crash": ¦"x""#), "wrong-type", "an object"),
        (button(r#""crash": ¦{}"#), "missing-key", "`exception`"),
        (
            button(r#""crash": {"exception": ¦"no such"}"#),
            "exception-name",
            "in full",
        ),
        (
            button(r#""crash": {"exception": "E", "frame": ¦"a\nb"}"#),
            "frame",
            "one line",
        ),
        (
            button(r#""crash": {"exception": "E"}, "exit": ¦true"#),
            "crash-and-exit",
            "keep one",
        ),
        (button(r#""anr_ms": ¦-1"#), "wrong-type", "milliseconds"),
        (button(r#""exit": ¦"now""#), "wrong-type", "finished"),
        (
            button(r#""blocks": [¦"f"]"#),
            "block-name",
            "Class.method:1",
        ),
        (button(r#""blocks": [¦1]"#), "wrong-type", "a string"),
        (globals("¦1"), "wrong-type", "an object"),
        (globals(r#"{¦"a b": 1}"#), "global-name", "`a b`"),
        (globals(r#"{¦"input_text": 1}"#), "global-name", "reserved"),
        (globals(r#"{"a": ¦[1]}"#), "wrong-type", "a number"),
        (
            globals(r#"{"a": {"value": ¦{}}}"#),
            "wrong-type",
            "a number",
        ),
        (globals(r#"{"a": ¦NaN}"#), "json-syntax", "NaN"),
        (globals(r#"{"a": ¦1e999}"#), "json-number", "float"),
        (globals(r#"{"a": 1, ¦"a": 2}"#), "duplicate-key", "`a`"),
        (
            globals(r#"[{"name": "a"}, {"name": ¦"a"}]"#),
            "duplicate-global",
            "`a`",
        ),
        (globals(r#"[¦{"value": 1}]"#), "missing-key", "`name`"),
        (meta(r#"{"initial_node": ¦"Z"}"#), "unknown-node", "`A`"),
        (meta(r#"{"back": ¦"yes"}"#), "unknown-value", "`history`"),
        (meta(r#"{"strings": ¦3}"#), "wrong-type", "a list"),
    ];
    for (text, code, word) in cases {
        refused(&text, code, word);
    }
}
