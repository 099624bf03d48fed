//! Each status, bound and exit code on a small run.

use super::*;
use crate::outcome::changed::ChangedCoverage;
use crate::outcome::run_event::EndReason;
use crate::outcome::summary::{AppSummary, CodeCoverage, Ratio, SessionSummary};
use std::path::Path;

pub(crate) const NEW: &str = "v2:aaaaaaaaaaaaaaaa";
pub(crate) const KNOWN: &str = "v2:bbbbbbbbbbbbbbbb";

fn today() -> Date {
    "2026-11-26".parse().unwrap()
}

pub(crate) fn finding(fingerprint: &str) -> FindingSummary {
    serde_json::from_value(serde_json::json!({
        "id": "crash-1", "kind": "java-crash", "title": "java.lang.Error: x",
        "exception": "java.lang.Error", "fingerprint": fingerprint, "environment": null,
        "frame": "org.x.Main.run(Main.java:7)", "activity": "org.x.Main", "trigger": "event",
        "first_event": 3, "count": 1, "minimized_length": null, "reproduced": [5, 5],
    }))
    .unwrap()
}

pub(crate) fn run(findings: &[FindingSummary]) -> RunSummary {
    let session: SessionSummary = serde_json::from_value(serde_json::json!({
        "session": "notes-sim-random-1", "app": "notes", "package": "p", "device": "sim",
        "strategy": "random", "seed": 1, "started": true, "ended": EndReason::Events, "events": 10,
        "seconds": 1.0, "unchanged": 0, "pages": 2, "activities_reached": [],
        "activities_declared": 1, "activities_reachable": 1,
        "probes": { "covered": 0, "total": 0 }, "coverage": null, "device_failures": [],
        "findings": findings, "environment_findings": [],
    }))
    .unwrap();
    let app = AppSummary {
        app: "notes".into(),
        events: 10,
        coverage: Some(CodeCoverage {
            line: Ratio {
                covered: 40,
                total: 100,
            },
            ..CodeCoverage::default()
        }),
        ..AppSummary::default()
    };
    RunSummary {
        version: 1,
        tool: "0".into(),
        suite: "s".into(),
        run: "r".into(),
        interrupted: false,
        apps: vec![app],
        sessions: vec![session],
    }
}

fn baseline(more: &str) -> Baseline {
    let text = format!(
        "version = 1\n[[current]]\napp = \"notes\"\nfingerprint = \"{KNOWN}\"\nfirst-seen = \"2026-01-02\"\n{more}"
    );
    Baseline::parse(Path::new("b.toml"), &text).unwrap()
}

fn replay(purpose: Purpose, fingerprint: &str, reproduced: u64) -> GateReplay {
    GateReplay {
        purpose,
        app: "notes".into(),
        fingerprint: fingerprint.into(),
        device: "avd".into(),
        reproduced,
        of: 3,
        wanted: 3,
        problem: None,
    }
}

fn verdict(findings: &[FindingSummary], more: &str, replays: &[GateReplay]) -> Verdict {
    judge(
        &run(findings),
        &baseline(more),
        replays,
        &Gate::default(),
        today(),
    )
}

fn statuses(verdict: &Verdict) -> Vec<(&str, Status)> {
    let findings = verdict.findings.iter();
    findings
        .map(|f| (f.fingerprint.as_str(), f.status))
        .collect()
}

#[test]
fn a_new_finding_fails_and_a_known_one_does_not() {
    let both = verdict(&[finding(KNOWN), finding(NEW)], "", &[]);
    assert_eq!(
        statuses(&both),
        [(NEW, Status::New), (KNOWN, Status::Known)]
    );
    assert_eq!(both.exit_code, 100);
    assert_eq!(both.words(), "1 new, 1 known");
    assert_eq!(both.findings[0].name, "Error at Main.run [v2:aaaaaaaa]");
    let known = verdict(&[finding(KNOWN)], "", &[]);
    assert_eq!(known.exit_code, 0);
    let reason = known.findings[0].reason.as_deref();
    assert_eq!(reason, Some("first seen 2026-01-02"));
}

/// `gate init` refuses a file that exists, such as the one that `init` writes.
#[test]
fn without_entries_a_notice_names_the_command_that_writes_them() {
    let folder = tempfile::tempdir().unwrap();
    let notice = |path: &Path| {
        let baseline = Baseline::read(path).unwrap();
        let found = [finding(NEW)];
        let judged = judge(&run(&found), &baseline, &[], &Gate::default(), today());
        judged.notices.concat()
    };
    let file = folder.path().join("b.toml");
    assert!(notice(&file).contains("gate init latest"));
    std::fs::write(&file, "version = 1\n").unwrap();
    assert!(notice(&file).contains("gate update latest"));
    // Nothing is new: no entry is missing.
    let baseline = Baseline::read(&file).unwrap();
    let clean = judge(&run(&[]), &baseline, &[], &Gate::default(), today());
    assert_eq!(clean.notices, [""; 0]);
    assert_eq!(verdict(&[], "", &[]).notices, [""; 0]);
}

#[test]
fn flaky_and_warned_findings_never_fail() {
    let mut flaky = finding(NEW);
    flaky.reproduced = Some((2, 5));
    let judged = verdict(&[flaky], "", &[]);
    assert_eq!(
        (judged.exit_code, judged.findings[0].status),
        (0, Status::Flaky)
    );
    assert_eq!(
        judged.findings[0].reason.as_deref(),
        Some("reproduced 2 of 5 times")
    );
    let mut warned = finding(NEW);
    warned.warning = true;
    let judged = verdict(&[warned], "", &[]);
    assert_eq!(
        (judged.exit_code, judged.findings[0].status),
        (0, Status::New)
    );
    // Without any replay it is not known to be flaky.
    let mut open = finding(NEW);
    open.reproduced = Some((0, 0));
    assert_eq!(verdict(&[open], "", &[]).exit_code, 100);
}

#[test]
fn replays_on_the_base_build_and_another_device_decide() {
    let base = [replay(Purpose::Base, NEW, 1)];
    let judged = verdict(&[finding(NEW)], "", &base);
    assert_eq!(
        (judged.exit_code, judged.findings[0].status),
        (0, Status::PreExisting)
    );
    let absent = [
        replay(Purpose::Base, NEW, 0),
        replay(Purpose::Confirm, NEW, 0),
    ];
    let judged = verdict(&[finding(NEW)], "", &absent);
    assert_eq!(
        (judged.exit_code, judged.findings[0].status),
        (0, Status::Device)
    );
    assert_eq!(judged.findings[0].confirmed, Some(false));
    let there = [replay(Purpose::Confirm, NEW, 3)];
    let judged = verdict(&[finding(NEW)], "", &there);
    assert_eq!(
        (judged.exit_code, judged.findings[0].confirmed),
        (100, Some(true))
    );
}

#[test]
fn what_no_longer_reproduces_is_fixed_and_stale() {
    let gone = verdict(&[], "", &[replay(Purpose::Known, KNOWN, 0)]);
    assert_eq!(statuses(&gone), [(KNOWN, Status::Fixed)]);
    assert_eq!((gone.exit_code, gone.stale.len()), (0, 1));
    let still = verdict(&[], "", &[replay(Purpose::Known, KNOWN, 1)]);
    assert_eq!(statuses(&still), [(KNOWN, Status::Known)]);
    let mut lost = replay(Purpose::Known, KNOWN, 0);
    (lost.of, lost.problem) = (0, Some("step 2 no longer fits".into()));
    let lost = verdict(&[], "", &[lost]);
    assert_eq!(statuses(&lost), [(KNOWN, Status::NotSeen)]);
    assert!(
        lost.findings[0]
            .reason
            .as_ref()
            .unwrap()
            .ends_with("step 2 no longer fits")
    );
    // A device that failed after the first replay has shown nothing.
    let mut half = replay(Purpose::Known, KNOWN, 0);
    (half.of, half.problem) = (1, Some("the device failed".into()));
    assert_eq!(
        statuses(&verdict(&[], "", &[half])),
        [(KNOWN, Status::NotSeen)]
    );
    let mut half = replay(Purpose::Confirm, NEW, 0);
    half.of = 2;
    let half = verdict(&[finding(NEW)], "", &[half]);
    assert_eq!((half.exit_code, half.findings[0].confirmed), (100, None));
    let strict = Gate {
        strict: true,
        ..Gate::default()
    };
    let replays = [replay(Purpose::Known, KNOWN, 0)];
    let judged = judge(&run(&[]), &baseline(""), &replays, &strict, today());
    assert_eq!(
        (judged.exit_code, judged.exceeded[0].limit.as_str()),
        (108, "strict")
    );
}

#[test]
fn an_acceptance_holds_until_its_last_day() {
    let accepted = |until: &str| {
        format!(
            "[[accepted]]\napp = \"notes\"\nfingerprint = \"{NEW}\"\nreason = \"sdk\"\nowner = \"ana\"\nuntil = \"{until}\"\n"
        )
    };
    let valid = verdict(&[finding(NEW)], &accepted("2026-11-26"), &[]);
    let first = &valid.findings[0];
    assert_eq!((valid.exit_code, first.status), (0, Status::Accepted));
    let reason = first.reason.as_deref();
    assert_eq!(reason, Some("accepted by ana until 2026-11-26: sdk"));
    let expired = verdict(&[finding(NEW)], &accepted("2026-11-25"), &[]);
    assert_eq!(
        (expired.exit_code, expired.findings[0].status),
        (100, Status::New)
    );
    assert!(expired.stale[0].contains("ended on 2026-11-25"));
}

#[test]
fn counts_and_coverage_have_limits() {
    let both = run(&[finding(KNOWN), finding(NEW)]);
    let judged = |gate: &Gate, more: &str| judge(&both, &baseline(more), &[], gate, today());
    let gate = Gate {
        max_new: Some(1),
        ..Gate::default()
    };
    assert_eq!(judged(&gate, "").exit_code, 0);
    let gate = Gate {
        max_crashes: Some(1),
        ..gate
    };
    let verdict = judged(&gate, "");
    assert_eq!(verdict.exit_code, 108);
    assert_eq!(
        verdict.exceeded[0].what,
        "2 distinct crashes, at most 1 allowed"
    );
    let lines = Gate {
        max_new: Some(9),
        min_lines: Some(40.0),
        ..Gate::default()
    };
    assert_eq!(judged(&lines, "").exit_code, 0);
    let lines = Gate {
        min_lines: Some(40.1),
        ..lines
    };
    assert_eq!(judged(&lines, "").exceeded[0].limit, "min-lines");
    let drop = Gate {
        max_new: Some(9),
        max_drop: Some(2.0),
        ..Gate::default()
    };
    let of = |lines: &str| {
        let more = format!("[[coverage]]\napp = \"notes\"\nlines = {lines}\nevents = 10\n");
        judged(&drop, &more).exit_code
    };
    assert_eq!((of("42.0"), of("42.1")), (0, 108));
    assert!(judged(&drop, "").notices[0].contains("max-drop"));
}

#[test]
fn changed_lines_have_a_limit() {
    let mut run = run(&[]);
    let what = |run: &RunSummary| {
        let gate = Gate {
            min_changed_lines: Some(50.0),
            ..Gate::default()
        };
        let judged = judge(run, &baseline(""), &[], &gate, today());
        let what = judged
            .exceeded
            .first()
            .map(|exceeded| exceeded.what.clone());
        (judged.exit_code, what.unwrap_or_default())
    };
    let (code, words) = what(&run);
    assert_eq!(code, 108);
    assert!(words.contains("--changed-since"), "{words}");
    let ratio = |covered, total| Ratio { covered, total };
    for (methods, lines, code, part) in [
        (ratio(1, 2), ratio(5, 10), 0, ""),
        (
            ratio(1, 2),
            ratio(4, 10),
            108,
            "40.0 % of changed lines covered (4 of 10), at least 50.0 % required",
        ),
        (
            ratio(1, 2),
            ratio(0, 0),
            108,
            "build the app with line numbers",
        ),
        (ratio(0, 0), ratio(0, 0), 0, ""),
    ] {
        run.apps[0].changed = Some(ChangedCoverage {
            methods,
            lines,
            ..ChangedCoverage::default()
        });
        let (found, words) = what(&run);
        assert_eq!(found, code);
        assert!(words.contains(part), "{words}");
    }
}

#[test]
fn an_incomplete_run_never_passes() {
    let mut run = run(&[]);
    run.sessions[0].ended = Some(EndReason::DeviceLost);
    let judged = judge(&run, &baseline(""), &[], &Gate::default(), today());
    assert_eq!(judged.exit_code, 106);
    assert!(judged.incomplete[0].contains("device lost after 10 events"));
    run.sessions[0].ended = Some(EndReason::CannotLaunch);
    run.sessions[0].events = 0;
    let judged = judge(&run, &baseline(""), &[], &Gate::default(), today());
    assert_eq!((judged.exit_code, judged.incomplete.len()), (106, 1));
}

#[test]
fn entries_of_apps_that_did_not_run_are_not_judged() {
    let mut run = run(&[]);
    run.apps[0].app = "other".into();
    let judged = judge(&run, &baseline(""), &[], &Gate::default(), today());
    assert!(judged.findings.is_empty());
}
