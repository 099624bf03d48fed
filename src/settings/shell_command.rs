//! `[[app]] before` and `after`: commands in the shell of the device.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::HumanDuration;

/// A command of the device's shell, such as `settings put global airplane_mode_on 1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ShellCommand {
    /// The command and its arguments; each reaches the command as it is.
    #[schemars(length(min = 1))]
    pub run: Vec<String>,
    /// The longest time that it may take.
    #[serde(default = "half_a_minute")]
    pub limit: HumanDuration,
}

fn half_a_minute() -> HumanDuration {
    HumanDuration::secs(30)
}
