//! Snapshots of the tool's emulators, as a strategy takes them: saved, loaded, deleted, refused.

use droidtest::device::adb::AdbSettings;
use droidtest::device::avd::{self, AvdDevice, AvdSettings};
use droidtest::device::jvm::cache::{CACHE_VARIABLE, Cache};
use droidtest::device::progress::{Progress, Watch};
use droidtest::device::{Device, Observation, Reset};
use droidtest_rig::bench::{Walk, notes};
use droidtest_rig::sdk::Sdk;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

const IMAGE: &str = "system-images;android-34;google_apis;x86_64";

fn sdk(folder: &Path) -> Sdk {
    let images = folder.join("rig-state/images");
    std::fs::create_dir_all(&images).unwrap();
    std::fs::write(images.join(IMAGE), "").unwrap();
    Sdk::new(folder, Path::new(env!("CARGO_BIN_EXE_rig-sdk")))
}

/// Runs a part of this file in the SDK's world: where programs are is said by the process's environment.
fn run_inside(sdk: &Sdk, part: &str, fail: &str) {
    let done = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", part, "--ignored", "--nocapture"])
        .env("HOME", &sdk.folder)
        .env("ANDROID_HOME", &sdk.folder)
        .env("ANDROID_ADB_SERVER_PORT", sdk.server.port.to_string())
        // Console ports are shared with whoever else tests here.
        .env(CACHE_VARIABLE, Cache::locate().unwrap().root())
        .envs([("RIG_BEHIND", "sim:notes"), ("RIG_FAIL", fail)])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&done.stdout) + String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success() && said.contains("1 passed"), "{said}");
    assert_eq!(sdk.left_behind(), [""; 0]);
}

type Told = Arc<Mutex<Vec<String>>>;

fn device() -> (AvdDevice, Told) {
    let told = Told::default();
    let heard = told.clone();
    let listener = move |p: Progress<'_>| {
        heard
            .lock()
            .unwrap()
            .push(format!("{} {}", p.stage, p.detail));
    };
    let world = PathBuf::from(std::env::var_os("ANDROID_HOME").unwrap());
    let settings = AvdSettings {
        avd: None,
        image: IMAGE.to_owned(),
        profile: None,
        ram: None,
        disk: None,
        gpu: "off".to_owned(),
        locale: None,
        install: false,
        boot: Duration::from_secs(60),
        logs: world.join("logs"),
        locks: Cache::locate().unwrap().root().join("emulators"),
        adb: AdbSettings {
            agent: false,
            ..AdbSettings::new()
        },
    };
    let mut device = AvdDevice::new("avd", settings, Watch::new(listener, Arc::default()));
    device.install(&notes()).unwrap();
    device.reset(Reset::ClearData).unwrap();
    (device, told)
}

fn shown(seen: &Observation, walk: &Walk) -> Vec<String> {
    let page = seen.page();
    let texts = page
        .widgets
        .iter()
        .map(|w| walk.interner.get(w.text).to_owned());
    texts.collect()
}

#[test]
#[ignore = "run by another test, in an SDK's world"]
fn inside_saved_loaded_deleted() {
    let (mut device, told) = device();
    let mut walk = Walk::default();
    let first = device.observe(&mut walk.interner).unwrap();
    let before = shown(&first, &walk);
    let id = device.snapshots().unwrap().save().unwrap();
    let mut moved = false;
    let mut seen = first;
    for _ in 0..6 {
        let action = walk.next(&seen);
        device.perform(&action).unwrap();
        seen = device.observe(&mut walk.interner).unwrap();
        moved |= seen.alive && shown(&seen, &walk) != before;
    }
    assert!(moved);
    device.snapshots().unwrap().restore(id).unwrap();
    let back = device.observe(&mut walk.interner).unwrap();
    assert_eq!(shown(&back, &walk), before);
    // The session goes on from there.
    let action = walk.next(&back);
    device.perform(&action).unwrap();
    device.observe(&mut walk.interner).unwrap();
    device.snapshots().unwrap().delete(id);
    let error = device.snapshots().unwrap().restore(id).unwrap_err();
    assert!(error.to_string().contains("no snapshot named"), "{error}");
    device.snapshots().unwrap().delete(id);
    let all = told.lock().unwrap().join("\n");
    for stage in ["saved", "restored", "deleted"] {
        let line = format!("{stage} snapshot droidtest-0 of emulator-");
        assert_eq!(all.matches(&line).count(), 1, "{stage}: {all}");
    }
    assert_eq!(all.matches("not deleted ").count(), 1, "{all}");
    drop(device);
    avd::end_all();
}

#[test]
fn a_snapshot_is_saved_loaded_and_deleted_and_one_that_is_gone_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    run_inside(&sdk(folder.path()), "inside_saved_loaded_deleted", "");
}

#[test]
#[ignore = "run by another test, in an SDK's world"]
fn inside_refused() {
    let (mut device, told) = device();
    let error = device.snapshots().unwrap().save().unwrap_err().to_string();
    assert!(error.contains("does not support snapshots"), "{error}");
    let clean = told.lock().unwrap().join("\n");
    assert!(clean.contains("not saved the clean state"), "{clean}");
    drop(device);
    // Without a clean state it is not kept for another session.
    let (again, told) = self::device();
    let anew = told.lock().unwrap().join("\n");
    assert!(anew.contains("starting droidtest-"), "{anew}");
    drop(again);
    avd::end_all();
}

#[test]
fn an_emulator_without_snapshots_says_so_and_each_session_starts_one_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    run_inside(&sdk(folder.path()), "inside_refused", "no-snapshots");
}
