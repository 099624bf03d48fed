//! `[reward]`: the reward of a strategy that learns.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The reward of one event: the first key that applies. From minus one million to one million, as strategies square
/// values in 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Reward {
    /// The event reached new code of a method that changed since the build of `changed.since`. Comes after
    /// `new-finding`.
    #[schemars(range(min = -1_000_000.0, max = 1_000_000.0))]
    pub changed_code: f64,
    /// The event reached new code. If coverage is not measured, new pages and activities count instead.
    #[schemars(range(min = -1_000_000.0, max = 1_000_000.0))]
    pub new_coverage: f64,
    /// The event caused a new finding.
    #[schemars(range(min = -1_000_000.0, max = 1_000_000.0))]
    pub new_finding: f64,
    /// Neither of these happened.
    #[schemars(range(min = -1_000_000.0, max = 1_000_000.0))]
    pub nothing: f64,
}

impl Default for Reward {
    fn default() -> Self {
        Self {
            changed_code: 10.0,
            new_coverage: 5.0,
            new_finding: 5.0,
            nothing: -2.0,
        }
    }
}
