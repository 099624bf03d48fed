//! SHA-256 in lower-case hexadecimal: of bytes, of files, of folders.

use super::foreign;
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Read as _};
use std::path::Path;

/// Bytes as they are in names and records.
pub fn hex(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        let _ = write!(out, "{byte:02x}");
    }
    out
}

/// Of bytes.
pub fn of_bytes(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Of a file, read piece by piece.
///
/// # Errors
/// It cannot be read.
pub fn of_file(path: &Path) -> io::Result<String> {
    let mut file = foreign::open(path)?;
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 1 << 20];
    loop {
        match file.read(&mut buffer) {
            Ok(0) => return Ok(hex(&hasher.finalize())),
            Ok(n) => hasher.update(&buffer[..n]),
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
}

/// Of a folder's files and their names, as far as the names are wanted.
///
/// # Errors
/// Something in it cannot be read.
pub fn of_folder(folder: &Path, wanted: impl Fn(&str) -> bool) -> io::Result<String> {
    of_files(
        folder,
        files_below(folder)?.into_iter().filter(|name| wanted(name)),
    )
}

/// The value of these files of a folder, of their names and contents.
///
/// # Errors
/// One cannot be read.
pub fn of_files(folder: &Path, names: impl IntoIterator<Item = String>) -> io::Result<String> {
    let mut all = String::new();
    for file in names {
        all.push_str(&of_file(&folder.join(&file))?);
        all.push_str(&file);
    }
    Ok(of_bytes(all.as_bytes()))
}

/// The names of all files in a folder and below it, sorted, with `/` between folders.
///
/// # Errors
/// A folder cannot be read.
pub fn files_below(folder: &Path) -> io::Result<Vec<String>> {
    fn walk(folder: &Path, prefix: &str, to: &mut Vec<String>) -> io::Result<()> {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
            if entry.file_type()?.is_dir() {
                walk(&entry.path(), &format!("{name}/"), to)?;
            } else {
                to.push(name);
            }
        }
        Ok(())
    }
    let mut files = Vec::new();
    walk(folder, "", &mut files)?;
    files.sort_unstable();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    #[test]
    fn the_published_value_comes_out() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a"), "abc").unwrap();
        assert_eq!(of_bytes(b"abc"), ABC);
        assert_eq!(of_file(&folder.path().join("a")).unwrap(), ABC);
    }

    #[test]
    fn a_folder_is_told_apart_by_names_and_contents_below_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        fs::create_dir(path.join("sub")).unwrap();
        fs::write(path.join("sub/a"), "abc").unwrap();
        let hash = || of_folder(path, |_| true).unwrap();
        let first = hash();
        fs::rename(path.join("sub/a"), path.join("sub/b")).unwrap();
        let renamed = hash();
        fs::write(path.join("sub/b"), "abd").unwrap();
        assert!(first != renamed && renamed != hash());
        assert_eq!(of_folder(path, |_| false).unwrap(), of_bytes(b""));
    }
}
