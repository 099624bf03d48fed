//! A verdict about a made-up run: one finding of each status that matters.

use super::causes::{causes, sessions};
use super::session::Sort;
use super::summarize::RunRecord;
use crate::outcome::cause_name::cause_name;
use crate::outcome::verdict::{Exceeded, Judged, Status, VERDICT_VERSION, Verdict};

/// The first finding is new, the others are known; one of the baseline is fixed, a limit is exceeded.
pub fn verdict(run: &RunRecord) -> Verdict {
    let causes = causes(sessions(run));
    let found = causes.iter().filter(|c| c.sort() != Sort::Environment);
    let mut findings: Vec<_> = found
        .enumerate()
        .map(|(number, cause)| {
            let (session, met) = cause.chief;
            let finding = &met.finding;
            let (exception, frame) = (finding.exception.as_deref(), finding.frame.as_deref());
            let print = &finding.fingerprint;
            let (status, reason) = match number {
                0 => (Status::New, None),
                _ => (Status::Known, Some("first seen 2026-01-02".to_owned())),
            };
            Judged {
                app: session.app.clone(),
                fingerprint: print.clone(),
                status,
                name: cause_name(finding.kind, exception, frame, &finding.activity, print),
                observed: true,
                kind: Some(finding.kind),
                title: finding.title.clone(),
                exception: finding.exception.clone(),
                frame: finding.frame.clone(),
                warning: finding.warning,
                reason,
                confirmed: None,
                trace: None,
                steps: Vec::new(),
            }
        })
        .collect();
    findings.push(Judged {
        app: "notes".into(),
        fingerprint: "v2:00000000aaaaaaaa".into(),
        status: Status::Fixed,
        name: "Error at Main.run [v2:00000000]".into(),
        observed: false,
        kind: None,
        title: "java.lang.Error".into(),
        exception: Some("java.lang.Error".into()),
        frame: Some("org.x.Main.run(Main.java:3)".into()),
        warning: false,
        reason: Some("first seen 2026-01-02; 0 of 3 replays showed it".into()),
        confirmed: None,
        trace: None,
        steps: Vec::new(),
    });
    Verdict {
        version: VERDICT_VERSION,
        baseline: "droidtest-baseline.toml".into(),
        findings,
        exceeded: vec![Exceeded {
            limit: "min-lines".into(),
            app: Some("notes".into()),
            what: "30.0 % of lines covered, at least 40.0 % required".into(),
        }],
        stale: Vec::new(),
        notices: Vec::new(),
        incomplete: vec!["session `notes-jvm-random-2`: not started".into()],
        exit_code: 100,
    }
}
