use super::*;
use crate::outcome::folder::RunFolder;
use serde_json::json;

/// The exit code of a run of one session that ended so, after so many events.
fn code(ended: Option<Result<EndReason, SessionFailed>>, events: u64) -> ExitCode {
    let end = ended.as_ref().and_then(|done| done.as_ref().ok().copied());
    let ratio = json!({ "covered": 0, "total": 0 });
    let session = json!({
        "session": "a", "app": "a", "package": "a", "device": "d", "strategy": "random", "seed": 0,
        "started": true, "ended": end, "events": events, "seconds": 0.0, "unchanged": 0, "pages": 0,
        "activities_reached": [], "activities_declared": 0, "activities_reachable": 0, "probes": ratio,
        "coverage": null, "device_failures": [], "findings": [], "environment_findings": [],
    });
    let summary = json!({
        "version": 1, "tool": "", "suite": "", "run": "", "interrupted": false, "apps": [], "sessions": [session],
    });
    let outcome = Outcome {
        folder: RunFolder::at("none"),
        ended: vec![ended],
        added: Ok(Vec::new()),
        interrupted: false,
        used_up: false,
    };
    let run = RunRecord {
        summary: serde_json::from_value(summary).unwrap(),
        ..RunRecord::default()
    };
    exit_code(&outcome, &run)
}

#[test]
fn a_device_lost_on_the_way_is_not_one_that_was_never_there() {
    assert_eq!(code(Some(Ok(EndReason::Events)), 5), ExitCode::Ok);
    assert_eq!(
        code(Some(Ok(EndReason::DeviceLost)), 5),
        ExitCode::Incomplete
    );
    assert_eq!(
        code(Some(Ok(EndReason::DeviceLost)), 0),
        ExitCode::DeviceUnavailable
    );
    let failed = SessionFailed::Device("no phone".to_owned());
    assert_eq!(code(Some(Err(failed)), 0), ExitCode::DeviceUnavailable);
    assert_eq!(code(None, 0), ExitCode::Incomplete);
}

#[test]
fn the_command_keeps_every_choice_but_the_folder() {
    let resumed = |line: &str| resume(line.split('|').map(str::to_owned), "target/r 1");
    let words = "cargo droidtest run --app 'a b' -j 2 --resume 'target/r 1'";
    assert_eq!(resumed("droidtest|run|--app|a b|--run-id|x|-j|2"), words);
    assert_eq!(resumed("run|--app|a b|--run-id=x|-j|2"), words);
    assert_eq!(resumed("run|--resume|latest|--app|a b|-j|2"), words);
    let words = "cargo droidtest run --resume 'target/r 1' -- -a.apk --run-id";
    assert_eq!(resumed("run|--run-id|x|--|-a.apk|--run-id"), words);
}

#[test]
fn an_interrupted_run_says_what_is_left() {
    let names = |count| (1..=count).map(|n| format!("s{n}")).collect();
    let end = Finish {
        finished: names(2),
        interrupted: names(1),
        not_started: names(6),
        resume: Some("cargo droidtest run --resume r".to_owned()),
        ..Finish::default()
    };
    assert_eq!(
        interrupted(&end),
        [
            "interrupted: 2 of 9 sessions finished; 1 interrupted: s1; 6 not started: s1, s2, s3, s4 and 2 more",
            "`cargo droidtest run --resume r` continues the run"
        ]
    );
}
