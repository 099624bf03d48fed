//! Measures what traces are worth: each is replayed several times.

use crate::corpus::index::{Basis, Index, Measured};
use crate::corpus::{Entry, Gain, Worth};
use crate::device::DeviceError;
use crate::repro::replay::Gone;
use crate::repro::{End, Replay, Runner};
use crate::run::replay_devices::ReplayDevices;
use crate::trace::Step;
use crate::trace::find::Fit;
use jiff::Timestamp;
use std::collections::BTreeSet;

/// Replays traces of one app on one device, one after another.
pub struct Player<'a> {
    devices: ReplayDevices<'a>,
    runner: Option<Runner>,
    /// Replays so far.
    pub replays: u64,
    /// Steps performed in them.
    pub events: u64,
}

impl<'a> Player<'a> {
    /// For these devices; their seed is replaced by each trace's.
    pub const fn new(devices: ReplayDevices<'a>) -> Self {
        Self {
            devices,
            runner: None,
            replays: 0,
            events: 0,
        }
    }

    /// What a measurement depends on.
    pub fn basis(&self, replays: u32) -> Basis<'a> {
        Basis {
            app: &self.devices.ready.app.content,
            device: &self.devices.device.name,
            replays,
        }
    }

    /// One replay with this seed of the app's random numbers, in which steps whose widget is gone are left out. A device
    /// that fails is replaced once.
    ///
    /// # Errors
    /// The device failed again, or the user interrupts.
    pub fn play<'s>(
        &mut self,
        seed: u64,
        steps: impl IntoIterator<Item = &'s Step> + Clone,
        fit: Fit,
    ) -> Result<Replay, DeviceError> {
        if self.devices.seed != seed {
            (self.runner, self.devices.seed) = (None, seed);
        }
        let mut failed = false;
        loop {
            let runner = match &mut self.runner {
                Some(runner) => runner,
                None => self.runner.insert(self.devices.runner(0, 0, None)?),
            };
            runner.device.forget_coverage();
            match runner.replay(steps.clone(), None, (fit, Gone::Skipped), None) {
                Ok(replay) => {
                    self.replays += 1;
                    self.events += replay.pages.len().saturating_sub(1) as u64;
                    return Ok(replay);
                }
                Err(error) if failed || matches!(error, DeviceError::Interrupted) => {
                    return Err(error);
                }
                Err(_) => (failed, self.runner) = (true, None),
            }
        }
    }

    /// What so many replays of a trace reach.
    ///
    /// # Errors
    /// As one replay's.
    pub fn measure(&mut self, entry: &Entry, replays: u32) -> Result<Measured, DeviceError> {
        let (mut all, mut lost) = (Vec::new(), Vec::new());
        for _ in 0..replays.max(1) {
            let replay = self.play(entry.trace.seed, &entry.trace.steps, Fit::Loose)?;
            lost.push(lost_steps(&replay, entry.trace.steps.len()));
            all.push(replay.reached.into_keys().collect::<Worth>());
        }
        let common = |sets: &[BTreeSet<usize>]| {
            let mut sets = sets.iter();
            let first = sets.next().cloned().unwrap_or_default();
            sets.fold(first, |common, set| &common & set)
        };
        let union: Worth = all.iter().flatten().cloned().collect();
        let always = |gain: &Gain| all.iter().all(|reached| reached.contains(gain));
        let (worth, unstable) = union.into_iter().partition(always);
        let basis = self.basis(replays);
        Ok(Measured {
            app: basis.app.to_owned(),
            device: basis.device.to_owned(),
            tool: env!("CARGO_PKG_VERSION").to_owned(),
            replays,
            worth,
            unstable,
            lost: common(&lost).into_iter().collect(),
            at: Timestamp::now(),
        })
    }

    /// What the traces are worth: from the index, else by replays, which are entered in it.
    ///
    /// # Errors
    /// As one replay's; the index then holds what was measured before.
    pub fn measure_all(
        &mut self,
        entries: &[&Entry],
        replays: u32,
        index: &mut Index,
    ) -> Result<Vec<Measured>, DeviceError> {
        let mut all = Vec::new();
        for entry in entries {
            let basis = self.basis(replays);
            let measured = match index.measured(entry, basis) {
                Some(known) => known.clone(),
                None => {
                    let measured = self.measure(entry, replays)?;
                    index.measure(entry, measured.clone());
                    measured
                }
            };
            all.push(measured);
        }
        Ok(all)
    }
}

/// Numbers, from 1, of the steps that were not performed.
fn lost_steps(replay: &Replay, steps: usize) -> BTreeSet<usize> {
    let mut lost: BTreeSet<usize> = replay.skipped.iter().copied().collect();
    if let End::Diverged { step, .. } = &replay.end {
        lost.extend((*step).max(1)..=steps);
    }
    lost
}
