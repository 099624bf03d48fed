//! Stacks of all threads: whose they are, which thread is the main one, and what is no ANR at all.

use super::*;

fn parse(text: &str) -> Vec<anr::AnrReport> {
    anr::parse(text).unwrap()
}

const STACK: &str =
    "  at java.lang.Object.wait(Native method)\n  at com.q.Shop.open(Shop.java:8)\n";

/// On some phones debuggerd writes the first lines of its dumps into the log, and no last one.
#[test]
fn lines_of_another_writer_are_not_of_a_dump() {
    let line = |pid: u32, tag: &str, text: &str| {
        format!("06-15 09:13:43.811  {pid}  {pid} E {tag}: {text}\n")
    };
    let log = line(31, "DEBUG", "----- pid 29 at 2017-06-15 09:13:43 -----")
        + &line(31, "DEBUG", "Cmd line: /system/bin/netd")
        + &line(11, "ANRManager", "ANR in com.q, time=7329")
        + &line(11, "ANRManager", "Reason: executing service com.q/.Sync");
    let found = parse(&log);
    let processes: Vec<_> = found.iter().map(|r| r.process.as_deref()).collect();
    assert_eq!(processes, [Some("com.q"), Some("/system/bin/netd")]);
    assert_eq!(found[0].kind, Some("service"));
}

#[test]
fn the_main_thread_is_the_first_whatever_its_name() {
    for (head, state) in [
        ("\"main\" prio=5 tid=1 Waiting", Some("Waiting")),
        ("\"com.q\" prio=5 tid=1 Waiting", Some("Waiting")),
        ("\"com.q\" sysTid=77", None),
    ] {
        let text = format!(
            "----- pid 77 at 2024-01-02 03:04:05 -----\nCmd line: com.q\n\n\"Signal Catcher\" prio=5 tid=7 Runnable\n\
             \x20 at com.q.Other.x(O.java:1)\n\n{head}\n{STACK}\n\"Binder\" sysTid=79\n  #00 pc 01 /a/libx.so\n----- end 77 -----\n"
        );
        let report = &parse(&text)[0];
        assert_eq!(report.main_stack.len(), 2, "{head}");
        assert_eq!(report.main_state.as_deref(), state, "{head}");
        assert_eq!(report.app_frame.as_deref(), Some("com.q.Shop.open:8"));
    }
}

#[test]
fn a_header_that_gives_no_reason_is_no_anr() {
    let crash = "Process: com.q\nPID: 5\n\njava.lang.Error\n\tat com.q.A.b(A.java:3)\n";
    assert_eq!(anr::parse(crash).unwrap_err().code, "no-anr");
    let list = "Drop box contents: 1 entries\n2026-11-22 13:45:01 data_app_anr (compressed text, 812 bytes)\n\
        \x20   Process: com.q/Flags: 0x38c8be46/Package: com.q v1 (1.0)/Fore ...\n";
    assert_eq!(anr::parse(list).unwrap_err().code, "no-anr");
}

#[test]
fn each_entry_of_the_dropbox_is_one_report() {
    let entry = |tag: &str, process: &str, subject: &str| {
        format!(
            "========================================\n2026-11-22 13:45:01 {tag} (text, 9 bytes)\nProcess: {process}\n\
             Subject: {subject}\n\n----- pid 5 at 2026-11-22 13:45:00 -----\nCmd line: {process}\n\"main\" prio=5 tid=1 Waiting\n{STACK}\n"
        )
    };
    let text = entry("data_app_anr", "com.q", "Broadcast of Intent { act=A }")
        + "========================================\n2026-11-22 13:45:02 system_app_wtf (text, 9 bytes)\n\
           Process: com.r\nSubject: Tracker\n\nandroid.util.Log$TerribleFailure: x\n\tat com.r.A.b(A.java:3)\n"
        + &entry("system_app_anr", "com.s", "executing service com.s/.Sync");
    let read = parse(&text);
    let found: Vec<_> = read
        .iter()
        .map(|r| (r.process.as_deref().unwrap(), r.kind, r.main_stack.len()))
        .collect();
    let both = [
        ("com.q", Some("broadcast"), 2),
        ("com.s", Some("service"), 2),
    ];
    assert_eq!(found, both);
}

#[test]
fn a_second_anr_of_one_process_for_one_reason_is_another() {
    let log = "06-17 13:05:30.234  11  11 E ActivityManager: ANR in com.q (com.q/.Main)\n\
        06-17 13:05:30.234  11  11 E ActivityManager: PID: 5\n\
        06-17 13:05:30.234  11  11 E ActivityManager: Reason: executing service com.q/.Sync\n";
    let event =
        "06-17 13:05:30.230  11  11 I am_anr  : [0,5,com.q,9,executing service com.q/.Sync]\n";
    assert_eq!(parse(&format!("{event}{log}")).len(), 1);
    assert_eq!(parse(&format!("{event}{log}{event}{log}")).len(), 2);
}

#[test]
fn stacks_whose_first_line_is_missing_have_the_process_of_the_others() {
    let text =
        format!("Cmd line: com.q\n\n\"main\" prio=5 tid=1 Waiting\n{STACK}\n----- end 77 -----\n");
    let report = &parse(&text)[0];
    let process = (report.process.as_deref(), report.pid);
    assert_eq!(process, (Some("com.q"), Some(77)));
    assert_eq!(anr::parse("Cmd line: com.q\n").unwrap_err().code, "no-anr");
}

/// The words of Android 2.
#[test]
fn an_old_anr_names_its_process_in_other_words() {
    let old =
        "ANR (application not responding) in process: com.q\nReason: keyDispatchingTimedOut\n";
    let report = &parse(old)[0];
    let (process, kind) = (report.process.as_deref(), report.kind);
    assert_eq!((process, kind), (Some("com.q"), Some("input")));
}

/// Neither has the header of the process.
#[test]
fn threads_of_googles_consoles_are_those_of_an_anr() {
    let play = "\"main\" tid=1 Native \n\"main\" prio=5 tid=1 Native\n  | group=\"main\" sCount=1\n\
        \x20 #00  pc 0x000000000001edac  /system/lib64/libc.so (syscall+28)\n  at com.q.Shop.open (Shop.java:8)\n\
        \"Binder\" tid=2 Waiting\n  at com.q.Other.x (Other.java:1)\n";
    let crashlytics = "main (native):tid=1 systid=77 \n#00 pc 0x99000 libc.so (syscall + 32)\n\
        \x20      at com.q.Shop.open(Shop.java:8)\n\nThread-3 (native):tid=12 systid=78 \n#00 pc 0x4f85c libc.so (syscall + 28)\n";
    for (text, pid) in [(play, None), (crashlytics, Some(77))] {
        let found = parse(text);
        assert_eq!((found.len(), found[0].pid), (1, pid), "{text}");
        assert_eq!(found[0].main_stack.len(), 2, "{text}");
        assert_eq!(found[0].app_frame.as_deref(), Some("com.q.Shop.open:8"));
    }
}
