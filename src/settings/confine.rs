//! `device.confine`: what keeps an app from the machine.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What holds an app's process. The default is `full` on Linux, `reduced` elsewhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Confine {
    /// Namespaces of its own, a filter of system calls, no privileges. A run ends where the system does not allow them.
    #[cfg_attr(target_os = "linux", default)]
    Full,
    /// The same without namespaces: Landlock, as far as the kernel has it, a filter of system calls, no privileges (Linux).
    #[cfg_attr(not(target_os = "linux"), default)]
    Reduced,
    /// Nothing. Calls are not rewritten either: the app sees this machine's files, clock and random numbers, and a seed
    /// repeats nothing. For trials with an app of your own.
    Off,
}

impl fmt::Display for Confine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Full => "full",
            Self::Reduced => "reduced",
            Self::Off => "off",
        })
    }
}
