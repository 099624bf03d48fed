//! What a device tells while it is being prepared, and how it hears that the user interrupted.

use crate::outcome::SnapshotCost;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// One report of a long preparation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress<'a> {
    /// What is being done, such as `fetching`, `compiling`, `translating`, `waiting`.
    pub stage: &'static str,
    /// With what.
    pub detail: &'a str,
    /// Units done.
    pub done: u64,
    /// Units in all; 0 when nobody knows.
    pub total: u64,
}

/// Listens to [`Progress`]; also called from helper threads.
type Listener = dyn Fn(Progress<'_>) + Send + Sync;

/// Keeps what a snapshot cost.
type Costs = dyn Fn(&SnapshotCost) + Send + Sync;

/// The two lines between a preparation and the user: progress out, interruption in.
#[derive(Clone)]
pub struct Watch {
    listener: Arc<Listener>,
    costs: Option<Arc<Costs>>,
    interrupt: Arc<AtomicBool>,
}

impl Watch {
    /// Reports to `listener`; long waits end soon after `interrupt` is set.
    pub fn new(
        listener: impl Fn(Progress<'_>) + Send + Sync + 'static,
        interrupt: Arc<AtomicBool>,
    ) -> Self {
        Self {
            listener: Arc::new(listener),
            costs: None,
            interrupt,
        }
    }

    /// Tells nobody and is never interrupted.
    pub fn silent() -> Self {
        Self::new(|_| {}, Arc::default())
    }

    /// Reports one state.
    pub fn report(&self, stage: &'static str, detail: &str, done: u64, total: u64) {
        (self.listener)(Progress {
            stage,
            detail,
            done,
            total,
        });
    }

    /// The same, with someone who keeps what snapshots cost.
    #[must_use]
    pub fn costing(mut self, costs: impl Fn(&SnapshotCost) + Send + Sync + 'static) -> Self {
        self.costs = Some(Arc::new(costs));
        self
    }

    /// A snapshot was saved, loaded or deleted, or not.
    pub fn snapshot(&self, cost: &SnapshotCost) {
        if let Some(costs) = &self.costs {
            costs(cost);
        }
    }

    /// Has the user had enough?
    pub fn interrupted(&self) -> bool {
        self.interrupt.load(Ordering::Relaxed)
    }

    /// The flag itself, for waits elsewhere.
    pub fn interrupt(&self) -> Arc<AtomicBool> {
        self.interrupt.clone()
    }
}

impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watch").finish_non_exhaustive()
    }
}
