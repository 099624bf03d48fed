//! Copies folders of runs that may be anyone's.

use super::MergeError;
use crate::util::durable;
use crate::util::untrusted::Folder;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// A journal has no limit; every other file of a run is much shorter.
const LARGEST: u64 = 256 << 20;
/// What an app and its pages wrote, left by a run that was killed.
const OF_THE_APP: [&str; 2] = ["device", "device-chromium"];
/// The prefix of unfinished files.
const UNFINISHED: &str = ".droidtest-";

/// Why a folder cannot be copied.
#[derive(Debug)]
pub(super) enum CopyError {
    /// It cannot be read.
    Source(String),
    /// The copy cannot be written.
    Target(io::Error),
}

impl CopyError {
    pub fn or(self, target: impl FnOnce(io::Error) -> MergeError) -> MergeError {
        match self {
            Self::Source(why) => MergeError::Runs(why),
            Self::Target(source) => target(source),
        }
    }
}

/// Copies a folder, except what `skipped` names by its path below the folder, and what an app wrote.
pub(super) fn folder(
    from: &Path,
    to: &Path,
    skipped: &dyn Fn(&Path) -> bool,
) -> Result<(), CopyError> {
    let unread = |e: io::Error| CopyError::Source(format!("{}: {e}", from.display()));
    let opened = Folder::open(from).map_err(unread)?;
    durable::create_folder(to).map_err(CopyError::Target)?;
    let mut below = vec![PathBuf::new()];
    while let Some(at) = below.pop() {
        for entry in fs::read_dir(from.join(&at)).map_err(unread)? {
            let entry = entry.map_err(unread)?;
            let (name, path) = (entry.file_name(), at.join(entry.file_name()));
            let own = at.as_os_str().is_empty() && OF_THE_APP.iter().any(|app| name == *app);
            if own || skipped(&path) || name.to_string_lossy().starts_with(UNFINISHED) {
                continue;
            }
            if entry.file_type().map_err(unread)?.is_dir() {
                fs::create_dir_all(to.join(&path)).map_err(CopyError::Target)?;
                below.push(path);
                continue;
            }
            let most = if path == Path::new("journal.jsonl") {
                u64::MAX
            } else {
                LARGEST
            };
            // No link in it is followed, whatever the name is a moment later.
            let copied = opened.copy(&path, &to.join(&path), most);
            copied.map_err(|e| match e.kind() {
                ErrorKind::StorageFull | ErrorKind::QuotaExceeded => CopyError::Target(e),
                _ => unread(e),
            })?;
        }
    }
    Ok(())
}
