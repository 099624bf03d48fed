//! The search for the fewest steps of one trace.

use crate::config::Screenshots;
use crate::device::DeviceError;
use crate::outcome::folder::FindingFolder;
use crate::repro::{Means, Minimized, Runner, Spare, task};
use crate::run::replay_devices::ReplayDevices;
use crate::trace::{Moves, Trace};

/// Minimizes the finding of a trace within the suite's limits; may use paths from `moves`. Writes screenshots to this
/// folder. With `spare`, devices come from there and return there, and what reproduces each time is confirmed later.
///
/// # Errors
/// A device is not available, or the user interrupts.
pub fn minimize(
    devices: &ReplayDevices<'_>,
    trace: &Trace,
    moves: &Moves,
    (jobs, spare): (usize, Option<&Spare>),
    folder: &FindingFolder,
) -> Result<Minimized, DeviceError> {
    let settings = &devices.suite.settings;
    let means = Means {
        replays: settings.minimize.replays,
        time: settings.minimize.time.0,
        confirm: settings.minimize.confirm,
        workers: jobs.min(devices.device.at_once() as usize),
        later: spare.is_some(),
    };
    let pictures = settings.report.screenshots != Screenshots::None;
    let picture = |number| pictures.then(|| folder.step_image(number));
    let none = Spare::default();
    let spare = spare.unwrap_or(&none);
    let kind = trace.finding.kind;
    let make = |number, turn| match spare.take(number).filter(|_| turn == 0) {
        Some(runner) => Ok(Runner {
            judges: devices.judges(kind),
            ..runner
        }),
        None => devices.runner(number, turn, kind),
    };
    task::minimize(trace, moves, &make, &means, &picture, spare)
}
