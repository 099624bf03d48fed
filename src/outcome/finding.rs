//! A finding: one cause of failure, however often it was observed.

use super::evidence::Left;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The kind of failure.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FindingKind {
    /// Uncaught exception.
    JavaCrash,
    /// Main thread blocked over the limit.
    Anr,
    /// The app ended its process.
    AppExit,
    /// Nothing shown for several observations.
    BlankPage,
    /// Texts typed or states chosen were lost by a rotation.
    RotationLoss,
    /// The property that a script of the suite asserts does not hold.
    Assertion,
    /// The app's process, or its runtime, died without an exception.
    ProcessDeath,
    /// Memory ran out.
    OutOfMemory,
    /// A limit of the device's environment, no fault of the app.
    Environment,
}

impl fmt::Display for FindingKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::JavaCrash => "crash",
            Self::Anr => "ANR",
            Self::AppExit => "app exit",
            Self::BlankPage => "blank page",
            Self::RotationLoss => "state lost on rotation",
            Self::Assertion => "assertion",
            Self::ProcessDeath => "process death",
            Self::OutOfMemory => "out of memory",
            Self::Environment => "environment",
        })
    }
}

/// The trigger of the failure.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Trigger {
    /// The start of the app.
    Launch,
    /// An event of a page.
    Event,
    /// A system event.
    System,
}

/// The rule for the device limitation that caused it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Blame {
    /// The rule's name.
    pub rule: String,
    /// What it saw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

/// One failure as first observed. Later meetings are counted by the journal under the same fingerprint.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Finding {
    /// Short stable name: kind and fingerprint, fit for a file name.
    pub id: String,
    /// Kind.
    pub kind: FindingKind,
    /// `v2:` and 16 hex digits over kind, cause and the app's frames: equal across runs, seeds, devices and builds.
    /// Journals of older versions have the digits alone, by other rules.
    pub fingerprint: String,
    /// The fingerprint by the first rules: 16 hex digits. Empty for a finding that was read from a file.
    #[serde(skip)]
    pub v1: String,
    /// One line: exception and message, or what was seen.
    pub title: String,
    /// Exception class of the root cause, for crashes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exception: Option<String>,
    /// Topmost frame in the app's code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frame: Option<String>,
    /// Full stack or other evidence as text.
    pub evidence: String,
    /// Activity in front when it happened.
    pub activity: String,
    /// The trigger.
    pub trigger: Trigger,
    /// Number of the event at which it was first observed; 0 is the launch.
    pub event: u64,
    /// Is it only a warning, by the suite's `[oracles]`?
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub warning: bool,
    /// Set when the environment is the cause.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub environment: Option<Blame>,
    /// The outside cause, as far as its evidence shows it: `offline`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub provoked_by: Vec<String>,
    /// Attempts to leave the app in the same step, which often explain it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left: Vec<Left>,
}

impl Finding {
    /// Has it this fingerprint, by the rules that the fingerprint was made by?
    pub fn has_fingerprint(&self, fingerprint: &str) -> bool {
        self.fingerprint == fingerprint || !self.v1.is_empty() && self.v1 == fingerprint
    }
}
