//! Compares what a run found with a baseline.

use super::baseline::{Baseline, Entry};
use super::limits::exceeded;
use crate::exit_code::ExitCode;
use crate::oracle::fingerprint;
use crate::outcome::cause_name::cause_name;
use crate::outcome::finding::FindingKind;
use crate::outcome::summary::{FindingSummary, RunSummary};
use crate::outcome::verdict::{GateReplay, Judged, Purpose, Status, VERDICT_VERSION, Verdict};
use crate::settings::Gate;
use jiff::civil::Date;

/// A run, the baseline, and the replays of the gate, judged by the rules of `[gate]` on a day.
pub fn judge(
    run: &RunSummary,
    baseline: &Baseline,
    replays: &[GateReplay],
    gate: &Gate,
    today: Date,
) -> Verdict {
    let judge = Judge {
        run,
        baseline,
        replays,
        gate,
        today,
    };
    let mut findings: Vec<_> = causes(run)
        .into_iter()
        .map(|(app, finding)| judge.observed(app, finding))
        .collect();
    findings.extend(judge.unobserved(&findings));
    findings.sort_by_key(|f| f.status);
    let stale = judge.stale(&findings);
    let mut verdict = Verdict {
        version: VERDICT_VERSION,
        baseline: baseline.path.display().to_string(),
        exceeded: exceeded(run, baseline, gate, &findings, &stale),
        findings,
        stale,
        notices: Vec::new(),
        incomplete: incomplete(run),
        exit_code: 0,
    };
    verdict.notices = judge.notices(&verdict);
    verdict.exit_code = judge.exit_code(&verdict).code();
    verdict
}

/// Each cause of an app once: the finding that is more than a warning, with the most known of it.
fn causes(run: &RunSummary) -> Vec<(&str, &FindingSummary)> {
    let mut causes: Vec<(&str, &FindingSummary)> = Vec::new();
    for session in &run.sessions {
        for finding in &session.findings {
            let app = session.app.as_str();
            let worth = |f: &FindingSummary| (!f.warning, f.reproduction.is_some());
            let same = |known: &&mut (&str, &FindingSummary)| {
                known.0 == app && known.1.fingerprint == finding.fingerprint
            };
            match causes.iter_mut().find(same) {
                Some(known) if worth(finding) > worth(known.1) => known.1 = finding,
                Some(_) => {}
                None => causes.push((app, finding)),
            }
        }
    }
    causes
}

/// Why the run is incomplete, a line per session.
fn incomplete(run: &RunSummary) -> Vec<String> {
    let sessions = run.sessions.iter();
    sessions
        .filter_map(|s| Some(format!("session `{}`: {}", s.session, s.incomplete()?)))
        .collect()
}

struct Judge<'a> {
    run: &'a RunSummary,
    baseline: &'a Baseline,
    replays: &'a [GateReplay],
    gate: &'a Gate,
    today: Date,
}

impl Judge<'_> {
    fn current(&self, app: &str, print: &str) -> Option<&Entry> {
        self.baseline.current.iter().find(|e| e.is_of(app, print))
    }

    fn accepted(&self, app: &str, print: &str) -> Option<&Entry> {
        self.baseline.accepted.iter().find(|e| e.is_of(app, print))
    }

    fn is_expired(&self, entry: &Entry) -> bool {
        entry.is_expired(self.today)
    }

    fn replay(&self, purpose: Purpose, app: &str, print: &str) -> Option<&GateReplay> {
        let mut replays = self.replays.iter();
        replays.find(|r| r.purpose == purpose && r.app == app && r.fingerprint == print)
    }

    fn observed(&self, app: &str, finding: &FindingSummary) -> Judged {
        let confirm = self.replay(Purpose::Confirm, app, &finding.fingerprint);
        let conclusive = confirm.filter(|r| r.is_gone() || r.reproduced > 0);
        let confirmed = conclusive.map(|r| r.reproduced > 0);
        let (status, reason) = self.status(app, finding, confirm);
        let steps = finding.reproduction.as_ref();
        let steps = steps.filter(|_| finding.minimized_length.is_some());
        Judged {
            app: app.to_owned(),
            fingerprint: finding.fingerprint.clone(),
            status,
            name: cause_name(
                finding.kind,
                finding.exception.as_deref(),
                finding.frame.as_deref(),
                &finding.activity,
                &finding.fingerprint,
            ),
            observed: true,
            kind: Some(finding.kind),
            title: finding.title.clone(),
            exception: finding.exception.clone(),
            frame: finding.frame.clone(),
            warning: finding.warning,
            reason,
            confirmed,
            trace: finding.trace.clone(),
            steps: steps.map(|found| found.steps.clone()).unwrap_or_default(),
        }
    }

    fn status(
        &self,
        app: &str,
        finding: &FindingSummary,
        confirm: Option<&GateReplay>,
    ) -> (Status, Option<String>) {
        let print = &finding.fingerprint;
        if let Some(entry) = self.accepted(app, print) {
            return match self.is_expired(entry) {
                false => (Status::Accepted, Some(acceptance(entry))),
                true => {
                    let until = entry.until.map(|u| u.to_string()).unwrap_or_default();
                    (
                        Status::New,
                        Some(format!("its acceptance ended on {until}")),
                    )
                }
            };
        }
        if let Some(entry) = self.current(app, print) {
            return (Status::Known, Some(first_seen(entry)));
        }
        if let Some((came, of)) = finding.reproduced.filter(|(came, of)| came < of) {
            return (
                Status::Flaky,
                Some(format!("reproduced {came} of {of} times")),
            );
        }
        let base = self.replay(Purpose::Base, app, print);
        if base.is_some_and(|r| r.reproduced > 0) {
            return (
                Status::PreExisting,
                Some("it reproduces on the base build".into()),
            );
        }
        match confirm {
            Some(r) if r.is_gone() => {
                let words = format!("it does not reproduce on the device `{}`", r.device);
                (Status::Device, Some(words))
            }
            Some(r) if r.reproduced > 0 => {
                let words = format!("it reproduces on the device `{}`, too", r.device);
                (Status::New, Some(words))
            }
            _ => (Status::New, None),
        }
    }

    /// Entries of the run's apps that exploration did not observe.
    fn unobserved(&self, observed: &[Judged]) -> Vec<Judged> {
        let is_open = |app: &str, print: &str| {
            let same = |f: &Judged| f.app == app && f.fingerprint == print;
            self.run.apps.iter().any(|a| a.app == app) && !observed.iter().any(same)
        };
        let accepted = self.baseline.accepted.iter();
        let accepted = accepted.filter(|e| is_open(&e.app, &e.fingerprint));
        let mut all: Vec<_> = accepted
            .map(|e| {
                let is_current = match self.is_expired(e) {
                    true => Status::New,
                    false => Status::Accepted,
                };
                self.entry(e, is_current, &acceptance(e))
            })
            .collect();
        let current = self.baseline.current.iter();
        let current = current.filter(|e| {
            is_open(&e.app, &e.fingerprint) && self.accepted(&e.app, &e.fingerprint).is_none()
        });
        all.extend(current.map(|e| self.entry(e, Status::Known, &first_seen(e))));
        all
    }

    /// An entry that exploration did not observe; `still` is its status where its trace reproduces it.
    fn entry(&self, entry: &Entry, still: Status, words: &str) -> Judged {
        let is_older = !entry.fingerprint.starts_with(fingerprint::VERSION);
        let replay = self.replay(Purpose::Known, &entry.app, &entry.fingerprint);
        let (status, reason) = match replay {
            Some(r) if r.reproduced > 0 => (still, format!("{words}; reproduced by its trace")),
            Some(r) if r.is_gone() && !is_older => (
                Status::Fixed,
                format!("{words}; {} replays did not show it", r.of),
            ),
            _ if is_older => {
                let why = "its fingerprint is of an older version, `gate update` adds the new one";
                (Status::NotSeen, format!("{words}; {why}"))
            }
            Some(GateReplay {
                problem: Some(problem),
                ..
            }) => (Status::NotSeen, format!("{words}; not replayed: {problem}")),
            _ => (Status::NotSeen, words.to_owned()),
        };
        let (exception, at) = (entry.exception.as_deref(), entry.at.as_deref());
        let kind = entry.kind.unwrap_or(FindingKind::JavaCrash);
        Judged {
            app: entry.app.clone(),
            fingerprint: entry.fingerprint.clone(),
            status,
            name: cause_name(kind, exception, at, "", &entry.fingerprint),
            observed: false,
            kind: entry.kind,
            title: exception.unwrap_or_default().to_owned(),
            exception: entry.exception.clone(),
            frame: entry.at.clone(),
            warning: false,
            reason: Some(reason),
            confirmed: None,
            trace: entry.trace.clone(),
            steps: Vec::new(),
        }
    }

    fn stale(&self, findings: &[Judged]) -> Vec<String> {
        let fixed = findings.iter().filter(|f| f.status == Status::Fixed);
        let mut stale: Vec<_> = fixed
            .map(|f| {
                format!(
                    "{} of `{}` is fixed: `gate update` removes its entry",
                    f.name, f.app
                )
            })
            .collect();
        let here = |e: &&Entry| self.run.apps.iter().any(|a| a.app == e.app);
        let accepted = self.baseline.accepted.iter().filter(here);
        for entry in accepted.filter(|e| self.is_expired(e)) {
            let until = entry.until.map(|u| u.to_string()).unwrap_or_default();
            stale.push(format!(
                "the acceptance of {} of `{}` ended on {until}: extend it or delete it",
                entry.fingerprint, entry.app
            ));
        }
        stale
    }

    fn notices(&self, verdict: &Verdict) -> Vec<String> {
        let mut notices = Vec::new();
        let path = self.baseline.path.display();
        if self.baseline.is_missing {
            notices.push(format!(
                "there is no baseline {path}: every finding is new (`cargo droidtest gate init latest` writes it, with the findings of the latest run)"
            ));
        } else if self.baseline.is_empty && verdict.failing().next().is_some() {
            notices.push(format!(
                "the baseline {path} has no entries: every finding is new (`cargo droidtest gate update latest` adds the findings of the latest run)"
            ));
        }
        if self.gate.max_drop.is_some() && self.baseline.coverage.is_empty() {
            notices.push(format!(
                "the baseline {path} has no coverage, so `max-drop` does not apply (`cargo droidtest gate update` adds it)"
            ));
        }
        notices
    }

    fn exit_code(&self, verdict: &Verdict) -> ExitCode {
        let new = verdict.failing().count() as u64;
        if new > self.gate.max_new.unwrap_or(0) {
            ExitCode::Findings
        } else if !verdict.exceeded.is_empty() {
            ExitCode::LimitExceeded
        } else if !verdict.incomplete.is_empty() {
            ExitCode::Incomplete
        } else {
            ExitCode::Ok
        }
    }
}

/// `first seen 2026-11-26`.
fn first_seen(entry: &Entry) -> String {
    let day = entry.first_seen.map(|day| day.to_string());
    format!("first seen {}", day.unwrap_or_default())
}

/// `accepted by ana until 2027-03-31: the vendor's SDK`.
fn acceptance(entry: &Entry) -> String {
    let owner = entry.owner.as_ref();
    let owner = owner.map(|o| format!(" by {o}")).unwrap_or_default();
    let until = entry.until.map(|u| format!(" until {u}"));
    format!(
        "accepted{owner}{}: {}",
        until.unwrap_or_default(),
        entry.reason.as_deref().unwrap_or_default()
    )
}

#[cfg(test)]
#[path = "judge_tests.rs"]
pub(super) mod tests;
