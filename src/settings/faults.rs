//! `[faults]`: faults in the app's environment while it is explored.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Faults in the app's environment (low memory, process death in the background, a revoked permission, another language
/// or screen, low storage, the next day). On the jvm device a fault replaces an event of the strategy; traces name it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Faults {
    /// The share of events that are faults; 0: none. `monkey`, the presets `paper` and `published`, and `bench` never
    /// have faults, as they are compared with published measurements.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub rate: f64,
}

impl Default for Faults {
    fn default() -> Self {
        Self { rate: 0.01 }
    }
}

impl Faults {
    /// The share of a session's events, 0 to 1. `apply`: the strategy is not compared with published figures.
    pub fn rate_of(self, apply: bool, bench: bool) -> f64 {
        if apply && !bench { self.rate } else { 0.0 }
    }
}
