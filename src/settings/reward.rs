//! `[reward]`: what a strategy that learns is rewarded for.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The reward of one event: the first line that applies. Strategies compute in 32 bits, where squares of values have
/// to find room: a million is the most, either way.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Reward {
    /// The event reached code that no event had reached. Where coverage is not
    /// measured, new pages and activities count in its place.
    #[schemars(range(min = -1_000_000.0, max = 1_000_000.0))]
    pub new_coverage: f64,
    /// The event caused a finding that was not known.
    #[schemars(range(min = -1_000_000.0, max = 1_000_000.0))]
    pub new_finding: f64,
    /// Neither.
    #[schemars(range(min = -1_000_000.0, max = 1_000_000.0))]
    pub nothing: f64,
}

impl Default for Reward {
    fn default() -> Self {
        Self {
            new_coverage: 5.0,
            new_finding: 5.0,
            nothing: -2.0,
        }
    }
}
