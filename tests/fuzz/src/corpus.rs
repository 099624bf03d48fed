//! Good inputs from files.

use std::fs;
use std::io::{Cursor, Read as _, Write as _};
use std::path::Path;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

/// All files of a folder with this ending, in order; none if there is no folder.
pub fn folder(folder: &Path, ending: &str) -> Vec<Vec<u8>> {
    let mut files: Vec<_> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|e| e == ending))
        .collect();
    files.sort();
    files
        .iter()
        .filter_map(|path| fs::read(path).ok())
        .collect()
}

/// These files, where they are.
pub fn files(root: &Path, names: &[&str]) -> Vec<Vec<u8>> {
    let read = |name: &&str| fs::read(root.join(name)).ok();
    names.iter().filter_map(read).collect()
}

/// These texts.
pub fn texts(texts: &[&str]) -> Vec<Vec<u8>> {
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}

/// A member of an archive.
pub fn member(archive: &[u8], name: &str) -> Option<Vec<u8>> {
    let mut archive = ZipArchive::new(Cursor::new(archive)).ok()?;
    let mut bytes = Vec::new();
    let mut file = archive.by_name(name).ok()?;
    file.read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// An archive with these members, stored.
pub fn archive(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    for (name, bytes) in members {
        let written = archive
            .start_file(*name, stored)
            .and_then(|()| Ok(archive.write_all(bytes)?));
        written.expect("memory takes an archive");
    }
    archive
        .finish()
        .expect("memory takes an archive")
        .into_inner()
}
