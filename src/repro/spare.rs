//! Devices left over from one search: the next with the same app, device and seed continues with them.

use super::replay::Runner;
use std::sync::{Mutex, PoisonError};

/// Runners by their number.
#[derive(Default)]
pub struct Spare(Mutex<Vec<(usize, Runner)>>);

impl Spare {
    /// The runner of this number, if one is left over.
    pub fn take(&self, number: usize) -> Option<Runner> {
        let mut left = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = left.iter().position(|(known, _)| *known == number)?;
        Some(left.swap_remove(at).1)
    }

    /// Keeps a runner for the next search.
    pub fn keep(&self, number: usize, runner: Runner) {
        let mut left = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        left.retain(|(known, _)| *known != number);
        left.push((number, runner));
    }

    /// Ends all of them.
    pub fn clear(&self) {
        let mut left = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        left.clear();
    }
}
