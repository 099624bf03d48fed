//! The system calls of [`super`]: all of them on opened folders, none follows a link.

use super::{Names, Stopped, go_on, refused};
use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags};
use rustix::fs::{fstat, openat, renameat, statat, unlinkat};
use rustix::io::Errno;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

pub type Opened = OwnedFd;

const FOLDER: OFlags = OFlags::RDONLY
    .union(OFlags::DIRECTORY)
    .union(OFlags::NOFOLLOW)
    .union(OFlags::CLOEXEC);
/// A pipe is opened at once, whether anybody writes into it or not; then it is seen to be one.
const FILE: OFlags = OFlags::RDONLY
    .union(OFlags::NOFOLLOW)
    .union(OFlags::NONBLOCK)
    .union(OFlags::NOCTTY)
    .union(OFlags::CLOEXEC);
/// Names taken up at a time while a folder is emptied.
const BATCH: usize = 4096;

pub fn open(path: &Path) -> io::Result<Opened> {
    Ok(openat(CWD, path, FOLDER, Mode::empty())?)
}

/// The same, also where it was closed.
pub fn open_up(path: &Path) -> io::Result<Opened> {
    open_closed(CWD, path.as_os_str())
}

pub fn file(folder: &Opened, parts: &[&OsStr], names: Names) -> io::Result<(File, u64)> {
    let Some((last, folders)) = parts.split_last() else {
        return Err(refused("an empty name"));
    };
    let mut inner: Option<OwnedFd> = None;
    for name in folders {
        let at = inner.as_ref().unwrap_or(folder).as_fd();
        inner = Some(openat(at, *name, FOLDER, Mode::empty()).map_err(said)?);
    }
    let at = inner.as_ref().unwrap_or(folder).as_fd();
    // To open a device may do something by itself.
    let before = statat(at, *last, AtFlags::SYMLINK_NOFOLLOW)?;
    regular(before.st_mode)?;
    let file = openat(at, *last, FILE, Mode::empty()).map_err(said)?;
    // What was opened may be another thing than what was looked at.
    let found = fstat(&file)?;
    regular(found.st_mode)?;
    if names == Names::One && found.st_nlink != 1 {
        return Err(refused("has another hard link, perhaps outside the folder"));
    }
    let length = u64::try_from(found.st_size).map_err(|_| refused("has an unknown length"))?;
    Ok((file.into(), length))
}

fn regular(mode: rustix::fs::RawMode) -> io::Result<()> {
    match FileType::from_raw_mode(mode) {
        FileType::RegularFile => Ok(()),
        FileType::Symlink => Err(refused("is a link")),
        _ => Err(refused("is not a regular file")),
    }
}

fn said(error: Errno) -> io::Error {
    match error {
        Errno::LOOP | Errno::MLINK => refused("is a link"),
        Errno::NXIO => refused("is not a regular file"),
        error => error.into(),
    }
}

pub fn names(folder: &Opened, most: usize) -> io::Result<Vec<OsString>> {
    some_names(folder.as_fd(), most)
}

fn some_names(folder: BorrowedFd<'_>, most: usize) -> io::Result<Vec<OsString>> {
    let mut names = Vec::new();
    for entry in Dir::read_from(folder)? {
        if names.len() == most {
            break;
        }
        let entry = entry?;
        let name = entry.file_name().to_bytes();
        if name != b"." && name != b".." {
            names.push(OsStr::from_bytes(name).to_owned());
        }
    }
    Ok(names)
}

/// Folders in folders that are looked through.
const DEEPEST: u32 = 64;
/// What a name takes.
const BLOCK: u64 = 4096;
/// What was found of a folder so far, and may be.
struct Found {
    /// On the disk.
    bytes: u64,
    most: u64,
    names: u64,
    most_names: u64,
}

pub fn size(folder: &Opened, most: u64, most_names: u64) -> io::Result<u64> {
    let mut all = Found {
        bytes: 0,
        most,
        names: 0,
        most_names,
    };
    add_size(folder, 0, &mut all)?;
    Ok(all.bytes)
}

fn add_size(folder: &Opened, depth: u32, all: &mut Found) -> io::Result<()> {
    if depth > DEEPEST {
        return Err(refused(&format!(
            "folders nested too deeply, more than {DEEPEST} levels"
        )));
    }
    for entry in Dir::read_from(folder)? {
        let entry = entry?;
        let name = OsStr::from_bytes(entry.file_name().to_bytes());
        if name == "." || name == ".." {
            continue;
        }
        if all.bytes > all.most {
            return Ok(());
        }
        all.names += 1;
        if all.names > all.most_names {
            let most = all.most_names;
            return Err(refused(&format!(
                "too many files and folders, more than {most}"
            )));
        }
        let found = match statat(folder, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(found) => found,
            // What is gone meanwhile takes nothing.
            Err(Errno::NOENT) => continue,
            Err(_) => return Err(refused("a folder that its owner cannot open")),
        };
        let taken = u64::try_from(found.st_blocks)
            .unwrap_or(0)
            .saturating_mul(512);
        all.bytes = all.bytes.saturating_add(taken.max(BLOCK));
        if FileType::from_raw_mode(found.st_mode) == FileType::Directory {
            match openat(folder, name, FOLDER, Mode::empty()) {
                Ok(inner) => add_size(&inner, depth + 1, all)?,
                Err(Errno::ACCESS) => return Err(refused("a folder that its owner cannot open")),
                Err(_) => {}
            }
        }
    }
    Ok(())
}

pub fn remove(folder: &Opened, name: &OsStr, stopped: Stopped<'_>) -> io::Result<()> {
    if !removed(folder.as_fd(), name)? {
        let inner = open_closed(folder.as_fd(), name)?;
        empty(&inner, stopped)?;
        removed(folder.as_fd(), name)?;
    }
    Ok(())
}

/// Empties a folder. Folders within folders are moved up first: an app can nest them deeper than the stack and the
/// number of open files allow to go down.
pub fn empty(folder: &Opened, stopped: Stopped<'_>) -> io::Result<()> {
    let root = folder.as_fd();
    let mut moved = 0_u64;
    loop {
        let names = some_names(root, BATCH)?;
        if names.is_empty() {
            return Ok(());
        }
        for name in names {
            go_on(stopped)?;
            if removed(root, &name)? {
                continue;
            }
            let inner = open_closed(root, &name)?;
            loop {
                let below = some_names(inner.as_fd(), BATCH)?;
                if below.is_empty() {
                    break;
                }
                for child in below {
                    go_on(stopped)?;
                    if !removed(inner.as_fd(), &child)? {
                        // One that is closed cannot be moved either.
                        drop(open_closed(inner.as_fd(), &child)?);
                        move_up(inner.as_fd(), &child, root, &mut moved)?;
                    }
                }
            }
            removed(root, &name)?;
        }
    }
}

fn move_up(
    from: BorrowedFd<'_>,
    name: &OsStr,
    root: BorrowedFd<'_>,
    moved: &mut u64,
) -> io::Result<()> {
    loop {
        *moved += 1;
        let free = format!(".doomed-{moved}");
        match renameat(from, name, root, free.as_str()) {
            // The app had one of that name.
            Err(Errno::EXIST | Errno::NOTEMPTY | Errno::NOTDIR) => {}
            done => return Ok(done?),
        }
    }
}

/// Removes a file, a link, or an empty folder; `false`: it is a folder with something in it.
fn removed(folder: BorrowedFd<'_>, name: &OsStr) -> io::Result<bool> {
    match unlinkat(folder, name, AtFlags::empty()) {
        Ok(()) | Err(Errno::NOENT) => return Ok(true),
        // Linux says the first of a folder, POSIX the second.
        Err(Errno::ISDIR | Errno::PERM) => {}
        Err(error) => return Err(error.into()),
    }
    match unlinkat(folder, name, AtFlags::REMOVEDIR) {
        Ok(()) | Err(Errno::NOENT) => Ok(true),
        Err(Errno::NOTEMPTY | Errno::EXIST) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// A folder in a folder, opened up where the app had closed it.
fn open_closed(folder: BorrowedFd<'_>, name: &OsStr) -> io::Result<OwnedFd> {
    let found = statat(folder, name, AtFlags::SYMLINK_NOFOLLOW)?;
    if FileType::from_raw_mode(found.st_mode) == FileType::Directory
        && found.st_mode & Mode::RWXU.bits() != Mode::RWXU.bits()
    {
        unlock(folder, name)?;
    }
    Ok(openat(folder, name, FOLDER, Mode::empty())?)
}

/// The mode of a folder, and of nothing that a link in its place leads to.
#[cfg(target_os = "linux")]
fn unlock(folder: BorrowedFd<'_>, name: &OsStr) -> io::Result<()> {
    use std::os::fd::AsRawFd as _;
    let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let closed = openat(folder, name, flags, Mode::empty())?;
    let path = format!("/proc/self/fd/{}", closed.as_raw_fd());
    Ok(rustix::fs::chmod(path, Mode::RWXU)?)
}

#[cfg(not(target_os = "linux"))]
fn unlock(folder: BorrowedFd<'_>, name: &OsStr) -> io::Result<()> {
    Ok(rustix::fs::chmodat(
        folder,
        name,
        Mode::RWXU,
        AtFlags::SYMLINK_NOFOLLOW,
    )?)
}
