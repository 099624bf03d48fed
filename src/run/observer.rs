//! How a run tells its progress to whoever shows it.

use crate::explore::Counts;
use crate::outcome::run_event::EndReason;
use crate::outcome::{Capability, Finding, Reproduction};

/// What a session is doing before its first event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Phase<'a> {
    /// The app's build command runs.
    Building,
    /// Parts of the device are fetched or compiled, the app is translated: a short text, and how much is done.
    Preparing {
        /// What.
        what: &'a str,
        /// Done so far.
        done: u64,
        /// In all; 0 where that is not known.
        total: u64,
    },
    /// The device starts.
    Starting,
}

/// Shows a run's progress. Sessions are named by their place in the plan; calls come from many threads.
pub trait Observer: Send + Sync {
    /// An app is being made ready.
    fn app(&self, _app: &str, _stage: Phase<'_>) {}
    /// How far the jvm device is expected to carry an app.
    fn capability(&self, _app: &str, _found: &Capability) {}
    /// A session begins.
    fn started(&self, _session: usize) {}
    /// A session prepares.
    fn phase(&self, _session: usize, _stage: Phase<'_>) {}
    /// New totals; called after every step, so it must be cheap.
    fn counts(&self, _session: usize, _counts: &Counts) {}
    /// A new finding.
    fn finding(&self, _session: usize, _finding: &Finding) {}
    /// Something worth a line: a device failure, a retry.
    fn note(&self, _session: usize, _text: &str) {}
    /// A finding is about to be cut down to fewer steps than these.
    fn minimizing(&self, _finding: &Finding, _steps: usize) {}
    /// What came of it.
    fn minimized(&self, _finding: &Finding, _result: &Reproduction) {}
    /// Something worth a line about the run as a whole.
    fn warn(&self, _text: &str) {}
    /// A session ended.
    fn ended(&self, _session: usize, _done: Result<EndReason, &str>) {}
}

/// Shows nothing.
#[derive(Debug, Default)]
pub struct Silent;

impl Observer for Silent {}
