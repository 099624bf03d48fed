//! Run events: the lines of the journal, one JSON object each, in order of occurrence.
//!
//! Events contain no clock readings; those go to `timing.jsonl`. Texts are redacted.

use super::capability::Capability;
use super::evidence::Left;
pub use super::exchange::Exchange;
use super::finding::Finding;
pub use super::input::{Input, RawInput};
pub use super::led_by::LedBy;
use super::place::Place;
pub use super::restore_cost::{Return, SaveId};
use crate::gui::{Event, EventKey, EventKind, ExactId, PageId, Rect, SketchId, SystemEvent};
use serde::{Deserialize, Serialize};

/// Version of the journal's format, in its first line.
pub const JOURNAL_VERSION: u32 = 1;

/// How the app was restarted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reset {
    /// Nothing remains, including static fields.
    ClearData,
    /// As `ClearData`, on a network without answers: for an app that cannot start without a network.
    Unanswered,
    /// A new process; files, databases and preferences stay, as after a crash.
    Relaunch,
}

/// Why a session ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EndReason {
    /// The event budget was used up.
    Events,
    /// The time budget was used up.
    Time,
    /// Nothing new for as long as the plateau allows.
    Plateau,
    /// The strategy has finished.
    Strategy,
    /// Interrupted by the user.
    Interrupted,
    /// The app cannot be started.
    CannotLaunch,
    /// The app closes its last activity whenever it is started, as one does that only has services.
    ClosesAtStart,
    /// The device failed more often than retries allow.
    DeviceLost,
    /// The app shows an activity that the suite blocks, and nothing leads out of it.
    Blocked,
}

impl EndReason {
    /// Did the session complete? Not if the user or a failing device cut it off.
    pub const fn came_to_end(self) -> bool {
        !matches!(self, Self::Interrupted | Self::DeviceLost)
    }

    /// Did the app show nothing that stays, however often it was started?
    pub const fn is_failed_start(self) -> bool {
        matches!(self, Self::CannotLaunch | Self::ClosesAtStart)
    }
}

/// First line: the description of this session.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SessionHeader {
    /// [`JOURNAL_VERSION`].
    pub version: u32,
    /// Version of the tool.
    pub tool: String,
    /// Session name, also its folder's.
    pub session: String,
    /// App's name in the suite.
    pub app: String,
    /// Package, or the model's name.
    pub package: String,
    /// SHA-256 of the APK or model file.
    pub content: String,
    /// Device's name in the suite.
    pub device: String,
    /// Kind of device.
    pub device_kind: String,
    /// Strategy's name.
    pub strategy: String,
    /// Seed.
    pub seed: u64,
    /// Activities declared by the app (harness classes left out).
    pub activities_declared: Vec<String>,
    /// Those of them reachable by the code or the manifest.
    pub activities_reachable: Vec<String>,
    /// Keys of the suite's texts whose values are secrets, which stand redacted in the journal.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub secrets: Vec<String>,
    /// The suite's scripts for this app.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scripts: Vec<String>,
    /// What the strategy does in another way than usual on this device. Nothing in old journals.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// How far the device was expected to carry the app; nothing in old journals, and where no check was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capability: Option<Capability>,
}

/// An event's portable identity, written when it is first performed, and again when that has changed.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct EventIdentity {
    /// Accessibility class.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub class: String,
    /// Resource-id.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub id: String,
    /// Text.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// Content description.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub desc: String,
    /// What a user reads on it where it has neither text nor description: a field's hint, the texts inside a
    /// list's row. Nothing in old journals.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub caption: String,
    /// Path hash in hexadecimal.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub path: String,
    /// Where it was when the event was sent, in pixels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<Rect>,
}

/// One step of the loop.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "t")]
pub enum Did {
    /// An event of the page.
    Event {
        /// Identity, defined by an earlier `event` line.
        k: EventKey,
        /// Index in the page's events, which is exact on the same device.
        ix: u32,
        /// Text typed, or the point tapped.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        input: Option<Input>,
    },
    /// Raw coordinates and keys.
    Raw {
        /// As sent to the device.
        action: RawInput,
    },
    /// A system event.
    System {
        /// Which.
        event: SystemEvent,
    },
    /// An agent's action that names no widget: scored, not performed.
    Invalid,
}

/// One step: what was done and what came of it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct StepRecord {
    /// Number of the event, from 1; of a step that does not [count](LedBy::counts), the number of the event before it.
    pub i: u64,
    /// What was done.
    #[serde(flatten)]
    pub did: Did,
    /// Who caused it; `None`: the strategy chose it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub led: Option<LedBy>,
    /// Page before.
    pub from: PageId,
    /// Page after.
    pub to: PageId,
    /// Exact page after.
    pub exact: ExactId,
    /// Did anything change: the exact page, coverage, the app's life, something that left the app, a toast?
    pub changed: bool,
    /// Newly hit probes as (class index, probe index).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub probes: Vec<(u32, u32)>,
    /// Activities resumed for the first time in this session.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub activities: Vec<String>,
    /// Reward given; JSON has no NaN or infinity, so these are written as `null` and read as NaN.
    #[serde(deserialize_with = "null_is_nan")]
    pub reward: f32,
    /// What would have left the app.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left: Vec<Left>,
    /// Toasts shown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub toasts: Vec<String>,
    /// Fingerprints of findings observed in this step, known ones too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<String>,
}

impl StepRecord {
    /// Is it one of the budget's events?
    pub fn counts(&self) -> bool {
        self.led.as_ref().is_none_or(LedBy::counts)
    }
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde's form
const fn is_zero(count: &u32) -> bool {
    *count == 0
}

fn null_is_nan<'de, D: serde::Deserializer<'de>>(value: D) -> Result<f32, D::Error> {
    Ok(Option::deserialize(value)?.unwrap_or(f32::NAN))
}

/// A line of the journal.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "e")]
pub enum RunEvent {
    /// First line.
    Session(SessionHeader),
    /// The app was started (again) before step `before`.
    Launch {
        /// How.
        how: Reset,
        /// Number of the next event.
        before: u64,
        /// Page shown then.
        page: PageId,
        /// Exact page.
        exact: ExactId,
        /// Newly hit probes.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        probes: Vec<(u32, u32)>,
        /// Activities resumed for the first time.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        activities: Vec<String>,
        /// Fingerprints of findings observed while starting.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        findings: Vec<String>,
    },
    /// From the next step on it is the turn of this member of a portfolio.
    Member {
        /// Its name.
        name: String,
    },
    /// The sessions of a group that runs side by side have exchanged what they saw. Nowhere in older journals.
    Exchange(Exchange),
    /// A page structure seen for the first time.
    Page {
        /// Structural identity.
        id: PageId,
        /// Activity in front.
        activity: String,
        /// A few words shown on it, to recognise it by.
        label: String,
        /// Widgets on it.
        widgets: u32,
        /// Events it offers.
        events: u32,
        /// Size of the screen in pixels as it is turned; nothing in old journals.
        #[serde(default)]
        screen: (i32, i32),
        /// The sketch of the page, independent of list content; missing in older journals.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        sketch: Option<SketchId>,
    },
    /// A place within an activity seen for the first time. Nowhere in older journals.
    Place(Place),
    /// The next step is done on a page whose screen no longer has the size last reported for the page: it has
    /// been turned. Nowhere in old journals.
    Screen {
        /// The page.
        page: PageId,
        /// Size of the screen in pixels as it is turned now.
        size: (i32, i32),
    },
    /// An event performed for the first time, or for the first time since its caption changed, the screen was turned,
    /// or what it taps a point of has moved.
    Event {
        /// Identity.
        k: EventKey,
        /// What is done.
        #[serde(flatten)]
        kind: EventKind,
        /// Where.
        #[serde(flatten)]
        at: EventIdentity,
    },
    /// A class with probes observed for the first time.
    Class {
        /// Index used in `probes`.
        ix: u32,
        /// Internal name.
        name: String,
        /// Its probes.
        probes: u32,
    },
    /// A script of the suite starts, or is lost.
    Script {
        /// Its name.
        name: String,
        /// Number of the next event.
        before: u64,
        /// If it failed: the step that could not be performed, and why.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lost: Option<String>,
    },
    /// A trace of the corpus starts, or one of its steps is left out. Nowhere in older journals.
    Corpus {
        /// Its file in the corpus.
        name: String,
        /// Number of the next event.
        before: u64,
        /// The step that could not be performed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lost: Option<String>,
    },
    /// Why the next step is taken, from a strategy that explains it.
    Explain(Box<super::explanation::Explanation>),
    /// One step.
    Step(StepRecord),
    /// The strategy saved the state before step `before`, in order to return to it.
    Save {
        /// Its name.
        id: SaveId,
        /// Number of the next event.
        before: u64,
        /// The page of the state.
        page: PageId,
        /// Exact page.
        exact: ExactId,
    },
    /// A saved state was restored before step `before`, or a way to it led elsewhere.
    Restore {
        /// Its name.
        id: SaveId,
        /// Number of the next event.
        before: u64,
        /// How.
        by: Return,
        /// Steps of the way that were performed; 0 for a snapshot.
        #[serde(default, skip_serializing_if = "is_zero")]
        steps: u32,
        /// Is it the page of the saved state? If not, the way is not used again.
        arrived: bool,
        /// Page shown then.
        page: PageId,
        /// Exact page.
        exact: ExactId,
        /// Newly hit probes.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        probes: Vec<(u32, u32)>,
        /// Activities resumed for the first time.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        activities: Vec<String>,
        /// Fingerprints of findings observed while restoring.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        findings: Vec<String>,
    },
    /// A new finding (its first meeting).
    Finding(Box<Finding>),
    /// The device failed (an infrastructure error, no finding); it is restarted when retries allow.
    DeviceFailure {
        /// Number of the current event.
        at: u64,
        /// What happened.
        message: String,
    },
    /// Last line of a session that ended in good order.
    End {
        /// Why.
        reason: EndReason,
        /// Events performed.
        events: u64,
    },
}

impl RunEvent {
    /// The definition line of an event on a page.
    pub fn define(event: &Event, at: EventIdentity) -> Self {
        Self::Event {
            k: event.key,
            kind: event.kind,
            at,
        }
    }
}
