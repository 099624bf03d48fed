//! `summary.json`: small, versioned and stable, made for scripts.

use super::capability::Capability;
use super::changed::ChangedCoverage;
use super::counted_code::CountedCode;
use super::finding::{FindingKind, Trigger};
use super::place::Place;
use super::reproduction::Reproduction;
use super::restore_cost::RestoreSummary;
use super::run_event::EndReason;
use super::snapshot_cost::SnapshotSummary;
use super::tests_coverage::TestsCoverage;
use serde::{Deserialize, Serialize};

/// Version of `summary.json`.
pub const SUMMARY_VERSION: u32 = 1;

/// A ratio of covered to existing items.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Ratio {
    /// Covered.
    pub covered: u64,
    /// In all.
    pub total: u64,
}

impl Ratio {
    /// Percent covered, 0 if there is nothing to cover.
    pub fn percent(self) -> f64 {
        if self.total == 0 {
            0.0
        } else {
            100.0 * self.covered as f64 / self.total as f64
        }
    }
}

/// Code coverage of a session or an app.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct CodeCoverage {
    /// Source lines (0 of 0 for apps without line numbers).
    pub line: Ratio,
    /// Branches.
    pub branch: Ratio,
    /// Methods.
    pub method: Ratio,
    /// Classes.
    pub class: Ratio,
    /// Bytecode instructions.
    pub instruction: Ratio,
}

/// One finding in the summary.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct FindingSummary {
    /// Short stable name.
    pub id: String,
    /// Kind.
    pub kind: FindingKind,
    /// One line.
    pub title: String,
    /// Exception class, for crashes.
    pub exception: Option<String>,
    /// The code line: topmost frame in the app's code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frame: Option<String>,
    /// Fingerprint.
    pub fingerprint: String,
    /// Is it only a warning, by the suite's `[oracles]`?
    #[serde(default)]
    pub warning: bool,
    /// Environment rule, when the environment is the cause.
    pub environment: Option<String>,
    /// Activity in front when it was first observed.
    pub activity: String,
    /// The trigger.
    pub trigger: Trigger,
    /// What from outside the app is behind it: a fault among its fewest steps (where it is not minimized, among the last
    /// recorded ones), `permission-denied`, `outside-answer`, `outside-cancelled`, and `offline` where the exception tells it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub provoked_by: Vec<String>,
    /// Event at which it was first observed.
    pub first_event: u64,
    /// How often it was observed.
    pub count: u64,
    /// Length of the minimized sequence, if there is one.
    pub minimized_length: Option<u64>,
    /// Replays that showed it again, of how many.
    pub reproduced: Option<(u64, u64)>,
    /// The shortest trace there is, relative to the run's folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<String>,
    /// Pictures of the screen before each of the fewest steps, relative to the run's folder, as many as there are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pictures: Vec<String>,
    /// The result of minimizing it, steps in words and all, once it was tried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reproduction: Option<Reproduction>,
}

/// One script of the suite in a session.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ScriptSummary {
    /// Its name.
    pub name: String,
    /// How often it started.
    pub matched: u64,
    /// Where it failed: the step and the reason, one entry per failure.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lost: Vec<String>,
}

/// What a member of a portfolio brought in a session.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct MemberSummary {
    /// Its name.
    pub name: String,
    /// Its turns.
    pub turns: u64,
    /// The events that it chose.
    pub events: u64,
    /// Activities that they reached for the first time in the session.
    pub activities: u64,
    /// Probes that they hit for the first time.
    pub probes: u64,
    /// Findings that they led to for the first time.
    pub findings: u64,
}

/// What a member of a portfolio did in all sessions that ran side by side.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct GroupSummary {
    /// Its name.
    pub name: String,
    /// The sessions that it had turns in, by their numbers from 1.
    pub seats: Vec<usize>,
    /// The events that it chose.
    pub events: u64,
    /// How many of them brought something that no session had before.
    pub news: u64,
}

/// The corpus in a session.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct CorpusSummary {
    /// Traces that were started.
    pub started: u64,
    /// Events that its traces led.
    pub events: u64,
    /// Steps that could not be performed, each with its trace.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lost: Vec<String>,
}

/// One session in the summary.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SessionSummary {
    /// Folder name under `sessions/`.
    pub session: String,
    /// App.
    pub app: String,
    /// Package or model.
    pub package: String,
    /// Device.
    pub device: String,
    /// Strategy.
    pub strategy: String,
    /// Seed.
    pub seed: u64,
    /// Was it started?
    pub started: bool,
    /// Why it ended; `None`: it was killed, or never started.
    pub ended: Option<EndReason>,
    /// Why the session failed, because of its strategy, its record or the tool itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<String>,
    /// The problem with its record, if only a part can be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damage: Option<String>,
    /// Events performed.
    pub events: u64,
    /// Wall-clock seconds.
    pub seconds: f64,
    /// Events without effect.
    pub unchanged: u64,
    /// Page structures seen.
    pub pages: u64,
    /// Activities reached, in order of first sight.
    pub activities_reached: Vec<String>,
    /// Activities declared.
    pub activities_declared: u64,
    /// Activities reachable.
    pub activities_reachable: u64,
    /// Places within activities, in order of first occurrence, if known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<Place>,
    /// Probes hit of the classes observed, live measure of coverage.
    pub probes: Ratio,
    /// Code coverage, if the device measures it and it has been computed.
    pub coverage: Option<CodeCoverage>,
    /// What it reached of the code that changed since an earlier build, if that was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changed: Option<ChangedCoverage>,
    /// The results of the suite's scripts for this app.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scripts: Vec<ScriptSummary>,
    /// The members of a portfolio.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub members: Vec<MemberSummary>,
    /// The members in all sessions of the group that it ran side by side with, up to its last exchange.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub group: Vec<GroupSummary>,
    /// The corpus, if the session had one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub corpus: Option<CorpusSummary>,
    /// The cost of its emulator's snapshots, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snapshots: Option<SnapshotSummary>,
    /// Returns to saved states, if any was saved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restores: Option<RestoreSummary>,
    /// What the strategy did in another way than usual on this device.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The result of the capability check, if it ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capability: Option<Capability>,
    /// The confinement of the app, if its device runs on this machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confinement: Option<String>,
    /// Infrastructure failures observed.
    pub device_failures: Vec<String>,
    /// Findings, the environment's apart.
    pub findings: Vec<FindingSummary>,
    /// Findings caused by the environment.
    pub environment_findings: Vec<FindingSummary>,
}

impl SessionSummary {
    /// Why the session is incomplete: it never started, was cut off, failed, cannot be read in full, or explored nothing.
    pub fn incomplete(&self) -> Option<String> {
        let events = self.events;
        if !self.started {
            return Some("not started".into());
        }
        let why = self.failed.as_ref().or(self.damage.as_ref());
        if let Some(why) = why {
            return Some(why.clone());
        }
        match self.ended {
            None => Some(format!("killed after {events} events")),
            Some(EndReason::Interrupted) => Some(format!("interrupted after {events} events")),
            Some(EndReason::DeviceLost) => Some(format!("device lost after {events} events")),
            Some(_) if events == 0 && self.findings.is_empty() => Some("nothing explored".into()),
            Some(_) => None,
        }
    }
}

/// One app over all its sessions.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct AppSummary {
    /// App's name in the suite.
    pub app: String,
    /// Package or model.
    pub package: String,
    /// Sessions planned.
    pub sessions: u64,
    /// Events performed.
    pub events: u64,
    /// Declared activities reached by any session, of those declared.
    pub activities: Ratio,
    /// Of these, the ones reachable by the code or the manifest.
    pub reachable: Ratio,
    /// Places within activities seen by any session; how many there are is not known.
    #[serde(default)]
    pub places: u64,
    /// Code coverage of all sessions together, if it has been computed.
    pub coverage: Option<CodeCoverage>,
    /// The classes that it counts. Nothing in older files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counted: Option<CountedCode>,
    /// What all sessions together reached of the code that changed since an earlier build, if that was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changed: Option<ChangedCoverage>,
    /// What all sessions together covered beside the app's own tests, if the suite names those.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tests: Option<TestsCoverage>,
    /// Distinct findings, the environment's apart.
    pub findings: u64,
}

/// The complete run.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct RunSummary {
    /// [`SUMMARY_VERSION`].
    pub version: u32,
    /// Version of the tool.
    pub tool: String,
    /// Suite's name.
    pub suite: String,
    /// Run id, also the folder's name.
    pub run: String,
    /// Was it interrupted, so that not every session completed?
    pub interrupted: bool,
    /// Apps in the plan's order.
    pub apps: Vec<AppSummary>,
    /// Sessions in the plan's order.
    pub sessions: Vec<SessionSummary>,
}

impl RunSummary {
    /// Distinct findings of the apps over all sessions, by (app, fingerprint); warnings included.
    pub fn app_findings(&self) -> usize {
        self.distinct(|_| true)
    }

    /// Of these, the ones that are only warnings.
    pub fn app_warnings(&self) -> usize {
        self.distinct(|finding| finding.warning)
    }

    fn distinct(&self, counts: impl Fn(&FindingSummary) -> bool) -> usize {
        let mut seen: Vec<_> = self
            .sessions
            .iter()
            .flat_map(|s| s.findings.iter().map(move |f| (s, f)))
            .filter(|(_, finding)| counts(finding))
            .map(|(s, finding)| (s.app.as_str(), finding.fingerprint.as_str()))
            .collect();
        seen.sort_unstable();
        seen.dedup();
        seen.len()
    }
}
