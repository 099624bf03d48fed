//! No limits on systems that do not report a process's use.

use std::path::PathBuf;

/// The limits of a process.
#[derive(Clone, Debug)]
pub struct Limits;

impl Limits {
    /// The limits of a device's process.
    pub fn of_device(_: Vec<PathBuf>, _: u64) -> Self {
        Self
    }

    /// The limits of a tool.
    pub fn of_tool(_: &'static str, _: PathBuf) -> Self {
        Self
    }
}

/// A watcher that does nothing.
#[derive(Debug)]
pub struct Watched;

impl Watched {
    /// Watches the process group `leader` of a sandbox.
    pub fn of_sandbox(_: Limits, _: u32) -> Self {
        Self
    }

    /// Stops watching, and returns why it killed the process, if it did.
    #[allow(clippy::unused_self)]
    pub fn finish(&mut self) -> Option<String> {
        None
    }
}
