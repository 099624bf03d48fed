//! Files that are there after a power cut: content first, then the name, then the folder that holds the name.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;

/// How long what is written has to last.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lasting {
    /// It is on the disk when this returns.
    Sure,
    /// Whole or not there, but a power cut may lose it: it can be made again, or nothing depends on it.
    Likely,
}

/// Writes a file so that its readers see the old content or all of the new one, never a part.
///
/// # Errors
/// The folder does not take it.
pub fn write(path: &Path, content: &[u8], lasting: Lasting) -> io::Result<()> {
    let folder = parent(path);
    let mut builder = tempfile::Builder::new();
    builder.prefix(".droidtest-");
    // A temporary file is its owner's alone; a report is for whoever may read the folder, as far as the umask allows.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::metadata(folder)?.permissions().mode() & 0o666;
        builder.permissions(fs::Permissions::from_mode(mode));
    }
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(content)?;
    #[cfg(unix)]
    if let Ok(old) = fs::symlink_metadata(path)
        && old.is_file()
    {
        file.as_file().set_permissions(old.permissions())?;
    }
    if lasting == Lasting::Sure {
        sync(file.path(), file.as_file())?;
    }
    file.persist(path).map_err(|e| e.error)?;
    match lasting {
        Lasting::Sure => sync_folder(folder),
        Lasting::Likely => Ok(()),
    }
}

/// Makes a folder with those above it, and their names last.
///
/// # Errors
/// It cannot be made.
pub fn create_folder(path: &Path) -> io::Result<()> {
    let new: Vec<_> = path
        .ancestors()
        .take_while(|above| !above.as_os_str().is_empty() && !above.exists())
        .collect();
    fs::create_dir_all(path)?;
    new.into_iter()
        .rev()
        .try_for_each(|made| sync_folder(parent(made)))
}

/// Gives a folder and all in it another name. What is in it is on the disk before it has that name.
///
/// # Errors
/// It cannot be renamed, or something in it cannot be written.
pub fn rename_folder(from: &Path, to: &Path) -> io::Result<()> {
    sync_below(from)?;
    rename(from, to)
}

/// Gives a file or a folder another name, which lasts.
///
/// # Errors
/// It cannot be renamed.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    fs::rename(from, to)?;
    sync_folder(parent(to))?;
    match parent(from) == parent(to) {
        true => Ok(()),
        false => sync_folder(parent(from)),
    }
}

/// Has the names in a folder written to the disk.
///
/// # Errors
/// The disk does not take them.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    // Elsewhere folders are no files.
    match cfg!(unix) {
        true => sync(folder, &File::open(folder)?),
        false => Ok(()),
    }
}

fn sync_below(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let (path, kind) = (entry.path(), entry.file_type()?);
        if kind.is_dir() {
            sync_below(&path)?;
        } else if kind.is_file() && cfg!(unix) {
            sync(&path, &File::open(&path)?)?;
        }
    }
    sync_folder(folder)
}

fn sync(path: &Path, file: &File) -> io::Result<()> {
    #[cfg(test)]
    SYNCED.with_borrow_mut(|all| all.push(path.to_owned()));
    match file.sync_all() {
        // Some file systems have no such thing for folders.
        Err(e) if path.is_dir() && is_unknown(&e) => Ok(()),
        done => done,
    }
}

fn is_unknown(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported
    )
}

/// A bare name's parent is empty, which no folder is called.
fn parent(path: &Path) -> &Path {
    let parent = path.parent().filter(|parent| *parent != Path::new(""));
    parent.unwrap_or(Path::new("."))
}

#[cfg(test)]
thread_local! {
    static SYNCED: std::cell::RefCell<Vec<std::path::PathBuf>> = const { std::cell::RefCell::new(Vec::new()) };
}

/// What this thread has had written to the disk since it was asked last.
#[cfg(test)]
pub fn synced() -> Vec<std::path::PathBuf> {
    SYNCED.take()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn content_is_on_the_disk_before_its_name_and_the_name_after() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        synced();
        write(&path, b"x", Lasting::Sure).unwrap();
        let all = synced();
        assert_eq!(all.len(), 2);
        // The file still had its temporary name.
        assert!(all[0].parent() == Some(folder.path()) && all[0] != path);
        assert_eq!(all[1], folder.path());
        write(&path, b"y", Lasting::Likely).unwrap();
        assert!(synced().is_empty());
        assert_eq!(fs::read(path).unwrap(), b"y");
    }

    #[test]
    fn a_file_keeps_its_mode_and_a_new_one_follows_the_folder() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let set = |path: &Path, mode| {
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        };
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        set(folder.path(), 0o700);
        write(&path, b"x", Lasting::Likely).unwrap();
        assert_eq!(mode(&path), 0o600);
        set(&path, 0o640);
        set(folder.path(), 0o755);
        write(&path, b"y", Lasting::Likely).unwrap();
        assert_eq!(mode(&path), 0o640);
    }

    #[test]
    fn a_folder_is_on_the_disk_with_all_in_it_and_all_above_it() {
        let base = tempfile::tempdir().unwrap();
        let at = |name: &str| base.path().join(name);
        synced();
        create_folder(&at("a/b/c")).unwrap();
        assert_eq!(synced(), [base.path(), &at("a"), &at("a/b")]);
        create_folder(&at("a/b/c")).unwrap();
        assert!(synced().is_empty());
        fs::write(at("a/b/c/file"), "x").unwrap();
        rename_folder(&at("a/b"), &at("new")).unwrap();
        assert_eq!(
            synced(),
            [
                at("a/b/c/file"),
                at("a/b/c"),
                at("a/b"),
                base.path().into(),
                at("a")
            ]
        );
        assert!(at("new/c/file").is_file());
    }
}
