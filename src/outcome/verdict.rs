//! `gate.json` and `replays.json`: how a run compares with a baseline, and the replays that the comparison rests on.

use super::finding::FindingKind;
use serde::{Deserialize, Serialize};

/// Version of `gate.json`.
pub const VERDICT_VERSION: u32 = 1;

/// What a replay of the gate is for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Purpose {
    /// A finding of the baseline, before the app is explored.
    Known,
    /// A new finding on the base build.
    Base,
    /// A new finding on the device of `[gate] confirm`.
    Confirm,
}

/// The replays of one trace for the gate.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GateReplay {
    /// What they are for.
    pub purpose: Purpose,
    /// App.
    pub app: String,
    /// Fingerprint of the finding.
    pub fingerprint: String,
    /// Device.
    pub device: String,
    /// Replays that showed it.
    pub reproduced: u64,
    /// Replays with a result: those that performed all steps or showed it.
    pub of: u64,
    /// Replays that a finding gets until one shows it.
    #[serde(default)]
    pub wanted: u64,
    /// Why there were fewer than requested: the step at which the app no longer fits the trace, or a device failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

impl GateReplay {
    /// Did every replay perform all steps without showing the finding?
    pub fn is_gone(&self) -> bool {
        self.reproduced == 0 && self.of > 0 && self.of >= self.wanted && self.problem.is_none()
    }
}

/// How a finding compares with the baseline.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// Not in the baseline.
    New,
    /// Not reproduced by every replay; it never fails.
    Flaky,
    /// It reproduces on the base build, too.
    PreExisting,
    /// It does not reproduce on the device that confirms findings.
    Device,
    /// In the baseline.
    Known,
    /// In the baseline, accepted by a person.
    Accepted,
    /// In the baseline; its trace no longer reproduces it.
    Fixed,
    /// In the baseline, not seen in this run and not replayed.
    NotSeen,
}

impl Status {
    /// Every status, in the order of reports.
    pub const ALL: [Self; 8] = [
        Self::New,
        Self::Flaky,
        Self::PreExisting,
        Self::Device,
        Self::Known,
        Self::Accepted,
        Self::Fixed,
        Self::NotSeen,
    ];

    /// Its name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Flaky => "flaky",
            Self::PreExisting => "pre-existing",
            Self::Device => "device",
            Self::Known => "known",
            Self::Accepted => "accepted",
            Self::Fixed => "fixed",
            Self::NotSeen => "not seen",
        }
    }

    /// Was the finding observed in this run?
    pub const fn is_observed(self) -> bool {
        !matches!(self, Self::Fixed | Self::NotSeen)
    }
}

/// One cause of an app, compared with the baseline.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Judged {
    /// App.
    pub app: String,
    /// Fingerprint.
    pub fingerprint: String,
    /// Status.
    pub status: Status,
    /// Stable name: `NullPointerException at NotesActivity.compareTags [v2:e55c2e3f]`.
    pub name: String,
    /// Did exploration observe it? Else it is an entry of the baseline.
    pub observed: bool,
    /// Kind; `None` for entries of the baseline without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<FindingKind>,
    /// One line: exception and message, or what was seen.
    pub title: String,
    /// Exception class, for crashes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exception: Option<String>,
    /// The code line: topmost frame in the app's code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frame: Option<String>,
    /// Is it only a warning, by the suite's `[oracles]`? Then it never fails.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub warning: bool,
    /// The reason for the status, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Did `[gate] confirm` reproduce it on the second device? `None`: it was not tried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirmed: Option<bool>,
    /// The shortest trace: of the run's folder, or of the baseline.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<String>,
    /// The fewest steps in words, if it was minimized.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<String>,
}

/// A limit of `[gate]` that the run exceeds.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Exceeded {
    /// The key: `max-crashes`, `min-lines`, `strict`.
    pub limit: String,
    /// The app, where the limit is one of an app.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub app: Option<String>,
    /// What was measured and what was allowed, in words.
    pub what: String,
}

/// A run compared with a baseline.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Verdict {
    /// [`VERDICT_VERSION`].
    pub version: u32,
    /// The baseline's file.
    pub baseline: String,
    /// Causes, in the order of [`Status`], then of the run.
    pub findings: Vec<Judged>,
    /// Limits exceeded.
    #[serde(default)]
    pub exceeded: Vec<Exceeded>,
    /// Entries of the baseline that should be removed or renewed, in words.
    #[serde(default)]
    pub stale: Vec<String>,
    /// What the comparison could not use, in words.
    #[serde(default)]
    pub notices: Vec<String>,
    /// Why the run is incomplete; empty if it is complete.
    #[serde(default)]
    pub incomplete: Vec<String>,
    /// The exit code that it asks for.
    pub exit_code: u8,
}

impl Verdict {
    /// Causes of this status; warnings included.
    pub fn of(&self, status: Status) -> impl Iterator<Item = &Judged> {
        self.findings.iter().filter(move |f| f.status == status)
    }

    /// Entries of the baseline that only their traces reproduced.
    pub fn replayed(&self) -> impl Iterator<Item = &Judged> {
        let entries = self.findings.iter().filter(|f| !f.observed);
        entries.filter(|f| f.status.is_observed())
    }

    /// New causes that are no warnings.
    pub fn failing(&self) -> impl Iterator<Item = &Judged> {
        self.of(Status::New).filter(|f| !f.warning)
    }

    /// The cause of an app with this fingerprint.
    pub fn find(&self, app: &str, fingerprint: &str) -> Option<&Judged> {
        let same = |f: &&Judged| f.app == app && f.fingerprint == fingerprint;
        self.findings.iter().find(same)
    }

    /// How the gate ended: `passed`, `incomplete` or `failed`.
    pub const fn outcome(&self) -> &'static str {
        match self.exit_code {
            0 => "passed",
            106 => "incomplete",
            _ => "failed",
        }
    }

    /// Counts in words: `2 new, 1 fixed, 3 known`.
    pub fn words(&self) -> String {
        let count = |status| self.of(status).filter(|f| !f.warning).count();
        let parts = Status::ALL.map(|status| (count(status), status.name()));
        let parts: Vec<_> = parts
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, name)| format!("{count} {name}"))
            .collect();
        match parts.is_empty() {
            true => "no findings".into(),
            false => parts.join(", "),
        }
    }
}
