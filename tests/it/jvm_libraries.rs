//! AndroidX libraries in apps of others on the jvm device: what they have left in an app's data shows that they ran.
//! It reads the APKs of a folder and takes a minute each, so it is requested:
//!
//! ```text
//! DROIDTEST_APKS=../shared/apks-modern cargo test --test it jvm_libraries:: -- --ignored --nocapture
//! ```

use crate::common::phone::Phone;
use droidtest::apk::Apk;
use droidtest::device::{Action, Reset};
use droidtest::gui::Flags;
use droidtest::util::sha256::files_below;
use std::fs;
use std::path::{Path, PathBuf};

/// Events in each app.
const EVENTS: usize = 12;

/// Which libraries have left something here.
fn found(data: &Path) -> Vec<&'static str> {
    let files = files_below(data).unwrap_or_default();
    let any = |holds: &dyn Fn(&str) -> bool| files.iter().any(|file| holds(file));
    let room = |file: &str| {
        let bytes = || fs::read(data.join(file)).unwrap_or_default();
        let of_room = |bytes: &[u8]| bytes.windows(17).any(|w| w == b"room_master_table");
        file.contains("databases/") && !file.contains("androidx.work") && of_room(&bytes())
    };
    let all: [(&str, bool); 4] = [
        ("WorkManager", any(&|f| f.contains("androidx.work.workdb"))),
        ("Room", any(&room)),
        ("DataStore", any(&|f| f.contains("datastore/"))),
        (
            "ProfileInstaller",
            any(&|f| f.to_lowercase().contains("profileinstall")),
        ),
    ];
    all.iter()
        .filter(|(_, there)| *there)
        .map(|(name, _)| *name)
        .collect()
}

/// Starts an app, clicks around in it, and says what it has left.
fn tried(apk: &Path) -> Option<String> {
    let package = Apk::open(apk).unwrap().manifest.package;
    let mut phone = Phone::with_apk(&package, apk)?;
    if let Err(error) = phone.device_reset(Reset::ClearData) {
        return Some(format!("does not start: {error}"));
    }
    let mut crashes = Vec::new();
    for event in 0..EVENTS {
        if let Some(crash) = phone.now.crash.take() {
            crashes.push(format!("{} ({:?})", crash.class, crash.environment));
        }
        if !phone.now.alive && phone.device_reset(Reset::Relaunch).is_err() {
            break;
        }
        let (page, _) = phone.page();
        let can = |flags: &Flags| flags.has(Flags::VISIBLE) && flags.has(Flags::CLICKABLE);
        let clickable: Vec<u32> = (0..)
            .zip(&page.widgets)
            .filter(|(_, w)| can(&w.flags))
            .map(|(n, _)| n)
            .collect();
        let action = match clickable.get(event * 7 % clickable.len().max(1)) {
            Some(&n) if event % 3 > 0 => Action::Click { n },
            _ => Action::Wait { ms: 3000 },
        };
        if phone.attempt(&action).is_err() {
            break;
        }
    }
    let mut left = Vec::new();
    let mut folders = vec![phone.work.clone()];
    while let Some(folder) = folders.pop() {
        if folder
            .file_name()
            .is_some_and(|name| name == package.as_str())
        {
            left = found(&folder);
            break;
        }
        let inside = fs::read_dir(&folder).into_iter().flatten().flatten();
        folders.extend(
            inside
                .map(|entry| entry.path())
                .filter(|path| path.is_dir()),
        );
    }
    Some(format!("{left:?}, crashes {crashes:?}"))
}

#[test]
#[ignore = "reads APKs of others, and takes a minute each"]
fn libraries_leave_their_files() {
    let Some(folder) = std::env::var_os("DROIDTEST_APKS") else {
        crate::common::skip::skip("DROIDTEST_APKS names no folder");
        return;
    };
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.retain(|file| file.extension().is_some_and(|e| e == "apk"));
    files.sort();
    for file in files {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        match tried(&file) {
            Some(said) => println!("tried {name}: {said}"),
            None => return,
        }
    }
}
