//! What `run` shows while it goes on.

use std::sync::Mutex;

use super::shell::Shell;
use crate::explore::Counts;
use crate::outcome::Finding;
use crate::outcome::run_event::EndReason;
use crate::report::console::Paint;
use crate::run::watch::Stage;
use crate::run::{Plan, Watch};

/// Plain lines.
#[derive(Debug)]
pub struct Console {
    shell: Shell,
    names: Vec<String>,
    counts: Mutex<Vec<Counts>>,
}

impl Console {
    /// For the sessions of a plan.
    pub fn new(shell: Shell, plan: &Plan) -> Self {
        let names: Vec<_> = plan.entries.iter().map(|s| s.name.clone()).collect();
        Self {
            shell,
            counts: Mutex::new(vec![Counts::default(); names.len()]),
            names,
        }
    }
}

impl Watch for Console {
    fn started(&self, session: usize) {
        self.shell.status("Exploring", &self.names[session]);
    }
    fn counts(&self, session: usize, counts: &Counts) {
        if let Ok(mut all) = self.counts.lock() {
            all[session] = *counts;
        }
    }
    fn finding(&self, _: usize, finding: &Finding) {
        self.shell
            .status("Found", &crate::util::text::for_terminal(&finding.title));
    }
    fn note(&self, _: usize, text: &str) {
        self.shell.warn(&crate::util::text::for_terminal(text));
    }
    fn stage(&self, _: usize, stage: Stage<'_>) {
        if let Stage::Preparing { what, done, total } = stage
            && (done == 0 || done == total)
        {
            self.shell
                .status("Preparing", &format!("{what} {done}/{total}"));
        }
    }
    fn ended(
        &self,
        session: usize,
        reason: Result<EndReason, &crate::run::execute::SessionFailed>,
    ) {
        let counts = self.counts.lock().map(|c| c[session]).unwrap_or_default();
        self.shell.status(
            "Ended",
            &format!("{} {reason:?} {counts:?}", self.names[session]),
        );
    }
}

/// The colours of the shell.
pub fn paint(shell: &Shell) -> Paint {
    Paint {
        color: shell.color(),
    }
}
