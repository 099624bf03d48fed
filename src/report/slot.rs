//! What the live lines know of one session.

use super::live::Found;
use super::progress::Named;
use super::steps::Steps;
use crate::explore::Counts;
use indicatif::ProgressBar;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How far a session is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Stage {
    /// It has not started.
    #[default]
    Waiting,
    /// It started then.
    Running(Instant),
    /// It took so long.
    Ended(Duration),
}

/// A session and its lines.
pub struct Slot {
    /// What it is.
    pub named: Named,
    /// When the line is due again, in milliseconds of the session.
    due: AtomicU64,
    /// How far it is.
    pub stage: Mutex<Stage>,
    /// Its latest totals.
    pub latest: Mutex<Counts>,
    /// Its findings.
    pub found: Mutex<Found>,
    /// Its line on a terminal.
    pub bar: Mutex<Option<ProgressBar>>,
    /// The current preparation, to print each once.
    pub preparing: Mutex<String>,
    /// How long the preparation took, until the first event is performed.
    pub prepared: Mutex<Option<Duration>>,
    /// Its steps in words.
    pub steps: Mutex<Steps>,
}

impl Slot {
    /// A session that has not started.
    pub fn new(named: Named) -> Self {
        Self {
            named,
            due: AtomicU64::new(0),
            stage: Mutex::default(),
            latest: Mutex::default(),
            found: Mutex::default(),
            bar: Mutex::default(),
            preparing: Mutex::default(),
            prepared: Mutex::default(),
            steps: Mutex::default(),
        }
    }

    /// Time since the session started.
    pub fn elapsed(&self) -> Duration {
        match *lock(&self.stage) {
            Stage::Waiting => Duration::ZERO,
            Stage::Running(start) => start.elapsed(),
            Stage::Ended(took) => took,
        }
    }

    /// Is a line due? If so, the next one is due after a pause in milliseconds. The first is due at once.
    pub fn is_due(&self, counts: &Counts, pause: u64) -> bool {
        let elapsed = u64::try_from(counts.elapsed.as_millis()).unwrap_or(u64::MAX);
        let due = elapsed >= self.due.load(Ordering::Relaxed);
        if due {
            let next = elapsed.saturating_add(pause).max(1);
            self.due.store(next, Ordering::Relaxed);
        }
        due
    }
}

/// Locks, also after a panic of another thread: these values are only shown.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
