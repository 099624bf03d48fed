//! Devices that hang, fall silent or are lost, and runs that share a server: what is done about it, and said.

use droidtest::device::adb::handle::Handle;
use droidtest::device::adb::lease;
use droidtest::device::adb::server::Server;
use droidtest::device::adb::watch_log::LogWatch;
use droidtest::device::adb::{AdbDevice, AdbSettings, SpareDevice};
use droidtest::device::jvm::cache::Cache;
use droidtest::device::progress::Watch;
use droidtest::device::{Device, DeviceError, Reset};
use droidtest_rig::bench::{Bench, Walk, notes};
use droidtest_rig::sdk::Sdk;
use droidtest_rig::{Config, Phone, Rig, pipe_lock};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Another device on the same server.
fn second(bench: &Bench) -> Rig {
    let rig = Rig::start(Phone::new(Config::sim(34, "notes")), 0).unwrap();
    bench.server.connect(&rig.serial());
    rig
}

/// Settings of a suite that takes any device.
fn any(bench: &Bench, leases: &Path) -> AdbSettings {
    AdbSettings {
        serial: Some(lease::ANY.to_owned()),
        leases: Some(leases.to_owned()),
        patience: Duration::from_secs(2),
        ..bench.settings(true)
    }
}

#[test]
fn another_build_of_the_app_is_left_on_a_phone_unless_the_suite_says_otherwise() {
    let bench = Bench::new(Config::sim(34, "notes"));
    drop(bench.device(false));
    let app = notes();
    let install = |settings: AdbSettings| {
        let mut device = AdbDevice::new("rig", settings, Watch::silent());
        pipe_lock(&bench.rig.phone.state).other_key = true;
        device.install(&app)
    };
    let error = install(bench.settings(false)).unwrap_err().to_string();
    for part in ["deletes all its data", "replace = true", &app.package] {
        assert!(error.contains(part), "{error}");
    }
    assert!(pipe_lock(&bench.rig.phone.state).app.is_some());
    let left = |n: &String| n.ends_with(".apk") || n.ends_with("droidtest-settings");
    let files = pipe_lock(&bench.rig.phone.files);
    assert!(!files.all().any(|(name, _)| left(name)));
    drop(files);
    install(AdbSettings {
        replace: true,
        ..bench.settings(false)
    })
    .unwrap();
}

#[test]
fn another_build_of_the_app_goes_from_an_emulator() {
    let bench = Bench::new(Config::sim(34, "notes"));
    let phone = Phone::new(Config::sim(34, "notes"));
    let (_rig, serial) = Rig::emulator(&phone, bench.server.port);
    let settings = AdbSettings {
        serial: Some(serial),
        ..bench.settings(false)
    };
    let mut device = AdbDevice::new("rig", settings, Watch::silent());
    device.install(&notes()).unwrap();
    pipe_lock(&phone.state).other_key = true;
    device.install(&notes()).unwrap();
}

#[test]
fn a_socket_closed_in_one_direction_is_opened_anew() {
    let bench = Bench::new(Config::sim(34, "notes"));
    let mut device = bench.device(true);
    let mut walk = Walk::default();
    device.reset(Reset::ClearData).unwrap();
    let seen = device.observe(&mut walk.interner).unwrap();
    bench.rig.half_close();
    let _ = device.perform(&walk.next(&seen));
    let back = (0..4).any(|_| {
        device.reset(Reset::Relaunch).is_ok()
            && device
                .observe(&mut walk.interner)
                .is_ok_and(|seen| seen.alive)
    });
    assert!(back);
    let seen = device.observe(&mut walk.interner).unwrap();
    device.perform(&walk.next(&seen)).unwrap();
}

#[test]
fn an_agent_that_falls_silent_is_waited_for_no_longer_than_a_step_and_started_again() {
    let bench = Bench::new(Config::sim(34, "notes"));
    let settings = AdbSettings {
        step_limit: Duration::from_secs(1),
        ..bench.settings(true)
    };
    let mut device = AdbDevice::new("rig", settings, Watch::silent());
    device.install(&notes()).unwrap();
    let mut walk = Walk::default();
    device.reset(Reset::ClearData).unwrap();
    let seen = device.observe(&mut walk.interner).unwrap();
    bench.rig.phone.silence_agents(true);
    let error = device.perform(&walk.next(&seen)).unwrap_err();
    assert!(matches!(error, DeviceError::Timeout { .. }), "{error}");
    bench.rig.phone.silence_agents(false);
    device.reset(Reset::Relaunch).unwrap();
    assert!(device.observe(&mut walk.interner).unwrap().alive);
}

#[test]
fn an_app_that_hangs_is_told_by_the_system_and_a_new_start_helps() {
    let bench = Bench::new(Config::sim(34, "notes"));
    let mut device = bench.device(true);
    let mut walk = Walk::default();
    device.reset(Reset::ClearData).unwrap();
    let seen = device.observe(&mut walk.interner).unwrap();
    bench.rig.phone.hang();
    let action = walk.next(&seen);
    let until = Instant::now() + Duration::from_secs(20);
    let anr = loop {
        device.perform(&action).unwrap();
        if let Some(anr) = device.observe(&mut walk.interner).unwrap().anr {
            break anr;
        }
        assert!(Instant::now() < until, "no ANR");
    };
    assert_eq!(anr.ms, 5_003);
    assert!(
        anr.stack.contains("org.droidtest.notes.Sync.wait"),
        "{}",
        anr.stack
    );
    device.reset(Reset::Relaunch).unwrap();
    let inputs = pipe_lock(&bench.rig.phone.state).inputs;
    let seen = device.observe(&mut walk.interner).unwrap();
    assert!(seen.alive && seen.anr.is_none());
    device.perform(&walk.next(&seen)).unwrap();
    assert!(pipe_lock(&bench.rig.phone.state).inputs > inputs);
}

#[test]
fn a_clock_set_back_while_nobody_listened_hides_no_crash_and_repeats_none() {
    let bench = Bench::new(Config::sim(34, "notes"));
    let server = Server::new(bench.server.port, None, Arc::default());
    let handle = Arc::new(Handle::new(server, bench.rig.serial()));
    let watch = LogWatch::start(handle, "org.droidtest.notes", &Default::default()).unwrap();
    let log = &bench.rig.phone.log;
    let crash = |name: &str| {
        let text = format!(
            "FATAL EXCEPTION: main\nProcess: org.droidtest.notes, PID: 4242\njava.lang.{name}: e\n\tat org.droidtest.notes.A.b(A.java:1)"
        );
        log.write(4242, 'E', "AndroidRuntime", &text);
    };
    let reported = |watch: &LogWatch| {
        let reported = watch.wait_for_death(Duration::from_secs(60)).crashes;
        reported
            .into_iter()
            .map(|c| c.crash.class)
            .collect::<Vec<_>>()
    };
    crash("Error");
    assert_eq!(reported(&watch), ["java.lang.Error"]);
    bench.rig.away(Duration::from_secs(1));
    log.skew_ms.store(-3_600_000, Ordering::Relaxed);
    crash("IllegalStateException");
    assert_eq!(reported(&watch), ["java.lang.IllegalStateException"]);
    log.skew_ms.store(7_200_000, Ordering::Relaxed);
    crash("RuntimeException");
    assert_eq!(reported(&watch), ["java.lang.RuntimeException"]);
}

#[test]
fn two_users_of_one_server_get_devices_of_their_own_and_a_third_is_told() {
    let bench = Bench::new(Config::sim(34, "notes"));
    let _second = second(&bench);
    let folder = tempfile::tempdir().unwrap();
    let device = || {
        let mut device = AdbDevice::new("any", any(&bench, folder.path()), Watch::silent());
        device.install(&notes()).map(|()| device)
    };
    let (first, other) = (device().unwrap(), device().unwrap());
    assert_ne!(first.serial(), other.serial());
    let error = device().unwrap_err().to_string();
    assert!(
        error.contains("every device has been in use by another"),
        "{error}"
    );
    let serial = other.serial();
    drop(other);
    assert_eq!(device().unwrap().serial(), serial);
}

#[test]
fn an_emulator_that_another_run_started_is_not_taken_for_a_free_device() {
    let server = droidtest_rig::AdbServer::start();
    let phone = Phone::new(Config::sim(34, "notes"));
    let (_rig, serial) = Rig::emulator(&phone, server.port);
    server.run(&["-s", &serial, "wait-for-device"]);
    let folder = tempfile::tempdir().unwrap();
    let leases = folder.path().join("devices");
    let ours = Server::new(server.port, None, Arc::default());
    let take = || {
        let (any, patience) = (Some(lease::ANY), Duration::from_millis(300));
        lease::Lease::take(&ours, any, Some(&leases), Some(folder.path()), patience)
    };
    // As the run holds its entry while it lives.
    let entry = std::fs::File::create(folder.path().join(format!("{serial}.json"))).unwrap();
    entry.lock().unwrap();
    let error = take().unwrap_err().to_string();
    assert!(
        error.contains("every device has been in use by another"),
        "{error}"
    );
    drop(entry);
    assert_eq!(take().unwrap().serial, serial);
}

#[test]
fn a_lost_devices_work_goes_on_on_another_and_one_lost_twice_is_left_alone() {
    let bench = Bench::new(Config::sim(34, "notes"));
    let spare = second(&bench);
    let folder = tempfile::tempdir().unwrap();
    let make = || {
        let mut device = SpareDevice::new("any", any(&bench, folder.path()), Watch::silent());
        device.install(&notes()).unwrap();
        device
    };
    let mut device = make();
    let mut walk = Walk::default();
    device.reset(Reset::ClearData).unwrap();
    let seen = device.observe(&mut walk.interner).unwrap();
    let has_app = |rig: &Rig| pipe_lock(&rig.phone.state).app.is_some();
    let (used, free) = match has_app(&bench.rig) {
        true => (&bench.rig, &spare),
        false => (&spare, &bench.rig),
    };
    used.away(Duration::from_secs(600));
    assert!(device.perform(&walk.next(&seen)).is_err());
    device.reset(Reset::Relaunch).unwrap();
    let seen = device.observe(&mut walk.interner).unwrap();
    assert!(seen.alive && has_app(free));
    device.perform(&walk.next(&seen)).unwrap();
    drop(device);
    assert_eq!(lease::lost(&used.serial()), 2, "the first loss was counted");
    // A server that ended has forgotten the devices on the network.
    bench.server.kill();
    assert!(bench.server.run(&["start-server"]).status.success());
    let server = Server::new(bench.server.port, None, Arc::default());
    // A server that starts looks for emulators; those of other tests are in this folder.
    let emulators = Cache::locate().unwrap().root().join("emulators");
    let limit = Duration::from_secs(30);
    let again = lease::Lease::take(&server, Some(lease::ANY), None, Some(&emulators), limit);
    assert_eq!(again.unwrap().serial, free.serial());
    used.away(Duration::ZERO);
    bench.server.connect(&used.serial());
    let error = Server::new(bench.server.port, None, Arc::default());
    let second = Duration::from_secs(1);
    let named = lease::Lease::take(&error, Some(&used.serial()), None, None, second);
    assert!(
        named
            .unwrap_err()
            .to_string()
            .contains("is not used any more")
    );
    make();
    assert!(!lease::is_quarantined(&free.serial()));
}

#[test]
fn a_session_goes_on_after_all_devices_were_away_at_once() {
    let bench = Bench::new(Config::sim(34, "notes"));
    let spare = second(&bench);
    let folder = tempfile::tempdir().unwrap();
    let mut device = SpareDevice::new("any", any(&bench, folder.path()), Watch::silent());
    device.install(&notes()).unwrap();
    let mut walk = Walk::default();
    device.reset(Reset::ClearData).unwrap();
    let seen = device.observe(&mut walk.interner).unwrap();
    for rig in [&bench.rig, &spare] {
        rig.away(Duration::from_secs(600));
    }
    assert!(device.perform(&walk.next(&seen)).is_err());
    assert!(device.reset(Reset::Relaunch).is_err());
    assert!(device.reset(Reset::Relaunch).is_err());
    let back = |rig: &Rig| {
        rig.away(Duration::ZERO);
        bench.server.run(&["disconnect", &rig.serial()]);
        bench.server.connect(&rig.serial());
    };
    // One comes back while it is waited for.
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(500));
            back(&bench.rig);
            back(&spare);
        });
        device.reset(Reset::Relaunch).unwrap();
    });
    assert!(device.observe(&mut walk.interner).unwrap().alive);
}

#[test]
fn a_phone_that_is_lost_while_the_app_is_installed_is_tried_again() {
    let folder = tempfile::tempdir().unwrap();
    let sdk = Sdk::new(folder.path(), Path::new(env!("CARGO_BIN_EXE_rig-sdk")));
    let rig = Rig::start(Phone::new(Config::sim(34, "notes")), 0).unwrap();
    rig.phone.shell_delay_ms.store(50, Ordering::Relaxed);
    sdk.server.connect(&rig.serial());
    let apk = Path::new(env!("CARGO_MANIFEST_DIR")).join("../apps/notes/notes.apk");
    let suite = format!(
        "[suite]\nname = \"s\"\nbudget = {{ events = 10 }}\nseeds = [7]\n[[app]]\nname = \"notes\"\napk = {apk:?}\n[[device]]\nname = \"phone\"\nkind = \"adb\"\nserial = \"{}\"\npatience = \"1s\"\n[[strategy]]\nkind = \"random\"\n[minimize]\nenabled = false\n[report]\nhtml = false\n",
        rig.serial()
    );
    let out = std::thread::scope(|scope| {
        let run = scope.spawn(|| sdk.run(&suite, &[]));
        // Its settings are read and changed before the app is put there.
        let started = || {
            let files = pipe_lock(&rig.phone.files);
            files.get("/data/local/tmp/droidtest-settings").is_some()
        };
        while !started() {
            assert!(!run.is_finished(), "the run ended early");
            std::thread::sleep(Duration::from_millis(5));
        }
        rig.away(Duration::from_secs(4));
        run.join().unwrap()
    });
    let code = out.status.code();
    let said = String::from_utf8_lossy(&out.stderr);
    assert!(code == Some(0) || code == Some(100), "{code:?}: {said}");
    assert_eq!(sdk.summary()["sessions"][0]["events"], 10, "{said}");
}

#[test]
fn a_suite_comes_to_its_end_although_one_of_its_phones_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let sdk = Sdk::new(folder.path(), Path::new(env!("CARGO_BIN_EXE_rig-sdk")));
    let config = || Config {
        delay: Duration::from_millis(10),
        ..Config::sim(34, "notes")
    };
    let rigs = [(); 2].map(|()| Rig::start(Phone::new(config()), 0).unwrap());
    for rig in &rigs {
        sdk.server.connect(&rig.serial());
    }
    let apk = Path::new(env!("CARGO_MANIFEST_DIR")).join("../apps/notes/notes.apk");
    let suite = format!(
        "[suite]\nname = \"s\"\nbudget = {{ events = 100 }}\nseeds = [7]\n[[app]]\nname = \"notes\"\napk = {apk:?}\n[[device]]\nname = \"phone\"\nkind = \"adb\"\nserial = \"any\"\npatience = \"2s\"\n[[strategy]]\nkind = \"random\"\n[minimize]\nenabled = false\n[report]\nhtml = false\n"
    );
    let out = std::thread::scope(|scope| {
        let run = scope.spawn(|| sdk.run(&suite, &[]));
        let lost = loop {
            let inputs = |rig: &&Rig| pipe_lock(&rig.phone.state).inputs > 20;
            if let Some(rig) = rigs.iter().find(inputs) {
                break rig;
            }
            assert!(!run.is_finished(), "the run ended early");
            std::thread::sleep(Duration::from_millis(5));
        };
        lost.away(Duration::from_secs(600));
        run.join().unwrap()
    });
    let code = out.status.code();
    let said = String::from_utf8_lossy(&out.stderr);
    assert!(code == Some(0) || code == Some(100), "{code:?}: {said}");
    let summary = sdk.summary();
    let session = &summary["sessions"][0];
    assert_eq!(
        (&session["events"], &session["ended"]),
        (&100.into(), &"events".into())
    );
    assert_eq!(
        session["device_failures"].as_array().unwrap().len(),
        1,
        "{session}"
    );
    assert!(
        rigs.iter()
            .all(|rig| pipe_lock(&rig.phone.state).inputs > 20)
    );
}
