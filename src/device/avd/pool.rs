//! Emulators between two sessions: starting one takes a minute, so a session that ends leaves it to the next.

use super::emulator::{CLEAN, Emulator};
use super::settings::AvdSettings;
use crate::device::DeviceError;
use crate::device::progress::Watch;
use std::sync::{Mutex, MutexGuard, PoisonError};

#[derive(Debug)]
struct Pool {
    idle: Vec<Emulator>,
    /// What is in use, as settings and number.
    used: Vec<(AvdSettings, u32)>,
}

static POOL: Mutex<Pool> = Mutex::new(Pool {
    idle: Vec::new(),
    used: Vec::new(),
});

fn pool() -> MutexGuard<'static, Pool> {
    POOL.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An emulator of this kind in its clean state: an idle one, or a new one.
///
/// # Errors
/// It cannot be started.
pub fn take(settings: &AvdSettings, watch: &Watch) -> Result<Emulator, DeviceError> {
    let mut all = pool();
    let idle = all
        .idle
        .iter()
        .position(|e| e.settings == *settings)
        .map(|at| all.idle.remove(at));
    let number = idle
        .as_ref()
        .map_or_else(|| free_number(&all.used, settings), |e| e.number);
    all.used.push((settings.clone(), number));
    drop(all);
    let made = match idle {
        Some(emulator) => restored(emulator, settings, watch),
        None => fresh(settings, number, watch),
    };
    if made.is_err() {
        forget(settings, number);
    }
    made
}

fn free_number(used: &[(AvdSettings, u32)], settings: &AvdSettings) -> u32 {
    (1..)
        .find(|n| !used.iter().any(|(s, u)| s == settings && u == n))
        .unwrap_or(1)
}

fn forget(settings: &AvdSettings, number: u32) {
    let mut all = pool();
    if let Some(at) = all
        .used
        .iter()
        .position(|(s, n)| s == settings && *n == number)
    {
        all.used.remove(at);
    }
}

fn fresh(settings: &AvdSettings, number: u32, watch: &Watch) -> Result<Emulator, DeviceError> {
    let mut emulator = Emulator::start(settings, number, watch)?;
    // Without a clean state every session starts an emulator of its own: slower, and as clean.
    match emulator.snapshot("save", CLEAN) {
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
    match emulator.snapshot("load", CLEAN) {
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
        Err(why) => {
            watch.report(
                "starting anew",
                &format!("{}: {why}", emulator.serial()),
                0,
                0,
            );
            let number = emulator.number;
            drop(emulator);
            fresh(settings, number, watch)
        }
    }
}

/// Gives an emulator back. One that has died, or has no clean state to go back to, is ended.
pub fn give_back(mut emulator: Emulator) {
    forget(&emulator.settings, emulator.number);
    if emulator.has_clean && emulator.is_running() {
        pool().idle.push(emulator);
    }
}

/// Ends all idle emulators: called before the program ends.
pub fn end_all() {
    let idle = std::mem::take(&mut pool().idle);
    drop(idle);
}
