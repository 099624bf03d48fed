//! What models may look like, and what sizes and damages do.

use super::*;
use crate::device::sim::expr::Value;
use proptest::prelude::*;

pub fn parse(text: &str) -> Result<Model, ModelError> {
    Model::parse(text, "m.json", "m")
}

/// A model of one node whose only transition is this.
pub fn with(transition: &str) -> String {
    format!(
        "{{\"global_vars\": {{\"a\": 1, \"user\": \"x\"}},\n \"nodes\": [{{\"node_id\": \"A\", \"transitions\": [\n{transition}]}}]}}"
    )
}

#[test]
fn all_three_spellings_give_the_same_model() {
    let ours = r#"{"meta": {"source": "us"}, "global_vars": {"n": 1, "f": 1.5, "s": "x", "b": true, "z": null},
        "nodes": [{"node_id": "A", "transitions": [{"transition_id": 0, "type": "button", "active": true, "guard": null, "set": "n = n + 1\nb = False", "destination": "B"}]},
                  {"node_id": "B", "transitions": []}]}"#;
    let upstream = r#"{"global_vars": [{"name": "n", "value": 1}, {"name": "f", "value": 1.5}, {"name": "s", "value": "x"}, {"name": "b", "value": true}, {"name": "z", "value": null}],
        "nodes": [{"node_id": "A", "transitions": [{"transition_id": 0, "type": "button", "active": true, "guard": "", "set": "n = n + 1\nb = False", "destination": "B"}]},
                  {"node_id": "B", "transitions": []}]}"#;
    let paper = upstream.replace(
        "\"transitions\": [{\"transition_id\"",
        "\"transition\": {\"transition_id\"",
    );
    let paper = paper.replace("\"destination\": \"B\"}]}", "\"destination\": \"B\"}}");
    let wrapped = upstream
        .replace(
            "[{\"transition_id\"",
            "[{\"transition\": {\"transition_id\"",
        )
        .replace("\"destination\": \"B\"}]}", "\"destination\": \"B\"}}]}");
    let shape = |text: &str| {
        let model = parse(text).unwrap();
        let transitions: Vec<_> = model
            .transitions
            .iter()
            .map(|t| (t.guard.clone(), t.set.clone(), t.destination))
            .collect();
        (model.globals, model.initial, transitions)
    };
    let expected = shape(ours);
    assert_eq!(expected.0, ["n", "f", "s", "b", "z"]);
    assert_eq!(expected.1[4], Value::None);
    assert_eq!(expected.2.len(), 1);
    for other in [upstream, &paper, &wrapped] {
        assert_eq!(shape(other), expected, "{other}");
    }
}

#[test]
fn meta_chooses_start_package_back_and_strings() {
    let model = parse(
        r#"{"meta": {"name": "x", "package": "org.x", "initial_node": "B", "back": "history", "strings": ["u"], "note": [1]},
           "nodes": [{"node_id": "A"}, {"node_id": "B"}]}"#,
    )
    .unwrap();
    assert_eq!(
        (model.name.as_str(), model.package.as_str()),
        ("x", "org.x")
    );
    assert_eq!((model.start, model.back), (1, Back::History));
    assert_eq!(model.strings, ["u"]);
    assert_eq!(model.reachable(), [false, true]);
}

#[test]
fn transitions_with_one_id_are_one_widget_when_nondeterministic() {
    let way = |to: &str, mark: &str| {
        format!(r#"{{"transition_id": 0, "type": "button", {mark} "destination": "{to}"}}"#)
    };
    let node = |ways: &[String]| {
        let ways = ways.join(", ");
        format!(r#"{{"nodes": [{{"node_id": "A", "transitions": [{ways}]}}, {{"node_id": "B"}}]}}"#)
    };
    let mark = "\"nondeterministic\": true,";
    let model = parse(&node(&[way("A", mark), way("B", mark)])).unwrap();
    assert_eq!(model.widgets.len(), 1);
    let mut texts = model.texts();
    let mut reached = [0, 0];
    let mut state = model.first_state(3);
    for _ in 0..1000 {
        state.node = 0;
        let how = crate::device::sim::Semantics::Clean;
        let taken = model.fire(&mut state, &mut texts, 0, Value::None, how);
        assert!(taken.unwrap().is_some());
        reached[state.node as usize] += 1;
    }
    assert!(reached.iter().all(|&n| n > 400), "{reached:?}");
    let error = parse(&node(&[way("A", mark), way("B", "")])).unwrap_err();
    assert_eq!(error.code, "duplicate-transition");
}

#[test]
fn hostile_sizes_are_refused_in_bounded_depth() {
    let brackets = "[".repeat(10_000_000);
    let error = parse(&format!("{{\"nodes\": {brackets}")).unwrap_err();
    assert_eq!(error.code, "json-depth");
    for text in ["1+", "(", "not ", "-", "1 and ", "a=="] {
        let guard = text.repeat(10_000_000 / text.len());
        let model = with(&format!(
            r#"{{"type": "button", "destination": "A", "guard": "{guard}1"}}"#
        ));
        assert_eq!(parse(&model).unwrap_err().code, "expression-length");
    }
}

#[test]
fn a_large_model_is_read_in_time_that_grows_with_its_size() {
    let mut text = String::from("{\"global_vars\": {");
    for i in 0..20_000 {
        text.push_str(&format!("\"g{i}\": {i}, "));
    }
    text.push_str("\"x\": 1}, \"nodes\": [");
    for i in 0..20_000 {
        text.push_str(&format!(
            "{{\"node_id\": \"n{i}\", \"transitions\": [{{\"type\": \"button\", \"guard\": \"g{i} > 0\", \"destination\": \"n{}\"}}]}},",
            (i + 1) % 20_000
        ));
    }
    text.pop();
    text.push_str("]}");
    let start = std::time::Instant::now();
    let model = parse(&text).unwrap();
    assert_eq!(model.nodes.len(), 20_000);
    assert!(start.elapsed().as_secs() < 20);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn a_damaged_model_is_read_or_refused_but_never_panics(at in 0_usize..9000, cut in 0_usize..40, with in "[\\[\\]{}\":,0-9a-zA-Z ()=+&<\\\\-]{0,6}", which in 0_usize..3) {
        let mut text = super::super::BUILTIN[which].1.to_owned();
        let at = at.min(text.len());
        let end = (at + cut).min(text.len());
        text.replace_range(at..end, &with);
        if let Err(error) = parse(&text) {
            prop_assert!(error.line >= 1 && error.column >= 1);
            prop_assert!(error.offset <= text.len());
        }
    }
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let missing = Model::load(&folder.path().join("none.json")).unwrap_err();
    assert_eq!((missing.code, missing.line), ("unreadable", 0));
    let path = folder.path().join("latin.json");
    std::fs::write(&path, b"{\n \"\xe4\"").unwrap();
    let latin = Model::load(&path).unwrap_err();
    assert_eq!((latin.code, latin.line, latin.column), ("not-utf-8", 2, 3));
    assert!(latin.to_string().contains("latin.json:2:3: not UTF-8"));
}

#[test]
fn the_documented_model_and_mistake_are_what_they_are_said_to_be() {
    let page = include_str!("../../../../docs/models.md");
    let example = page
        .split("```")
        .nth(1)
        .and_then(|b| b.strip_prefix("json\n"));
    let example = example.expect("an example");
    let model = Model::parse(example, "gate.json", "gate").unwrap();
    assert_eq!(
        (model.nodes.len(), model.persistent.as_slice()),
        (2, &[false, false, true][..])
    );
    let wrong = example.replace("typed == word", "typed == wrod");
    let reported = Model::parse(&wrong, "gate.json", "gate")
        .unwrap_err()
        .to_string();
    assert!(page.contains(&reported), "{reported}");
}
