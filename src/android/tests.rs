//! What the parsers take, on texts made for it; `tests/it/android_samples.rs` gives them real ones.

use super::*;
use proptest::prelude::*;

const NODE: &str = r#"<node index="0" text="a &amp; b" resource-id="com.x:id/ok" class="android.widget.Button" package="com.x" content-desc="" checkable="false" checked="false" clickable="true" enabled="true" focusable="true" focused="false" scrollable="false" long-clickable="false" password="false" selected="false" bounds="[0,10][100,60]" />"#;

fn dump(body: &str) -> String {
    format!(
        "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"1\">{body}</hierarchy>"
    )
}

#[test]
fn a_dump_gives_nodes_as_the_agent_would() {
    let text = dump(&format!(
        "<node class=\"android.widget.FrameLayout\" bounds=\"[0,0][100,200]\">{NODE}</node>"
    )) + "UI hierchary dumped to: /sdcard/window_dump.xml\n";
    let dump = uiautomator::parse(&text).unwrap();
    assert_eq!(
        (dump.rotation, dump.nodes.len(), dump.extent()),
        (1, 2, (100, 200))
    );
    let button = &dump.nodes[1];
    assert_eq!(
        (
            button.node.text.as_str(),
            button.node.parent,
            button.package.as_str()
        ),
        ("a & b", 0, "com.x")
    );
    assert_eq!(
        button.node.flags,
        crate::gui::Flags::VISIBLE
            | crate::gui::Flags::ENABLED
            | crate::gui::Flags::CLICKABLE
            | crate::gui::Flags::FOCUSABLE
    );
}

#[test]
fn appium_elements_and_several_windows_are_nodes_too() {
    let appium = "<?xml version='1.0'?><hierarchy rotation=\"0\"><android.widget.EditText text=\"x\" bounds=\"[0,0][9,9]\" displayed=\"true\"/></hierarchy>";
    let found = uiautomator::parse(appium).unwrap();
    assert_eq!(found.nodes[0].node.class, "android.widget.EditText");
    assert!(crate::gui::Flags(found.nodes[0].node.flags).has(crate::gui::Flags::EDITABLE));
    let windows = format!(
        "<displays><display id=\"0\"><window index=\"0\"><hierarchy rotation=\"3\">{NODE}</hierarchy></window><window index=\"1\"><hierarchy>{NODE}</hierarchy></window></display></displays>"
    );
    let found = uiautomator::parse(&windows).unwrap();
    assert_eq!((found.nodes.len(), found.rotation), (2, 3));
    assert!(
        uiautomator::parse("<hierarchy rotation=\"0\" />\n")
            .unwrap()
            .nodes
            .is_empty()
    );
}

#[test]
fn each_failure_of_a_dump_has_its_own_error() {
    for (text, code) in [
        ("ERROR: could not get idle state.\n", "no-idle-state"),
        (
            "ERROR: null root node returned by UiTestAutomationBridge.\n",
            "no-root-node",
        ),
        ("Killed \n", "killed"),
        (
            "java.lang.IllegalStateException: UiAutomationService android.accessibilityservice.IAccessibilityServiceClient already registered!",
            "already-registered",
        ),
        (
            "cat: /sdcard/window_dump.xml: No such file or directory",
            "no-file",
        ),
        ("", "empty"),
        ("\n\n", "empty"),
        ("hello", "not-a-dump"),
        (
            "<?xml version='1.0'?>ERROR: could not get idle state.",
            "no-idle-state",
        ),
        (
            "<?xml version='1.0' ?><hierarchy rotation=\"0\"><node bounds=\"[0,0][1,1]\">",
            "cut-off",
        ),
        (
            "<?xml version='1.0' ?><hierarchy rotation=\"0\"><node bounds=\"[0,0]",
            "cut-off",
        ),
        ("<?xml version='1.0' encod", "cut-off"),
        ("<?xml version='1.0' ?><html></html>", "not-a-dump"),
        (
            "<hierarchy rotation=\"0\"><node text=\"&lol;\"/></hierarchy>",
            "malformed",
        ),
        (
            "<hierarchy rotation=\"0\"><node bounds=\"oops\"/></hierarchy>",
            "malformed",
        ),
        ("<hierarchy rotation=\"0\"></node></hierarchy>", "malformed"),
        (
            "<!DOCTYPE x [<!ENTITY a \"b\">]><hierarchy rotation=\"0\"/>x",
            "empty-is-fine",
        ),
    ] {
        match uiautomator::parse(text) {
            Err(error) => assert_eq!(error.code, code, "{text}: {error}"),
            Ok(_) => assert_eq!(code, "empty-is-fine", "{text}"),
        }
    }
    let error =
        uiautomator::parse("<hierarchy rotation=\"0\">\n  <node bounds=\"oops\"/></hierarchy>")
            .unwrap_err();
    assert_eq!((error.line, error.column), (2, Some(3)));
}

#[test]
fn depth_is_bounded_and_costs_no_stack() {
    let text = "<hierarchy rotation=\"0\">".to_owned() + &"<node>".repeat(100_000);
    assert_eq!(uiautomator::parse(&text).unwrap_err().code, "too-deep");
}

const CRASH: &str = "--------- beginning of crash\n\
03-13 10:01:23.827  7711  7767 E AndroidRuntime: FATAL EXCEPTION: main\n\
03-13 10:01:23.827  8000  8000 E AndroidRuntime: FATAL EXCEPTION: other\n\
03-13 10:01:23.827  7711  7767 E AndroidRuntime: Process: com.x:sync, PID: 7711\n\
03-13 10:01:23.827  8000  8000 E AndroidRuntime: Process: com.y, PID: 8000\n\
03-13 10:01:23.827  7711  7767 E AndroidRuntime: java.lang.RuntimeException: first\n\
03-13 10:01:23.827  7711  7767 E AndroidRuntime: second line\n\
03-13 10:01:23.827  8000  8000 E AndroidRuntime: com.y.Failure\n\
03-13 10:01:23.827  7711  7767 E AndroidRuntime: \tat android.app.A.b(A.java:1)\n\
03-13 10:01:23.827  7711  7767 E AndroidRuntime: \tSuppressed: java.lang.Error: s\n\
03-13 10:01:23.827  7711  7767 E AndroidRuntime: \t\tat com.x.Wrong.frame(W.java:9)\n\
03-13 10:01:23.827  7711  7767 E AndroidRuntime: \tCaused by: java.lang.Fake\n\
03-13 10:01:23.827  7711  7767 E AndroidRuntime: Caused by: java.lang.NullPointerException: deep\n\
03-13 10:01:23.827  7711  7767 E AndroidRuntime: \tat com.x.Main.c(Main.java:12)\n\
03-13 10:01:23.827  7711  7767 E AndroidRuntime: \t... 3 more\n\
03-13 10:01:23.830  7711  7767 W ActivityManager: done\n\
03-13 10:01:23.827  8000  8000 E AndroidRuntime: \tat com.y.B.d(B.java:5)\n";

#[test]
fn crashes_of_two_processes_are_told_apart() {
    let found = java_crash::parse(CRASH).unwrap();
    assert_eq!(found.len(), 2, "{found:#?}");
    let first = &found[0];
    assert_eq!(
        (first.line, first.process.as_deref(), first.pid),
        (2, Some("com.x:sync"), Some(7711))
    );
    assert_eq!(first.crash.message.as_deref(), Some("first\nsecond line"));
    assert_eq!(
        first.crash.root_class.as_deref(),
        Some("java.lang.NullPointerException")
    );
    assert_eq!(
        first.crash.app_frame.as_deref(),
        Some("com.x.Main.c(Main.java:12)")
    );
    assert_eq!(first.chain.len(), 2);
    assert!(!first.crash.stack.contains("Wrong"));
    assert_eq!(
        (
            found[1].crash.class.as_str(),
            found[1].crash.app_frame.as_deref()
        ),
        ("com.y.Failure", Some("com.y.B.d(B.java:5)"))
    );
}

#[test]
fn pasted_stacks_and_dropbox_entries_are_read() {
    let pasted = "E/AndroidRuntime: FATAL EXCEPTION: main\n    Process: com.x, PID: 9\n    java.lang.Error: e\n        at com.x.A.b(A.java:3)\n     Caused by: java.io.IOException\n        at com.x.C.d(C.java:4)\n";
    let found = java_crash::parse(pasted).unwrap();
    assert_eq!(
        (found[0].pid, found[0].crash.root_class.as_deref()),
        (Some(9), Some("java.io.IOException"))
    );
    let dropbox = "Process: com.x\nPID: 77\nFlags: 0x2\nPackage: com.x v1 (1.0)\nForeground: Yes\nBuild: a/b/c\n\njava.lang.Error: e\n\tat com.x.A.b(A.java:3)\n";
    let found = java_crash::parse(dropbox).unwrap();
    assert_eq!(
        (
            found[0].process.as_deref(),
            found[0].pid,
            found[0].crash.class.as_str()
        ),
        (Some("com.x"), Some(77), "java.lang.Error")
    );
    assert_eq!(
        java_crash::parse("all is well\n").unwrap_err().code,
        "no-crash"
    );
}

const STONE: &str = "*** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***\nBuild fingerprint: 'a/b/c:9/X/1:user/release-keys'\nABI: 'arm64'\nTimestamp: 2021-09-29 17:43:49+0200\nCmdline: com.x\npid: 9850, tid: 9893, name: worker 1  >>> com.x <<<\nuid: 2000\nsignal 6 (SIGABRT), code -1 (SI_QUEUE), fault addr --------\nAbort message: 'Check failed (a=b) '\n    r0  00000000\n\nbacktrace:\n      #00 pc 000603ca  /apex/lib/libc.so (abort+166) (BuildId: 320fbd)\n      #01 pc 000309cf  /lib/a.so (U::R(IoBlock*)+814)\n      #02 pc 92a0  /data/app/base.apk (offset 0x21a000)\n      #03 pc 01  <anonymous:0010>\n\nmemory near x0:\n--- --- ---\npid: 9850, tid: 9851, name: other  >>> com.x <<<\n      #00 pc 01  /lib/b.so\n";

#[test]
fn a_tombstone_is_read_alone_and_in_the_log() {
    let found = &native::parse(STONE).unwrap()[0];
    assert_eq!(
        (
            found.pid,
            found.tid,
            found.thread.as_deref(),
            found.process.as_deref()
        ),
        (Some(9850), Some(9893), Some("worker 1"), Some("com.x"))
    );
    assert_eq!(
        (
            found.signal,
            found.code_name.as_deref(),
            &found.fault_address
        ),
        (Some(6), Some("SI_QUEUE"), &None)
    );
    assert_eq!(found.backtrace.len(), 4);
    assert_eq!(
        (
            found.backtrace[1].symbol.as_deref(),
            found.backtrace[1].offset
        ),
        (Some("U::R(IoBlock*)"), Some(814))
    );
    assert_eq!(
        (found.backtrace[2].file.as_str(), &found.backtrace[2].symbol),
        ("/data/app/base.apk", &None)
    );
    assert_eq!(found.backtrace[0].build_id.as_deref(), Some("320fbd"));

    let mut log = "07-05 18:58:36.203  9850  9893 F libc    : Fatal signal 6 (SIGABRT), code -1 (SI_QUEUE) in tid 9893 (worker 1), pid 9850 (com.x)\n".to_owned();
    for line in STONE.lines() {
        log += &format!(
            "07-05 18:58:36.486 25670 25670 F DEBUG   : {line}\n07-05 18:58:36.486 1 1 I other: line\n"
        );
    }
    let logged = native::parse(&log).unwrap();
    assert_eq!(
        (logged.len(), logged[0].line, &logged[0].backtrace),
        (1, 1, &found.backtrace)
    );
    assert_eq!(
        native::parse("*** *** *** *** *** *** *** *** *** ***\nABI: 'arm'\n")
            .unwrap_err()
            .code,
        "cut-off"
    );
}

#[test]
fn native_crashes_are_told_apart_by_what_lies_below_the_abort_and_inside_the_apk() {
    let read = |stone: &str| native::parse(stone).unwrap()[0].clone();
    let stone = read(STONE);
    let places = "U::R(IoBlock*), base.apk (offset 0x21a000), <anonymous>";
    assert_eq!(stone.places().join(", "), places);
    let same = [
        ("abort+166", "abort+170"),
        ("+814", "+818"),
        ("000309cf", "000309ff"),
        ("9850", "77"),
        ("<anonymous:0010>", "<anonymous:7d5a3c2000>"),
    ];
    for (from, to) in same {
        assert_eq!(
            read(&STONE.replace(from, to)).fingerprint(),
            stone.fingerprint(),
            "{to}"
        );
    }
    let other = [
        ("U::R", "U::S"),
        ("0x21a000", "0x3bc000"),
        ("SIGABRT", "SIGSEGV"),
    ];
    for (from, to) in other {
        assert_ne!(
            read(&STONE.replace(from, to)).fingerprint(),
            stone.fingerprint(),
            "{to}"
        );
    }
    // A stack without names: its files tell, not the frame that every thread starts with.
    let nameless = STONE
        .replace("abort+166", "")
        .replace("U::R(IoBlock*)+814", "")
        .replace(
            "<anonymous:0010>",
            "/lib/libc.so (__pthread_start(void*)+20)",
        );
    let places = ["libc.so", "a.so", "base.apk (offset 0x21a000)"];
    assert_eq!(read(&nameless).places(), places);
}

#[test]
fn old_fatal_lines_are_read() {
    for (line, tid) in [
        (
            "F/libc    (  100): Fatal signal 11 (SIGSEGV) at 0xdeadbaad (code=1), thread 123 (main)",
            123,
        ),
        (
            "01-01 12:52:27.698   276   376 F libc    : Fatal signal 11 (SIGSEGV), code 1, fault addr 0xb647f414 in tid 376 (nvram_daemon)",
            376,
        ),
    ] {
        let found = &native::parse(line).unwrap()[0];
        assert_eq!(
            (found.signal, found.code, found.tid),
            (Some(11), Some(1), Some(tid)),
            "{line}"
        );
        assert!(found.fault_address.is_some(), "{line}");
    }
}

#[test]
fn an_anr_joins_its_stacks() {
    let text = "07-12 19:00:40.798  1437 26441 I am_anr  : [0,24598,com.x,952647238,Input dispatching timed out (a1 com.x/com.x.Main is not responding. Waited 10007ms for MotionEvent)]\n\
07-12 19:00:40.798  1437 26441 E ActivityManager: ANR in com.x (com.x/.Main)\n\
07-12 19:00:40.798  1437 26441 E ActivityManager: PID: 24598\n\
07-12 19:00:40.798  1437 26441 E ActivityManager: Reason: Input dispatching timed out (a1 com.x/com.x.Main is not responding. Waited 10007ms for MotionEvent)\n\
07-12 19:00:40.798  1437 26441 E ActivityManager: Load: 1.0 / 2.0 / 3.0\n\
----- pid 24598 at 2017-07-04 18:35:18 -----\nCmd line: com.x\n\n\"main\" prio=5 tid=1 Sleeping\n  | group=\"main\"\n  at java.lang.Thread.sleep(Native method)\n  at com.x.Main.onClick(Main.java:8)\n\n\"Binder\" prio=5 tid=2 Native\n  at a.b(C.java)\n----- end 24598 -----\n";
    let found = anr::parse(text).unwrap();
    assert_eq!(found.len(), 1);
    let anr = &found[0];
    assert_eq!(
        (anr.pid, anr.kind, anr.waited_ms),
        (Some(24598), Some("input"), Some(10007))
    );
    assert_eq!(
        (
            anr.activity.as_deref(),
            anr.load.as_deref(),
            anr.main_state.as_deref()
        ),
        (
            Some("com.x/.Main"),
            Some("1.0 / 2.0 / 3.0"),
            Some("Sleeping")
        )
    );
    assert_eq!(
        (anr.main_stack.len(), anr.app_frame.as_deref()),
        (2, Some("com.x.Main.onClick:8"))
    );
    assert_eq!(anr::parse("x").unwrap_err().code, "no-anr");
}

fn all(text: &str) {
    let _ = uiautomator::parse(text);
    let _ = java_crash::parse(text);
    let _ = native::parse(text);
    let _ = anr::parse(text);
    let _ = focus::parse(text);
    let _ = am::parse(text);
    let _ = devices::parse(text);
}

proptest! {
    #[test]
    fn no_bytes_make_a_parser_panic(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        all(&text::decode(&bytes));
    }

    #[test]
    fn no_damage_to_a_real_text_makes_a_parser_panic(which in 0..4_usize, cuts in proptest::collection::vec((any::<prop::sample::Index>(), 0..40_usize, "[<>&;#()\\[\\]\"'/=:\u{e9} a0-]{0,6}"), 1..6)) {
        let mut text = [dump(&NODE.repeat(3)), CRASH.to_owned(), STONE.to_owned(), "mCurrentFocus=Window{b4 u0 com.x/.A t1}\nANR in com.x\nStatus: ok\n".to_owned()][which].clone();
        for (at, len, with) in cuts {
            let chars: Vec<char> = text.chars().collect();
            if chars.is_empty() { break; }
            let from = at.index(chars.len());
            let to = (from + len).min(chars.len());
            text = chars[..from].iter().chain(&with.chars().collect::<Vec<_>>()).chain(&chars[to..]).collect();
        }
        all(&text);
    }

    #[test]
    fn what_we_write_as_a_dump_is_read_again(texts in proptest::collection::vec("\\PC{0,12}", 1..8)) {
        let nodes: Vec<_> = texts.iter().enumerate().map(|(ix, t)| crate::gui::RawNode {
            parent: ix as i64 - 1,
            class: "a.B".into(),
            text: t.clone(),
            flags: 2048 | 16,
            bounds: [0, 0, 5, 5].into(),
            ..Default::default()
        }).collect();
        let read = uiautomator::parse(&crate::gui::hierarchy::to_xml(&nodes, 2)).unwrap();
        prop_assert_eq!(read.rotation, 2);
        let again: Vec<_> = read.nodes.into_iter().map(|n| n.node).collect();
        prop_assert_eq!(again, nodes);
    }
}
