//! Tests of a flow's constants.

use super::super::format::{Deed, Gesture, Spot, Step, Target};
use super::tests::{on, typed};
use super::*;
use crate::gui::SystemEvent;

fn whole(text: &str) -> Result<Trace, String> {
    let read = read(text, Path::new("flow.yaml"));
    read.map(|flow| flow.trace)
        .map_err(|error| error.to_string())
}

#[test]
fn a_constant_stands_in_any_value_of_a_command() {
    let text = "appId: ${BASE}.${PART}\nenv:\n  BASE: org.mill\n  PART: shop\n  N: 2\n  WORD: flour\n  SIDE: left\n  \
        TURNED: landscapeLeft\n  KEY: back\n  P: 25%\n  DEG: 12.5\n  MS: 300\n  YES: true\n---\n\
        - launchApp: ${BASE}.shop\n- tapOn: ${WORD}\n- inputText: {text: '${WORD}s'}\n- eraseText: {charactersToErase: '${N}'}\n\
        - longPressOn: {id: '${WORD}', index: '${N}'}\n- tapOn: {text: '${WORD}', repeat: '${N}'}\n\
        - tapOn: {point: '${P},50%'}\n- swipe: {direction: '${SIDE}'}\n- swipe: {start: '${P},10%', end: '50%,${P}'}\n\
        - setOrientation: {orientation: '${TURNED}'}\n- pressKey: {key: '${KEY}'}\n\
        - setLocation: {latitude: '${DEG}', longitude: '-${DEG}'}\n\
        - extendedWaitUntil: {visible: '${NONE}', timeout: '${MS}', optional: '${YES}'}\n\
        - tapOn: {text: '${NONE}', optional: '${YES}'}\n- assertVisible: ${NONE}\n\
        - openLink: {link: '${WORD}://x', label: '${BASE}.A'}\n";
    let trace = whole(text).unwrap();
    assert_eq!(trace.app.package, "org.mill.shop");
    let spot = |x, y| Spot { x, y };
    let by_id = Target {
        id: "flour".to_owned(),
        nth: Some(2),
        ..Target::default()
    };
    let number = |n| serde_json::Number::from_f64(n).unwrap();
    let expected = [
        on("flour", typed("flou", false)),
        Step::On(by_id, Deed::LongClick),
        on("flour", Deed::Click),
        on("flour", Deed::Click),
        Step::Gesture(Gesture::Tap(spot(0.25, 0.5))),
        Step::Gesture(Gesture::Drag(spot(0.9, 0.5), spot(0.1, 0.5))),
        Step::Gesture(Gesture::Drag(spot(0.25, 0.1), spot(0.5, 0.25))),
        Step::System(SystemEvent::Rotate),
        Step::Key(4),
        Step::System(SystemEvent::Location {
            values: vec![number(12.5), number(-12.5)],
        }),
        Step::Wait(300),
        Step::System(SystemEvent::Activity {
            component: "org.mill.A".to_owned(),
            action: Some("android.intent.action.VIEW".to_owned()),
            data: Some("flour://x".to_owned()),
        }),
    ];
    assert_eq!(trace.steps, expected);
}

#[test]
fn a_flow_inside_has_its_own_constants() {
    let text = "appId: org.mill\nenv: {A: one, B: two}\n---\n\
        - runFlow:\n    env: {A: 'in ${B}', C: '${A}'}\n    commands:\n      - tapOn: ${A}\n      \
        - repeat: {times: '${N || 2}', commands: [tapOn: '${C} ${B}']}\n- tapOn: ${A}\n";
    let trace = whole(text).unwrap();
    let texts = ["in two", "one two", "one two", "one"];
    assert_eq!(trace.steps, texts.map(|text| on(text, Deed::Click)));
    // Outside it they are not known.
    let error = whole(&(text.replace("${N || 2}", "1") + "- tapOn: ${C}\n")).unwrap_err();
    assert!(
        error.starts_with("flow.yaml:10: the script `${C}`"),
        "{error}"
    );
}

#[test]
fn a_default_counts_where_a_constant_is_missing() {
    let tapped = |script: &str| {
        let text =
            format!("appId: org.mill\nenv:\n  NAME: Ada\n  NONE:\n---\n- tapOn: x ${{{script}}}\n");
        whole(&text).map(|trace| match &trace.steps[..] {
            [Step::On(target, _)] => target.text.clone(),
            other => panic!("{other:?}"),
        })
    };
    for (script, text) in [
        ("NAME || 'Bo'", "x Ada"),
        ("OTHER || 'Bo'", "x Bo"),
        ("OTHER || NAME || 'Bo'", "x Ada"),
        ("NONE || \"Bo\"", "x Bo"),
        ("NONE ?? 'Bo'", "x "),
        ("OTHER ?? `Bo`", "x Bo"),
        ("'Bo'", "x Bo"),
    ] {
        assert_eq!(tapped(script).as_deref(), Ok(text), "{script}");
    }
    for script in [
        "NAME +",
        "NAME || f()",
        "NAME || 'a' ?? 'b'",
        "OTHER || NOBODY",
        "NAME.length",
        "output.name",
        "",
    ] {
        assert!(
            tapped(script).unwrap_err().contains("is not run"),
            "{script}"
        );
    }
}

#[test]
fn constants_that_stand_for_ever_longer_texts_are_refused() {
    let mut inner = "tapOn: '${A}'".to_owned();
    for _ in 0..6 {
        inner = format!(
            "runFlow: {{env: {{A: '{}'}}, commands: [{inner}]}}",
            "${A}".repeat(99)
        );
    }
    let error = whole(&format!(
        "appId: org.mill\nenv: {{A: abcdefghij}}\n---\n- {inner}\n"
    ));
    assert!(error.unwrap_err().contains("more than 16 MiB"));
}
