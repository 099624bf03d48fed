//! Models in three spellings, and their expressions.

use super::text;
use crate::corpus::{files, folder, texts};
use crate::{Sources, Target};
use droidtest::device::sim::app::Project;
use droidtest::device::sim::expr::{Scope, Texts, Value, assignments, compile, expression};
use droidtest::device::sim::{BUILTIN, Model, Semantics, Walk, augment, draw};

const GUARDS: [&str; 9] = [
    "(pass_field==password) & (user_field == username)",
    "count_messages > 0",
    "not (a and b or c != -1)",
    "a + 2 * b // 3 - c % 4 / 5.5 >= 1e3",
    "input_text == 'it\\'s' or a == \"\\u00e4\\x41\\n\"",
    "True | (False & True) == None",
    "a = b + 1\nb = input_text * 3\nc = not a",
    "+-+a * 9223372036854775807",
    "((((a))))",
];

pub fn targets(sources: &Sources) -> Vec<Target> {
    let mut json = folder(&sources.shared.join("fate"), "json");
    json.retain(|text| text.windows(7).any(|piece| piece == b"\"nodes\""));
    json.extend(BUILTIN.iter().map(|(_, text)| text.as_bytes().to_vec()));
    json.extend(texts(&[
        r#"{"nodes": [{"node_id": "a", "transition": {"transition_id": 0, "type": "button", "destination": "a"}}]}"#,
        r#"{"global_vars": [{"name": "x", "value": 1.5}], "nodes": [{"node_id": 1, "transitions": [{"transition": {"transition_id": "b", "type": "editText", "set": "x = input_text", "guard": "x != None", "active": false, "destination": 1}}]}]}"#,
    ]));
    let mut moml = files(&sources.shared, &["fate/bank-ptolemy.xml"]);
    moml.push(MOML.as_bytes().to_vec());
    vec![
        Target {
            name: "model-json",
            corpus: json,
            words: &[
                "\"nodes\"",
                "\"guard\":",
                "\"set\":",
                "\"destination\":",
                "null",
                "true",
                "{",
                "[",
                "]",
                "}",
                "\"transition\":",
                "\"crash\":",
                "\"persistent\":",
                "NaN",
                "input_text",
            ],
            run: Box::new(|bytes| model(&text(bytes))),
        },
        Target {
            name: "model-moml",
            corpus: moml,
            words: &[
                "<entity ",
                "</entity>",
                "<property ",
                "<link ",
                "name=\"",
                "class=\"",
                "guardExpression",
                "setActions",
                "&quot;",
                "<!--",
                "<![CDATA[",
                "&&",
                "initialStateName",
                "<!DOCTYPE x>",
            ],
            run: Box::new(|bytes| model(&text(bytes))),
        },
        Target {
            name: "guard",
            corpus: texts(&GUARDS),
            words: &[
                "and",
                "or",
                "not",
                "==",
                "(",
                ")",
                "//",
                "**",
                "a",
                "input_text",
                "'",
                "\\",
                "lambda",
                "=",
                ";",
            ],
            run: Box::new(|bytes| guard(&text(bytes))),
        },
    ]
}

/// Read, walked for a while, drawn, made larger, made an app of.
fn model(text: &str) -> bool {
    let Ok(model) = Model::parse(text, "fuzz.json", "fuzz") else {
        return false;
    };
    let mut walk = Walk::new(&model, Semantics::Clean, &["a", "b"], 1);
    for step in 0..60_u32 {
        let widgets = walk.widgets().max(1);
        match walk.step(step % (widgets + 1), step % 2) {
            Ok(done) if !done.done => {}
            Ok(_) => walk.reset(),
            Err(_) => break,
        }
    }
    if model.nodes.len() < 40 {
        let _ = draw::svg(&model);
        let _ = Project::of(&model);
    }
    let more = augment::augmented(text, "fuzz.json", 1);
    if let Ok(more) = more {
        Model::parse(&more, "more.json", "fuzz").expect("what was made larger can be read");
    }
    true
}

/// Read, printed, read again: the same; computed with values of each kind.
fn guard(text: &str) -> bool {
    let _ = assignments(text);
    let Ok(Some(expr)) = expression(text) else {
        return false;
    };
    let again = expression(&expr.to_string());
    assert_eq!(
        again.ok().flatten().as_ref(),
        Some(&expr),
        "printed and read again"
    );
    let mut texts = Texts::default();
    let names = ["a", "b", "c", "password", "pass_field"];
    let globals = names
        .iter()
        .zip(0..)
        .map(|(name, slot)| ((*name).to_owned(), slot))
        .collect();
    let scope = Scope {
        globals: &globals,
        input: true,
    };
    let Ok(code) = compile(&expr, scope, &mut texts) else {
        return true;
    };
    let word = Value::Text(texts.intern("word"));
    let values = [
        Value::Int(i64::MIN),
        Value::Float(0.0),
        Value::Bool(true),
        word,
        Value::None,
    ];
    for turn in 0..values.len() {
        let mut now = values;
        now.rotate_left(turn);
        let _ = code.eval(&now, word, &mut texts);
    }
    true
}

const MOML: &str = r#"<?xml version="1.0" standalone="no"?>
<!DOCTYPE entity PUBLIC "-//UC Berkeley//DTD MoML 1//EN" "http://ptolemy.eecs.berkeley.edu/xml/dtd/MoML_1.dtd">
<entity name="gate" class="ptolemy.domains.modal.modal.ModalModel">
  <entity name="_Controller" class="ptolemy.domains.modal.modal.ModalController">
    <property name="n" class="ptolemy.data.expr.Parameter" value="0"/>
    <property name="word" class="ptolemy.data.expr.Parameter" value="&quot;sesame&quot;"/>
    <entity name="Gate" class="ptolemy.domains.modal.kernel.State">
      <property name="isInitialState" class="ptolemy.data.expr.Parameter" value="true"/>
    </entity>
    <entity name="Cave" class="ptolemy.domains.modal.kernel.State"/>
    <relation name="r1" class="ptolemy.domains.modal.kernel.Transition">
      <property name="guardExpression" class="ptolemy.kernel.util.StringAttribute" value="n &gt; 1 &amp;&amp; true"/>
    </relation>
    <relation name="r2" class="ptolemy.domains.modal.kernel.Transition">
      <property name="setActions" class="ptolemy.domains.modal.kernel.CommitActionsAttribute" value="n = n + 1"/>
    </relation>
    <link port="Gate.outgoingPort" relation="r1"/>
    <link port="Cave.incomingPort" relation="r1"/>
    <link port="Gate.outgoingPort" relation="r2"/>
    <link port="Gate.incomingPort" relation="r2"/>
  </entity>
</entity>
"#;
