//! The exploration loop: observe, decide, perform, judge, score, learn, until the budget is spent.

pub mod asks;
pub mod budget;
pub mod corpus;
pub mod cost;
mod describe;
mod faults;
pub mod follow;
pub mod group;
pub mod guide;
pub mod hand;
mod judge;
pub mod lower;
pub mod retries;
pub mod returns;
pub mod secret_fields;
pub mod seen;
pub mod session;
pub mod settings;
pub mod shown;
pub mod stop;
pub mod system;
pub mod text;
pub mod toward;

pub use asks::{Asking, Asks};
pub use budget::Budget;
pub use corpus::Corpus;
pub use cost::{CostModel, Modelled};
pub use guide::Guide;
pub use hand::Hand;
pub use judge::evidence_of;
pub use session::{Session, SessionError, Settings};
pub use stop::Stop;

use crate::gui::Page;
use crate::outcome::{Finding, RestoreCost, RunEvent};
use crate::util::intern::Interner;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

/// Running totals of a session, for the live line.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct Counts {
    /// Events performed.
    pub events: u64,
    /// Events that changed nothing.
    pub unchanged: u64,
    /// Page structures seen.
    pub pages: u64,
    /// Activities reached.
    pub activities: u64,
    /// Probes hit.
    pub probes_hit: u64,
    /// Probes of all classes met.
    pub probes_total: u64,
    /// Distinct findings of the app.
    pub findings: u64,
    /// Time since the session began.
    pub elapsed: Duration,
    /// Modelled time spent, where the budget has a limit of it.
    pub modelled: Duration,
}

/// The pages about a finding.
#[derive(Clone, Copy)]
pub struct Pages<'a> {
    /// Before the event.
    pub before: &'a Page,
    /// After it; the empty page when the process is dead.
    pub after: &'a Page,
    /// Their texts.
    pub interner: &'a Interner,
}

/// Takes what happens, as it happens.
pub trait Recorder: Send {
    /// A journal line. An error ends the session: nothing may happen unrecorded.
    ///
    /// # Errors
    /// The journal cannot be written (disk full).
    fn event(&mut self, event: &RunEvent) -> io::Result<()>;
    /// When step `number` ended since the session's start, and how much of it was spent waiting for the device.
    ///
    /// # Errors
    /// The timing file cannot be written.
    fn timing(&mut self, number: u64, at: Duration, waited: Duration) -> io::Result<()>;
    /// What a restore cost.
    ///
    /// # Errors
    /// The timing file cannot be written.
    fn restored(&mut self, _cost: &RestoreCost) -> io::Result<()> {
        Ok(())
    }
    /// A field is about to be given a secret, of which it keeps this: what the app shows next may hold it.
    fn secret_typed(&mut self, _kept: &str) {}
    /// New totals; called after every step, so it must be cheap.
    fn progress(&mut self, counts: &Counts);
    /// Where to put a picture of this page; `None`: no picture wanted.
    fn page_picture(&mut self, _page: &Page) -> Option<PathBuf> {
        None
    }
    /// A finding met for the first time, with the pages before and after it. Gives the folder for its
    /// picture; `None`: no picture wanted.
    ///
    /// # Errors
    /// Its files cannot be written.
    fn finding(&mut self, finding: &Finding, pages: &Pages<'_>) -> io::Result<Option<PathBuf>>;
    /// What is on the screen, for those who watch.
    fn shown(&mut self, _shown: shown::Shown<'_>) {}
    /// New lines of the app's log.
    fn log(&mut self, _number: u64, _lines: &[crate::outcome::LogLine]) {}
}

#[cfg(test)]
mod session_tests;
