//! Expressions mean what Ptolemy's grammar says, not what Python's levels would make of them.

use super::super::expression::expression;
use super::{guarded, opens, parameter, refused, with_parameters};
use crate::device::sim::Model;
use crate::device::sim::expr::Literal;
use rustc_hash::FxHashSet;

#[test]
fn operators_bind_as_in_ptolemys_grammar() {
    let cases = [
        ("!logged & ready", "(not logged) & ready"),
        ("!logged | ready", "(not logged) | ready"),
        ("ready & tries==0", "ready & (tries == 0)"),
        (
            "tries==0 | ready & !logged",
            "(tries == 0) | ready & (not logged)",
        ),
        ("a == !b", "a == (not b)"),
        ("!a == b", "(not a) == b"),
        ("a == b < c", "a == (b < c)"),
        ("a < b == c < d", "(a < b) == (c < d)"),
        ("a & b && c | d || e", "a & b and c | d or e"),
        ("-a * b + c % 2", "-a * b + c % 2"),
        ("(a || b) && !(c && d)", "(a or b) and not (c and d)"),
        (
            "TRUE && True && !FALSE && nil != a",
            "True and True and not False and None != a",
        ),
        ("012 + 0x1F + 3L == 1e2d + .5", "10 + 31 + 3 == 100.0 + 0.5"),
        ("-7 / 2 == -7 % 4", "-3 == -3"),
        ("a / 2.0", "a / 2.0"),
        ("a /* b */ == 1 // c", "a == 1"),
        ("a\n== 1", "a == 1"),
        (r#"'a"' + "\t\101\"" "#, r#""a\"" + "\tA\"""#),
    ];
    for (drawn, meant) in cases {
        let tree = expression(drawn, &FxHashSet::default()).unwrap().unwrap();
        assert_eq!(tree.to_string(), meant, "{drawn}");
    }
    for nothing in ["", " \n", "// nothing", "/* nothing */"] {
        assert_eq!(expression(nothing, &FxHashSet::default()).unwrap(), None);
    }
}

#[test]
fn guards_over_booleans_open_when_ptolemy_opens_them() {
    for (logged, ready) in [(false, false), (false, true), (true, false), (true, true)] {
        let named = with_parameters(&format!(
            "{}{}",
            parameter("logged", &logged.to_string()),
            parameter("ready", &ready.to_string())
        ));
        let cases = [
            ("!logged &amp; ready", !logged && ready),
            ("!logged | ready", !logged || ready),
            ("ready &amp; tries==0", ready),
            ("ready == !logged", ready != logged),
        ];
        for (guard, open) in cases {
            let drawing = named.replacen("(typed==word) &amp;&amp; !(tries &gt; 9)", guard, 1);
            let model = Model::parse(&drawing, "gate.xml", "x").unwrap();
            assert_eq!(opens(&model), open, "{guard} with {logged}, {ready}");
        }
    }
}

#[test]
fn mistakes_in_expressions_are_told_where_they_are() {
    let cases = [
        (
            "!(tries == 1) &amp; ¦wrod",
            "unknown-name",
            "did you mean `word`",
        ),
        ("(tries + ¦wrod) * 2 == 4", "unknown-name", "wrod"),
        (
            "word == &quot;&amp;&quot; &amp;&amp; tries ¦# 1",
            "expression-unsupported",
            "`#`",
        ),
        ("tries ¦^ 2", "expression-unsupported", "`^`"),
        (
            "tries &gt; 1 ¦? true : false",
            "expression-unsupported",
            "`?`",
        ),
        ("tries ¦/ 2 == 1", "expression-unsupported", "2.0"),
        ("tries == 1 ¦== 2", "expression-syntax", "parentheses"),
        ("¦not tries", "unknown-name", "`!`"),
        ("tries ¦and word", "expression-syntax", "operator"),
        ("tries ¦= 1", "expression-unsupported", "`==`"),
        ("tries ==¦", "expression-syntax", "too early"),
        ("(tries¦", "expression-syntax", "never closed"),
        ("tries¦)", "expression-syntax", "without its"),
        ("tries == ¦08", "expression-number", "octal"),
        ("tries == ¦3ub", "expression-number", "whole number"),
        (
            "tries == ¦99999999999999999999",
            "expression-number",
            "64 bits",
        ),
        ("word == &quot;a¦\\q&quot;", "expression-string", "escape"),
        ("word == ¦&quot;a", "expression-string", "without an end"),
        ("tries ¦/* and so on", "expression-syntax", "comment"),
        ("tries == 1 ¦§", "expression-syntax", "no meaning"),
        ("¦input_text == word", "unknown-name", "cannot name"),
    ];
    for (guard, code, word) in cases {
        refused(&guarded(guard), code, word);
    }
    let long = format!("¦{}tries", "!".repeat(100_000));
    refused(&guarded(&long), "expression-length", "200");
}

#[test]
fn parameters_are_computed_from_literals() {
    let text = |text: &str| Literal::Text(text.to_owned());
    let cases = [
        ("&quot;a&quot; + &quot;b&quot;", text("ab")),
        ("&quot;a\\t\\n\\\\\\&quot;&quot;", text("a\t\n\\\"")),
        ("&quot;a\\\\&quot;", text("a\\")),
        ("012", Literal::Int(10)),
        ("3L", Literal::Int(3)),
        ("1+2", Literal::Int(3)),
        ("7/2", Literal::Int(3)),
        ("-3", Literal::Int(-3)),
        ("1.5*2", Literal::Float(3.0)),
        ("TRUE", Literal::Bool(true)),
        ("!true", Literal::Bool(false)),
        ("1 &lt; 2", Literal::Bool(true)),
        (" ", Literal::None),
    ];
    for (drawn, meant) in cases {
        let drawing = with_parameters(&parameter("it", drawn));
        let model = Model::parse(&drawing, "gate.xml", "x").unwrap();
        assert_eq!(model.initial[0].literal(&model.texts()), meant, "{drawn}");
    }
    let cases = [
        ("1 + ¦tries", "parameter-value", "`tries` is not a constant"),
        ("1 ¦/ 0", "constant-error", "division by zero"),
        (
            "1 ¦+ &quot;a&quot;",
            "constant-error",
            "cannot be applied to",
        ),
        (
            "&quot;a&quot; ¦&quot;b&quot;",
            "expression-syntax",
            "operator",
        ),
        ("1¦; 2", "expression-unsupported", "statement"),
        ("1e308 ¦* 10", "parameter-value", "too large"),
        (
            "¦Infinity",
            "parameter-value",
            "`Infinity` is not a constant",
        ),
    ];
    for (drawn, code, word) in cases {
        refused(&with_parameters(&parameter("it", drawn)), code, word);
    }
}

#[test]
fn first_values_are_read_as_parameters_are() {
    let entry =
        |actions: &str| super::DRAWING.replacen("typed=&quot;&quot;;&#10;tries=0", actions, 1);
    let drawing = entry("typed = &quot;g&quot; + // first&#10;&quot;o&quot;; tries = 012;");
    let model = Model::parse(&drawing, "gate.xml", "x").unwrap();
    let first: Vec<Literal> = model
        .initial
        .iter()
        .map(|v| v.literal(&model.texts()))
        .collect();
    assert_eq!(first[1..], [Literal::Text("go".into()), Literal::Int(10)]);
    refused(
        &entry("typed = &quot;&quot;; ¦trise = 0"),
        "unknown-name",
        "`trise`",
    );
    refused(
        &entry("typed = &quot;&quot;; tries = ¦tries"),
        "parameter-value",
        "`tries`",
    );
    refused(
        &entry("typed = 1¦, tries = 2"),
        "expression-unsupported",
        "`;`",
    );
}
