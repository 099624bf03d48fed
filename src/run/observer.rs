//! Reports the progress of a run to whatever shows it.

use super::demonstration::Keeper;
use super::screen::Screen;
use crate::explore::{Asks, Counts, Hand};
use crate::outcome::run_event::EndReason;
use crate::outcome::verdict::GateReplay;
use crate::outcome::{Capability, Finding, Reproduction, RunEvent};
use crate::trace::Trace;
use std::sync::Arc;
use std::time::Duration;

/// What a session is doing before its first event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Phase<'a> {
    /// The app's build command runs.
    Building,
    /// Parts of the device are fetched or compiled, the app is translated: a short text, and how much is done.
    Preparing {
        /// What is being prepared.
        what: &'a str,
        /// Done so far.
        done: u64,
        /// The total; 0 if unknown.
        total: u64,
    },
    /// The device starts.
    Starting,
}

/// Observes a run's progress. Sessions are identified by their index in the plan; calls come from many threads.
pub trait Observer: Send + Sync {
    /// An app is being prepared.
    fn app(&self, _app: &str, _phase: Phase<'_>) {}
    /// An app is ready for its sessions; how long it took.
    fn prepared(&self, _app: &str, _took: Duration) {}
    /// An app's expected capability on the jvm device.
    fn capability(&self, _app: &str, _found: &Capability) {}
    /// An earlier run continues; so many of its sessions are complete.
    fn resumed(&self, _complete: usize, _sessions: usize) {}
    /// A session starts.
    fn started(&self, _session: usize) {}
    /// A session prepares.
    fn phase(&self, _session: usize, _phase: Phase<'_>) {}
    /// New totals; called after every step, so it must be cheap.
    fn counts(&self, _session: usize, _counts: &Counts) {}
    /// A line of a session's journal, in order.
    fn event(&self, _session: usize, _event: &RunEvent) {}
    /// What is on a session's screen, while someone watches it.
    fn shown(&self, _session: usize, _screen: Screen) {}
    /// A person's control of a session, asked when it starts; `None`: the run is not watched.
    fn hand(&self, _session: usize) -> Option<Arc<Hand>> {
        None
    }
    /// What keeps a person's demonstrations of a session, given when it starts.
    fn keeper(&self, _session: usize, _keeper: Keeper) {}
    /// A new finding.
    fn finding(&self, _session: usize, _finding: &Finding) {}
    /// A message such as a device failure or a retry.
    fn note(&self, _session: usize, _text: &str) {}
    /// Minimization of a finding starts from this many steps.
    fn minimizing(&self, _finding: &Finding, _steps: usize) {}
    /// The traces of this many minimized findings are replayed in new processes, so many times each.
    fn confirming(&self, _findings: usize, _times: u32) {}
    /// The result of a minimization.
    fn minimized(&self, _finding: &Finding, _result: &Reproduction) {}
    /// The replays of a trace for the gate are done.
    fn replayed(&self, _trace: &Trace, _result: &GateReplay) {}
    /// Where a person answers the questions of scripts; none: such scripts do not run.
    fn asks(&self) -> Vec<Arc<dyn Asks>> {
        Vec::new()
    }
    /// A warning about the run.
    fn warn(&self, _text: &str) {}
    /// A session ended.
    fn ended(&self, _session: usize, _done: Result<EndReason, &str>) {}
}

/// Shows nothing.
#[derive(Debug, Default)]
pub struct Silent;

impl Observer for Silent {}
