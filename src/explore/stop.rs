//! The user's wish to stop, shared by all workers.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Set by Ctrl-C; sessions look at it between steps.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Asks all sessions to end.
    pub fn request(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    /// Waits so long, or until it is asked.
    pub fn wait(&self, long: Duration) {
        let until = Instant::now() + long;
        while !self.requested() {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            std::thread::sleep(left.min(Duration::from_millis(50)));
        }
    }

    /// The flag itself, for waits in lower layers.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }

    /// Was it asked?
    pub fn requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
