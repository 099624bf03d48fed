//! Oracles: what counts as a failure of the app.

use crate::outcome::Finding;
use crate::step::Step;

/// Looks at every step and says what went wrong in it.
pub trait Oracle: Send {
    /// Its name in the suite.
    fn name(&self) -> &'static str;
    /// Findings of this step; the same failure gives the same fingerprint each time.
    fn inspect(&mut self, step: &Step<'_>) -> Vec<Finding>;
}
