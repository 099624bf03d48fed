//! Emulators between two sessions: starting one takes a minute, so a session that ends leaves it to the next.

use super::emulator::{CLEAN, Emulator};
use super::locks::AvdLock;
use super::settings::AvdSettings;
use crate::device::DeviceError;
use crate::device::progress::Watch;
use crate::outcome::SnapshotWork;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Between two looks whether an AVD is free.
const PAUSE: Duration = Duration::from_millis(100);
/// AVDs of one kind at most: there is a console port for no more.
const MOST: u32 = 64;

static IDLE: Mutex<Vec<Emulator>> = Mutex::new(Vec::new());

fn idle() -> MutexGuard<'static, Vec<Emulator>> {
    IDLE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn take_idle(wanted: impl Fn(&Emulator) -> bool) -> Option<Emulator> {
    let mut all = idle();
    let at = all.iter().position(wanted)?;
    Some(all.remove(at))
}

/// An emulator of this kind in its clean state: an idle one, or a new one.
///
/// # Errors
/// It cannot be started.
pub fn take(settings: &AvdSettings, watch: &Watch) -> Result<Emulator, DeviceError> {
    match take_idle(|e| e.settings == *settings) {
        Some(emulator) => restored(emulator, settings, watch),
        None => fresh(settings, free_avd(settings, watch)?, watch),
    }
}

/// An AVD that no emulator runs on, of this run or another. Devices of one image that differ otherwise, in their
/// locale for one, would have the same names: the first that is free is taken. The user's AVD is waited for.
fn free_avd(settings: &AvdSettings, watch: &Watch) -> Result<AvdLock, DeviceError> {
    let until = Instant::now() + settings.adb.patience;
    let numbers = if settings.avd.is_some() { 1 } else { MOST };
    loop {
        for number in 1..=numbers {
            if let Some(lock) = AvdLock::take(&settings.locks, &settings.name(number))? {
                return Ok(lock);
            }
        }
        let name = settings.name(1);
        // Idle under other settings: that one ends.
        if settings.avd.is_some() && take_idle(|e| e.settings.name(1) == name).is_some() {
            continue;
        }
        if watch.interrupted() {
            return Err(DeviceError::Interrupted);
        }
        if Instant::now() >= until {
            return Err(DeviceError::Setup(format!(
                "the AVD `{name}` is in use by another session or run: wait until that ends, or name another `avd`"
            )));
        }
        std::thread::sleep(PAUSE);
    }
}

fn fresh(settings: &AvdSettings, avd: AvdLock, watch: &Watch) -> Result<Emulator, DeviceError> {
    let mut emulator = Emulator::start(settings, avd, watch)?;
    // Without a clean state every session starts a separate emulator: slower, and as clean.
    match emulator.snapshot(SnapshotWork::Save, CLEAN, watch) {
        Ok(took) => {
            watch.report(
                "saved",
                &format!(
                    "the clean state of {} in {} ms",
                    emulator.serial(),
                    took.as_millis()
                ),
                0,
                0,
            );
            emulator.has_clean = true;
        }
        Err(DeviceError::Interrupted) => return Err(DeviceError::Interrupted),
        Err(why) => watch.report(
            "not saved",
            &format!("the clean state of {}: {why}", emulator.serial()),
            0,
            0,
        ),
    }
    Ok(emulator)
}

fn restored(
    mut emulator: Emulator,
    settings: &AvdSettings,
    watch: &Watch,
) -> Result<Emulator, DeviceError> {
    match emulator.snapshot(SnapshotWork::Load, CLEAN, watch) {
        Ok(took) => {
            watch.report(
                "restored",
                &format!(
                    "the clean state of {} in {} ms",
                    emulator.serial(),
                    took.as_millis()
                ),
                0,
                0,
            );
            Ok(emulator)
        }
        Err(DeviceError::Interrupted) => Err(DeviceError::Interrupted),
        Err(why) => {
            watch.report("restarting", &format!("{}: {why}", emulator.serial()), 0, 0);
            fresh(settings, emulator.end()?, watch)
        }
    }
}

/// Gives an emulator back. One that has died, or has no clean state to go back to, is ended.
pub fn give_back(mut emulator: Emulator) {
    if emulator.has_clean && emulator.is_running() {
        idle().push(emulator);
    }
}

/// Ends all idle emulators: called before the program ends.
pub fn end_all() {
    let all = std::mem::take(&mut *idle());
    drop(all);
}
