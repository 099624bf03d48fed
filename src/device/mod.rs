//! Devices: where an app runs. Each is one app on one screen, owned by one worker.

pub mod adb;
pub mod announced;
pub mod avd;
mod bounded;
pub mod build_tools;
pub mod data;
pub mod jvm;
pub mod link;
#[cfg(test)]
mod link_tests;
pub mod message;
pub mod progress;
pub mod sim;
pub mod stream;
mod system;
pub mod wire;

pub use system::lower_system;

use crate::gui::{Direction, Extras, Page};
use crate::outcome::evidence::{Anr, Crash, EnvironmentLimit, Left, LogLine};
pub use crate::outcome::run_event::Reset;
use crate::settings::ShellCommand;
use crate::util::intern::Interner;
use serde::Serialize;
use std::path::Path;
use std::sync::Arc;

/// What a device can do beyond events.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct Caps {
    /// Can save and restore its state ([`Device::snapshots`]).
    pub snapshots: bool,
    /// Reports newly hit probes.
    pub coverage: bool,
    /// Can turn its screen.
    pub rotation: bool,
    /// Takes system events.
    pub system_events: bool,
    /// Takes pictures of its screen.
    pub screenshots: bool,
    /// Time stands still while we think: waiting costs nothing.
    pub virtual_time: bool,
    /// The app can reach a network, and lose it ([`Fault::Offline`](crate::gui::Fault::Offline)).
    pub network: bool,
}

impl Caps {
    /// All that a device can do.
    pub const ALL: Self = Self {
        snapshots: true,
        coverage: true,
        rotation: true,
        system_events: true,
        screenshots: true,
        virtual_time: true,
        network: true,
    };

    /// Can bring about faults of the app's environment: only the jvm device can.
    pub const fn faults(self) -> bool {
        self.system_events && self.virtual_time
    }
}

/// One input as it is sent to a device, in the protocol's spelling (`docs/agent-protocol.md`, Actions).
/// Widgets are named by their index in the last page observed.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "k", rename_all = "snake_case")]
#[allow(missing_docs)] // the fields are the protocol's
pub enum Action {
    Click {
        n: u32,
    },
    Long {
        n: u32,
    },
    Text {
        n: u32,
        s: String,
        ime: bool,
    },
    Scroll {
        n: u32,
        dir: Direction,
    },
    Swipe {
        n: u32,
        dir: Direction,
    },
    Pinch {
        n: u32,
        dir: &'static str,
    },
    Tap {
        x: i32,
        y: i32,
    },
    Drag {
        x: i32,
        y: i32,
        x2: i32,
        y2: i32,
        ms: u32,
    },
    Key {
        code: u32,
    },
    Rotate {
        to: u8,
    },
    Home,
    Launch,
    Trackball {
        moves: [(i8, i8); 10],
        click: bool,
    },
    Broadcast {
        action: String,
        component: Option<String>,
        extras: Extras,
    },
    Service {
        component: String,
        action: Option<String>,
        extras: Extras,
    },
    StartActivity {
        component: String,
        action: Option<String>,
        data: Option<String>,
    },
    Sensor {
        values: Vec<f64>,
    },
    Location {
        values: Vec<f64>,
    },
    /// `state`: `IDLE`, `RINGING` or `OFFHOOK`.
    Call {
        state: String,
        number: String,
    },
    Wait {
        ms: u64,
    },
    Fault {
        name: String,
    },
}

/// Android key codes the tool sends by name.
pub mod key {
    #![allow(missing_docs)]
    pub const HOME: u32 = 3;
    pub const BACK: u32 = 4;
    pub const ENTER: u32 = 66;
    pub const MENU: u32 = 82;
}

/// What the app has registered for.
#[derive(Clone, PartialEq, Eq, Default, Debug, serde::Deserialize)]
#[serde(default)]
pub struct Listens {
    /// Actions of broadcast receivers registered in code.
    pub receivers: Vec<String>,
    /// Has listeners for positions, the state of the receiver or its NMEA sentences?
    pub location: bool,
    /// Sensor types listened to.
    pub sensors: Vec<i32>,
    /// Has telephony listeners?
    pub telephony: bool,
    /// Latitude and longitude in degrees of the places that it is to be alerted of.
    pub places: Vec<[serde_json::Number; 2]>,
    /// Has it asked for the audio focus, which a call takes?
    pub audio_focus: bool,
    /// Has it registered a receiver of media buttons?
    pub media_keys: bool,
}

/// A class observed for the first time: index, internal name, number of probes.
pub type ClassInfo = (u32, String, u32);

/// The end of a process without a Java exception.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Death {
    /// How it ended; the first line is the finding's title.
    pub words: String,
    /// What tells causes apart, where a stack does.
    pub fingerprint: Option<u64>,
}

impl Death {
    /// A death of which only words are known.
    pub const fn said(words: String) -> Self {
        Self {
            words,
            fingerprint: None,
        }
    }
}

/// What is seen after an action.
#[derive(Clone, Debug, Default)]
pub struct Observation {
    /// The page; the same `Arc` as before when nothing changed.
    pub page: Option<Arc<Page>>,
    /// Does the app's process live? If not, only [`Device::reset`] helps.
    pub alive: bool,
    /// An uncaught exception.
    pub crash: Option<Crash>,
    /// A blocked main thread.
    pub anr: Option<Anr>,
    /// The app ended itself: `System.exit(0)` or `finished` (no activity left).
    pub exit: Option<String>,
    /// The process died without an exception, with app code running.
    pub death: Option<Death>,
    /// Newly hit probes as (class index, probe index).
    pub probes: Vec<(u32, u32)>,
    /// Classes observed for the first time.
    pub classes: Vec<ClassInfo>,
    /// Activities resumed since the last observation, in order.
    pub visited: Vec<String>,
    /// Where the user is within the activity in front: a destination or fragments. Empty where nothing tells.
    pub place: String,
    /// The title of the pane on top, or empty.
    pub pane: String,
    /// What would have left the app.
    pub left: Vec<Left>,
    /// Toasts shown.
    pub toasts: Vec<String>,
    /// Whether what the app draws itself (custom views, pictures, surfaces) has changed. It is not a part of the page.
    pub redrawn: bool,
    /// New log lines of the app.
    pub log: Vec<LogLine>,
    /// Limits of the environment observed for the first time.
    pub environment: Vec<EnvironmentLimit>,
    /// What the app listens to now.
    pub listens: Arc<Listens>,
    /// Milliseconds on the device's clock since the start of the process life.
    pub clock_ms: u64,
    /// False when background work still ran at the settle deadline.
    pub settled: bool,
}

impl Observation {
    /// Has the app crashed for want of a network?
    pub fn crashed_offline(&self) -> bool {
        let offline = |crash: &Crash| crash.provoked_by.as_deref() == Some("offline");
        !self.alive && self.crash.as_ref().is_some_and(offline)
    }

    /// Has the app closed its last activity, with nothing wrong, so that nothing of it is on the screen?
    pub fn closed_itself(&self) -> bool {
        let finished = self.exit.as_deref() == Some("finished");
        finished && !self.alive && self.crash.is_none() && self.death.is_none()
    }

    /// The page, or the empty page of a process that is not alive.
    pub fn page(&self) -> Arc<Page> {
        self.page
            .clone()
            .unwrap_or_else(|| Arc::new(crate::gui::page::none()))
    }
}

/// The app under test as a device needs it.
#[derive(Clone, Debug, Default)]
pub struct App {
    /// Name in the suite.
    pub name: String,
    /// Package, or the model's name.
    pub package: String,
    /// APK or model file; `None` for a built-in model.
    pub file: Option<std::path::PathBuf>,
    /// SHA-256 of the file, lower-case hexadecimal.
    pub content: String,
    /// Class folders of the build, used instead of the APK's dex when given.
    pub classes: Vec<std::path::PathBuf>,
    /// Which classes count in coverage.
    pub counted: crate::apk::Counted,
    /// Are runtime permissions granted at once?
    pub grant_permissions: bool,
    /// Commands in the device's shell once the app is installed.
    pub before: Vec<ShellCommand>,
    /// Commands in the device's shell when the app is done with.
    pub after: Vec<ShellCommand>,
}

/// Why a device could not do what was asked. None of these is a finding about the app.
#[derive(Debug, thiserror::Error)]
pub enum DeviceError {
    /// The widget is gone; the page has changed under us. The loop observes again.
    #[error("the widget is not on the page any more")]
    StaleWidget,
    /// The app cannot be installed or launched here.
    #[error("cannot launch: {0}")]
    Launch(String),
    /// Something the device needs is missing; the text names the command that fixes it.
    #[error("{0}")]
    Setup(String),
    /// No answer within the deadline.
    #[error("no answer within {seconds} s: waiting for {what}")]
    Timeout {
        /// What was waited for.
        what: String,
        /// The deadline.
        seconds: u64,
    },
    /// The main thread of the app has been blocked; its stack. The device must be reset.
    #[error("the main thread is blocked ({} ms)", .0.ms)]
    Blocked(Anr),
    /// The process behind the device died; evidence in words.
    #[error("the device's process died: {message}")]
    Died {
        /// How it ended and the last lines of its output.
        message: String,
        /// Did memory run out?
        out_of_memory: bool,
        /// Was app code running natively or otherwise to blame?
        in_app: bool,
    },
    /// The other side broke the protocol.
    #[error("protocol error: {0}")]
    Protocol(String),
    /// The user interrupted.
    #[error("interrupted")]
    Interrupted,
    /// Reading or writing failed.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

/// One app on one device. Blocking; owned by one worker; every call has a deadline.
pub trait Device: Send {
    /// Name in the suite with its number, such as `jvm` or `jvm#2`.
    fn id(&self) -> &str;
    /// What it can do.
    fn caps(&self) -> Caps;
    /// Puts the app there. Must be called before the first reset.
    fn install(&mut self, app: &App) -> Result<(), DeviceError>;
    /// Starts the app again. `Relaunch`: new process, files stay. `ClearData`: nothing of before is left.
    /// Also recovers a device whose process died.
    fn reset(&mut self, how: Reset) -> Result<(), DeviceError>;
    /// Performs one input.
    fn perform(&mut self, action: &Action) -> Result<(), DeviceError>;
    /// Waits until the screen settles, and says what is there and what happened since the last call.
    fn observe(&mut self, interner: &mut Interner) -> Result<Observation, DeviceError>;
    /// Forgets which probes were hit: those that are hit after the next start are newly hit.
    fn forget_coverage(&mut self) {}
    /// Writes JaCoCo's execution data of everything run so far; `false` if there is none.
    fn exec_data(&mut self, _to: &Path) -> Result<bool, DeviceError> {
        Ok(false)
    }
    /// Writes a PNG of the screen; `false` if there is none.
    fn screenshot(&mut self, _to: &Path) -> Result<bool, DeviceError> {
        Ok(false)
    }
    /// The app is done with: runs its commands for then. Gives what was not done, in words. A device that is dropped
    /// without this does the same, and reports it as progress.
    fn leave(&mut self) -> Vec<String> {
        Vec::new()
    }
    /// Saved states, where the device has them.
    fn snapshots(&mut self) -> Option<&mut dyn Snapshots> {
        None
    }
}

/// Names a saved state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SnapshotId(pub u32);

/// Saving and restoring a device's complete state.
pub trait Snapshots {
    /// Saves the state as it is now.
    fn save(&mut self) -> Result<SnapshotId, DeviceError>;
    /// Goes back to a saved state; observe afterwards.
    fn restore(&mut self, id: SnapshotId) -> Result<(), DeviceError>;
    /// Forgets a saved state.
    fn delete(&mut self, id: SnapshotId);
}
