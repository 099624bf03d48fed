//! One process learns into a policy's file at a time, and can write it: found out before anything is explored.

use super::TrainError;
use camino::{Utf8Path, Utf8PathBuf};
use std::fs::{File, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::process;

/// The lock on a policy's file, free again when it is dropped. It is a file beside the policy, as the policy itself is
/// replaced with each lesson, and stays there: whoever removed it could take it from under another process.
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
    let mut file = File::options()
        .create(true)
        .truncate(false)
        .read(true)
        .write(true)
        .open(Utf8PathBuf::from(format!("{policy}.lock")))
        .map_err(closed)?;
    match file.try_lock() {
        Ok(()) => {
            let noted = file
                .set_len(0)
                .and_then(|()| write!(file, "{}", process::id()));
            noted.map_err(closed)?;
            Ok(file)
        }
        Err(TryLockError::WouldBlock) => {
            let mut holder = String::new();
            // Some systems let nobody else read it; then the number is not known.
            let _ = file.read_to_string(&mut holder);
            let holder = holder.trim().parse::<u32>();
            let holder = holder.map_or_else(|_| "of another".to_owned(), |id| id.to_string());
            Err(TrainError::Taken(policy.to_owned(), holder))
        }
        Err(TryLockError::Error(e)) => Err(closed(e)),
    }
}
