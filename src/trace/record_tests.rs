//! Which secret a trace names for a field.

use super::*;
use crate::gui::ExactId;

const KEYS: [&str; 2] = ["Account", "Secret"];

/// The text that the trace's one step types.
fn typed(keys: &[&str], at: EventIdentity, input: Input) -> Typed {
    let mut tracer = Tracer::default();
    tracer.take(RunEvent::Session(SessionHeader {
        secrets: keys.iter().map(|&key| key.to_owned()).collect(),
        ..SessionHeader::default()
    }));
    let k = EventKey(1);
    let kind = EventKind::Text;
    tracer.take(RunEvent::Event { k, kind, at });
    let did = Did::Event {
        k,
        ix: 0,
        input: Some(input),
    };
    tracer.take(RunEvent::Step(StepRecord {
        i: 1,
        did,
        led: None,
        from: PageId(1),
        to: PageId(1),
        exact: ExactId(1),
        changed: true,
        probes: Vec::new(),
        activities: Vec::new(),
        reward: 0.0,
        left: Vec::new(),
        toasts: Vec::new(),
        findings: Vec::new(),
    }));
    match tracer.steps().collect::<Vec<_>>()[..] {
        [Step::On(_, Deed::Type(typed))] => typed.clone(),
        ref other => panic!("{other:?}"),
    }
}

fn of_old() -> Input {
    Input::Text {
        s: REDACTED.into(),
        enter: true,
    }
}

#[test]
fn the_key_is_the_one_that_the_journal_names() {
    let input = Input::Secret {
        key: "Secret".into(),
        s: String::new(),
        enter: true,
    };
    let at = EventIdentity {
        caption: "Account".into(),
        ..EventIdentity::default()
    };
    assert_eq!(typed(&KEYS, at, input), secret("Secret".into(), true));
}

#[test]
fn in_a_journal_of_old_a_field_is_known_by_any_of_its_names() {
    let caption = EventIdentity {
        caption: "Secret word".into(),
        ..EventIdentity::default()
    };
    let desc = EventIdentity {
        desc: "The secret".into(),
        ..EventIdentity::default()
    };
    let id = EventIdentity {
        id: "org.x:id/secret".into(),
        caption: "Account".into(),
        ..EventIdentity::default()
    };
    for at in [caption, desc, id] {
        let expected = secret("Secret".into(), true);
        assert_eq!(typed(&KEYS, at, of_old()), expected);
    }
    let nameless = EventIdentity::default;
    assert_eq!(
        typed(&KEYS, nameless(), of_old()).secret.as_deref(),
        Some("")
    );
    let only = typed(&["pin"], nameless(), of_old());
    assert_eq!(only, secret("pin".into(), true));
    // No secret at all.
    assert_eq!(typed(&[], nameless(), of_old()).text, REDACTED);
}
