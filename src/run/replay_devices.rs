//! Makes devices with one app installed, for replays.

use super::devices::{self, Request};
use super::prepare::Ready;
use crate::config::{self, Level, Suite};
use crate::device::DeviceError;
use crate::explore::Stop;
use crate::oracle;
use crate::outcome::FindingKind;
use crate::outcome::folder::RunFolder;
use crate::repro::{Judges, Runner};
use crate::util::intern::Interner;
use rustc_hash::FxHashMap;
use std::path::PathBuf;
use std::sync::Arc;

/// Called with the progress of a preparation: what, done, total.
pub type OnProgress = Arc<dyn Fn(&str, u64, u64) + Send + Sync>;

/// Makes devices of one kind with one app.
pub struct ReplayDevices<'a> {
    /// The suite.
    pub suite: &'a Suite,
    /// The app.
    pub ready: &'a Ready,
    /// The device.
    pub device: &'a config::Device,
    /// Seed of the app's random numbers.
    pub seed: u64,
    /// Parent of the devices' folders and logs.
    pub folder: PathBuf,
    /// Do not download.
    pub offline: bool,
    /// Called with the progress of preparations.
    pub on_progress: OnProgress,
    /// Measure coverage?
    pub coverage: bool,
    /// Set when the user interrupts.
    pub stop: &'a Stop,
}

impl ReplayDevices<'_> {
    /// A new device with the app installed, for replays that look for a failure of this kind, if of any. Concurrent runners must
    /// have different numbers; `turn` is added to the seed.
    ///
    /// # Errors
    /// A requirement of the device is missing, or the app cannot be installed.
    pub fn runner(
        &self,
        number: usize,
        turn: u64,
        kind: Option<FindingKind>,
    ) -> Result<Runner, DeviceError> {
        let settings = &self.suite.settings;
        let folder = RunFolder::at(&self.folder).session(&format!("replay-{number}"));
        folder.create()?;
        let request = Request {
            device: self.device,
            seed: self.seed.wrapping_add(turn),
            folder: &folder,
            offline: self.offline,
            anr: settings.oracles.anr.after.0,
            coverage: self.coverage,
            retries: settings.retries,
        };
        let on_progress = Arc::clone(&self.on_progress);
        let on_progress = move |what: &str, done, total| on_progress(what, done, total);
        let made = devices::make(&request, self.ready, on_progress, self.stop)?;
        Ok(Runner {
            device: made.device,
            texts: Arc::new(self.ready.trace_texts()),
            questions: None,
            judges: self.judges(kind),
            interner: Interner::default(),
            classes: FxHashMap::default(),
        })
    }

    /// The suite's oracles; if a kind is given, its oracle is always on.
    pub fn judges(&self, kind: Option<FindingKind>) -> Arc<Judges> {
        let mut oracles = self.suite.settings.oracles;
        let on = |level: &mut Level| {
            if *level == Level::Off {
                *level = Level::Fail;
            }
        };
        match kind {
            Some(FindingKind::JavaCrash | FindingKind::OutOfMemory) => on(&mut oracles.java_crash),
            Some(FindingKind::Anr) => on(&mut oracles.anr.level),
            Some(FindingKind::AppExit) => on(&mut oracles.app_exit),
            Some(FindingKind::BlankPage) => on(&mut oracles.blank_page.level),
            Some(FindingKind::RotationLoss) => on(&mut oracles.rotation_loss),
            Some(FindingKind::Assertion) => on(&mut oracles.assertion),
            Some(FindingKind::ProcessDeath | FindingKind::Environment) | None => {}
        }
        if kind.is_some() {
            on(&mut oracles.system_events);
        }
        let program = self.ready.program.clone();
        let assertions = Arc::clone(&self.ready.assertions);
        Arc::new(move || oracle::registry::with_assertions(&oracles, &program, &assertions))
    }
}
