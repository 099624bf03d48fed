//! A file that one process at a time holds.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write as _};
use std::path::Path;
use std::process;

/// Who has it.
#[derive(Debug)]
pub enum Held {
    /// This process, until the file is dropped.
    Ours(File),
    /// Another one: its number, or words where it cannot be read.
    Theirs(String),
}

/// Takes hold of a file, made where it is not there; its text is the holder's process number. It stays when it is let
/// go: whoever removed it could take it from under another process.
///
/// # Errors
/// It cannot be made or locked.
pub fn hold(path: &Path) -> io::Result<Held> {
    if let Some(mut file) = take(path)? {
        file.set_len(0)?;
        write!(file, "{}", process::id())?;
        return Ok(Held::Ours(file));
    }
    // Some systems let no other process read it.
    let holder = fs::read_to_string(path).unwrap_or_default();
    let holder = holder.trim().parse::<u32>();
    Ok(Held::Theirs(holder.map_or_else(
        |_| "of another".to_owned(),
        |id| id.to_string(),
    )))
}

/// The file, made where it is not there, locked until it is dropped; `None`: someone holds it.
///
/// # Errors
/// It cannot be made or locked.
pub fn take(path: &Path) -> io::Result<Option<File>> {
    let file = File::options()
        .create(true)
        .truncate(false)
        .read(true)
        .write(true)
        .open(path)?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(e)) => Err(e),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_holds_it_until_it_lets_go() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        let ours = hold(&path).unwrap();
        assert!(matches!(ours, Held::Ours(_)));
        assert!(
            matches!(hold(&path).unwrap(), Held::Theirs(who) if who == process::id().to_string())
        );
        drop(ours);
        assert!(matches!(hold(&path).unwrap(), Held::Ours(_)));
    }
}
