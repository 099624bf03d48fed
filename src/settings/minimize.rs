//! `[minimize]`: the effort to minimize and confirm findings.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::HumanDuration;

/// At the end of a run each new finding of an app is minimized to the fewest steps that reproduce it, and confirmed in
/// new processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Minimize {
    /// Whether to minimize at the end of a run. `cargo droidtest minimize` always does.
    pub enabled: bool,
    /// The most replays per finding.
    #[schemars(range(min = 1))]
    pub replays: u64,
    /// The time limit of the search per finding; the new processes of `confirm` are not included.
    pub time: HumanDuration,
    /// The number of replays, each in a new process, that measure how reliable the result is.
    #[schemars(range(min = 1, max = 1000))]
    pub confirm: u32,
    /// Whether to minimize findings that are only warnings.
    pub warnings: bool,
}

impl Default for Minimize {
    fn default() -> Self {
        Self {
            enabled: true,
            replays: 200,
            time: HumanDuration::secs(120),
            confirm: 5,
            warnings: false,
        }
    }
}
