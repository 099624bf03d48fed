//! `[suite] total`: the time that all sessions of a run share.

use super::{desk, suite, tool};
use serde_json::Value;

#[test]
fn without_another_limit_the_total_ends_all_sessions() {
    let desk =
        desk(&suite("[1, 2, 3]", "total = \"3s\"\n").replace("budget = { events = 1500 }\n", ""));
    let list = tool(&desk, "list");
    assert!(
        list.out
            .contains("6 sessions, each with at most its part of 3s in total"),
        "{}",
        list.out
    );
    let ended = tool(&desk, "run --run-id r -j 2");
    assert!([100, 106].contains(&ended.code), "{}", ended.err);
    let summary: Value = serde_json::from_slice(&desk.read("runs/r/summary.json")).unwrap();
    let sessions = summary["sessions"].as_array().unwrap();
    let started = sessions.iter().filter(|session| session["started"] == true);
    for session in started {
        assert!(
            ["time", "plateau"].contains(&session["ended"].as_str().unwrap()),
            "{session}"
        );
    }
    // The default limit of 500 events does not apply.
    assert!(
        sessions
            .iter()
            .any(|session| session["events"].as_u64() > Some(500))
    );
}

#[test]
fn the_limits_of_a_session_still_apply() {
    let desk = desk(&suite("[1]", "total = \"1h\"\n"));
    let ended = tool(&desk, "run --run-id r --events 70");
    assert!([0, 100].contains(&ended.code), "{}", ended.err);
    let summary: Value = serde_json::from_slice(&desk.read("runs/r/summary.json")).unwrap();
    for session in summary["sessions"].as_array().unwrap() {
        assert_eq!(
            (session["ended"].as_str(), session["events"].as_u64()),
            (Some("events"), Some(70))
        );
    }
}

#[test]
fn sessions_that_the_total_leaves_out_make_the_run_incomplete() {
    let desk = desk(&suite("[1, 2, 3]", ""));
    let ended = tool(&desk, "run --run-id r -j 1 --total 1ms");
    assert_eq!(ended.code, 106, "{}", ended.err);
    assert!(
        ended
            .err
            .contains("the total time (1ms) was used up before"),
        "{}",
        ended.err
    );
    assert!(
        ended.err.contains("`--resume latest` runs them"),
        "{}",
        ended.err
    );
    let zero = tool(&desk, "run --total 0s");
    assert_eq!(zero.code, 96);
    assert!(zero.err.contains("`suite.total` is 0"), "{}", zero.err);
}
