//! Files in folders that another party may have made, or may be changing now: the folder of a run from another machine.
//!
//! A look at a path says nothing of what is opened a moment later. A folder that was registered is opened once; every
//! file in it is opened from there without following a link, and must then be a regular one. Files elsewhere are the
//! user's or the tool's own, and are opened by their path.

use super::untrusted::Folder;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

/// Bytes of a file that is read as a whole.
pub const LARGEST: u64 = 256 << 20;

/// The registered folders, by the paths that they were found at.
static FOLDERS: RwLock<Vec<(PathBuf, Arc<Folder>)>> = RwLock::new(Vec::new());

/// From now on files below this folder are opened without following a link. The path itself is the user's, and may be one.
///
/// # Errors
/// It is no folder, or cannot be opened.
pub fn register(path: &Path) -> io::Result<()> {
    let folder = Arc::new(Folder::open(&fs::canonicalize(path)?)?);
    let mut folders = FOLDERS.write().unwrap_or_else(PoisonError::into_inner);
    folders.retain(|(known, _)| known != path);
    folders.push((path.to_owned(), folder));
    Ok(())
}

/// Opens a file to be read.
///
/// # Errors
/// It cannot be opened, or is not a regular file of a registered folder.
pub fn open(path: &Path) -> io::Result<File> {
    let folders = FOLDERS.read().unwrap_or_else(PoisonError::into_inner);
    let inside = folders.iter().filter_map(|(root, folder)| {
        let name = path.strip_prefix(root).ok()?;
        Some((root.as_os_str().len(), name.to_owned(), Arc::clone(folder)))
    });
    let nearest = inside.max_by_key(|(length, ..)| *length);
    drop(folders);
    match nearest {
        Some((_, name, folder)) => folder.file(&name),
        None => File::open(path),
    }
}

/// The bytes of a file, at most [`LARGEST`] in a registered folder.
///
/// # Errors
/// Those of [`open`], and the file cannot be read or is larger.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let file = open(path)?;
    file.take(LARGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST {
        let why = format!("over {} MiB", LARGEST >> 20);
        return Err(io::Error::new(io::ErrorKind::InvalidData, why));
    }
    Ok(bytes)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn what_became_a_link_after_the_look_is_not_followed() {
        let base = tempfile::tempdir().unwrap();
        let at = |name: &str| base.path().join(name);
        for folder in ["run/sessions/a", "home/a"] {
            fs::create_dir_all(at(folder)).unwrap();
        }
        for file in [
            "run/run.json",
            "run/sessions/a/x.json",
            "home/a/x.json",
            "home/secret",
        ] {
            fs::write(at(file), file).unwrap();
        }
        symlink(at("run"), at("latest")).unwrap();
        for root in ["run", "latest"] {
            register(&at(root)).unwrap();
            let text = |name: &str| read(&at(root).join(name)).unwrap();
            assert_eq!(text("run.json"), b"run/run.json");
            assert_eq!(text("sessions/a/x.json"), b"run/sessions/a/x.json");
        }
        fs::remove_file(at("run/run.json")).unwrap();
        symlink(at("home/secret"), at("run/run.json")).unwrap();
        fs::rename(at("run/sessions"), at("run/before")).unwrap();
        symlink(at("home"), at("run/sessions")).unwrap();
        let pipe = at("run/pipe");
        rustix::fs::mknodat(
            rustix::fs::CWD,
            &pipe,
            rustix::fs::FileType::Fifo,
            rustix::fs::Mode::RWXU,
            0,
        )
        .unwrap();
        for root in ["run", "latest"] {
            for name in ["run.json", "sessions/a/x.json", "pipe", "../home/secret"] {
                let path = at(root).join(name);
                assert!(read(&path).is_err(), "{name}");
            }
        }
        // The folder that was looked at is the one that is read, whatever has its name.
        fs::rename(at("run"), at("away")).unwrap();
        symlink(at("home"), at("run")).unwrap();
        assert!(read(&at("run/secret")).is_err());
        assert_eq!(read(&at("home/secret")).unwrap(), b"home/secret");
    }
}
