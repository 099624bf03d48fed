//! Files that an app has written, or may have: what it calls a file may be a link out of its folder, a pipe that
//! nobody fills, a device, or without end. And it may be another thing a moment after we looked.
//!
//! A folder is opened once; all in it is opened from there, folder by folder, and no link is followed. What is read is
//! what was opened and looked at, never a name that was looked at before.

use std::ffi::{OsStr, OsString};
use std::io::{self, Read as _};
use std::path::{Component, Path};

/// A folder that an app may write. The folder itself is ours: its path is trusted.
#[derive(Debug)]
pub struct Folder(imp::Opened);

impl Folder {
    /// Opens the folder, which must not be a link.
    ///
    /// # Errors
    /// It is not there or no folder.
    pub fn open(path: &Path) -> io::Result<Self> {
        imp::open(path).map(Self)
    }

    /// A file in it, opened to be read: a regular file of any size, with any number of names. Never waits for anybody.
    ///
    /// # Errors
    /// It is something else, or cannot be opened.
    pub fn file(&self, name: &Path) -> io::Result<std::fs::File> {
        let named = |e: io::Error| io::Error::new(e.kind(), format!("{}: {e}", shown(name)));
        let (file, _) = imp::file(&self.0, &parts(name)?, Names::Any).map_err(named)?;
        Ok(file)
    }

    /// The bytes of a file in it: a regular file with one name and at most so many bytes. Never waits for anybody.
    ///
    /// # Errors
    /// It is something else, or cannot be read.
    pub fn read(&self, name: &Path, most: u64) -> io::Result<Vec<u8>> {
        let named = |e: io::Error| io::Error::new(e.kind(), format!("{}: {e}", shown(name)));
        let (file, length) = imp::file(&self.0, &parts(name)?, Names::One).map_err(named)?;
        let too_long = || named(refused(&format!("has more than {most} bytes")));
        if length > most {
            return Err(too_long());
        }
        let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or(0));
        // It may have grown since, and continues growing.
        file.take(most.saturating_add(1))
            .read_to_end(&mut bytes)
            .map_err(named)?;
        if bytes.len() as u64 > most {
            return Err(too_long());
        }
        Ok(bytes)
    }

    /// Copies a file in it to a new file: a regular file with one name and at most so many bytes.
    ///
    /// # Errors
    /// It is something else, or cannot be read or written.
    pub fn copy(&self, name: &Path, to: &Path, most: u64) -> io::Result<()> {
        let named = |e: io::Error| io::Error::new(e.kind(), format!("{}: {e}", shown(name)));
        let (file, _) = imp::file(&self.0, &parts(name)?, Names::One).map_err(named)?;
        let mut made = std::fs::File::create_new(to)?;
        let copied = io::copy(&mut file.take(most.saturating_add(1)), &mut made).map_err(named)?;
        match copied > most {
            true => Err(named(refused(&format!("has more than {most} bytes")))),
            false => Ok(()),
        }
    }

    /// Names of what is in it, in no order: at most so many, whatever there is.
    ///
    /// # Errors
    /// It cannot be listed.
    pub fn names(&self, most: usize) -> io::Result<Vec<OsString>> {
        imp::names(&self.0, most)
    }

    /// Removes what is called so, with all below it if it is a folder, and no link is followed. What is not there is as
    /// good as removed.
    ///
    /// # Errors
    /// Something in it cannot be removed.
    pub fn remove(&self, name: &OsStr) -> io::Result<()> {
        self.remove_unless(name, &|| false)
    }

    /// The same, until somebody has had enough: an app can make so much that it takes minutes.
    ///
    /// # Errors
    /// Those of [`Folder::remove`], and [`io::ErrorKind::Interrupted`] with a part of it left.
    pub fn remove_unless(&self, name: &OsStr, stopped: Stopped<'_>) -> io::Result<()> {
        match parts(Path::new(name))?.as_slice() {
            [one] => imp::remove(&self.0, one, stopped),
            _ => Err(refused("is not a file name")),
        }
    }
}

/// How many names a file may have. An app could give one of another folder a second name in its own.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Names {
    One,
    Any,
}

/// Asked before each name: has the user had enough?
pub type Stopped<'s> = &'s dyn Fn() -> bool;

/// Goes on, unless somebody has had enough.
fn go_on(stopped: Stopped<'_>) -> io::Result<()> {
    match stopped() {
        true => Err(io::ErrorKind::Interrupted.into()),
        false => Ok(()),
    }
}

/// Removes a folder that an app may have written, however deep it is and whatever is closed in it.
///
/// # Errors
/// Something in it cannot be removed.
pub fn remove_folder(path: &Path) -> io::Result<()> {
    remove_folder_unless(path, &|| false)
}

/// The same, until somebody has had enough.
///
/// # Errors
/// Something in it cannot be removed; [`io::ErrorKind::Interrupted`]: a part of it is left.
pub fn remove_folder_unless(path: &Path, stopped: Stopped<'_>) -> io::Result<()> {
    match imp::open_up(path) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(()),
        folder => imp::empty(&folder?, stopped)?,
    }
    std::fs::remove_dir(path)
}

/// Bytes on the disk of all that is in a folder an app may write; a name takes a block at least. It looks no further once
/// they are more than `most`.
///
/// # Errors
/// It is not there, or, of kind `InvalidData`, it holds more than so many `names` or hides what is in it: folders that are
/// closed, or deeper than anybody needs.
#[cfg(unix)]
pub fn size_of(path: &Path, most: u64, names: u64) -> io::Result<u64> {
    imp::size(&imp::open(path)?, most, names)
}

/// The names on the way to a file below a folder. None of them leads up.
fn parts(name: &Path) -> io::Result<Vec<&OsStr>> {
    let part = |component| match component {
        Component::Normal(part) => Ok(part),
        _ => Err(refused(&format!("{} leaves its folder", shown(name)))),
    };
    let parts: Vec<_> = name.components().map(part).collect::<Result<_, _>>()?;
    match parts.is_empty() {
        true => Err(refused("an empty name")),
        false => Ok(parts),
    }
}

fn shown(name: &Path) -> String {
    super::text::for_terminal(&name.to_string_lossy()).into_owned()
}

fn refused(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why)
}

#[cfg(unix)]
#[path = "untrusted_unix.rs"]
mod imp;

#[cfg(not(unix))]
mod imp {
    use super::{Names, Stopped, go_on, refused};
    use std::ffi::{OsStr, OsString};
    use std::fs::{self, File};
    use std::io;
    use std::path::{Path, PathBuf};

    pub type Opened = PathBuf;

    pub fn open(path: &Path) -> io::Result<Opened> {
        match fs::symlink_metadata(path)?.is_dir() {
            true => Ok(path.to_owned()),
            false => Err(refused("is not a folder")),
        }
    }

    pub fn open_up(path: &Path) -> io::Result<Opened> {
        open(path)
    }

    pub fn file(folder: &Opened, parts: &[&OsStr], _: Names) -> io::Result<(File, u64)> {
        let mut path = folder.clone();
        for (ix, part) in parts.iter().enumerate() {
            path.push(part);
            let found = fs::symlink_metadata(&path)?.file_type();
            let wanted = match ix + 1 == parts.len() {
                true => found.is_file(),
                false => found.is_dir(),
            };
            if !wanted {
                return Err(refused("is not a regular file"));
            }
        }
        let file = File::open(&path)?;
        let length = file.metadata()?.len();
        Ok((file, length))
    }

    pub fn any_file(folder: &Opened, name: &OsStr) -> io::Result<File> {
        file(folder, &[name]).map(|(file, _)| file)
    }

    pub fn names(folder: &Opened, most: usize) -> io::Result<Vec<OsString>> {
        let entries = fs::read_dir(folder)?.take(most);
        entries.map(|entry| Ok(entry?.file_name())).collect()
    }

    pub fn remove(folder: &Opened, name: &OsStr, stopped: Stopped<'_>) -> io::Result<()> {
        let path = folder.join(name);
        let removed = match fs::symlink_metadata(&path) {
            Ok(found) if found.is_dir() => {
                empty(&path, stopped).and_then(|()| fs::remove_dir(&path))
            }
            Ok(_) => fs::remove_file(&path),
            Err(e) => Err(e),
        };
        match removed {
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(()),
            removed => removed,
        }
    }

    pub fn empty(folder: &Opened, stopped: Stopped<'_>) -> io::Result<()> {
        for name in names(folder, usize::MAX)? {
            go_on(stopped)?;
            remove(folder, &name, stopped)?;
        }
        Ok(())
    }
}

#[cfg(all(test, unix))]
#[path = "untrusted_tests.rs"]
mod tests;
