//! Why something asked of adb was not done, and whether asking again may help.

use crate::device::DeviceError;
use std::io;

/// Stands for a serial where any device would do.
pub(super) const ANY: &str = "(any)";

/// A failure on the connection to the device.
#[derive(Debug, thiserror::Error)]
pub enum AdbError {
    /// There is no adb program, and no server runs.
    #[error("{0}")]
    NoAdb(String),
    /// The server cannot be reached, or broke the connection off.
    #[error("the adb server cannot be reached: {0}")]
    ServerGone(String),
    /// The device is known and cannot be used now.
    #[error("{serial} is {state}{}", fix.map(|m| format!(": {m}")).unwrap_or_default())]
    State {
        /// Its serial.
        serial: String,
        /// `offline`, `unauthorized`, ...
        state: String,
        /// The fix.
        fix: Option<&'static str>,
    },
    /// The server knows no such device.
    #[error("{} (see `adb devices -l`)", not_connected(.0))]
    NotFound(String),
    /// Server or device said no, in its message.
    #[error("{0}")]
    Refused(String),
    /// The other side broke the protocol.
    #[error("adb protocol error: {0}")]
    Protocol(String),
    /// No answer within the deadline.
    #[error("no answer within {seconds} s: waiting for {what}")]
    Timeout {
        /// What was waited for.
        what: String,
        /// The deadline.
        seconds: u64,
    },
    /// The user interrupted.
    #[error("interrupted")]
    Interrupted,
}

fn not_connected(serial: &str) -> String {
    match serial {
        ANY => "No phone or emulator connected".to_owned(),
        serial => format!("the device {serial} is not connected"),
    }
}

impl AdbError {
    /// The server's `FAIL` in its message, sorted.
    pub fn from_fail(serial: &str, words: &str) -> Self {
        let words = words.trim();
        let lower = words.to_lowercase();
        let state = |state: &str, fix| Self::State {
            serial: serial.to_owned(),
            state: state.to_owned(),
            fix,
        };
        if lower.contains("unauthorized") {
            state(
                "unauthorized",
                Some("unlock it and accept this computer's key"),
            )
        } else if lower.contains("no permissions") || lower.contains("insufficient permissions") {
            state(
                "not accessible",
                Some("install udev rules for it, then plug it in again"),
            )
        } else if lower.contains("offline") {
            state("offline", None)
        } else if lower.contains("authorizing") || lower.contains("connecting") {
            state("connecting", None)
        } else if lower.contains("not found")
            || lower.contains("no devices")
            || lower.contains("no emulators")
        {
            Self::NotFound(serial.to_owned())
        } else {
            Self::Refused(words.to_owned())
        }
    }

    /// May the same request succeed a little later, with nobody doing anything?
    pub fn is_passing(&self) -> bool {
        match self {
            Self::ServerGone(_) | Self::NotFound(_) | Self::Protocol(_) => true,
            Self::State { state, .. } => matches!(state.as_str(), "offline" | "connecting"),
            // The server's word for a transport that broke while the request was on its way.
            Self::Refused(words) => matches!(words.as_str(), "closed" | "transport error" | "EOF"),
            _ => false,
        }
    }
}

impl From<io::Error> for AdbError {
    fn from(error: io::Error) -> Self {
        Self::ServerGone(error.to_string())
    }
}

impl AdbError {
    /// What it says of a device that was not seen yet: one that is not there, or in use by others, was never
    /// lost.
    pub fn before_seen(self) -> DeviceError {
        match self {
            Self::NotFound(_) | Self::Refused(_) => DeviceError::Setup(self.to_string()),
            error => error.into(),
        }
    }
}

impl From<AdbError> for DeviceError {
    fn from(error: AdbError) -> Self {
        match error {
            AdbError::Interrupted => Self::Interrupted,
            AdbError::Timeout { what, seconds } => Self::Timeout { what, seconds },
            AdbError::Protocol(what) => Self::Protocol(what),
            AdbError::NoAdb(_) => Self::Setup(error.to_string()),
            AdbError::State { ref state, .. } if state != "offline" && state != "connecting" => {
                Self::Setup(error.to_string())
            }
            gone => Self::Died {
                message: gone.to_string(),
                out_of_memory: false,
                in_app: false,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_servers_words_are_sorted_by_what_mends_them() {
        let passing = |words| AdbError::from_fail("s", words).is_passing();
        assert!(passing("device offline"));
        assert!(passing("device 's' not found"));
        assert!(passing("device still authorizing"));
        assert!(passing("closed"));
        assert!(!passing(
            "device unauthorized.\nThis adb server's $ADB_VENDOR_KEYS is not set"
        ));
        assert!(!passing("no permissions (user in plugdev group)"));
        assert!(!passing("unknown host service"));
    }
}
