//! What a run covered beside a team's own tests, or a person.

use serde::{Deserialize, Serialize};

/// How many are covered by whom.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Shares {
    /// By both.
    pub both: u64,
    /// Only by the tests.
    pub only_tests: u64,
    /// Only by the run.
    pub only_run: u64,
    /// In all, covered or not.
    pub total: u64,
}

impl Shares {
    /// Counts one more.
    pub fn count(&mut self, tests: bool, run: bool) {
        self.total += 1;
        match (tests, run) {
            (true, true) => self.both += 1,
            (true, false) => self.only_tests += 1,
            (false, true) => self.only_run += 1,
            (false, false) => {}
        }
    }

    /// The automation degree in percent: how much of what the tests cover the run covers, too (Machiry et al., Dynodroid,
    /// ESEC/FSE 2013, section 5.1). `None`: the tests cover nothing.
    pub fn degree(&self) -> Option<f64> {
        let tests = self.both + self.only_tests;
        (tests > 0).then(|| 100.0 * self.both as f64 / tests as f64)
    }

    fn words(&self, what: &str) -> String {
        format!(
            "{} {what} by both, {} only by the tests, {} only by the run, of {}",
            self.both, self.only_tests, self.only_run, self.total
        )
    }
}

/// The coverage of a run and of the tests that the suite names for an app.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct TestsCoverage {
    /// Lines; 0 of 0 without line numbers.
    pub lines: Shares,
    /// Methods.
    pub methods: Shares,
    /// Lines that the tests cover and this build does not have: of another build, or of classes that do not count.
    pub elsewhere: u64,
}

impl TestsCoverage {
    /// [`Shares::degree`] of lines, of methods where line numbers are missing.
    pub fn degree(&self) -> Option<f64> {
        self.lines.degree().or_else(|| self.methods.degree())
    }

    /// `12 lines by both, 3 only by the tests, 40 only by the run, of 90; 5 methods by both, …; automation degree 80.0 %`.
    pub fn words(&self) -> String {
        let mut parts = Vec::new();
        if self.lines.total > 0 {
            parts.push(self.lines.words("lines"));
        }
        parts.push(self.methods.words("methods"));
        if let Some(degree) = self.degree() {
            parts.push(format!("automation degree {degree:.1} %"));
        }
        parts.join("; ")
    }
}
