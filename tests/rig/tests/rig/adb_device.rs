//! The tool's adb device on the rig: the wire, both ways of reading the screen, and how an app dies.

use droidtest::device::adb::AdbDevice;
use droidtest::device::adb::handle::Handle;
use droidtest::device::adb::server::Server;
use droidtest::device::{Action, Device, Listens, Reset, key};
use droidtest::gui::{EventKind, Fault, Page, Widget};
use droidtest::util::intern::Interner;
use droidtest_rig::Config;
use droidtest_rig::bench::{Bench, Walk, notes};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

fn handle(bench: &Bench) -> Handle {
    let server = Server::new(
        bench.server.port,
        Some(droidtest_rig::adb()),
        Arc::default(),
    );
    Handle::new(server, bench.rig.serial())
}

const SHORT: Duration = Duration::from_secs(10);

#[test]
fn commands_have_exit_codes_in_both_protocols_and_words_stay_whole() {
    for api in [34, 22] {
        let bench = Bench::new(Config::sim(api, "notes"));
        let handle = handle(&bench);
        let word = "it's; reboot \"$HOME\" `x` | & > *";
        let line = droidtest::device::adb::quote::command(["echo", word]);
        let said = handle.shell(&line, SHORT).unwrap();
        assert_eq!(
            (said.text().as_str(), said.code),
            (format!("{word}\n").as_str(), 0)
        );
        assert_eq!(handle.shell("exit 3", SHORT).unwrap().code, 3);
        assert!(
            handle
                .run("nosuchthing", SHORT)
                .unwrap_err()
                .to_string()
                .contains("127")
        );
    }
}

#[test]
fn files_go_there_and_back_and_a_full_storage_says_so() {
    let bench = Bench::new(Config::sim(34, "notes"));
    let handle = handle(&bench);
    let bytes: Vec<u8> = (0..200_000_u32).map(|n| (n % 253) as u8).collect();
    handle
        .push(bytes.as_slice(), "/sdcard/a b.bin", 0o644, SHORT)
        .unwrap();
    let mut back = Vec::new();
    let dated = droidtest_rig::pipe_lock(&bench.rig.phone.files)
        .get("/sdcard/a b.bin")
        .map(|file| u64::from(file.time));
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    assert!(now.as_secs().abs_diff(dated.unwrap()) < 60, "{dated:?}");
    handle.pull("/sdcard/a b.bin", &mut back, SHORT).unwrap();
    assert_eq!(back, bytes);
    assert_eq!(handle.exec("cat '/sdcard/a b.bin'", SHORT).unwrap(), bytes);
    droidtest_rig::bench::fill_storage(&bench.rig);
    let error = handle
        .push(bytes.as_slice(), "/sdcard/c", 0o644, SHORT)
        .unwrap_err();
    assert!(error.to_string().contains("No space left"), "{error}");
    assert!(
        handle
            .pull("/sdcard/none", &mut back, SHORT)
            .unwrap_err()
            .to_string()
            .contains("No such file")
    );
}

#[test]
fn a_device_that_is_not_there_is_named() {
    let bench = Bench::new(Config::sim(34, "notes"));
    let server =
        Server::new(bench.server.port, None, Arc::default()).patient(Duration::from_millis(200));
    let gone = Handle::new(server, "emulator-4000".into());
    let error = gone.shell("true", SHORT).unwrap_err().to_string();
    assert!(error.contains("emulator-4000"), "{error}");
}

#[test]
fn a_walk_by_dumps_and_one_by_the_agent_see_the_same_pages() {
    let mut seen = Vec::new();
    for agent in [true, false] {
        let bench = Bench::new(Config::sim(34, "notes"));
        let mut device = bench.device(agent);
        let mut walk = Walk::default();
        device.reset(Reset::ClearData).unwrap();
        let mut texts = Vec::new();
        for _ in 0..12 {
            let after = device.observe(&mut walk.interner).unwrap();
            assert!(after.environment.is_empty(), "{:?}", after.environment);
            let page = after.page();
            let mut shown: Vec<_> = page
                .widgets
                .iter()
                .filter(|w| w.is_live())
                .map(|w| walk.interner.get(w.text).to_owned())
                .collect();
            shown.sort();
            texts.push((
                after.alive,
                walk.interner.get(page.activity).to_owned(),
                shown,
            ));
            if after.alive {
                let action = walk.next(&after);
                device.perform(&action).unwrap();
            } else {
                device.reset(Reset::Relaunch).unwrap();
            }
        }
        seen.push(texts);
    }
    assert_eq!(seen[0], seen[1]);
    let activities: std::collections::BTreeSet<_> = seen[0].iter().map(|(_, a, _)| a).collect();
    assert!(activities.len() > 1, "{activities:?}");
}

#[test]
fn a_crash_is_read_from_the_log_and_a_relaunch_goes_on() {
    for agent in [true, false] {
        let bench = Bench::new(Config::sim(34, "notes"));
        let mut device = bench.device(agent);
        let mut interner = Interner::default();
        device.reset(Reset::ClearData).unwrap();
        let look = |device: &mut AdbDevice, interner: &mut Interner| {
            let after = device.observe(interner).unwrap();
            (after.page(), after)
        };
        // The model's crash: "50%" is typed into the editor, and the preview formats it.
        let (page, _) = look(&mut device, &mut interner);
        device
            .perform(&press(&page, &interner, "New note"))
            .unwrap();
        let (page, _) = look(&mut device, &mut interner);
        let field = page
            .events
            .iter()
            .find(|e| e.kind == EventKind::Text)
            .expect("a field");
        let n = field.widget.unwrap();
        device
            .perform(&Action::Text {
                n,
                s: "50%".into(),
                ime: false,
            })
            .unwrap();
        let (page, _) = look(&mut device, &mut interner);
        device.perform(&press(&page, &interner, "Preview")).unwrap();
        let (_, after) = look(&mut device, &mut interner);
        let crash = after.crash.expect("a crash");
        assert!(!after.alive);
        assert_eq!(crash.class, "java.util.UnknownFormatConversionException");
        assert!(
            crash.stack.contains("Process: org.droidtest.notes"),
            "{}",
            crash.stack
        );
        device.reset(Reset::Relaunch).unwrap();
        let (_, after) = look(&mut device, &mut interner);
        assert!(after.alive && after.crash.is_none());
    }
}

/// A press of the widget that shows this text.
fn press(page: &Page, interner: &Interner, text: &str) -> Action {
    let shows = |w: &Widget| interner.get(w.text) == text;
    let at = page.widgets.iter().position(shows).unwrap_or_else(|| {
        let all: Vec<_> = page.widgets.iter().map(|w| interner.get(w.text)).collect();
        panic!("no {text:?} among {all:?}")
    });
    Action::Click {
        n: u32::try_from(at).unwrap(),
    }
}

#[test]
fn settings_are_put_back_and_the_app_is_stopped_at_the_end() {
    let bench = Bench::new(Config::sim(34, "notes"));
    let adb = |args: &[&str]| {
        let serial = bench.rig.serial();
        let mut all = vec!["-s", &serial, "shell"];
        all.extend(args);
        String::from_utf8_lossy(&bench.server.run(&all).stdout)
            .trim()
            .to_owned()
    };
    adb(&["settings", "put", "global", "window_animation_scale", "0.5"]);
    adb(&["settings", "put", "system", "screen_off_timeout", "30000"]);
    let timeout = || adb(&["settings", "get", "system", "screen_off_timeout"]);
    let mut device = bench.device(true);
    device.reset(Reset::ClearData).unwrap();
    assert_eq!(
        adb(&["settings", "get", "global", "window_animation_scale"]),
        "0"
    );
    assert_eq!(timeout(), "2147483647");
    assert_ne!(adb(&["pidof", &notes().package]), "");
    drop(device);
    assert_eq!(
        adb(&["settings", "get", "global", "window_animation_scale"]),
        "0.5"
    );
    assert_eq!(timeout(), "30000");
    assert_eq!(
        adb(&["settings", "get", "global", "animator_duration_scale"]),
        "null"
    );
    assert_eq!(adb(&["pidof", &notes().package]), "");
}

#[test]
fn the_network_is_lost_and_restored_by_the_event_a_start_the_end_and_after_a_killed_run() {
    let bench = Bench::new(Config::sim(34, "notes"));
    let at = |key: &str| ("global".to_owned(), key.to_owned());
    let put = |key: &str, value: &str| {
        let mut state = droidtest_rig::pipe_lock(&bench.rig.phone.state);
        state.settings.insert(at(key), value.to_owned());
    };
    let networks = || {
        let state = droidtest_rig::pipe_lock(&bench.rig.phone.state);
        ["wifi_on", "mobile_data"].map(|key| state.settings[&at(key)].clone())
    };
    let offline = Action::Fault {
        name: Fault::Offline.name().to_owned(),
    };
    put("wifi_on", "1");
    put("mobile_data", "0");
    let mut device = bench.device(true);
    device.reset(Reset::ClearData).unwrap();
    assert!(device.caps().network);
    for wifi in ["0", "1", "0"] {
        device.perform(&offline).unwrap();
        assert_eq!(networks(), [wifi, "0"]);
    }
    device.reset(Reset::Relaunch).unwrap();
    assert_eq!(networks(), ["1", "0"]);
    device.perform(&offline).unwrap();
    let file = "/data/local/tmp/droidtest-settings";
    let kept = bench
        .server
        .run(&["-s", &bench.rig.serial(), "shell", "cat", file]);
    drop(device);
    assert_eq!(networks(), ["1", "0"]);
    // A killed run leaves its file, and the network off.
    put("wifi_on", "0");
    let kept = String::from_utf8(kept.stdout).unwrap();
    let line = kept.lines().find(|line| line.contains("wifi_on")).unwrap();
    let leave = format!("echo {} > {file}", line.trim());
    bench
        .server
        .run(&["-s", &bench.rig.serial(), "shell", &leave]);
    let mut device = bench.device(true);
    device.reset(Reset::ClearData).unwrap();
    assert_eq!(networks(), ["1", "0"]);
    device.perform(&offline).unwrap();
    assert_eq!(networks(), ["0", "0"]);
    drop(device);
    assert_eq!(networks(), ["1", "0"]);
    // Nothing to lose.
    put("wifi_on", "0");
    let mut device = bench.device(true);
    device.reset(Reset::ClearData).unwrap();
    assert!(!device.caps().network);
    device.perform(&offline).unwrap();
    let seen = device.observe(&mut Interner::default()).unwrap();
    assert_eq!(seen.environment[0].rule, "network-stays");
}

#[test]
fn a_keyguard_that_asks_for_nothing_is_taken_away_on_every_level() {
    for api in [21, 22, 23, 34] {
        let bench = Bench::new(Config::sim(api, "notes"));
        droidtest_rig::pipe_lock(&bench.rig.phone.state).keyguard = true;
        let mut device = bench.device(false);
        device.reset(Reset::ClearData).unwrap();
        let seen = device.observe(&mut Interner::default()).unwrap();
        assert!(seen.alive && !seen.page().events.is_empty(), "{api}");
        let state = droidtest_rig::pipe_lock(&bench.rig.phone.state);
        assert!(!state.keyguard, "{api}");
    }
}

#[test]
fn home_is_no_end_the_ball_rolls_and_a_start_finds_the_screen_upright() {
    let bench = Bench::new(Config::sim(34, "notes"));
    let mut device = bench.device(true);
    let mut interner = Interner::default();
    device.reset(Reset::ClearData).unwrap();
    let moves = [(1, -1); 10];
    for action in [
        Action::Trackball { moves, click: true },
        Action::Key { code: key::HOME },
        Action::Rotate { to: 1 },
    ] {
        device.perform(&action).unwrap();
        let seen = device.observe(&mut interner).unwrap();
        assert!(seen.alive && seen.exit.is_none(), "{action:?}: {seen:?}");
        assert!(seen.environment.is_empty(), "{:?}", seen.environment);
    }
    let turned = || {
        let state = droidtest_rig::pipe_lock(&bench.rig.phone.state);
        state.settings[&("system".to_owned(), "user_rotation".to_owned())].clone()
    };
    assert_eq!(turned(), "1");
    device.reset(Reset::Relaunch).unwrap();
    assert_eq!(turned(), "0");
}

#[test]
fn a_receiver_registered_in_code_is_listened_for() {
    let bench = Bench::new(Config::sim(34, "notes"));
    let mut device = bench.device(true);
    let mut interner = Interner::default();
    device.reset(Reset::ClearData).unwrap();
    if let Some(app) = &mut droidtest_rig::pipe_lock(&bench.rig.phone.state).app {
        app.listens = Arc::new(Listens {
            receivers: vec!["org.droidtest.notes.SYNC_DONE".into()],
            ..Listens::default()
        });
    }
    let seen = device.observe(&mut interner).unwrap();
    assert_eq!(seen.listens.receivers, ["org.droidtest.notes.SYNC_DONE"]);
    // One that it registers later, on the same activity, is observed a while later.
    if let Some(app) = &mut droidtest_rig::pipe_lock(&bench.rig.phone.state).app {
        app.listens = Arc::new(Listens {
            receivers: vec!["org.droidtest.notes.LATER".into()],
            ..Listens::default()
        });
    }
    let mut heard = |looks: usize| {
        (0..looks).any(|_| {
            let seen = device.observe(&mut interner).unwrap();
            seen.listens.receivers == ["org.droidtest.notes.LATER"]
        })
    };
    // How much later, hangs on how long the phone took to answer.
    assert!(!heard(10) && heard(10_000));
}

#[test]
fn a_system_event_that_the_phone_refuses_is_said_and_one_that_it_takes_is_not() {
    for api in [34, 22] {
        let bench = Bench::new(Config::sim(api, "notes"));
        let mut device = bench.device(true);
        let mut interner = Interner::default();
        device.reset(Reset::ClearData).unwrap();
        let mut reported = |action: &str| {
            let sent = Action::Broadcast {
                action: action.into(),
                component: None,
                extras: Default::default(),
            };
            device.perform(&sent).unwrap();
            let seen = device.observe(&mut interner).unwrap();
            let limits = seen.environment.into_iter().map(|l| (l.rule, l.detail));
            limits.collect::<Vec<_>>()
        };
        let refused = reported("android.intent.action.BATTERY_LOW");
        assert_eq!(refused.len(), 1, "{refused:?}");
        let (rule, detail) = &refused[0];
        assert_eq!(rule, "system-event-refused");
        assert!(
            detail.contains("broadcast android.intent.action.BATTERY_LOW: ")
                && detail
                    .ends_with("not allowed to send broadcast android.intent.action.BATTERY_LOW"),
            "{detail}"
        );
        // Said once, however often it is tried.
        assert_eq!(reported("android.intent.action.BATTERY_LOW"), []);
        assert_eq!(reported("org.droidtest.notes.REMIND"), []);
    }
}
