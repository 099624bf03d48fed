//! A drawing read, and what is wrong with others.

mod levels;
mod machines;
mod scope;

use crate::device::sim::{Model, Semantics, Walk};
use std::path::Path;

const DRAWING: &str = r#"<?xml version="1.0" standalone="no"?>
<!DOCTYPE entity PUBLIC "-//UC Berkeley//DTD MoML 1//EN"
        "http://ptolemy.eecs.berkeley.edu/xml/dtd/MoML_1.dtd">
<entity name="gate" class="ptolemy.actor.TypedCompositeActor">
  <entity name="ModalModel" class="ptolemy.domains.modal.modal.ModalModel">
    <port name="input_0" class="ptolemy.domains.modal.modal.ModalPort"/>
    <entity name="_Controller" class="ptolemy.domains.modal.modal.ModalController">
      <property name="word" class="ptolemy.data.expr.Parameter" value="&quot;go&quot;"/>
      <property name="typed" class="ptolemy.data.expr.Parameter" value=""/>
      <property name="tries" class="ptolemy.data.expr.Parameter" value="3"/>
      <entity name="init" class="ptolemy.domains.modal.kernel.State">
        <property name="isInitialState" class="ptolemy.data.expr.Parameter" value="true"/>
      </entity>
      <entity name="In" class="ptolemy.domains.modal.kernel.State"/>
      <entity name="Out" class="ptolemy.domains.modal.kernel.State"/>
      <relation name="r0" class="ptolemy.domains.modal.kernel.Transition">
        <property name="setActions" class="x" value="typed=&quot;&quot;;&#10;tries=0"/>
      </relation>
      <relation name="r1" class="ptolemy.domains.modal.kernel.Transition">
        <property name="guardExpression" class="x" value="(typed==word) &amp;&amp; !(tries &gt; 9)"/>
        <property name="nondeterministic" class="x" value="true"/>
      </relation>
      <relation name="r2" class="ptolemy.domains.modal.kernel.Transition">
        <property name="setActions" class="x" value="typed = input_0; tries = tries + 1"/>
        <property name="nondeterministic" class="x" value="true"/>
      </relation>
      <link port="init.outgoingPort" relation="r0"/>
      <link port="In.incomingPort" relation="r0"/>
      <link port="In.outgoingPort" relation="r1"/>
      <link port="Out.incomingPort" relation="r1"/>
      <link port="In.outgoingPort" relation="r2"/>
      <link port="In.incomingPort" relation="r2"/>
    </entity>
  </entity>
</entity>
"#;

/// The drawing with another guard on the outgoing transition.
fn guarded(guard: &str) -> String {
    DRAWING.replacen("(typed==word) &amp;&amp; !(tries &gt; 9)", guard, 1)
}

/// The drawing with more of the controller's parameters.
fn with_parameters(parameters: &str) -> String {
    let first = "<property name=\"word\"";
    DRAWING.replacen(first, &format!("{parameters}{first}"), 1)
}

fn parameter(name: &str, value: &str) -> String {
    format!("<property name=\"{name}\" class=\"ptolemy.data.expr.Parameter\" value=\"{value}\"/>")
}

/// The mistake's code, a word from its text, and its place: where the drawing has a `¦`.
fn refused(marked: &str, code: &str, word: &str) {
    let at = marked.find('¦').expect("a mark");
    let error = Model::parse(&marked.replacen('¦', "", 1), "m.xml", "m").unwrap_err();
    let reported = error.to_string();
    let around: String = marked[at..].chars().take(60).collect();
    assert_eq!(
        (error.code, error.offset),
        (code, at),
        "{reported}\n{around}"
    );
    assert!(reported.contains(word), "{reported}");
    assert!(!error.fix.is_empty());
}

/// Is the way out open before anything is done?
fn opens(model: &Model) -> bool {
    let mut walk = Walk::new(model, Semantics::Clean, &["no", "go"], 0);
    walk.step(0, 0).unwrap();
    walk.state().0.node == 1
}

#[test]
fn a_drawing_becomes_a_model_that_walks() {
    let model = Model::parse(DRAWING, "gate.xml", "x").unwrap();
    assert_eq!(model.name, "gate");
    assert_eq!(model.activities().collect::<Vec<_>>(), ["In", "Out"]);
    assert_eq!(model.globals, ["word", "typed", "tries"]);
    let kinds: Vec<(bool, &str)> = model
        .widgets
        .iter()
        .map(|w| (w.editable, w.id.as_str()))
        .collect();
    assert_eq!(kinds, [(false, "r1"), (true, "r2")]);
    let mut walk = Walk::new(&model, Semantics::Clean, &["no", "go"], 0);
    let mut node = |widget, string| {
        walk.step(widget, string).unwrap();
        walk.state().0.node
    };
    assert_eq!(
        (node(0, 0), node(1, 0), node(0, 0), node(1, 1), node(0, 0)),
        (0, 0, 0, 0, 1)
    );
}

#[test]
fn mistakes_are_told_where_they_are_in_the_drawing() {
    let cases = [
        (
            "typed==word",
            "typed==¦wrod",
            "unknown-name",
            "did you mean `word`",
        ),
        (
            "tries &gt; 9",
            "1 ¦/ 0",
            "constant-error",
            "division by zero",
        ),
        (
            "typed = input_0",
            "typed = ¦inptu_0",
            "unknown-name",
            "inptu_0",
        ),
        ("!(tries &gt; 9)", "f¦(1)", "expression-unsupported", "call"),
        (
            "!(tries &gt; 9)",
            "word¦.size",
            "expression-unsupported",
            "attribute",
        ),
        (
            "value=\"3\"",
            "value=\"¦{1, 2}\"",
            "expression-unsupported",
            "array",
        ),
        (
            "<entity name=\"Out\"",
            "<entity name=\"¦In\"",
            "duplicate-node",
            "`In`",
        ),
        (
            "ModalController",
            "Controller",
            "no-controller",
            "ModalModel",
        ),
        (
            "      <link port=\"Out.incomingPort\" relation=\"r1\"/>\n",
            "",
            "loose-transition",
            "`r1`",
        ),
        (
            "\"Out.incomingPort\"",
            "\"Nowhere.incomingPort\"",
            "unknown-node",
            "`Nowhere`",
        ),
        ("</relation>", "</relatoin>", "xml-syntax", "relation"),
    ];
    for (from, to, code, word) in cases {
        assert!(DRAWING.contains(from), "{from}");
        let marked = DRAWING.replacen(from, to, 1);
        let at = marked.find('¦');
        let error = Model::parse(&marked.replacen('¦', "", 1), "m.xml", "m").unwrap_err();
        assert_eq!(error.code, code, "{error}");
        assert!(error.to_string().contains(word), "{error}");
        assert!(error.line > 0 && !error.fix.is_empty());
        if let Some(at) = at {
            let around: String = marked[at..].chars().take(30).collect();
            assert_eq!(error.offset, at, "{error}\n{around}");
        }
    }
}

/// `r1` and `r3` are two ways of one button, red in the paper's drawings; `r2` has the flag, as all transitions that may
/// be enabled together must, and stays a separate widget.
#[test]
fn nondeterministic_transitions_of_one_annotation_are_one_widget() {
    let flag = "<property name=\"nondeterministic\" class=\"x\" value=\"true\"/>";
    let label = "<property name=\"annotation\" class=\"x\" value=\"Enter\"/>";
    let guard = "<property name=\"guardExpression\" class=\"x\" value=\"(typed==word) &amp;&amp; !(tries &gt; 9)\"/>";
    let third = |flag: &str| {
        format!(
            "<relation name=\"r3\" class=\"ptolemy.domains.modal.kernel.Transition\">{label}{flag}</relation>\n\
             <link port=\"In.outgoingPort\" relation=\"r3\"/><link port=\"In.incomingPort\" relation=\"r3\"/>\n    </entity>"
        )
    };
    assert!(DRAWING.contains(guard));
    let labelled = DRAWING.replacen(guard, label, 1);
    let drawn = |flag: &str| labelled.replacen("\n    </entity>", &third(flag), 1);
    let model = Model::parse(&drawn(flag), "gate.xml", "x").unwrap();
    let ways: Vec<(&str, usize)> = model
        .widgets
        .iter()
        .map(|w| (w.id.as_str(), w.transitions.len()))
        .collect();
    assert_eq!(ways, [("Enter", 2), ("r2", 1)]);
    // One of the two is taken at random: out, or back in.
    let outs = (0..200).filter(|seed| {
        let mut walk = Walk::new(&model, Semantics::Clean, &["no"], *seed);
        walk.step(0, 0).unwrap();
        walk.state().0.node == 1
    });
    let outs = outs.count();
    assert!((60..140).contains(&outs), "{outs}");
    // Without the flag on both they are two buttons.
    let model = Model::parse(&drawn(""), "gate.xml", "x").unwrap();
    let ids: Vec<&str> = model.widgets.iter().map(|w| w.id.as_str()).collect();
    assert_eq!(ids, ["r1", "r2", "r3"]);
    let unsure = drawn(&flag.replace("true", "perhaps"));
    let error = Model::parse(&unsure, "gate.xml", "x").unwrap_err();
    assert!(
        error
            .to_string()
            .contains("`nondeterministic` is `perhaps`"),
        "{error}"
    );
    assert_eq!(error.offset, unsure.find("perhaps").unwrap());
    // Where it joins nothing, what it says is the drawer's affair.
    let alone = unsure.replacen(label, "", 1);
    assert_eq!(
        Model::parse(&alone, "gate.xml", "x").unwrap().widgets.len(),
        3
    );
    // One way that types and one that does not are no widget.
    let typing =
        format!("{flag}<property name=\"setActions\" class=\"x\" value=\"typed = input_0\"/>");
    let error = Model::parse(&drawn(&typing), "gate.xml", "x").unwrap_err();
    assert!(
        error
            .to_string()
            .contains("one transition of the widget `Enter` types"),
        "{error}"
    );
}

#[test]
fn a_text_may_hold_what_ends_a_statement() {
    let drawing = DRAWING.replace("typed=&quot;&quot;;", "typed=&quot;a;b&quot;;");
    let model = Model::parse(&drawing, "gate.xml", "x").unwrap();
    let text = Model::parse(&drawing.replace("a;b", "go"), "gate.xml", "x");
    // The way out is open from the start where the first value is the word itself.
    assert_ne!(opens(&model), opens(&text.unwrap()));
}

#[test]
fn ten_megabytes_of_nesting_are_refused_at_once() {
    let deep = "<entity>".repeat(10 << 17);
    let error = Model::parse(&deep, "m.xml", "m").unwrap_err();
    assert_eq!(error.code, "xml-depth");
    let many: String = (0..400_000).map(|n| format!(" a{n}=\"\"")).collect();
    let wide = format!("<entity name=\"e\" class=\"c\"{many}></entity>");
    let error = Model::parse(&wide, "wide.xml", "wide").unwrap_err();
    assert_eq!(error.code, "xml-attributes");
    let deep = format!("<entity name=\"x\">{}", "<a/>".repeat(1000));
    assert_eq!(
        Model::parse(&deep, "m.xml", "m").unwrap_err().code,
        "xml-syntax"
    );
}

#[test]
fn what_is_cut_off_anywhere_is_refused_and_never_a_panic() {
    for end in (0..DRAWING.trim_end().len()).step_by(7) {
        let rest = DRAWING[..end].trim_end();
        let error = Model::parse(rest, "m.xml", "m").unwrap_err();
        let last = rest.lines().count().max(1);
        assert_eq!(error.line, last, "{end}: {error}");
    }
}

/// Where the published drawing is next to the checkout, it is read whole, and signing in works.
#[test]
fn the_published_drawing_signs_in() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/fate/bank-ptolemy.xml");
    if !file.is_file() {
        return crate::skip::skip("the published drawing is not next to the checkout");
    }
    let model = Model::load(&file).unwrap();
    let counts = (model.nodes.len(), model.widgets.len());
    assert_eq!(counts, (16, 37));
    assert_eq!(
        model.globals,
        ["username", "password", "insert_user", "insert_pass"]
    );
    let mut walk = Walk::new(&model, Semantics::Clean, &["user", "pass"], 0);
    let ids = ["relation31", "relation32", "relation2"];
    for (id, string) in ids.into_iter().zip([0, 1, 0]) {
        let mut widgets = (0..).zip(&model.widgets);
        let (widget, _) = widgets.find(|(_, w)| w.id == id).unwrap();
        walk.step(widget, string).unwrap();
    }
    let node = walk.state().0.node as usize;
    assert_eq!(model.nodes[node].id, "manage_money");
}
