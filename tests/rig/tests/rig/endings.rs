//! How a session leaves its device: as it was, also where it was stopped in its midst.

use droidtest::device::adb::AdbDevice;
use droidtest::device::progress::Watch;
use droidtest::device::{Device, Reset};
use droidtest::util::intern::Interner;
use droidtest_rig::bench::{Bench, notes};
use droidtest_rig::sdk::Sdk;
use droidtest_rig::{Config, Phone, Rig, pipe_lock};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Output, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// A device's settings, and whether its app runs.
fn state(phone: &Phone) -> (BTreeMap<(String, String), String>, bool) {
    let state = pipe_lock(&phone.state);
    (
        state.settings.clone(),
        state.app.as_ref().is_some_and(|app| app.alive),
    )
}

/// An owner's settings.
fn own(phone: &Phone) {
    let mut state = pipe_lock(&phone.state);
    for (space, key, value) in [
        ("global", "window_animation_scale", "0.5"),
        ("system", "accelerometer_rotation", "1"),
    ] {
        state
            .settings
            .insert((space.into(), key.into()), value.into());
    }
}

/// A shell that is slower than the looks at the user's interrupt.
const SLOW_MS: u64 = 150;

#[test]
fn a_session_that_is_stopped_on_a_slow_phone_leaves_it_as_it_was() {
    let bench = Bench::new(Config::sim(34, "notes"));
    let phone = &bench.rig.phone;
    own(phone);
    let before = state(phone);
    let stop = Arc::new(AtomicBool::new(false));
    let watch = Watch::new(|_| {}, stop.clone());
    let mut device = AdbDevice::new("rig", bench.settings(true), watch);
    device.install(&notes()).unwrap();
    device.reset(Reset::ClearData).unwrap();
    assert!(state(phone).1 && state(phone).0 != before.0);
    phone.shell_delay_ms.store(SLOW_MS, Ordering::Relaxed);
    stop.store(true, Ordering::Relaxed);
    drop(device);
    assert_eq!(state(phone), before);
}

/// Is the file of what the settings were on the device?
fn has_file(phone: &Phone) -> bool {
    let files = pipe_lock(&phone.files);
    files.get("/data/local/tmp/droidtest-settings").is_some()
}

#[test]
fn a_setting_that_the_phone_does_not_tell_is_left_alone_and_that_is_said() {
    let bench = Bench::new(Config::sim(34, "notes"));
    let phone = &bench.rig.phone;
    own(phone);
    pipe_lock(&phone.state).settings_refused = vec!["window_animation_scale".into()];
    let (before, _) = state(phone);
    let mut device = bench.device(true);
    device.reset(Reset::ClearData).unwrap();
    let seen = device.observe(&mut Interner::default()).unwrap();
    let reported = seen
        .environment
        .iter()
        .find(|l| l.rule == "setting-refused");
    let detail = &reported.expect("a limit").detail;
    assert!(detail.contains("window_animation_scale"), "{detail}");
    // It may be written by now, but what it was is not known.
    pipe_lock(&phone.state).settings_refused.clear();
    drop(device);
    assert_eq!(state(phone).0, before);
}

/// A run of the tool that is sent a signal once `started` is seen.
fn signalled(
    sdk: &Sdk,
    suite: &str,
    set: &[(&str, &str)],
    signal: &str,
    started: impl Fn() -> bool,
) -> Output {
    let file = sdk.folder.join("droidtest.toml");
    std::fs::write(&file, suite).unwrap();
    let mut tool = sdk.tool();
    tool.args(["run", "--suite"]).arg(&file);
    tool.envs(set.iter().copied());
    tool.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = tool.spawn().unwrap();
    let until = Instant::now() + Duration::from_secs(120);
    while !started() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(20));
    }
    let reported = std::process::Command::new("kill")
        .args([signal, &child.id().to_string()])
        .status();
    assert!(reported.unwrap().success());
    child.wait_with_output().unwrap()
}

fn suite(device: &str) -> String {
    let apk = Path::new(env!("CARGO_MANIFEST_DIR")).join("../apps/notes/notes.apk");
    format!(
        "[suite]\nname = \"s\"\nbudget = {{ events = 5000 }}\nseeds = [7]\n[[app]]\nname = \"notes\"\napk = {apk:?}\n[[device]]\nname = \"phone\"\n{device}\n[[strategy]]\nkind = \"random\"\n[minimize]\nenabled = false\n[report]\nhtml = false\n"
    )
}

#[test]
fn settings_that_a_killed_run_left_changed_are_put_back_by_the_next() {
    for api in [34, 22] {
        let folder = tempfile::tempdir().unwrap();
        let sdk = Sdk::new(folder.path(), Path::new(env!("CARGO_BIN_EXE_rig-sdk")));
        let rig = Rig::start(Phone::new(Config::sim(api, "notes")), 0).unwrap();
        sdk.server.connect(&rig.serial());
        let phone = &rig.phone;
        own(phone);
        let (before, _) = state(phone);
        let text = suite(&format!("kind = \"adb\"\nserial = \"{}\"", rig.serial()));
        signalled(&sdk, &text, &[], "-KILL", || {
            pipe_lock(&phone.state).inputs > 5
        });
        assert!(has_file(phone) && state(phone).0 != before);
        let next = sdk.tool().args(["run", "--events", "5"]).output().unwrap();
        let said = String::from_utf8_lossy(&next.stderr);
        assert!(matches!(next.status.code(), Some(0 | 100)), "{said}");
        assert_eq!(state(phone).0, before, "{said}");
        assert!(!has_file(phone));
    }
}

#[test]
fn ctrl_c_in_the_midst_of_a_run_leaves_a_slow_phone_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let sdk = Sdk::new(folder.path(), Path::new(env!("CARGO_BIN_EXE_rig-sdk")));
    let rig = Rig::start(Phone::new(Config::sim(34, "notes")), 0).unwrap();
    sdk.server.connect(&rig.serial());
    own(&rig.phone);
    rig.phone.shell_delay_ms.store(SLOW_MS, Ordering::Relaxed);
    let before = state(&rig.phone);
    let device = format!("kind = \"adb\"\nserial = \"{}\"", rig.serial());
    let out = signalled(&sdk, &suite(&device), &[], "-INT", || {
        pipe_lock(&rig.phone.state).inputs > 5
    });
    let said = String::from_utf8_lossy(&out.stderr);
    assert_eq!(out.status.code(), Some(130), "{said}");
    assert_eq!(state(&rig.phone), before, "{said}");
}

#[test]
fn ctrl_c_leaves_no_emulator_behind() {
    let folder = tempfile::tempdir().unwrap();
    let sdk = Sdk::new(folder.path(), Path::new(env!("CARGO_BIN_EXE_rig-sdk")));
    let set = [("RIG_BEHIND", "sim:notes"), ("RIG_SHELL_MS", "150")];
    let journal = folder
        .path()
        .join("target/droidtest/latest/sessions/notes-phone-random-7/journal.jsonl");
    let steps = || {
        std::fs::read_to_string(&journal)
            .is_ok_and(|text| text.matches("\"e\":\"step\"").count() > 5)
    };
    let text = suite("kind = \"avd\"\ninstall = true");
    let out = signalled(&sdk, &text, &set, "-INT", steps);
    let said = String::from_utf8_lossy(&out.stderr);
    assert_eq!(out.status.code(), Some(130), "{said}");
    assert_eq!(sdk.left_behind(), [""; 0], "{said}");
}

#[test]
fn ctrl_c_is_heard_while_androids_programs_and_the_emulators_console_take_long() {
    for slow in ["slow-fetch", "slow-create", "slow-save", "slow-load"] {
        let folder = tempfile::tempdir().unwrap();
        let sdk = Sdk::new(folder.path(), Path::new(env!("CARGO_BIN_EXE_rig-sdk")));
        let text = suite("kind = \"avd\"\ninstall = true")
            .replace("5000", "5")
            .replace("seeds = [7]", "seeds = [7, 8]");
        let set = [("RIG_BEHIND", "sim:notes"), ("RIG_FAIL", slow)];
        let mark = folder.path().join("rig-state").join(slow);
        let reported = Mutex::new(None);
        let out = signalled(&sdk, &text, &set, "-INT", || {
            let started = mark.exists();
            if started {
                *reported.lock().unwrap() = Some(Instant::now());
            }
            started
        });
        let said = String::from_utf8_lossy(&out.stderr);
        assert_eq!(out.status.code(), Some(130), "{slow}: {said}");
        let took = reported.lock().unwrap().unwrap().elapsed();
        assert!(took < Duration::from_secs(30), "{slow}: {took:?}");
        assert_eq!(sdk.left_behind(), [""; 0], "{slow}: {said}");
    }
}
