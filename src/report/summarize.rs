//! A run, read from its folder: the summary for scripts, and the records behind it for people.

use super::session::{Met, SessionRecord};
use super::{damage, repro_info};
use crate::coverage::ActivityCoverage;
use crate::outcome::folder::{PlannedSession, RunFolder, RunInfo, SessionFolder};
use crate::outcome::journal::read_timing;
use crate::outcome::run_event::EndReason;
use crate::outcome::summary::{
    AppSummary, FindingSummary, RunSummary, SUMMARY_VERSION, SessionSummary,
};
use crate::outcome::verdict::{VERDICT_VERSION, Verdict};
use crate::util::foreign;
use serde::de::DeserializeOwned;
use std::collections::BTreeSet;
use std::io;
use std::path::Path;

/// A run's summary and the record of each of its sessions, in the same order.
#[derive(Clone, Debug, Default)]
pub struct RunRecord {
    /// `run.json`; reconstructed from the sessions if it cannot be read.
    pub info: RunInfo,
    /// `summary.json`.
    pub summary: RunSummary,
    /// The content of the journals.
    pub sessions: Vec<SessionRecord>,
    /// The run compared with a baseline, if it was.
    pub verdict: Option<Verdict>,
}

/// Reads a run's folder. A session that cannot be read, completely or at all, reports it in its summary.
///
/// # Errors
/// The folder itself cannot be read.
pub fn read(folder: &RunFolder) -> io::Result<RunRecord> {
    let mut info = folder.info().unwrap_or_default();
    if info.run.is_empty() {
        let name = folder.path().file_name().unwrap_or_default();
        info.run = name.to_string_lossy().into_owned();
    }
    for session in folder.sessions()? {
        let known = |planned: &PlannedSession| {
            folder.session(&planned.session).path() == folder.session(&session).path()
        };
        if !info.sessions.iter().any(known) {
            info.sessions.push(PlannedSession {
                session,
                ..PlannedSession::default()
            });
        }
    }
    let mut summaries = Vec::with_capacity(info.sessions.len());
    let mut records = Vec::with_capacity(info.sessions.len());
    for planned in &mut info.sessions {
        let (mut summary, mut record) = session(&folder.session(&planned.session), planned);
        summary.confinement = info.confinement.get(&planned.device).cloned();
        for met in &mut record.findings {
            met.repro = repro_info::read(folder, &planned.session, &met.finding.id);
        }
        if let Some(header) = record.header.as_ref().filter(|_| info.tool.is_empty()) {
            info.tool.clone_from(&header.tool);
        }
        summaries.push(summary);
        records.push(record);
    }
    repro_info::share(folder, &mut summaries, &mut records);
    let summary = RunSummary {
        version: SUMMARY_VERSION,
        tool: info.tool.clone(),
        suite: info.suite.clone(),
        run: info.run.clone(),
        interrupted: summaries
            .iter()
            .any(|s| s.failed.is_none() && matches!(s.ended, None | Some(EndReason::Interrupted))),
        apps: apps(folder, &summaries, &records),
        sessions: summaries,
    };
    Ok(RunRecord {
        info,
        summary,
        sessions: records,
        verdict: verdict(folder),
    })
}

/// `gate.json`. One of a newer tool counts as missing: the run can be judged again.
fn verdict(folder: &RunFolder) -> Option<Verdict> {
    let verdict: Verdict = serde_json::from_slice(&foreign::read(&folder.verdict()).ok()?).ok()?;
    (verdict.version <= VERDICT_VERSION).then_some(verdict)
}

/// One session; what its header says completes what was planned.
fn session(
    folder: &SessionFolder,
    planned: &mut PlannedSession,
) -> (SessionSummary, SessionRecord) {
    let started = folder.path().is_dir();
    let (record, damage) = if started {
        damage::read(&folder.journal())
    } else {
        (SessionRecord::default(), None)
    };
    if let Some(header) = &record.header {
        planned.app.clone_from(&header.app);
        planned.package.clone_from(&header.package);
        planned.device.clone_from(&header.device);
        planned.strategy.clone_from(&header.strategy);
        planned.seed = header.seed;
    }
    let header = record.header.as_ref();
    let (environment, app): (Vec<_>, Vec<_>) =
        record.findings.iter().partition(|met| met.is_environment());
    let summary = SessionSummary {
        session: planned.session.clone(),
        app: planned.app.clone(),
        package: planned.package.clone(),
        device: planned.device.clone(),
        strategy: planned.strategy.clone(),
        seed: planned.seed,
        started,
        ended: record.ended,
        failed: folder.why_failed(),
        damage,
        events: record.events,
        seconds: seconds(&folder.timing()),
        unchanged: record.unchanged,
        pages: record.pages.len() as u64,
        activities_reached: record.reached.clone(),
        activities_declared: header.map_or(0, |h| h.activities_declared.len() as u64),
        activities_reachable: header.map_or(0, |h| h.activities_reachable.len() as u64),
        places: record.places.clone(),
        probes: record.probes,
        scripts: record.scripts.clone(),
        members: record.members.clone(),
        group: record.group.clone(),
        corpus: record.corpus.clone(),
        coverage: read_json(&folder.coverage()),
        changed: read_json(&folder.changed()),
        notes: header.map_or_else(Vec::new, |h| h.notes.clone()),
        capability: header.and_then(|h| h.capability.clone()),
        confinement: None,
        snapshots: crate::outcome::snapshot_cost::of_session(&folder.timing()),
        restores: (record.restores.saved > 0).then(|| record.restores.timed(&folder.timing())),
        device_failures: record.failures.iter().map(|(_, t)| t.clone()).collect(),
        findings: app.into_iter().map(finding).collect(),
        environment_findings: environment.into_iter().map(finding).collect(),
    };
    (summary, record)
}

fn seconds(timing: &Path) -> f64 {
    let last = read_timing(timing).ok().and_then(Iterator::last);
    last.map_or(0.0, |timing| timing.us as f64 / 1e6)
}

/// A file of coverage, where there is one.
fn read_json<T: DeserializeOwned>(path: &Path) -> Option<T> {
    serde_json::from_slice(&foreign::read(path).ok()?).ok()
}

fn finding(met: &Met) -> FindingSummary {
    let finding = &met.finding;
    FindingSummary {
        id: finding.id.clone(),
        kind: finding.kind,
        title: finding.title.clone(),
        exception: finding.exception.clone(),
        frame: finding.frame.clone(),
        fingerprint: finding.fingerprint.clone(),
        warning: finding.warning,
        environment: finding.environment.as_ref().map(|blame| blame.rule.clone()),
        activity: finding.activity.clone(),
        trigger: finding.trigger,
        first_event: finding.event,
        provoked_by: met.provoked_by(),
        count: met.count,
        minimized_length: None,
        reproduced: None,
        trace: None,
        pictures: Vec::new(),
        reproduction: None,
    }
}

fn apps(
    folder: &RunFolder,
    summaries: &[SessionSummary],
    records: &[SessionRecord],
) -> Vec<AppSummary> {
    let mut apps: Vec<AppSummary> = Vec::new();
    for session in summaries {
        if !apps.iter().any(|app| app.app == session.app) {
            apps.push(app(folder, &session.app, summaries, records));
        }
    }
    apps
}

fn app(
    folder: &RunFolder,
    name: &str,
    summaries: &[SessionSummary],
    records: &[SessionRecord],
) -> AppSummary {
    let mut total = AppSummary {
        app: name.to_owned(),
        coverage: read_json(&folder.coverage_summary(name)),
        counted: read_json(&folder.counted(name)),
        changed: read_json(&folder.changed(name)),
        tests: read_json(&folder.tests_coverage(name)),
        places: super::places::of_app(summaries, name),
        ..AppSummary::default()
    };
    let mut findings = BTreeSet::new();
    let own = || summaries.iter().zip(records).filter(|(s, _)| s.app == name);
    for (session, _) in own() {
        total.package.clone_from(&session.package);
        total.sessions += 1;
        total.events += session.events;
        findings.extend(session.findings.iter().map(|f| &f.fingerprint));
    }
    let reached = own().filter_map(|(_, r)| Some((&r.reached[..], r.header.as_ref()?)));
    let activities = ActivityCoverage::new(reached);
    total.activities = activities.of_declared;
    total.reachable = activities.of_reachable;
    total.findings = findings.len() as u64;
    total
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{Spec, run};
    use super::*;
    use crate::outcome::finding::FindingKind;
    use std::fs::{self, File};

    fn specs() -> Vec<Spec> {
        let spec = |seed, end| Spec {
            seed,
            end,
            events: 300,
            ..Spec::default()
        };
        vec![spec(1, Some(EndReason::Events)), spec(2, None)]
    }

    #[test]
    fn the_journals_alone_give_the_summary() {
        let base = tempfile::tempdir().unwrap();
        let folder = run(base.path(), &specs());
        let read = read(&folder).unwrap();
        let summary = &read.summary;
        assert_eq!(
            (summary.suite.as_str(), summary.sessions.len()),
            ("smoke", 2)
        );
        assert!(summary.interrupted, "the second session was killed");
        let [first, second] = &summary.sessions[..] else {
            panic!()
        };
        assert_eq!((first.events, first.ended), (300, Some(EndReason::Events)));
        assert_eq!((second.events, second.ended), (300, None));
        assert_eq!(second.device_failures, ["no answer within 20 s: observe"]);
        assert!(first.unchanged > 0 && first.unchanged < 300);
        assert!(first.seconds > 1.0);
        assert_eq!(first.probes.total, 480);
        assert!(first.probes.covered > 40);
        assert_eq!(first.activities_declared, 11);
        assert_eq!(first.activities_reachable, 10);
        assert!(first.activities_reached[0].ends_with("SignInActivity"));
        let crash = &first.findings[0];
        assert!(crash.count >= 1 && crash.first_event >= 1);
        assert_eq!(
            (crash.minimized_length, crash.reproduced),
            (Some(2), Some((5, 5)))
        );
        assert!(crash.trace.as_ref().unwrap().ends_with("minimized.toml"));
        let kinds = |all: &[FindingSummary]| all.iter().map(|f| f.kind).collect::<BTreeSet<_>>();
        assert!(kinds(&first.findings).contains(&FindingKind::JavaCrash));
        assert_eq!(
            kinds(&first.environment_findings),
            BTreeSet::from([FindingKind::Environment])
        );
        let app = &summary.apps[0];
        assert_eq!(
            (app.sessions, app.events, app.activities.total),
            (2, 600, 11)
        );
        assert!(app.findings as usize >= first.findings.len());
        let parsed: RunSummary =
            serde_json::from_str(&serde_json::to_string(summary).unwrap()).unwrap();
        assert_eq!(&parsed, summary);
    }

    #[test]
    fn an_activity_of_the_device_counts_nowhere() {
        let base = tempfile::tempdir().unwrap();
        let folder = run(base.path(), &specs()[..1]);
        let path = folder.session("notes-jvm-random-1").journal();
        let journal = fs::read_to_string(&path).unwrap();
        let reached = read(&folder).unwrap();
        let [first, ..] = &reached.sessions[0].reached[..] else {
            panic!("nothing reached")
        };
        let (with, more) = (
            format!("[\"{first}\""),
            format!("[\"android.Chooser\",\"{first}\""),
        );
        let with = format!("\"activities\":{with}");
        let changed = journal.replacen(&with, &format!("\"activities\":{more}"), 1);
        assert_ne!(changed, journal);
        fs::write(&path, changed).unwrap();
        let again = read(&folder).unwrap();
        assert_eq!(again.summary.apps, reached.summary.apps);
        assert_eq!(again.sessions[0].reached, reached.sessions[0].reached);
        assert_eq!(again.sessions[0].curve, reached.sessions[0].curve);
        let seen = |name: &str| again.sessions[0].activities.iter().any(|a| a.name == name);
        assert!(seen("android.Chooser"), "the table shows it");
    }

    #[test]
    fn a_finding_knows_the_steps_that_led_to_it() {
        let base = tempfile::tempdir().unwrap();
        let read = read(&run(base.path(), &specs())).unwrap();
        let record = &read.sessions[0];
        for met in &record.findings {
            let last = met.way.last().unwrap();
            assert_eq!(last.number, Some(met.finding.event));
            assert!(met.way.len() <= 15);
        }
        let lost = record
            .findings
            .iter()
            .find(|m| m.finding.kind == FindingKind::RotationLoss);
        assert_eq!(lost.unwrap().way.last().unwrap().words, "rotate");
    }

    #[test]
    fn the_curve_only_rises_and_ends_at_the_totals() {
        let base = tempfile::tempdir().unwrap();
        let read = read(&run(base.path(), &specs())).unwrap();
        let (summary, record) = (&read.summary.sessions[0], &read.sessions[0]);
        assert!(record.curve.is_sorted_by(|a, b| {
            a.events <= b.events && a.probes <= b.probes && a.activities <= b.activities
        }));
        let last = record.curve.last().unwrap();
        assert_eq!((last.events, last.probes), (300, summary.probes.covered));
        assert_eq!(last.findings as usize, summary.findings.len());
        let events: u64 = record.activities.iter().map(|a| a.events).sum();
        assert_eq!(events, 300);
    }

    #[test]
    fn a_damaged_session_is_reported_as_such_and_the_others_are_read() {
        let base = tempfile::tempdir().unwrap();
        let folder = run(base.path(), &specs());
        let journal = folder.session("notes-jvm-random-1").journal();
        let mut bytes = fs::read(&journal).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle..middle + 300].fill(0xff);
        fs::write(&journal, bytes).unwrap();
        fs::remove_file(folder.info_path()).unwrap();
        let read = read(&folder).unwrap();
        let [first, second] = &read.summary.sessions[..] else {
            panic!()
        };
        assert!(
            first
                .damage
                .as_ref()
                .unwrap()
                .starts_with("the journal is damaged from line")
        );
        assert!(first.events > 50 && first.events < 300);
        assert_eq!(second.damage, None);
        assert_eq!(second.app, "notes");
        assert_eq!(
            (second.events, read.info.run.as_str()),
            (300, "20260613-101500")
        );
    }

    #[test]
    fn a_session_that_never_began_is_in_the_summary() {
        let base = tempfile::tempdir().unwrap();
        let folder = run(base.path(), &specs());
        fs::remove_dir_all(folder.session("notes-jvm-random-2").path()).unwrap();
        File::create(folder.session("notes-jvm-random-1").journal()).unwrap();
        let read = read(&folder).unwrap();
        assert!(!read.summary.sessions[1].started);
        let empty = &read.summary.sessions[0];
        assert_eq!(
            empty.damage.as_deref(),
            Some("the journal ends before its first event")
        );
        assert_eq!(empty.app, "notes", "the plan knows it");
    }
}
