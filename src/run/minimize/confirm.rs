//! Confirms minimized traces. All traces of one app share processes, as starting a process takes longer than replaying
//! a few steps.
//!
//! Each round starts a new process with a new seed for the app's random numbers, and replays each trace in it once,
//! from cleared data. A finding that is reproduced each time is confirmed. Any other is searched for again in separate
//! processes, as only that measures how often it is reproduced.

use super::{Job, MinimizeError, Saved, Work, save};
use crate::device::{Device, DeviceError};
use crate::outcome::Minimality;
use crate::outcome::folder::FindingFolder;
use crate::repro::replay::{Gone, Onlooker};
use crate::repro::{End, Minimized, Runner};
use crate::run::replay_devices::ReplayDevices;
use crate::trace::Trace;
use crate::trace::find::Fit;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

/// Most attempts at an inconclusive replay: the device failed, or the app did not start.
const PATIENCE: usize = 3;

/// A minimized finding to be confirmed.
pub(super) struct Pending {
    job: Job,
    folder: FindingFolder,
    /// The original trace.
    trace: Trace,
    minimized: Minimized,
    /// The folder for screenshots of its steps.
    pictures: tempfile::TempDir,
    /// Conclusive replays, and those that reproduced it.
    conclusive: u64,
    came: u64,
    /// The first round that reproduced it.
    shown: Option<u64>,
}

impl Pending {
    /// The result for a finding.
    pub(super) fn new(
        job: Job,
        folder: FindingFolder,
        trace: Trace,
        minimized: Minimized,
        pictures: tempfile::TempDir,
    ) -> Self {
        Self {
            job,
            folder,
            trace,
            minimized,
            pictures,
            conclusive: 0,
            came: 0,
            shown: None,
        }
    }

    /// Does it need confirmation?
    pub(super) const fn is_open(&self) -> bool {
        self.minimized.trace.is_some() && self.minimized.reproduction.of == 0
    }

    /// Saves the preliminary result.
    pub(super) fn save(&self) -> io::Result<Saved> {
        let pictures = FindingFolder::at(self.pictures.path().to_owned());
        let given = self.folder.trace();
        save(&self.folder, &given, &pictures, &self.minimized)
    }

    /// App, device and seed: traces with equal values share processes.
    fn place(&self) -> (&str, &str, u64) {
        let trace = &self.trace;
        (&trace.app.name, &trace.device.name, trace.seed)
    }
}

impl Work<'_> {
    /// Confirms, reports and saves the minimized findings.
    pub(super) fn confirm(&mut self) -> Result<(), MinimizeError> {
        self.spare.clear();
        let mut pending = std::mem::take(&mut self.pending);
        // A stable sort groups those that share processes.
        pending.sort_by(|one, other| one.place().cmp(&other.place()));
        let mut at = 0;
        while at < pending.len() {
            let rest = &pending[at..];
            let same = rest
                .iter()
                .take_while(|next| next.place() == rest[0].place());
            let end = at + same.count();
            self.rounds(&mut pending[at..end])?;
            at = end;
        }
        for done in pending {
            self.conclude(done)?;
        }
        Ok(())
    }

    /// All rounds for traces that share processes.
    fn rounds(&self, group: &mut [Pending]) -> Result<(), MinimizeError> {
        let Some(first) = group.first() else {
            return Ok(());
        };
        // The search found both before.
        let Ok((ready, device)) = self.targets.of(&first.trace) else {
            return Ok(());
        };
        let task = self.task;
        let scratch = tempfile::tempdir()?;
        let devices = ReplayDevices {
            suite: task.suite,
            ready,
            device,
            seed: first.trace.seed,
            folder: scratch.path().to_owned(),
            offline: task.offline,
            on_progress: Arc::clone(&task.on_progress),
            coverage: false,
            stop: task.stop,
        };
        for round in 0..u64::from(task.suite.settings.minimize.confirm) {
            let mut slot = None;
            for pending in &mut *group {
                for _ in 0..PATIENCE {
                    if self.task.is_over() {
                        return Ok(());
                    }
                    if pending.replay(&devices, &mut slot, round, self.pictures())? {
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    fn conclude(&mut self, mut done: Pending) -> Result<(), MinimizeError> {
        let rounds = u64::from(self.task.suite.settings.minimize.confirm);
        if self.task.is_over() {
            // The preliminary result stays.
            return Ok(());
        }
        if done.came < rounds {
            // It is flaky, or a device failed.
            // The preliminary result would count as an earlier one.
            done.folder.forget_minimized()?;
            let met = self.one(&done.job, &done.folder, false)?;
            self.late.push((done.job, done.folder, met));
            return Ok(());
        }
        let reproduction = &mut done.minimized.reproduction;
        (reproduction.reproduced, reproduction.of) = (done.came, done.conclusive);
        if reproduction.minimality == Minimality::OneMinimal {
            // Reproduced each time.
            reproduction.chance = 1.0;
        }
        if let (Some(trace), Some(shown)) = (&mut done.minimized.trace, done.shown) {
            trace.seed = done.trace.seed.wrapping_add(shown);
        }
        self.keep(&done)
    }

    /// Saves and reports the result for a finding.
    pub(super) fn keep(&self, done: &Pending) -> Result<(), MinimizeError> {
        let (observer, finding) = (self.task.observer, &done.job.finding);
        observer.minimized(finding, &done.minimized.reproduction);
        if let Some(said) = done.save()?.words() {
            observer.warn(&format!("{}: {said}", finding.id));
        }
        Ok(())
    }
}

impl Pending {
    /// One replay. False if it was inconclusive.
    fn replay(
        &mut self,
        devices: &ReplayDevices<'_>,
        slot: &mut Option<Runner>,
        round: u64,
        pictures: bool,
    ) -> Result<bool, DeviceError> {
        let Some(trace) = &self.minimized.trace else {
            return Ok(true);
        };
        let kind = trace.kind();
        let runner = match slot {
            Some(runner) => runner,
            None => slot.insert(devices.runner(0, round, kind)?),
        };
        runner.judges = devices.judges(kind);
        let folder = FindingFolder::at(self.pictures.path().to_owned());
        let picture = |number| -> Option<PathBuf> { pictures.then(|| folder.step_image(number)) };
        let mut look = |number: usize, device: &mut dyn Device| {
            if device.caps().screenshots
                && let Some(path) = picture(number)
            {
                // A screenshot is only informative; ignore its failure.
                let _ = device.screenshot(&path);
            }
        };
        let onlooker: Option<&mut Onlooker<'_>> = match self.shown {
            None => Some(&mut look),
            Some(_) => None,
        };
        let how = (Fit::Strict, Gone::Ends);
        let replay = match runner.replay(&trace.steps, trace.finding.as_ref(), how, onlooker) {
            Ok(replay) => replay,
            Err(DeviceError::Interrupted) => return Err(DeviceError::Interrupted),
            Err(_) => {
                *slot = None;
                return Ok(false);
            }
        };
        if matches!(replay.end, End::Diverged { step: 0, .. }) {
            return Ok(false);
        }
        self.conclusive += 1;
        if replay.reproduced() {
            self.came += 1;
            self.shown.get_or_insert(round);
        }
        Ok(true)
    }
}
