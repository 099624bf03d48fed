//! Minimizes the finding of one trace.

use crate::config::Screenshots;
use crate::device::DeviceError;
use crate::outcome::folder::FindingFolder;
use crate::repro::{Means, Minimized, Runner, Spare, task};
use crate::run::Slots;
use crate::run::replay_devices::ReplayDevices;
use crate::trace::{Moves, Trace};
use std::time::Instant;

/// How a finding is minimized.
#[derive(Clone, Copy, Default)]
pub struct How<'a> {
    /// Concurrent devices.
    pub jobs: usize,
    /// Devices come from there and return there, and what reproduces each time is confirmed later.
    pub spare: Option<&'a Spare>,
    /// When to stop, beside the suite's limits.
    pub until: Option<Instant>,
}

/// Minimizes the finding of a trace within the suite's limits; may use paths from `moves`. Writes screenshots to this
/// folder.
///
/// # Errors
/// A device is not available, or the user interrupts.
pub fn minimize(
    devices: &ReplayDevices<'_>,
    trace: &Trace,
    moves: &Moves,
    how: How<'_>,
    folder: &FindingFolder,
) -> Result<Minimized, DeviceError> {
    let settings = &devices.suite.settings;
    let limit = settings.minimize.time.0;
    let means = Means {
        replays: settings.minimize.replays,
        time: how.until.map_or(limit, |until| {
            limit.min(until.saturating_duration_since(Instant::now()))
        }),
        confirm: settings.minimize.confirm,
        workers: how.jobs.min(Slots::new(how.jobs).of(devices.device)),
        later: how.spare.is_some(),
    };
    let pictures = settings.report.screenshots != Screenshots::None;
    let picture = |number| pictures.then(|| folder.step_image(number));
    let none = Spare::default();
    let spare = how.spare.unwrap_or(&none);
    let kind = trace.kind();
    let make = |number, turn| match spare.take(number).filter(|_| turn == 0) {
        Some(runner) => Ok(Runner {
            judges: devices.judges(kind),
            ..runner
        }),
        None => devices.runner(number, turn, kind),
    };
    task::minimize(trace, moves, &make, &means, &picture, spare)
}
