//! Makes an app that is no single APK into one file: merges several APKs, converts an app bundle.

use super::devices::progress_watch;
use super::observer::{Observer, Phase};
use super::plan::Plan;
use super::prepare::PrepareError;
use crate::apk::splits::{Parts, is_bundle};
use crate::config::{AppSource, Suite};
use crate::device::DeviceError;
use crate::device::jvm::bundletool;
use crate::device::jvm::cache::Cache;
use crate::device::progress::Watch;
use crate::explore::Stop;
use crate::util::sha256;
use camino::Utf8Path;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Does the app consist of several APKs: by `splits`, as a folder, or as a set (`.apks`, `.xapk`, `.apkm`)?
pub fn is_several(app: &crate::config::App, on_disk: &Utf8Path) -> bool {
    let set = |e: &str| ["apks", "xapk", "apkm"].contains(&e.to_ascii_lowercase().as_str());
    matches!(app.source, AppSource::Apk(_))
        && (!app.splits.is_empty() || on_disk.is_dir() || on_disk.extension().is_some_and(set))
}

/// Fetches what [`ensure`] needs for these files: bundletool, if one of them is a bundle.
///
/// # Errors
/// It cannot be fetched.
pub fn fetch_for<'a>(
    files: impl IntoIterator<Item = &'a Path>,
    offline: bool,
    watch: &Watch,
) -> Result<(), DeviceError> {
    // A build command may write the bundle later.
    let named = |file: &Path| {
        file.extension()
            .is_some_and(|e| e.eq_ignore_ascii_case("aab"))
    };
    if files.into_iter().any(|file| named(file) || is_bundle(file)) {
        bundletool::fetched(offline, watch)?;
    }
    Ok(())
}

/// The same for the apps of a plan.
///
/// # Errors
/// It cannot be fetched, or the user interrupted.
pub fn fetch_for_plan(
    suite: &Suite,
    plan: &Plan,
    offline: bool,
    observer: &Arc<dyn Observer>,
    stop: &Stop,
) -> Result<(), PrepareError> {
    for app in plan.apps() {
        let file = app.source.apk().map(|path| suite.on_disk(path));
        let file = file.iter().map(|file| file.as_std_path());
        let watch = watch(&app.name, observer, stop);
        fetch_for(file, offline, &watch).map_err(|error| match error {
            DeviceError::Interrupted => PrepareError::Interrupted,
            other => PrepareError::Unreadable {
                app: app.name.clone(),
                reason: other.to_string(),
            },
        })?;
    }
    Ok(())
}

/// Shows what an app of a run is being made of.
pub fn watch(app: &str, observer: &Arc<dyn Observer>, stop: &Stop) -> Watch {
    let (app, observer) = (app.to_owned(), Arc::clone(observer));
    progress_watch(
        move |what, done, total| observer.app(&app, Phase::Preparing { what, done, total }),
        stop,
    )
}

/// The APK itself, the merged file of several APKs, or the universal APK of a bundle (`.aab`); cached by content.
/// bundletool is in the cache after [`fetch_for`]. `watch` hears of a conversion, not of a cached file.
///
/// # Errors
/// One line with the file's name and the fix: the APKs do not belong together, one cannot be read, or the bundle
/// cannot be converted.
pub fn ensure(path: &Path, splits: &[PathBuf], watch: &Watch) -> Result<PathBuf, String> {
    if is_bundle(path) {
        return bundletool::universal(path, true, watch).map_err(|e| e.to_string());
    }
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
    let folder = cache.ensure(&entry, watch, |to| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        watch.report("merging", &name, 0, 0);
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
