//! One process learns into a policy's file at a time, and can write it: found out before anything is explored.

use super::TrainError;
use crate::util::lock::{self, Held};
use camino::Utf8Path;
use std::fs::File;
use std::io;

/// The lock on a policy's file, free again when it is dropped. It is a file beside the policy, as the policy itself is
/// replaced with each lesson.
///
/// # Errors
/// Another process holds it, or the policy could not be written.
pub(super) fn hold(policy: &Utf8Path) -> Result<File, TrainError> {
    let unwritten = |why: String| TrainError::Unwritten(policy.to_owned(), io::Error::other(why));
    const MEND: &str = "or name another file with --policy";
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
            "there is no folder {folder}; make it, {MEND}"
        )));
    }
    let closed = |e: io::Error| {
        unwritten(format!(
            "nothing can be written in {folder}: {e}; mend that, {MEND}"
        ))
    };
    // As the policy will be: a lock that is there already says nothing of new files.
    tempfile::Builder::new()
        .prefix(".droidtest-")
        .tempfile_in(folder)
        .map_err(closed)?;
    match lock::hold(format!("{policy}.lock").as_ref()).map_err(closed)? {
        Held::Ours(file) => Ok(file),
        Held::Theirs(holder) => Err(TrainError::Taken(policy.to_owned(), holder)),
    }
}
