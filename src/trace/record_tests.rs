//! Which secret a trace names for a field, and which traces are written.

use super::*;
use crate::gui::ExactId;

const KEYS: [&str; 2] = ["Account", "Secret"];

/// The first step of a session.
fn step() -> StepRecord {
    StepRecord {
        i: 1,
        did: Did::Invalid,
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
    }
}

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
    tracer.take(RunEvent::Step(StepRecord { did, ..step() }));
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

/// A session that taps one button so often, and crashes then for the first time and ten steps later for the second.
fn crashes_after(steps: u64) -> (tempfile::TempDir, SessionFolder) {
    let base = tempfile::tempdir().unwrap();
    let folder = SessionFolder::at(base.path());
    let mut journal = crate::outcome::JournalWriter::create(&folder.journal()).unwrap();
    let k = EventKey(1);
    let define = RunEvent::Event {
        k,
        kind: EventKind::Click,
        at: EventIdentity {
            id: "org.x:id/more".into(),
            ..EventIdentity::default()
        },
    };
    journal
        .write(&RunEvent::Session(SessionHeader::default()))
        .unwrap();
    journal.write(&define).unwrap();
    for i in 1..=steps + 10 {
        if i == steps || i == steps + 10 {
            let crash = serde_json::json!({
                "e": "finding", "id": format!("crash-{i}"), "kind": "java-crash", "event": i,
                "fingerprint": format!("v2:{i:016x}"), "title": "Error", "evidence": "",
                "activity": "a.Main", "trigger": "event",
            });
            journal
                .write(&serde_json::from_value(crash).unwrap())
                .unwrap();
        }
        let input = None;
        journal
            .write_step(&StepRecord {
                i,
                did: Did::Event { k, ix: 0, input },
                ..step()
            })
            .unwrap();
    }
    (base, folder)
}

/// 200 findings in a session of 100,000 steps would have traces of ten million steps.
#[test]
fn a_session_of_any_length_has_traces_of_bounded_size() {
    let steps = (1..=200_usize).map(|n| n * 500);
    let (each, longer): (Vec<_>, Vec<_>) = steps.partition(|steps| *steps <= WRITTEN.each);
    assert!(each.iter().sum::<usize>() + WRITTEN.longer < longer.iter().sum::<usize>() / 50);
}

#[test]
fn traces_that_are_too_long_are_written_when_they_are_used() {
    let (_base, folder) = crashes_after(20);
    let limits = |longer| Written { each: 20, longer };
    let all = write_within(&folder, limits(29)).unwrap();
    let steps: Vec<_> = all.iter().map(|(_, steps)| *steps).collect();
    assert_eq!(steps, [20, 30]);
    let file = |at: usize| folder.finding(&all[at].0.id).trace();
    assert!(file(0).is_file() && !file(1).exists());
    // The journal has the other; its file is written when someone names it.
    let id = &all[1].0.id;
    let trace = of_finding(&folder, id).unwrap().unwrap();
    assert_eq!(trace.steps.len(), 30);
    let traces = crate::trace::SessionTraces::read(&folder).unwrap();
    assert_eq!(traces.trace(id), Some(trace.clone()));
    assert_eq!(traces.trace(&all[0].0.id).unwrap().steps.len(), 20);
    assert_eq!(traces.trace("crash-0"), None);
    let of_folder = folder.finding(id).path().to_owned();
    assert_eq!(
        named(of_folder.clone()).unwrap(),
        of_folder,
        "no folder yet"
    );
    folder.finding(id).create().unwrap();
    assert_eq!(named(of_folder).unwrap(), file(1));
    assert_eq!(ensure(&folder, id).unwrap(), Some(file(1)));
    let written = crate::trace::load(&file(1)).unwrap();
    assert_eq!(written.steps, trace.steps);
    assert_eq!(ensure(&folder, "crash-0").unwrap(), None);
    // Longer ones share their limit.
    std::fs::remove_file(file(1)).unwrap();
    write_within(&folder, limits(30)).unwrap();
    assert!(file(1).is_file());
}
