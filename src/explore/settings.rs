//! The settings of a session, and why it could not be carried out.

use super::Budget;
use super::corpus::Corpus;
use super::guide::Guide;
use super::text::TextGenerator;
use super::toward::Target;
use crate::gui::SystemEvent;
use crate::outcome::run_event::SessionHeader;
use crate::strategy::StrategyError;
use std::io;
use std::time::Duration;

/// The settings of a session.
#[derive(Debug, Default)]
pub struct Settings {
    /// When to end.
    pub budget: Budget,
    /// Starts in a row after failures of the device before the session gives up.
    pub retries: u32,
    /// First line of the journal.
    pub header: SessionHeader,
    /// System events and deep links of the app's manifest.
    pub manifest_events: Vec<SystemEvent>,
    /// Scripts, and what is left alone.
    pub guide: Guide,
    /// The traces of a corpus that lead first.
    pub corpus: Corpus,
    /// What is typed.
    pub texts: TextGenerator,
    /// The changed code to prefer, if the app is compared with an earlier build.
    pub changed: Option<Target>,
    /// Which share of the events are faults.
    pub faults: f64,
    /// A pause after every event, on the device's clock.
    pub throttle: Duration,
    /// The pause before the first of them, doubled before each further one.
    pub backoff: Duration,
}

/// Why a session could not be carried out or recorded.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The journal or another output cannot be written.
    #[error("cannot write the session's record: {0}")]
    Record(#[from] io::Error),
    /// The strategy failed.
    #[error(transparent)]
    Strategy(#[from] StrategyError),
}
