//! The user's wish to stop, shared by all workers.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Set by Ctrl-C; sessions look at it between steps.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Asks all sessions to end.
    pub fn request(&self) {
        self.0.store(true, Ordering::SeqCst);
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
