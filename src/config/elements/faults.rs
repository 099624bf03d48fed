//! `[faults]`: what goes wrong around an app while it is explored.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Low memory, the end of the process in the background, night mode, larger text, another language, another time
/// zone: on the jvm device, in place of an event of the strategy, and named in traces as such.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Faults {
    /// Which share of the events are faults; 0: none.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub rate: f64,
}
