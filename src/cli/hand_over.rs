//! A release's small program becomes the one with the learning strategies: at once where libtorch is in the cache, else when a
//! suite needs it.

use super::setup::Fetching;
use super::shell::Shell;
use super::{Failure, preparation};
use crate::config::diagnose::Code;
use crate::exit_code::ExitCode;
use crate::util::cache_folder::cache_folder;
use crate::util::{learning_program, libtorch};
use std::ffi::OsString;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

/// Where the loader looks for libraries first.
const LIBRARIES: &str = "LD_LIBRARY_PATH";

/// The other program, and the arguments to start it with.
pub struct HandOver {
    program: PathBuf,
    args: Vec<OsString>,
}

impl HandOver {
    /// Prepared where the other program lies beside this one.
    pub fn new(args: &[OsString]) -> Option<Self> {
        let program = learning_program::beside()?;
        let args = args.iter().skip(1).cloned().collect();
        Some(Self { program, args })
    }

    /// Becomes the other program if libtorch is there already; returns otherwise.
    ///
    /// # Errors
    /// The other program cannot be started.
    pub fn at_once(&self) -> Result<(), Failure> {
        match own().or_else(|| libtorch::find(&cache_folder().ok()?)) {
            Some(folder) => self.start(&folder),
            None => Ok(()),
        }
    }

    /// Becomes the other program if this failure is only for want of it, with libtorch downloaded first; returns otherwise.
    ///
    /// # Errors
    /// libtorch cannot be downloaded, or the other program not be started.
    pub fn after(&self, failure: &Failure, offline: bool, shell: &Shell) -> Result<(), Failure> {
        let Failure::Suite(problems) = failure else {
            return Ok(());
        };
        if !problems.iter().all(|p| p.code == Code::MissingEngine) {
            return Ok(());
        }
        let refused = |why| Failure::Other(ExitCode::Config, why);
        let cache = cache_folder().map_err(refused)?;
        let watch = preparation::watch(shell, Arc::default());
        shell.status("Fetching", "libtorch (518 MB), which the strategy needs");
        let folder = libtorch::ensure(&cache, offline, &Fetching(&watch)).map_err(refused)?;
        drop(watch);
        self.start(&folder)
    }

    /// Becomes the other program.
    fn start(&self, libtorch: &Path) -> Result<(), Failure> {
        let mut folders = vec![libtorch.join("lib")];
        let before = std::env::var_os(LIBRARIES).filter(|paths| !paths.is_empty());
        folders.extend(before.iter().flat_map(std::env::split_paths));
        let failed = |why: &dyn std::fmt::Display| {
            let text = format!("cannot start {}: {why}", self.program.display());
            Failure::Other(ExitCode::Config, text)
        };
        let folders = std::env::join_paths(folders).map_err(|e| failed(&e))?;
        let mut command = Command::new(&self.program);
        Err(failed(
            &command.args(&self.args).env(LIBRARIES, folders).exec(),
        ))
    }
}

/// The user's libtorch, if `LIBTORCH` names a usable one.
fn own() -> Option<PathBuf> {
    let folder = PathBuf::from(std::env::var_os("LIBTORCH").filter(|v| !v.is_empty())?);
    libtorch::examine(&folder).is_ok().then_some(folder)
}
