//! `[faults]`: what goes wrong around an app while it is explored.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What goes wrong around an app (low memory, the end of its process in the background, a revoked permission, another
/// language or screen, no room, the next day): on the jvm device, in place of an event of the strategy, and named in
/// traces as such.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Faults {
    /// Which share of the events are faults; 0: none. `monkey`, the presets `paper` and `published` and `bench` have
    /// none at any rate: they are compared with what others measured.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub rate: f64,
}

impl Default for Faults {
    fn default() -> Self {
        Self { rate: 0.01 }
    }
}

impl Faults {
    /// The share of a session's events, 0 to 1. `apply`: the strategy is not compared with figures of others.
    pub fn rate_of(self, apply: bool, bench: bool) -> f64 {
        if apply && !bench { self.rate } else { 0.0 }
    }
}
