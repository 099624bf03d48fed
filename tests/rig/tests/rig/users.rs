//! A phone with a work profile: the app runs for two users, and the run is for one of them.

use droidtest::device::adb::AdbDevice;
use droidtest::device::{Device, Reset};
use droidtest::util::intern::Interner;
use droidtest_rig::bench::{Bench, notes};
use droidtest_rig::{Config, pipe_lock};

/// A process of the app that is user 0's.
const OTHER: u32 = 3111;

fn device(agent: bool) -> (Bench, AdbDevice) {
    let bench = Bench::new(Config::sim(34, "notes"));
    let package = notes().package;
    {
        let mut state = pipe_lock(&bench.rig.phone.state);
        state.users = vec![0, 11];
        state.others = vec![(OTHER, package)];
    }
    let device = bench.device(agent);
    (bench, device)
}

#[test]
fn every_command_about_the_app_names_the_user() {
    for agent in [true, false] {
        let (bench, mut device) = device(agent);
        device.reset(Reset::ClearData).unwrap();
        let lines = pipe_lock(&bench.rig.phone.state).user_lines.clone();
        let package = notes().package;
        for wanted in [
            format!("am force-stop --user 11 {package}"),
            format!("pm clear --user 11 {package}"),
            "am start --user 11 -W".to_owned(),
        ] {
            assert!(
                lines.iter().any(|l| l.starts_with(&wanted)),
                "{wanted}: {lines:?}"
            );
        }
        let resolved = lines
            .iter()
            .any(|l| l.contains("resolve-activity") && l.contains("--user 11"));
        assert!(resolved, "{lines:?}");
    }
}

#[test]
fn what_the_other_users_process_does_is_no_finding() {
    let (bench, mut device) = device(false);
    let mut interner = Interner::default();
    device.reset(Reset::ClearData).unwrap();
    assert!(device.observe(&mut interner).unwrap().alive);
    let package = notes().package;
    let log = &bench.rig.phone.log;
    let crash = |pid: u32| {
        let text = format!(
            "FATAL EXCEPTION: main\nProcess: {package}, PID: {pid}\njava.lang.Error: e\n\tat {package}.A.b(A.java:1)"
        );
        log.write(pid, 'E', "AndroidRuntime", &text);
    };
    let started = format!("Start proc {OTHER}:{package}/u0a100 for activity {{{package}/.Main}}");
    log.write(603, 'I', "ActivityManager", &started);
    crash(OTHER);
    let died = format!("Process {package} (pid {OTHER}) has died: fg TOP");
    log.write(603, 'I', "ActivityManager", &died);
    let anr = format!(
        "ANR in {package} ({package}/.Main)\nPID: {OTHER}\nReason: Input dispatching timed out"
    );
    log.write(603, 'E', "ActivityManager", &anr);
    std::thread::sleep(std::time::Duration::from_millis(300));
    let after = device.observe(&mut interner).unwrap();
    assert!(
        after.alive && after.crash.is_none() && after.anr.is_none(),
        "{:?}",
        after.crash
    );
    // That of its own user is one.
    let pid = pipe_lock(&bench.rig.phone.state).app.as_ref().unwrap().pid;
    crash(pid);
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert!(device.observe(&mut interner).unwrap().crash.is_some());
}
