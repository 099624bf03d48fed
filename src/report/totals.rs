//! A complete run in a few figures, the same in every report.

use super::causes::Cause;
use super::console::{Tone, device_limitations, ended, plural};
use super::session::Sort;
use crate::outcome::summary::{RunSummary, SessionSummary};

/// The result of a run.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Totals {
    /// Sessions planned.
    pub sessions: u64,
    /// Of these, the ones that started.
    pub sessions_started: u64,
    /// Sessions that never started, were cut off or cannot be read in full.
    pub incomplete: u64,
    /// Events performed.
    pub events: u64,
    /// Seconds taken by all sessions together.
    pub seconds: f64,
    /// Causes that are findings.
    pub findings: u64,
    /// Causes that are only warnings.
    pub warnings: u64,
    /// Causes that are the environment's.
    pub environment: u64,
}

impl Totals {
    /// Of a run with these causes.
    pub fn new(run: &RunSummary, causes: &[Cause<'_>]) -> Self {
        let count = |sort: Sort| causes.iter().filter(|cause| cause.sort() == sort).count() as u64;
        let sessions = &run.sessions;
        Self {
            sessions: sessions.len() as u64,
            sessions_started: sessions.iter().filter(|s| s.started).count() as u64,
            incomplete: sessions.iter().filter(|s| is_incomplete(s)).count() as u64,
            events: sessions.iter().map(|s| s.events).sum(),
            seconds: sessions.iter().map(|s| s.seconds).sum(),
            findings: count(Sort::Finding),
            warnings: count(Sort::Warning),
            environment: count(Sort::Environment),
        }
    }

    /// How many sessions: `9`, or `1 of 9` where the others never started.
    pub fn of_sessions(&self) -> String {
        match self.sessions_started == self.sessions {
            true => self.sessions.to_string(),
            false => format!("{} of {}", self.sessions_started, self.sessions),
        }
    }

    /// The work: `31065 events in 1 of 9 sessions`.
    pub fn work(&self) -> String {
        let noun = if self.sessions == 1 {
            "session"
        } else {
            "sessions"
        };
        let events = plural(self.events, "event");
        format!("{events} in {} {noun}", self.of_sessions())
    }

    /// The result: `3 findings, 1 warning, 8 of 9 sessions incomplete`.
    pub fn verdict(&self) -> String {
        let mut words = match self.findings {
            0 if self.events == 0 => "nothing explored".to_owned(),
            0 => "no findings".to_owned(),
            findings => plural(findings, "finding"),
        };
        if self.warnings > 0 {
            words += &format!(", {}", plural(self.warnings, "warning"));
        }
        if self.environment > 0 {
            words += &format!(", {}", device_limitations(self.environment));
        }
        if self.incomplete > 0 {
            let all = plural(self.sessions, "session");
            words += &format!(", {} of {all} incomplete", self.incomplete);
        }
        words
    }

    /// The same as a headline.
    pub fn headline(&self) -> String {
        self.verdict()
            .replacen('n', "N", usize::from(self.findings == 0))
    }

    /// How good that is.
    pub fn tone(&self) -> Tone {
        match (self.findings, self.warnings + self.incomplete) {
            (0, 0) if self.events > 0 => Tone::Good,
            (0, _) => Tone::Warn,
            _ => Tone::Bad,
        }
    }
}

fn is_incomplete(session: &SessionSummary) -> bool {
    let cut = |reason| ended(reason).0 != Tone::Good;
    session.failed.is_some() || session.damage.is_some() || session.ended.is_none_or(cut)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_left_undone_is_told_with_findings_too() {
        let mut totals = Totals {
            sessions: 9,
            sessions_started: 1,
            incomplete: 9,
            events: 31_065,
            seconds: 3.0,
            findings: 4,
            warnings: 1,
            environment: 2,
        };
        assert_eq!(
            totals.verdict(),
            "4 findings, 1 warning, 2 device limitations (not your app), 9 of 9 sessions incomplete"
        );
        assert_eq!(totals.work(), "31065 events in 1 of 9 sessions");
        assert_eq!(totals.tone(), Tone::Bad);
        (totals.findings, totals.warnings, totals.environment) = (0, 0, 0);
        assert_eq!(totals.headline(), "No findings, 9 of 9 sessions incomplete");
        assert_eq!(totals.tone(), Tone::Warn);
        (totals.sessions_started, totals.incomplete) = (9, 0);
        assert_eq!(totals.work(), "31065 events in 9 sessions");
        assert_eq!(totals.tone(), Tone::Good);
        totals.events = 0;
        assert_eq!(totals.verdict(), "nothing explored");
        assert_eq!(totals.tone(), Tone::Warn);
    }
}
