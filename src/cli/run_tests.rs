use super::*;
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
