//! Locks a policy file for one process, and checks that it can be written, before anything is explored.

use super::TrainError;
use crate::util::lock::{self, Held};
use camino::Utf8Path;
use std::fs::File;
use std::io;

/// The lock on a policy file, released when dropped. It is a separate file next to the policy, as each lesson replaces
/// the policy.
///
/// # Errors
/// Another process holds it, or the policy cannot be written.
pub(super) fn hold(policy: &Utf8Path) -> Result<File, TrainError> {
    let unwritten = |why: String| TrainError::Unwritten(policy.to_owned(), io::Error::other(why));
    const OTHERWISE: &str = "or name another file with --policy";
    if policy.is_dir() {
        return Err(unwritten(
            "it is a folder; name a file in it with --policy".to_owned(),
        ));
    }
    let folder = match policy.parent() {
        Some(folder) if folder != "" => folder,
        _ => Utf8Path::new("."),
    };
    if !folder.is_dir() {
        return Err(unwritten(format!(
            "there is no folder {folder}; create it, {OTHERWISE}"
        )));
    }
    let closed = |e: io::Error| {
        unwritten(format!(
            "cannot write in {folder}: {e}; make it writable, {OTHERWISE}"
        ))
    };
    // An existing lock does not prove that new files, such as the policy, can be created.
    tempfile::Builder::new()
        .prefix(".droidtest-")
        .tempfile_in(folder)
        .map_err(closed)?;
    match lock::hold(format!("{policy}.lock").as_ref()).map_err(closed)? {
        Held::Ours(file) => Ok(file),
        Held::Theirs(holder) => Err(TrainError::Taken(policy.to_owned(), holder)),
    }
}
