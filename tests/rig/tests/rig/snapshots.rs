//! The console of the tool's emulators: snapshots saved, loaded, deleted, refused, and what they cost; places and
//! sensors.

use droidtest::coverage::ExecData;
use droidtest::device::adb::AdbSettings;
use droidtest::device::avd::{self, AvdDevice, AvdSettings};
use droidtest::device::jvm::cache::{CACHE_VARIABLE, Cache};
use droidtest::device::progress::{Progress, Watch};
use droidtest::device::{Action, Device, Observation, Reset};
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

/// Runs a part of this file in the SDK's world: where programs are is reported by the process's environment.
fn run_inside(sdk: &Sdk, part: &str, fail: &str) {
    let done = std::process::Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            &format!("snapshots::{part}"),
            "--ignored",
            "--nocapture",
        ])
        .env("HOME", &sdk.folder)
        .env("ANDROID_HOME", &sdk.folder)
        .env("ANDROID_ADB_SERVER_PORT", sdk.server.port.to_string())
        // Console ports are shared with whoever else tests here.
        .env(CACHE_VARIABLE, Cache::locate().unwrap().root())
        .envs([
            ("RIG_BEHIND", "sim:notes"),
            ("RIG_FAIL", fail),
            ("RIG_COVERAGE", "1"),
            ("RIG_LISTENS", "1"),
        ])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&done.stdout) + String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success() && said.contains("1 passed"), "{said}");
    assert_eq!(sdk.left_behind(), [""; 0]);
}

type Told = Arc<Mutex<Vec<String>>>;

fn device() -> (AvdDevice, Told) {
    let reported = Told::default();
    let heard = reported.clone();
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
            coverage: true,
            ..AdbSettings::new()
        },
    };
    let mut device = AvdDevice::new("avd", settings, Watch::new(listener, Arc::default()));
    device.install(&notes()).unwrap();
    device.reset(Reset::ClearData).unwrap();
    (device, reported)
}

/// The classes that have been read from the app's coverage hook so far, this call included: each reading gives another
/// one.
fn covered(device: &mut AvdDevice) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("jacoco.exec");
    assert!(device.exec_data(&file).unwrap());
    let data = ExecData::load(&file).unwrap();
    data.classes().iter().map(|c| c.name.clone()).collect()
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
    let (mut device, reported) = device();
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
    let before_load = covered(&mut device);
    device.snapshots().unwrap().restore(id).unwrap();
    // What the app ran since the save is lost on the device; it was read before.
    let mut read = covered(&mut device);
    read.retain(|class| !before_load.contains(class));
    let loads: Vec<_> = read
        .iter()
        .map(|class| class.split("Read").next())
        .collect();
    assert_eq!(loads, [Some("rig/Loads0"), Some("rig/Loads1")]);
    let back = device.observe(&mut walk.interner).unwrap();
    assert_eq!(shown(&back, &walk), before);
    // The session continues from there.
    let action = walk.next(&back);
    device.perform(&action).unwrap();
    device.observe(&mut walk.interner).unwrap();
    device.snapshots().unwrap().delete(id);
    let error = device.snapshots().unwrap().restore(id).unwrap_err();
    assert!(error.to_string().contains("no snapshot named"), "{error}");
    device.snapshots().unwrap().delete(id);
    let all = reported.lock().unwrap().join("\n");
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
    let (mut device, reported) = device();
    let error = device.snapshots().unwrap().save().unwrap_err().to_string();
    assert!(error.contains("does not support snapshots"), "{error}");
    let clean = reported.lock().unwrap().join("\n");
    assert!(clean.contains("not saved the clean state"), "{clean}");
    drop(device);
    // Without a clean state it is not kept for another session.
    let (again, reported) = self::device();
    let anew = reported.lock().unwrap().join("\n");
    assert!(anew.contains("starting droidtest-"), "{anew}");
    drop(again);
    avd::end_all();
}

#[test]
fn an_emulator_without_snapshots_says_so_and_each_session_starts_one_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    run_inside(&sdk(folder.path()), "inside_refused", "no-snapshots");
}

#[test]
#[ignore = "run by another test, in an SDK's world"]
fn inside_senses() {
    let (mut device, _) = device();
    let mut walk = Walk::default();
    let listens = device.observe(&mut walk.interner).unwrap().listens;
    assert!(listens.location && listens.telephony);
    assert_eq!(listens.sensors, [1]);
    let sensed = || {
        let world = PathBuf::from(std::env::var_os("ANDROID_HOME").unwrap());
        std::fs::read_to_string(world.join("rig-state/sensed")).unwrap_or_default()
    };
    let mut limits = |action: Action| {
        device.perform(&action).unwrap();
        let seen = device.observe(&mut walk.interner).unwrap();
        let rules = seen.environment.into_iter();
        let rules = rules.filter(|l| l.rule != "no-agent");
        rules
            .map(|l| format!("{} {}", l.rule, l.detail))
            .collect::<Vec<_>>()
    };
    let values = vec![52.52, 13.405, 30.0];
    assert_eq!(limits(Action::Location { values }), [""; 0]);
    assert_eq!(sensed(), "geo fix 13.405 52.52");
    let values = vec![1.0, 1.0, 2.0, 9.0];
    assert_eq!(limits(Action::Sensor { values }), [""; 0]);
    assert_eq!(sensed(), "sensor set acceleration 1:2:9");
    // The image has none, and the console knows none.
    let refused = limits(Action::Sensor {
        values: vec![13.0, 20.0, 0.0, 0.0],
    });
    assert!(
        refused[0].contains("sensor is not available"),
        "{refused:?}"
    );
    let unknown = limits(Action::Sensor {
        values: vec![19.0, 1.0, 2.0, 9.0],
    });
    assert!(unknown[0].starts_with("no-sensor-input"), "{unknown:?}");
    drop(device);
    avd::end_all();
}

#[test]
fn an_emulators_console_sets_places_and_sensors_and_what_it_refuses_is_said() {
    let folder = tempfile::tempdir().unwrap();
    run_inside(&sdk(folder.path()), "inside_senses", "");
}

/// Two sessions one after another on one emulator, a crash or not.
fn two_sessions(sdk: &Sdk, device: &str, fail: &str) -> (serde_json::Value, String) {
    let apk = Path::new(env!("CARGO_MANIFEST_DIR")).join("../apps/notes/notes.apk");
    let suite = format!(
        "[suite]\nname = \"s\"\nbudget = {{ events = 5 }}\nseeds = [7, 8]\n[[app]]\nname = \"notes\"\napk = {apk:?}\n[[device]]\nname = \"pixel\"\nkind = \"avd\"\n{device}[[strategy]]\nkind = \"random\"\n[minimize]\nenabled = false\n"
    );
    let out = sdk.run(&suite, &[("RIG_BEHIND", "sim:notes"), ("RIG_FAIL", fail)]);
    let said = String::from_utf8_lossy(&out.stderr) + String::from_utf8_lossy(&out.stdout);
    assert!(matches!(out.status.code(), Some(0 | 100)), "{said}");
    assert_eq!(sdk.left_behind(), [""; 0]);
    (sdk.summary(), said.into_owned())
}

#[test]
fn what_snapshots_cost_stands_in_the_timing_the_summary_and_the_reports() {
    let folder = tempfile::tempdir().unwrap();
    let (summary, said) = two_sessions(&sdk(folder.path()), "", "");
    let counts = |n: usize| {
        let cost = &summary["sessions"][n]["snapshots"];
        assert!(cost["seconds"].as_f64().unwrap() > 0.0, "{cost}");
        (
            cost["saved"].as_u64().unwrap(),
            cost["restored"].as_u64().unwrap(),
        )
    };
    assert_eq!((counts(0), counts(1)), ((1, 0), (0, 1)));
    assert!(
        said.contains("notes-pixel-random-8: 0 saved, 1 restored in "),
        "{said}"
    );
    let run = folder.path().join("target/droidtest/latest");
    let html = std::fs::read_to_string(run.join("report.html")).unwrap();
    assert!(html.contains("0 saved, 1 restored in "));
    let session = run.join("sessions/notes-pixel-random-8");
    let read = |name: &str| std::fs::read_to_string(session.join(name)).unwrap();
    assert!(read("timing.jsonl").contains("{\"snapshot\":\"load\",\"name\":\"droidtest-clean\""));
    assert!(!read("journal.jsonl").contains("droidtest-clean"));
    // The start's line and each event's are there next to it.
    assert_eq!(read("timing.jsonl").matches("\"wait_us\"").count(), 6);
}

#[test]
fn timemachine_restores_an_emulators_snapshots_and_where_they_fail_known_steps() {
    for (fail, by) in [("", "by_snapshot"), ("no-snapshots", "by_way")] {
        let folder = tempfile::tempdir().unwrap();
        let sdk = sdk(folder.path());
        let apk = Path::new(env!("CARGO_MANIFEST_DIR")).join("../apps/notes/notes.apk");
        let suite = format!(
            "[suite]\nname = \"s\"\nbudget = {{ events = 25 }}\nseeds = [7]\n\
             [[app]]\nname = \"notes\"\napk = {apk:?}\n[[device]]\nname = \"pixel\"\nkind = \"avd\"\n\
             [[strategy]]\nkind = \"timemachine\"\nmax-no-progress = 3\nbase = {{ kind = \"random\" }}\n\
             [minimize]\nenabled = false\n"
        );
        let out = sdk.run(&suite, &[("RIG_BEHIND", "sim:notes"), ("RIG_FAIL", fail)]);
        let said = String::from_utf8_lossy(&out.stderr) + String::from_utf8_lossy(&out.stdout);
        assert!(matches!(out.status.code(), Some(0 | 100)), "{said}");
        assert_eq!(sdk.left_behind(), [""; 0]);
        let session = &sdk.summary()["sessions"][0];
        assert_eq!(session["events"], 25, "{said}");
        let restores = &session["restores"];
        assert!(restores[by].as_u64() > Some(0), "{restores} {said}");
        let journal = folder
            .path()
            .join("target/droidtest/latest/sessions/notes-pixel-timemachine-7/journal.jsonl");
        let journal = std::fs::read_to_string(journal).unwrap();
        assert_eq!(
            journal.contains("\"by\":\"snapshot\""),
            fail.is_empty(),
            "{journal}"
        );
    }
}

#[test]
fn ones_own_avd_keeps_no_snapshot_of_a_run() {
    let folder = tempfile::tempdir().unwrap();
    let sdk = sdk(folder.path());
    let state = folder.path().join("rig-state");
    std::fs::create_dir_all(state.join("avds")).unwrap();
    std::fs::write(state.join("avds/own-kept"), "").unwrap();
    let kept = state.join("snapshots/own-kept");
    std::fs::create_dir_all(&kept).unwrap();
    std::fs::write(kept.join("mine"), "").unwrap();
    let (summary, _) = two_sessions(&sdk, "avd = \"own-kept\"\n", "");
    assert_eq!(summary["sessions"][0]["snapshots"]["saved"], 1);
    let left = std::fs::read_dir(&kept).unwrap();
    let left: Vec<_> = left.map(|e| e.unwrap().file_name()).collect();
    assert_eq!(left, ["mine"]);
}

#[test]
fn a_snapshot_that_fails_stands_in_the_summary_with_the_emulators_words() {
    let folder = tempfile::tempdir().unwrap();
    let (summary, said) = two_sessions(&sdk(folder.path()), "", "no-snapshots");
    for session in summary["sessions"].as_array().unwrap() {
        let cost = &session["snapshots"];
        assert_eq!((&cost["saved"], &cost["restored"]), (&0.into(), &0.into()));
        let failed = cost["failures"][0].as_str().unwrap();
        assert!(
            failed.starts_with("save droidtest-clean: ")
                && failed.contains("does not support snapshots"),
            "{failed}"
        );
    }
    assert!(
        said.contains("1 failed, the last: save droidtest-clean"),
        "{said}"
    );
}
