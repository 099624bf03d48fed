//! Confirms minimized traces. All traces of one app share processes, as starting a process takes longer than replaying
//! a few steps.
//!
//! Each round starts a new process with a new seed for the app's random numbers, and replays each trace in it once,
//! from cleared data; as many rounds run at a time as there are devices. A finding that is reproduced each time is
//! confirmed. Any other is searched for again in separate processes, as only that measures how often it is reproduced.

use super::{Job, MinimizeError, Saved, Work, save};
use crate::device::{Device, DeviceError};
use crate::outcome::Minimality;
use crate::outcome::folder::FindingFolder;
use crate::repro::replay::{Gone, Onlooker};
use crate::repro::{End, Minimized, Runner};
use crate::run::Slots;
use crate::run::replay_devices::ReplayDevices;
use crate::trace::Trace;
use crate::trace::find::Fit;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::{io, thread};

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
    /// Rounds that reproduced it.
    came: AtomicU64,
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
            came: AtomicU64::new(0),
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

    /// Device, app and seed: traces with equal values share processes.
    fn place(&self) -> (&str, &str, u64) {
        let trace = &self.trace;
        (&trace.device.name, &trace.app.name, trace.seed)
    }
}

impl Work<'_> {
    /// Confirms, reports and saves the minimized findings.
    pub(super) fn confirm(&mut self) -> Result<(), MinimizeError> {
        self.spare.clear();
        let mut pending = std::mem::take(&mut self.pending);
        if !pending.is_empty() {
            let times = self.task.suite.settings.minimize.confirm;
            self.task.observer.confirming(pending.len(), times);
        }
        // A stable sort: first by device, and then by what shares processes.
        pending.sort_by(|one, other| one.place().cmp(&other.place()));
        for of_device in pending.chunk_by(|one, next| one.place().0 == next.place().0) {
            self.rounds(of_device)?;
        }
        for done in pending {
            self.conclude(done)?;
        }
        Ok(())
    }

    /// All rounds for traces of one device.
    fn rounds(&self, pending: &[Pending]) -> Result<(), MinimizeError> {
        let task = self.task;
        let scratch = tempfile::tempdir()?;
        let mut groups = Vec::new();
        let mut workers = task.jobs;
        for traces in pending.chunk_by(|one, next| one.place() == next.place()) {
            let first = &traces[0].trace;
            // The search found both before.
            let Ok((ready, device)) = self.targets.of(first) else {
                continue;
            };
            workers = workers.min(Slots::new(task.jobs).of(device));
            let devices = ReplayDevices {
                suite: task.suite,
                ready,
                device,
                seed: first.seed,
                folder: scratch.path().join(groups.len().to_string()),
                offline: task.offline,
                on_progress: Arc::clone(&task.on_progress),
                coverage: false,
                stop: task.stop,
            };
            groups.push((traces, devices));
        }
        let rounds = task.suite.settings.minimize.confirm as usize * groups.len();
        let next = AtomicUsize::new(0);
        let work = |worker| -> Result<(), DeviceError> {
            loop {
                let round = next.fetch_add(1, Ordering::Relaxed);
                if round >= rounds {
                    return Ok(());
                }
                let (traces, devices) = &groups[round % groups.len()];
                let turn = (round / groups.len()) as u64;
                let done = self.round(traces, devices, worker, turn);
                if done.is_err() {
                    // The other workers end after their round.
                    next.store(rounds, Ordering::Relaxed);
                    return done;
                }
            }
        };
        thread::scope(|scope| {
            let work = &work;
            let others: Vec<_> = (1..workers)
                .map(|worker| scope.spawn(move || work(worker)))
                .collect();
            let mut done = work(0);
            for other in others {
                let other = other.join().unwrap_or_else(|e| resume_unwind(e));
                done = done.and(other);
            }
            Ok(done?)
        })
    }

    /// One round: each trace in one process.
    fn round(
        &self,
        group: &[Pending],
        devices: &ReplayDevices<'_>,
        worker: usize,
        round: u64,
    ) -> Result<(), DeviceError> {
        // A trace that is not reproduced each time gets its screenshots from another search.
        let pictures = round == 0 && self.pictures();
        let mut slot = None;
        for pending in group {
            for _ in 0..PATIENCE {
                if self.task.is_over() {
                    return Ok(());
                }
                let came = pending.replay(devices, &mut slot, (worker, round), pictures)?;
                if let Some(came) = came {
                    pending.came.fetch_add(u64::from(came), Ordering::Relaxed);
                    break;
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
        if done.came.load(Ordering::Relaxed) < rounds {
            // It is flaky, or a device failed.
            // The preliminary result would count as an earlier one.
            done.folder.forget_minimized()?;
            let met = self.one(&done.job, &done.folder, false)?;
            self.late.push((done.job, done.folder, met));
            return Ok(());
        }
        let reproduction = &mut done.minimized.reproduction;
        (reproduction.reproduced, reproduction.of) = (rounds, rounds);
        if reproduction.minimality == Minimality::OneMinimal {
            // Reproduced each time.
            reproduction.chance = 1.0;
        }
        if let Some(trace) = &mut done.minimized.trace {
            // The first round's, whose screenshots it has.
            trace.seed = done.trace.seed;
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
    /// One replay: whether it reproduces the finding; none if it was inconclusive.
    fn replay(
        &self,
        devices: &ReplayDevices<'_>,
        slot: &mut Option<Runner>,
        (worker, round): (usize, u64),
        pictures: bool,
    ) -> Result<Option<bool>, DeviceError> {
        let Some(trace) = &self.minimized.trace else {
            return Ok(Some(true));
        };
        let kind = trace.kind();
        let runner = match slot {
            Some(runner) => runner,
            None => slot.insert(devices.runner(worker, round, kind)?),
        };
        runner.judges = devices.judges(kind);
        let folder = FindingFolder::at(self.pictures.path().to_owned());
        let mut look = |number: usize, device: &mut dyn Device| {
            if device.caps().screenshots {
                // A screenshot is only informative; ignore its failure.
                let _ = device.screenshot(&folder.step_image(number));
            }
        };
        let onlooker = pictures.then_some(&mut look as &mut Onlooker<'_>);
        let how = (Fit::Strict, Gone::Ends);
        let replay = match runner.replay(&trace.steps, trace.finding.as_ref(), how, onlooker) {
            Ok(replay) => replay,
            Err(DeviceError::Interrupted) => return Err(DeviceError::Interrupted),
            Err(_) => {
                *slot = None;
                return Ok(None);
            }
        };
        if matches!(replay.end, End::Diverged { step: 0, .. }) {
            return Ok(None);
        }
        Ok(Some(replay.reproduced()))
    }
}
