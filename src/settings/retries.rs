//! `[retries]`: retries when the infrastructure fails.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::HumanDuration;

/// Retries for a device that does not start, or fails without a finding. Failures of the app are never retried.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Retries {
    /// The most retries in a row; 20 successful events reset the count.
    #[schemars(range(min = 0, max = 10))]
    pub count: u32,
    /// The wait before the first retry; doubled for each further one in a row, up to five minutes.
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
