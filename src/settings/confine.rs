//! `device.confine`: isolation of the machine from an app.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The confinement of an app's process. The default is `full` on Linux, `reduced` elsewhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Confine {
    /// Separate namespaces, a system call filter, no privileges. A run fails if the system does not allow them.
    #[cfg_attr(target_os = "linux", default)]
    Full,
    /// Without namespaces: Landlock as far as the kernel supports it, a system call filter, no privileges (Linux).
    #[cfg_attr(not(target_os = "linux"), default)]
    Reduced,
    /// No confinement. Calls are not rewritten either: the app sees this machine's files, clock and random numbers, so
    /// a seed does not make a session repeatable. Only for apps that you trust.
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
