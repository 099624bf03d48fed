//! The questions that scripts ask a person, and their answers.

use crate::util::redact;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Puts the questions of scripts to a person. Sessions call it from their own threads.
pub trait Asks: fmt::Debug + Send + Sync {
    /// The answer to a question of this session; waits for it. `None`: there will be none, because the user interrupts
    /// the run or has closed the terminal.
    fn ask(&self, session: &str, question: &str) -> Option<String>;
}

/// A session that may ask. What is answered is a secret from then on.
#[derive(Clone, Debug)]
pub struct Asking {
    session: String,
    asks: Arc<dyn Asks>,
    waited: Duration,
}

impl Asking {
    /// For a session of this name.
    pub const fn new(session: String, asks: Arc<dyn Asks>) -> Self {
        Self {
            session,
            asks,
            waited: Duration::ZERO,
        }
    }

    /// Asks, and waits for the answer.
    pub fn ask(&mut self, question: &str) -> Option<String> {
        let asked = Instant::now();
        let answer = self.asks.ask(&self.session, question);
        self.waited += asked.elapsed();
        if let Some(answer) = &answer {
            redact::hide_from_now_on(answer);
        }
        answer
    }

    /// How long the session has waited for answers since the last call.
    pub(super) fn take_waited(&mut self) -> Duration {
        std::mem::take(&mut self.waited)
    }
}
