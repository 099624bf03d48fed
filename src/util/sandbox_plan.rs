//! What a sandbox lets its program see: handed to `droidtest-sandbox` as JSON in its first argument.

use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// The world of a program in a sandbox. What is not named does not exist there.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Plan {
    /// Files and folders to read. Those that don't exist are passed over.
    pub read: Vec<PathBuf>,
    /// Folders to read and write.
    pub write: Vec<PathBuf>,
    /// Programs that may be run.
    pub execute: Vec<PathBuf>,
    /// Whether it shares the host's network. Otherwise it has none, not even of its own.
    pub network: bool,
}
