//! `[retries]`: what is tried again when the infrastructure fails.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::HumanDuration;

/// A device that does not start, or dies with no finding to show, is tried
/// again. What an app does wrong is never retried away.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Retries {
    /// How often in a row it is tried again; 20 events that went well set the
    /// count back.
    #[schemars(range(min = 0, max = 10))]
    pub count: u32,
    /// How long to wait before the first time; doubled before each further
    /// one in a row, up to five minutes.
    pub backoff: HumanDuration,
}

impl Default for Retries {
    fn default() -> Self {
        Self {
            count: 1,
            backoff: HumanDuration::secs(1),
        }
    }
}
