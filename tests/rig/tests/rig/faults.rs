//! What goes wrong between the tool and a device, and what comes of it.

use droidtest::device::adb::handle::Handle;
use droidtest::device::adb::server::Server;
use droidtest::device::adb::watch_log::LogWatch;
use droidtest::device::adb::{AdbDevice, wait_for_boot};
use droidtest::device::progress::Watch;
use droidtest::device::{Device, DeviceError, Reset};
use droidtest_rig::bench::{Bench, Walk, notes};
use droidtest_rig::{Config, pipe_lock};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Steps until the device does as it should again; gives how many failed on the way.
fn steps_to_recover(device: &mut dyn Device, walk: &mut Walk) -> usize {
    for failed in 0..6 {
        let done = device
            .reset(Reset::Relaunch)
            .and_then(|()| device.observe(&mut walk.interner));
        match done {
            Ok(seen) if seen.alive => return failed,
            Ok(_)
            | Err(
                DeviceError::Died { .. }
                | DeviceError::Timeout { .. }
                | DeviceError::Protocol(_)
                | DeviceError::Setup(_),
            ) => {}
            Err(error) => panic!("{error}"),
        }
    }
    panic!("the device did not come back");
}

#[test]
fn a_killed_server_is_started_again_and_the_session_goes_on() {
    for agent in [true, false] {
        let bench = Bench::new(Config::sim(34, "notes"));
        let mut device = bench.device(agent);
        let mut walk = Walk::default();
        device.reset(Reset::ClearData).unwrap();
        let seen = device.observe(&mut walk.interner).unwrap();
        bench.server.kill();
        // The step under way may be lost with the connection; those after it are not.
        let _ = device.perform(&walk.next(&seen));
        assert!(steps_to_recover(&mut device, &mut walk) <= 1);
        let seen = device.observe(&mut walk.interner).unwrap();
        device.perform(&walk.next(&seen)).unwrap();
    }
}

#[test]
fn a_device_that_is_away_for_a_while_comes_back_and_one_that_stays_away_ends_in_time() {
    let bench = Bench::new(Config::sim(34, "notes"));
    let mut device = bench.device(true);
    let mut walk = Walk::default();
    device.reset(Reset::ClearData).unwrap();
    bench.rig.away(Duration::from_secs(5));
    let _ = device.observe(&mut walk.interner);
    assert!(steps_to_recover(&mut device, &mut walk) <= 2);

    let server =
        Server::new(bench.server.port, None, Arc::default()).patient(Duration::from_secs(1));
    let handle = Handle::new(server, bench.rig.serial());
    bench.rig.away(Duration::from_secs(600));
    let error = handle.shell("true", Duration::from_secs(5)).unwrap_err();
    assert!(error.is_passing(), "{error}");
}

#[test]
fn a_killed_agent_is_started_again() {
    let bench = Bench::new(Config::sim(34, "notes"));
    let mut device = bench.device(true);
    let mut walk = Walk::default();
    device.reset(Reset::ClearData).unwrap();
    assert_eq!(bench.rig.phone.agents.load(Ordering::Relaxed), 1);
    bench.rig.phone.kill_agents();
    let _ = device.observe(&mut walk.interner);
    assert!(steps_to_recover(&mut device, &mut walk) <= 1);
    assert_eq!(bench.rig.phone.agents.load(Ordering::Relaxed), 1);
}

#[test]
fn dumps_that_fail_once_are_made_again_and_those_that_always_fail_are_told() {
    let bench = Bench::new(Config::sim(34, "notes"));
    let mut device = bench.device(false);
    let mut walk = Walk::default();
    let fail = |with: &str, times: usize| {
        pipe_lock(&bench.rig.phone.state).dump_failures = vec![with.to_owned(); times];
    };
    fail(
        "ERROR: null root node returned by UiTestAutomationBridge.",
        2,
    );
    device.reset(Reset::ClearData).unwrap();
    assert!(device.observe(&mut walk.interner).unwrap().alive);
    fail("ERROR: could not get idle state.", 99);
    let error = device.observe(&mut walk.interner).unwrap_err().to_string();
    assert!(error.contains("no-idle-state"), "{error}");
}

#[test]
fn a_flood_in_the_log_loses_no_crash() {
    let bench = Bench::new(Config::sim(34, "notes"));
    let server = Server::new(bench.server.port, None, Arc::default());
    let handle = Arc::new(Handle::new(server, bench.rig.serial()));
    let watch = LogWatch::start(handle, "org.droidtest.notes", &Default::default()).unwrap();
    watch.processes([4242]);
    let log = &bench.rig.phone.log;
    let noise = "x".repeat(200);
    for n in 0..40_000 {
        log.write(4242, 'I', "flood", &noise);
        if n == 20_000 {
            log.write(4242, 'E', "AndroidRuntime", "FATAL EXCEPTION: main\nProcess: org.droidtest.notes, PID: 4242\njava.lang.Error: e\n\tat org.droidtest.notes.A.b(A.java:1)");
        }
    }
    let reported = watch.wait_for_death(Duration::from_secs(60));
    assert_eq!(reported.crashes.len(), 1);
    // A process of another app counts for nothing.
    log.write(77, 'E', "AndroidRuntime", "FATAL EXCEPTION: main\nProcess: com.other, PID: 77\njava.lang.Error: e\n\tat com.other.A.b(A.java:1)");
    assert!(!watch.wait_for_death(Duration::from_secs(1)).is_death());
}

#[test]
fn an_agent_that_cannot_start_gives_way_to_dumps_and_that_is_said() {
    let bench = Bench::new(Config::sim(34, "notes"));
    bench.rig.phone.refuse_agents();
    let mut device = bench.device(true);
    let mut walk = Walk::default();
    device.reset(Reset::ClearData).unwrap();
    let seen = device.observe(&mut walk.interner).unwrap();
    assert!(seen.alive && !seen.page().events.is_empty());
    assert!(
        seen.environment
            .iter()
            .any(|limit| limit.rule == "no-agent"),
        "{:?}",
        seen.environment
    );
}

#[test]
fn a_broken_jar_of_the_agent_is_pushed_anew() {
    let bench = Bench::new(Config::sim(34, "notes"));
    drop(bench.device(true));
    let jars = || {
        let files = pipe_lock(&bench.rig.phone.files);
        let all = files
            .all()
            .filter(|(name, _)| name.contains("droidtest-agent-"));
        all.map(|(name, file)| (name.clone(), file.clone()))
            .collect::<Vec<_>>()
    };
    let whole = jars();
    let [(name, file)] = whole.as_slice() else {
        panic!("{} jars", whole.len());
    };
    let mut cut = file.clone();
    cut.data.truncate(cut.data.len() / 2);
    pipe_lock(&bench.rig.phone.files).write(name, cut).unwrap();
    let mut device = bench.device(true);
    device.reset(Reset::ClearData).unwrap();
    let seen = device.observe(&mut Walk::default().interner).unwrap();
    assert!(seen.environment.is_empty(), "{:?}", seen.environment);
    assert_eq!(bench.rig.phone.agents.load(Ordering::Relaxed), 1);
    let after = jars();
    assert_eq!(after.len(), 1);
    assert!(after[0].0 == *name && after[0].1.data == file.data);
}

#[test]
fn a_fault_that_passes_while_the_agent_starts_does_not_turn_it_off() {
    let bench = Bench::new(Config::sim(34, "notes"));
    let phone = &bench.rig.phone;
    phone.agents_cut.store(1, Ordering::Relaxed);
    let mut settings = bench.settings(true);
    settings.patience = Duration::from_secs(1);
    let mut device = AdbDevice::new("rig", settings, Watch::silent());
    device.install(&notes()).unwrap();
    assert_eq!(phone.agents.load(Ordering::Relaxed), 1);
    let mut walk = Walk::default();
    device.reset(Reset::ClearData).unwrap();
    device.observe(&mut walk.interner).unwrap();
    // The device is away for as long as it is waited for.
    phone.kill_agents();
    device.observe(&mut walk.interner).unwrap_err();
    bench.rig.away(Duration::from_secs(600));
    for _ in 0..2 {
        let done = device.reset(Reset::Relaunch);
        done.and_then(|()| device.observe(&mut walk.interner))
            .unwrap_err();
    }
    bench.rig.away(Duration::ZERO);
    bench.server.run(&["disconnect", &bench.rig.serial()]);
    bench.server.connect(&bench.rig.serial());
    device.reset(Reset::Relaunch).unwrap();
    let seen = device.observe(&mut walk.interner).unwrap();
    // Only the log was read from a separate place again.
    let rules: Vec<_> = seen.environment.iter().map(|l| l.rule.as_str()).collect();
    assert!(seen.alive && rules == ["log-broke-off"], "{rules:?}");
    assert_eq!(phone.agents.load(Ordering::Relaxed), 1);
}

#[test]
fn an_agent_that_is_cut_off_whenever_it_starts_gives_way_to_dumps() {
    let bench = Bench::new(Config::sim(34, "notes"));
    bench
        .rig
        .phone
        .agents_cut
        .store(u32::MAX, Ordering::Relaxed);
    let mut device = bench.device(true);
    device.reset(Reset::ClearData).unwrap();
    let seen = device.observe(&mut Walk::default().interner).unwrap();
    let reported = seen.environment.iter().any(|l| l.rule == "no-agent");
    assert!(seen.alive && reported, "{:?}", seen.environment);
}

#[test]
fn a_start_is_waited_for_until_each_service_answers_and_over_questions_that_hang() {
    let bench = Bench::new(Config::sim(34, "notes"));
    let phone = &bench.rig.phone;
    let server = Server::new(bench.server.port, None, Arc::default());
    let handle = Handle::new(server, bench.rig.serial());
    for name in ["input", "package"] {
        pipe_lock(&phone.state).services_missing = vec![name.into()];
        let error = wait_for_boot(&handle, Duration::from_secs(1)).unwrap_err();
        let missing = format!("Service {name}: not found");
        assert!(error.to_string().contains(&missing), "{error}");
    }
    pipe_lock(&phone.state).services_missing.clear();
    phone.shell_delay_ms.store(60_000, Ordering::Relaxed);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_secs(1));
            phone.shell_delay_ms.store(0, Ordering::Relaxed);
        });
        assert_eq!(wait_for_boot(&handle, Duration::from_secs(60)).unwrap(), 34);
    });
}

#[test]
fn an_app_that_ends_itself_is_told_from_one_that_the_system_ended() {
    for agent in [true, false] {
        let bench = Bench::new(Config::sim(34, "notes"));
        let phone = &bench.rig.phone;
        let mut device = bench.device(agent);
        let mut walk = Walk::default();
        let mut after = |end: &dyn Fn()| {
            device.reset(Reset::ClearData).unwrap();
            assert!(device.observe(&mut walk.interner).unwrap().alive);
            end();
            device.observe(&mut walk.interner)
        };
        let own = after(&|| phone.end_app(false)).unwrap();
        assert!(!own.alive && own.exit.is_some() && own.environment.is_empty());
        let killed = after(&|| phone.end_app(true)).unwrap();
        assert!(!killed.alive && killed.exit.is_none());
        assert_eq!(killed.environment[0].rule, "killed-for-memory");
        let restarted = after(&|| phone.restart());
        assert!(
            matches!(restarted, Err(DeviceError::Died { in_app: false, .. })),
            "{restarted:?}"
        );
        let again = after(&|| phone.end_app(false)).unwrap();
        assert!(again.exit.is_some());
    }
}
