//! `[reward]`: what a strategy that learns is rewarded for.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The reward of one event: the first line that applies.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Reward {
    /// The event reached code that no event had reached. Where coverage is not
    /// measured, new pages and activities count in its place.
    pub new_coverage: f64,
    /// The event caused a finding that was not known.
    pub new_finding: f64,
    /// Neither.
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
