//! What goes wrong around an app, or changes under it.

use serde::{Deserialize, Serialize};
use std::fmt;

/// One disturbance from outside, which every app has to stand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fault {
    /// The system runs out of memory and asks the app to give some back.
    LowMemory,
    /// The process is ended in the background, and restored with its saved state when the user returns.
    ProcessDeath,
    /// The user switches the dark theme on, or off again.
    NightMode,
    /// The user makes all text larger, or as it was.
    FontScale,
    /// The user changes the language, or changes it back.
    Locale,
    /// The phone comes to another time zone, or back.
    TimeZone,
    /// The user takes back a permission that the app holds; the system ends the process for it.
    PermissionRevoked,
    /// Storage is nearly full, or has room again.
    LowStorage,
    /// The date moves on by a day.
    DateChange,
    /// The screen gets another size (a foldable is opened), or its first size back.
    ScreenSize,
    /// The network is lost, or is back.
    Offline,
}

impl Fault {
    /// All of them.
    pub const ALL: [Self; 11] = [
        Self::LowMemory,
        Self::ProcessDeath,
        Self::NightMode,
        Self::FontScale,
        Self::Locale,
        Self::TimeZone,
        Self::PermissionRevoked,
        Self::LowStorage,
        Self::DateChange,
        Self::ScreenSize,
        Self::Offline,
    ];

    /// As traces and the agent call it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::LowMemory => "low-memory",
            Self::ProcessDeath => "process-death",
            Self::NightMode => "night-mode",
            Self::FontScale => "font-scale",
            Self::Locale => "locale",
            Self::TimeZone => "time-zone",
            Self::PermissionRevoked => "permission-revoked",
            Self::LowStorage => "low-storage",
            Self::DateChange => "date-change",
            Self::ScreenSize => "screen-size",
            Self::Offline => "offline",
        }
    }

    /// The one of this name.
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|fault| fault.name() == name)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::LowMemory => "low memory",
            Self::ProcessDeath => "end of the process in the background, and return",
            Self::NightMode => "night mode on or off",
            Self::FontScale => "larger or normal text",
            Self::Locale => "change of the language",
            Self::TimeZone => "change of the time zone",
            Self::PermissionRevoked => "permission revoked, which ends the process",
            Self::LowStorage => "storage nearly full, or freed again",
            Self::DateChange => "the next day",
            Self::ScreenSize => "another screen size, or the original one",
            Self::Offline => "network lost, or restored",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_what_the_journal_says() {
        for fault in Fault::ALL {
            let written = serde_json::to_value(fault).unwrap();
            assert_eq!(written, fault.name());
            assert_eq!(Fault::of(fault.name()), Some(fault));
        }
    }
}
