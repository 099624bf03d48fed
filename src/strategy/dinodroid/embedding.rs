//! Embeddings of the user's, each in memory once however many sessions use it: a text file of 100 MB takes seconds to
//! parse, and as much memory again as it is long.

use crate::embed::{EmbedError, Embedding};
use camino::{Utf8Path, Utf8PathBuf};
use std::fs;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::SystemTime;

/// An embedding that somebody uses, or used.
struct Open {
    path: Utf8PathBuf,
    /// What the file was when it was read: its length, and when it was changed.
    stamp: (u64, SystemTime),
    /// Gone when its last user is.
    kept: Weak<Embedding>,
}

static OPEN: Mutex<Vec<Open>> = Mutex::new(Vec::new());

/// The embedding in this file, shared with whoever uses it now. Others wait while it is read, and need not read it.
///
/// # Errors
/// Those of [`Embedding::open`].
pub(super) fn open(path: &Utf8Path) -> Result<Arc<Embedding>, EmbedError> {
    let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
    open.retain(|one| one.kept.strong_count() > 0);
    let stamp = fs::metadata(path)
        .and_then(|file| Ok((file.len(), file.modified()?)))
        .ok();
    let same = |one: &&Open| one.path == path && Some(one.stamp) == stamp;
    if let Some(kept) = open.iter().find(same).and_then(|one| one.kept.upgrade()) {
        return Ok(kept);
    }
    let read = Arc::new(Embedding::open(path.as_std_path())?);
    if let Some(stamp) = stamp {
        open.push(Open {
            path: path.to_owned(),
            stamp,
            kept: Arc::downgrade(&read),
        });
    }
    Ok(read)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sessions_share_one_as_long_as_the_file_is_what_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("words.txt");
        let path = Utf8PathBuf::from_path_buf(path).unwrap();
        fs::write(&path, "ok 1 0\nno 0 1\n").unwrap();
        let first = open(&path).unwrap();
        assert!(Arc::ptr_eq(&first, &open(&path).unwrap()));
        fs::write(&path, "ok 1 0\nno 0 1\nyes 1 1\n").unwrap();
        let changed = open(&path).unwrap();
        assert_eq!((first.len(), changed.len()), (2, 3));
        // Nobody keeps it for a session to come.
        let weak = Arc::downgrade(&changed);
        drop(changed);
        assert!(weak.upgrade().is_none());
        fs::remove_file(&path).unwrap();
        assert!(open(&path).is_err());
    }
}
