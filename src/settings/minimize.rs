//! `[minimize]`: how much is spent on making findings short and sure.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::HumanDuration;

/// At the end of a run each new finding of an app is cut down to the fewest
/// steps that still lead to it, and confirmed in fresh processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Minimize {
    /// Whether it is done at the end of a run. `cargo droidtest minimize` does
    /// it in any case.
    pub enabled: bool,
    /// At most so many replays a finding.
    #[schemars(range(min = 1))]
    pub replays: u64,
    /// At most so long a finding, of search; the fresh processes of `confirm` come on top.
    pub time: HumanDuration,
    /// So many replays, each in another process, say how sure the result is.
    #[schemars(range(min = 1, max = 1000))]
    pub confirm: u32,
    /// Findings that only warn, too.
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
