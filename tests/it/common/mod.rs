//! What several files of tests share.

#[cfg(target_os = "linux")]
pub mod cage;
pub mod forge;
#[cfg(target_os = "linux")]
pub mod input;
pub mod phone;
pub mod planted;
#[cfg(target_os = "linux")]
pub mod prey;
pub mod program;
pub mod shop;
pub mod skip;
pub mod suite;

use std::fs;
use std::path::{Path, PathBuf};

/// The repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A file or folder of `tests/apps`.
pub fn app(name: &str) -> PathBuf {
    root().join("tests/apps").join(name)
}

/// All files below a folder, in order; build outputs of cargo left out.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut entries: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    entries.retain(|entry| !entry.ends_with("target"));
    let below = |path: PathBuf| match path.is_dir() {
        true => files(&path),
        false => vec![path],
    };
    entries.into_iter().flat_map(below).collect()
}
