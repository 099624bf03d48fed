//! What is read in a session's journal.

use super::*;
use crate::explore::CostModel;
use std::fs;

const HEADER: &str = r#"{"e":"session","version":1,"tool":"0","session":"s","app":"a","package":"p","content":"","device":"d","device_kind":"sim","strategy":"x","seed":1,"activities_declared":[],"activities_reachable":[]}"#;
const LAUNCH: &str = r#"{"e":"launch","how":"clear-data","before":1,"page":"00000000000000aa","exact":"00000000000000aa","probes":[[0,0]]}"#;

fn finding(trigger: &str, event: u64) -> String {
    format!(
        r#"{{"e":"finding","id":"crash-1","kind":"java-crash","fingerprint":"0123456789abcdef","title":"t","evidence":"t","activity":"a","trigger":"{trigger}","event":{event}}}"#
    )
}

fn step(i: u64, what: &str, found: bool) -> String {
    let found = if found {
        r#","findings":["0123456789abcdef"]"#
    } else {
        ""
    };
    format!(
        r#"{{"e":"step","i":{i},{what},"from":"00000000000000aa","to":"00000000000000aa","exact":"00000000000000aa","changed":true,"reward":-2.0{found}}}"#
    )
}

const SYSTEM: &str = r#""t":"system","event":{"do":"rotate"}"#;
const EVENT: &str = r#""t":"event","k":"00000000000000bb","ix":0"#;

fn read(lines: &[&str]) -> Measured {
    let folder = tempfile::tempdir().unwrap();
    let run = RunFolder::at(folder.path());
    let session = run.session("s");
    session.create().unwrap();
    fs::write(session.journal(), lines.join("\n") + "\n").unwrap();
    let planned = PlannedSession {
        session: "s".into(),
        app: "a".into(),
        ..PlannedSession::default()
    };
    let measured = measure::measure(&run, &planned, CostModel::default());
    assert_eq!(measured.damage, None);
    measured
}

#[test]
fn a_finding_first_met_by_a_system_event_is_direct_once_it_is_met_without() {
    let known = finding("system", 1);
    let by_system = step(1, SYSTEM, true);
    let [again, by_event] = [SYSTEM, EVENT].map(|what| step(2, what, true));
    let end = r#"{"e":"end","reason":"events","events":2}"#;
    for (second, direct) in [(&again, 0), (&by_event, 1)] {
        let measured = read(&[HEADER, LAUNCH, &known, &by_system, second, end]);
        assert_eq!(measured.last().findings, 1);
        assert_eq!(measured.last().direct, direct);
        assert_eq!(measured.found[0].direct, direct == 1);
    }
}

#[test]
fn of_a_session_that_never_had_its_app_nothing_is_known() {
    let end = |reason: &str| format!(r#"{{"e":"end","reason":"{reason}","events":0}}"#);
    let lost = read(&[HEADER, &end("device-lost")]);
    assert_eq!(Cut::End.value(&lost, Metric::Pages), None);
    assert_eq!(
        Cut::End.value(&read(&[HEADER]), Metric::Pages),
        None,
        "killed before its first start"
    );
    // That an app cannot be started is a result.
    let fell = read(&[HEADER, &end("cannot-launch")]);
    assert_eq!(Cut::End.value(&fell, Metric::Pages), Some(0.0));
}
