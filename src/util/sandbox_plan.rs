//! What a sandbox lets its program see and take: passed to `droidtest-sandbox` as JSON in its first argument.

use serde::{Deserialize, Serialize};
use std::ffi::OsStr;
use std::path::PathBuf;

/// The world of a program in a sandbox.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Plan {
    /// Files and folders to read. Those that don't exist are passed over.
    pub read: Vec<PathBuf>,
    /// Folders to read and write.
    pub write: Vec<PathBuf>,
    /// Folders whose pipes it may read and write; it can neither list nor change the folder.
    #[serde(default)]
    pub pipes: Vec<PathBuf>,
    /// What it finds at another path than the host has it at; only with [`Walls::Full`].
    #[serde(default)]
    pub moved: Vec<Moved>,
    /// Links that it finds: the link, and where it leads. Only with [`Walls::Full`].
    #[serde(default)]
    pub links: Vec<(PathBuf, PathBuf)>,
    /// Its working folder, if the host's is at another path there.
    #[serde(default)]
    pub folder: Option<PathBuf>,
    /// Programs that may be run.
    pub execute: Vec<PathBuf>,
    /// Whether it shares the host's network. Otherwise it has none, not even of its own.
    pub network: bool,
    /// Whether it may start processes.
    #[serde(default)]
    pub processes: bool,
    /// Bytes of memory of its own that it may take, for each process.
    #[serde(default)]
    pub memory: Option<u64>,
    /// Bytes of the largest file it may write.
    #[serde(default)]
    pub largest: Option<u64>,
    /// What holds it.
    #[serde(default)]
    pub walls: Walls,
}

/// A file or folder of the host at another path.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Moved {
    /// Where the host has it, without links.
    pub from: PathBuf,
    /// Where the program finds it.
    pub to: PathBuf,
    /// Whether the program may write it.
    pub write: bool,
}

impl Plan {
    /// A plan from the first argument of `droidtest-sandbox`.
    ///
    /// # Errors
    /// The argument is no UTF-8, or no plan in JSON.
    pub fn parse(argument: &OsStr) -> Result<Self, String> {
        let text = argument.to_str().ok_or("the plan is not UTF-8")?;
        serde_json::from_str(text).map_err(|e| format!("the plan: {e}"))
    }
}

/// What holds a program to its plan.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Walls {
    /// Namespaces, Landlock, a system call filter, no privileges: what is not in the plan does not exist.
    #[default]
    Full,
    /// The same without namespaces: what is not in the plan is refused.
    Reduced,
    /// Nothing: it ends with the tool, and that is all.
    Off,
}

/// How far the kernel's Landlock holds a program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Hold {
    /// All that was requested.
    Full,
    /// Some of it, by the kernel's version of Landlock.
    Partial(String),
    /// Nothing, and why.
    None(String),
}
