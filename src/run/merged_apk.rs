//! Merges an app that consists of several APKs into one file.

use crate::apk::splits::Parts;
use crate::config::AppSource;
use crate::device::DeviceError;
use crate::device::jvm::cache::Cache;
use crate::device::progress::Watch;
use crate::util::sha256;
use camino::Utf8Path;
use std::path::{Path, PathBuf};

/// Does the app consist of several APKs: by `splits`, as a folder, or as a set (`.apks`, `.xapk`, `.apkm`)?
pub fn is_several(app: &crate::config::App, on_disk: &Utf8Path) -> bool {
    let set = |e: &str| ["apks", "xapk", "apkm"].contains(&e.to_ascii_lowercase().as_str());
    matches!(app.source, AppSource::Apk(_))
        && (!app.splits.is_empty() || on_disk.is_dir() || on_disk.extension().is_some_and(set))
}

/// The APK itself, or the merged file of several APKs, cached by content.
///
/// # Errors
/// One line with the file's name and the fix: the APKs do not belong together, or one cannot be read.
pub fn ensure(path: &Path, splits: &[PathBuf]) -> Result<PathBuf, String> {
    let Some(parts) = Parts::of(path, splits).map_err(|e| e.to_string())? else {
        return Ok(path.to_owned());
    };
    let mut contents = String::new();
    for file in parts.files() {
        let content = sha256::of_file(file).map_err(|e| format!("{}: {e}", file.display()))?;
        contents.push_str(&content);
    }
    let key = sha256::of_bytes(contents.as_bytes());
    let entry = format!("merged/{}-1", &key[..16]);
    let cache = Cache::locate().map_err(|e| e.to_string())?;
    let mut wrong = None;
    let folder = cache.ensure(&entry, &Watch::silent(), |to| {
        parts.merge(&to.join("app.apk")).map_err(|error| {
            wrong = Some(error.to_string());
            DeviceError::Setup("the APKs cannot be merged".to_owned())
        })
    });
    match folder {
        Ok(folder) => Ok(folder.join("app.apk")),
        Err(error) => Err(wrong.unwrap_or_else(|| error.to_string())),
    }
}
