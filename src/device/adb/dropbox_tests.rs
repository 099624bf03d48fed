//! Which entries are reported, and that each is reported once.

use super::*;

const STONE: &str = "Process: com.x\nPID: 77\nFlags: 0x38c8be46\nPackage: com.x v1 (1.0)\n\n\
    *** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***\n\
    pid: 77, tid: 78, name: Thread-2  >>> com.x <<<\n\
    signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x10\nbacktrace:\n\
    \x20     #00 pc 0000000000012345  /data/app/lib/arm64/libx.so (draw+20)\n";

fn joined(box_: &mut Dropbox, tag: &str, text: &str, reported: &mut Told) {
    let entry = dropbox::Entry {
        time: "2026-11-22 13:45:01",
        tag,
        text: text.to_owned(),
    };
    box_.join(&entry, "com.x", reported);
}

#[test]
fn a_crash_that_two_entries_tell_is_one_and_frames_complete_what_the_log_began() {
    let mut reported = Told::default();
    let mut known = Dropbox::default();
    reported.native.push(native::NativeCrash {
        pid: Some(77),
        ..native::NativeCrash::default()
    });
    joined(&mut known, "data_app_native_crash", STONE, &mut reported);
    joined(&mut known, "SYSTEM_TOMBSTONE", STONE, &mut reported);
    assert_eq!(reported.native.len(), 1);
    assert_eq!(reported.native[0].backtrace.len(), 1);
    known.note(&reported);
    let mut later = Told::default();
    joined(&mut known, "SYSTEM_TOMBSTONE", STONE, &mut later);
    let others = STONE.replace("com.x", "com.xy").replace("77", "79");
    joined(&mut known, "SYSTEM_TOMBSTONE", &others, &mut later);
    assert!(!later.is_death());
}

#[test]
fn an_exception_without_its_process_number_counts_once_for_each_start() {
    let text = "Process: com.x\nFlags: 0x1\n\njava.lang.Error: e\n\tat com.x.A.b(A.java:3)\n";
    let mut known = Dropbox::default();
    known.begin("1", "2026-11-22 13:45:00");
    let mut reported = Told::default();
    joined(&mut known, "data_app_crash", text, &mut reported);
    joined(&mut known, "data_app_crash", text, &mut reported);
    assert_eq!(reported.crashes.len(), 1);
    assert_eq!(reported.crashes[0].crash.class, "java.lang.Error");
    known.note(&reported);
    let mut later = Told::default();
    joined(&mut known, "data_app_crash", text, &mut later);
    assert!(!later.is_death());
    // Of the second in which the app was started: of its life before.
    known.begin("1", "2026-11-22 13:45:01");
    joined(&mut known, "data_app_crash", text, &mut later);
    assert!(!later.is_death());
}

fn block(pid: u32, process: &str, frame: &str) -> String {
    format!(
        "----- pid {pid} at 2026-11-22 13:45:01 -----\nCmd line: {process}\n\n\"main\" prio=5 tid=1 Sleeping\n  at {frame}\n\n----- end {pid} -----\n\n"
    )
}

fn anr_entry(pid: u32, process: &str, reason: &str, blocks: &str) -> String {
    format!(
        "Process: {process}\nPID: {pid}\nFlags: 0x1\nPackage: {process} v1 (1.0)\nActivity: {process}/.Main\nSubject: {reason}\n\nCPU usage from 0ms to 5003ms later:\n  12% 1500/system_server: 8% user + 4% kernel\n\n{blocks}"
    )
}

#[test]
fn an_anr_is_its_headers_whoevers_stacks_stand_behind_it() {
    let ours = block(77, "com.x", "com.x.A.wait(A.java:3)");
    let others = block(78, "com.x:remote", "com.x.R.run(R.java:1)")
        + &block(500, "com.google.android.gms", "com.google.G.go(G.java:1)")
        + "----- pid 501 at 2026-11-22 13:45:01 -----\n";
    let mut known = Dropbox::default();
    let mut reported = Told::default();
    let foreign = anr_entry(500, "com.google.android.gms", "Broadcast of Intent", &ours);
    joined(
        &mut known,
        "data_app_anr",
        &(foreign + &others),
        &mut reported,
    );
    assert!(!reported.is_death(), "{:?}", reported.anrs);
    let own = anr_entry(
        77,
        "com.x",
        "Input dispatching timed out",
        &(ours + &others),
    );
    joined(&mut known, "data_app_anr", &own, &mut reported);
    assert_eq!(reported.anrs.len(), 1, "{:?}", reported.anrs);
    assert_eq!(reported.anrs[0].pid, Some(77));
    assert_eq!(reported.anrs[0].main_stack, ["at com.x.A.wait(A.java:3)"]);
}

#[test]
fn a_second_anr_of_a_living_process_has_its_own_stack() {
    let mut known = Dropbox::default();
    for (reason, frame) in [
        ("first", "com.x.A.b(A.java:1)"),
        ("second", "com.x.A.c(A.java:2)"),
    ] {
        let bare = anr::AnrReport {
            process: Some("com.x".into()),
            pid: Some(77),
            reason: Some(reason.into()),
            ..anr::AnrReport::default()
        };
        let mut reported = Told::default();
        reported.anrs.push(bare);
        known.leave_known(&mut reported);
        for (reason, frame) in [("first", "com.x.A.b(A.java:1)"), (reason, frame)] {
            let text = anr_entry(77, "com.x", reason, &block(77, "com.x", frame));
            joined(&mut known, "data_app_anr", &text, &mut reported);
        }
        assert_eq!(reported.anrs.len(), 1);
        assert_eq!(reported.anrs[0].main_stack, [format!("at {frame}")]);
        known.note(&reported);
    }
}

#[test]
fn an_event_and_a_later_text_are_one_anr_and_a_repetition_another() {
    let mut known = Dropbox::default();
    let of = |reason: &str, load: Option<&str>| anr::AnrReport {
        process: Some("com.x".into()),
        pid: Some(77),
        reason: Some(reason.into()),
        load: load.map(str::to_owned),
        ..anr::AnrReport::default()
    };
    let mut look = |report: anr::AnrReport, entry: Option<&str>| {
        let mut reported = Told::default();
        reported.anrs.push(report);
        known.leave_known(&mut reported);
        if let Some(text) = entry.filter(|_| !reported.anrs.is_empty()) {
            joined(&mut known, "data_app_anr", text, &mut reported);
        }
        known.note(&reported);
        reported.anrs.len()
    };
    let text = anr_entry(
        77,
        "com.x",
        "Input",
        &block(77, "com.x", "com.x.A.b(A.java:1)"),
    );
    for _ in 0..2 {
        assert_eq!(look(of("Input", None), Some(&text)), 1);
        assert_eq!(look(of("Input", Some("0.1")), None), 0);
    }
    // The text brings the stack that the event did not have.
    assert_eq!(look(of("Service", None), None), 1);
    assert_eq!(look(of("Service", Some("0.1")), None), 1);
}

#[test]
fn what_the_dropbox_told_is_not_told_again_by_a_log_that_comes_back() {
    let mut known = Dropbox::default();
    let mut of_box = Told::default();
    let anr = anr_entry(
        77,
        "com.x",
        "Input",
        &block(77, "com.x", "com.x.A.b(A.java:1)"),
    );
    let java = "Process: com.x\nPID: 77\n\njava.lang.Error: e\n\tat com.x.A.b(A.java:3)\n";
    joined(&mut known, "data_app_anr", &anr, &mut of_box);
    joined(&mut known, "data_app_crash", java, &mut of_box);
    joined(&mut known, "data_app_native_crash", STONE, &mut of_box);
    known.note(&of_box);
    let mut of_log = Told {
        crashes: of_box.crashes.clone(),
        native: of_box.native.clone(),
        anrs: of_box.anrs.clone(),
        ..Told::default()
    };
    known.leave_known(&mut of_log);
    assert!(!of_log.is_death(), "{of_log:?}");
    // Another process's are.
    of_log.crashes.clone_from(&of_box.crashes);
    of_log.crashes[0].pid = Some(79);
    known.leave_known(&mut of_log);
    assert_eq!(of_log.crashes.len(), 1);
}

#[test]
fn a_process_of_an_earlier_life_tells_nothing_until_its_number_is_used_again() {
    let mut known = Dropbox::default();
    known.begin("1", "2026-11-22 13:45:00");
    known.processes(&[77]);
    known.begin("1", "2026-11-22 13:45:00");
    let mut reported = Told::default();
    joined(&mut known, "data_app_native_crash", STONE, &mut reported);
    assert!(!reported.is_death());
    known.started(&[77]);
    joined(&mut known, "data_app_native_crash", STONE, &mut reported);
    assert!(reported.is_death());
    known.note(&reported);
    // Numbers restart where the device does.
    known.begin("2", "2026-11-22 13:45:00");
    let mut reported = Told::default();
    joined(&mut known, "data_app_native_crash", STONE, &mut reported);
    assert!(reported.is_death());
}

#[test]
fn a_message_of_several_lines_is_read_from_an_entry() {
    let text = "Process: com.x\nPID: 77\nSome-New-Field: 3\n\njava.lang.IllegalStateException: first\nsecond line: of it\n\nlast\n\tat com.x.A.b(A.java:3)\nCaused by: java.io.IOException\n\tat com.x.C.d(C.java:4)\n";
    let mut reported = Told::default();
    joined(
        &mut Dropbox::default(),
        "data_app_crash",
        text,
        &mut reported,
    );
    assert_eq!(reported.crashes.len(), 1);
    let crash = &reported.crashes[0];
    assert_eq!(crash.pid, Some(77));
    assert_eq!(crash.crash.class, "java.lang.IllegalStateException");
    let message = crash.crash.message.as_deref();
    assert_eq!(message, Some("first\nsecond line: of it\nlast"));
    assert_eq!(
        crash.crash.root_class.as_deref(),
        Some("java.io.IOException")
    );
}
