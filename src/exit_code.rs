//! The exit codes: the complete contract with scripts and CI, in one place.
//!
//! A code is never reused for something else. Codes that cargo-nextest also
//! has mean the same there.

use std::process;

/// How a run of the program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum ExitCode {
    /// Everything ran, without findings.
    Ok = 0,
    /// The command line cannot be understood.
    Usage = 2,
    /// The suite is fine, but the selection leaves nothing to do.
    NothingSelected = 4,
    /// A file given to be read cannot be read or understood.
    BadInput = 65,
    /// A fault of droidtest itself.
    Internal = 70,
    /// The suite or the set-up is wrong: nothing was explored.
    Config = 96,
    /// The exploration found something, as is its purpose.
    Findings = 100,
    /// The app's build command failed.
    BuildFailed = 101,
    /// `cargo metadata` failed.
    CargoMetadata = 102,
    /// A session was cut off or explored nothing, or a shard is missing.
    Incomplete = 106,
    /// A device could not be started.
    DeviceUnavailable = 107,
    /// A limit of the gate is exceeded.
    LimitExceeded = 108,
    /// The output could not be written.
    OutputNotWritten = 110,
    /// Interrupted by Ctrl-C or a termination signal.
    Interrupted = 130,
}

impl ExitCode {
    /// Every exit code, in order.
    pub const ALL: &[Self] = &[
        Self::Ok,
        Self::Usage,
        Self::NothingSelected,
        Self::BadInput,
        Self::Internal,
        Self::Config,
        Self::Findings,
        Self::BuildFailed,
        Self::CargoMetadata,
        Self::Incomplete,
        Self::DeviceUnavailable,
        Self::LimitExceeded,
        Self::OutputNotWritten,
        Self::Interrupted,
    ];

    /// The meaning of the code.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Ok => "no findings",
            Self::Usage => "wrong usage of the command line",
            Self::NothingSelected => "nothing selected to explore",
            Self::BadInput => "a file cannot be understood",
            Self::Internal => "an internal error",
            Self::Config => "the suite or the set-up is wrong",
            Self::Findings => "findings (with a gate: new findings)",
            Self::BuildFailed => "the app's build command failed",
            Self::CargoMetadata => "cargo metadata failed",
            Self::Incomplete => "the run is incomplete",
            Self::DeviceUnavailable => "a device is not available",
            Self::LimitExceeded => "a limit of the gate is exceeded",
            Self::OutputNotWritten => "the output could not be written",
            Self::Interrupted => "interrupted",
        }
    }

    /// The code as the operating system sees it.
    pub fn code(self) -> u8 {
        self as u8
    }
}

impl From<ExitCode> for process::ExitCode {
    fn from(code: ExitCode) -> Self {
        Self::from(code.code())
    }
}

impl process::Termination for ExitCode {
    fn report(self) -> process::ExitCode {
        self.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_distinct_and_in_order() {
        assert!(
            ExitCode::ALL
                .windows(2)
                .all(|pair| pair[0].code() < pair[1].code())
        );
    }
}
