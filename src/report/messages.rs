//! The lines of `--message-format json`: one JSON object each, its kind in `e`. docs/json.md describes them.

use crate::explore::{Budget, Counts};
use crate::outcome::verdict::{GateReplay, Verdict};
use crate::outcome::{Capability, Reproduction, RunEvent, RunSummary};
use serde::Serialize;

/// The version of the lines, in the first one.
pub(super) const VERSION: u32 = 1;

/// A line that is not one of a journal. Times are in seconds.
#[derive(Serialize)]
#[serde(tag = "e", rename_all = "kebab-case", rename_all_fields = "kebab-case")]
pub(super) enum Message<'a> {
    /// The first line.
    Run {
        version: u32,
        tool: &'static str,
        suite: &'a str,
        sessions: Vec<String>,
        at_once: usize,
    },
    /// An app is ready.
    Prepared { app: &'a str, seconds: f64 },
    /// What the jvm device is expected to support.
    Capability { app: &'a str, found: &'a Capability },
    /// An earlier run continues.
    Resumed { complete: usize, sessions: usize },
    /// A session starts.
    Start {
        session: &'a str,
        app: &'a str,
        device: &'a str,
        device_kind: &'a str,
        strategy: &'a str,
        seed: u64,
        budget: Limits,
    },
    /// How far a session and the run are; estimates are null where nothing limits a session.
    Progress {
        session: &'a str,
        events: u64,
        pages: u64,
        activities: u64,
        probes: u64,
        findings: u64,
        seconds: f64,
        seconds_left: Option<f64>,
        sessions_done: usize,
        run_seconds_left: Option<f64>,
    },
    /// A session could not run.
    Failed { session: &'a str, why: &'a str },
    /// A warning about the run.
    Warning { message: &'a str },
    /// A finding was minimized.
    Minimized {
        id: &'a str,
        result: &'a Reproduction,
    },
    /// A trace was replayed for the gate.
    Replayed { replay: &'a GateReplay },
    /// The results, as in `summary.json`.
    Summary(&'a RunSummary),
    /// The comparison with the baseline.
    Gate { verdict: &'a Verdict },
    /// The reports that were written.
    Written { files: Vec<String> },
    /// The last line.
    Finish(&'a Finish),
}

/// How a run ended: its exit code, its sessions by how they ended, and the command that continues it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Finish {
    /// The exit code.
    pub code: u8,
    /// Sessions that came to their end.
    pub finished: Vec<String>,
    /// Sessions that the user interrupted.
    pub interrupted: Vec<String>,
    /// Sessions that failed, or lost their device.
    pub failed: Vec<String>,
    /// Sessions that did not start.
    pub not_started: Vec<String>,
    /// The command that performs what is left, if there is any.
    pub resume: Option<String>,
}

/// A session's budget; null: no limit.
#[derive(Serialize)]
pub(super) struct Limits {
    events: Option<u64>,
    seconds: Option<f64>,
    plateau: Option<u64>,
}

impl From<&Budget> for Limits {
    fn from(budget: &Budget) -> Self {
        Self {
            events: budget.events,
            seconds: budget.time.map(|time| time.as_secs_f64()),
            plateau: budget.plateau,
        }
    }
}

/// A line of a session's journal, and whose it is.
#[derive(Serialize)]
pub(super) struct Line<'a> {
    /// The session's name.
    pub session: &'a str,
    /// As in its journal.
    #[serde(flatten)]
    pub event: &'a RunEvent,
}

impl<'a> Message<'a> {
    /// The totals of a session. `left`: of the session and of the run.
    pub fn progress(
        session: &'a str,
        counts: &Counts,
        done: usize,
        left: [Option<std::time::Duration>; 2],
    ) -> Self {
        let [own, run] = left.map(|left| left.map(|left| left.as_secs_f64()));
        Self::Progress {
            session,
            events: counts.events,
            pages: counts.pages,
            activities: counts.activities,
            probes: counts.probes_hit,
            findings: counts.findings,
            seconds: counts.elapsed.as_secs_f64(),
            seconds_left: own,
            sessions_done: done,
            run_seconds_left: run,
        }
    }
}
