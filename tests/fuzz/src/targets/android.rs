//! What Android prints, and what the agent sends.

use super::text;
use crate::corpus::{folder, texts};
use crate::{Run, Sources, Target};
use droidtest::android::{
    am, anr, devices, dropbox, focus, java_crash, logcat, native, stack, uiautomator,
};
use droidtest::device::message::Incoming;
use droidtest::device::wire;
use droidtest::gui::Page;
use droidtest::gui::hierarchy::to_xml;
use droidtest::util::intern::Interner;
use droidtest::util::text::{for_file_name, for_terminal, for_xml, shorten};

const LOG: &str = "\
--------- beginning of crash
11-21 20:00:01.123  1234  1250 E AndroidRuntime: FATAL EXCEPTION: main
11-21 20:00:01.123  1234  1250 E AndroidRuntime: Process: org.example.app, PID: 1234
11-21 20:00:01.123  1234  1250 E AndroidRuntime: java.lang.IllegalStateException: x
11-21 20:00:01.123  1234  1250 E AndroidRuntime: \tat org.example.app.Main.run(Main.java:12)
11-21 20:00:01.123  1234  1250 E AndroidRuntime: Caused by: java.lang.NullPointerException
11-21 20:00:01.123  1234  1250 E AndroidRuntime: \t... 3 more
11-21 20:00:02.000  1234  1234 I Choreographer: Skipped 30 frames
";
const DUMP: &str = r#"<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation="0"><node index="0" text="A &amp; B" resource-id="a:id/b" class="android.widget.Button" package="a" content-desc="" checkable="false" checked="false" clickable="true" enabled="true" focusable="true" focused="false" scrollable="false" long-clickable="false" password="false" selected="false" bounds="[0,0][1080,1920]" /></hierarchy>"#;
const TOMBSTONE: &str = "\
*** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***
Build fingerprint: 'google/sdk/generic:14/UE1A/1:user/release-keys'
pid: 77, tid: 78, name: Thread-2  >>> org.example.app <<<
signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0000000000000010
backtrace:
      #00 pc 0000000000012345  /data/app/lib/arm64/libx.so (draw+20) (BuildId: ab)
      #01 pc 000000000001f3a0  /apex/com.android.runtime/lib64/bionic/libc.so (__pthread_start+264)
";
const TRACES: &str = "\
----- pid 99 at 2024-01-01 00:00:00 -----
Cmd line: org.example.app
\"main\" prio=5 tid=1 Sleeping
  | group=\"main\" sCount=1
  at java.lang.Thread.sleep(Native method)
  at org.example.app.Main.slow(Main.java:7)

----- end 99 -----
";
const DROPBOX: &str = "\
Drop box contents: 2 entries
Max entries: 1000

========================================
2026-11-22 13:45:01 data_app_crash (compressed text, 812 bytes)
Process: org.example.app
PID: 4001

java.lang.IllegalStateException: x
\tat org.example.app.Main.run(Main.java:12)

========================================
2026-11-22 13:45:07 data_app_anr (contents lost)
";
const FOCUS: &str = "\
  mCurrentFocus=Window{1a2b3c u0 org.example.app/org.example.app.Main}
  mFocusedApp=ActivityRecord{4d5e6f u0 org.example.app/.Main t12}
    topResumedActivity=ActivityRecord{4d5e6f u0 org.example.app/.Main t12}
";
const STARTED: &str = "Starting: Intent { cmp=org.example.app/.Main }\nStatus: ok\nLaunchState: COLD\nActivity: org.example.app/.Main\nTotalTime: 412\nWaitTime: 420\nComplete\n";
const DEVICES: &str = "List of devices attached\nemulator-5554          device product:sdk model:sdk device:generic transport_id:1\n0123456789ABCDEF       unauthorized usb:1-1 transport_id:2\n\n";
pub(super) const ANSWER: &str = r#"{"id":3,"obs":{"alive":true,"activity":"a.Main","rotation":0,"screen":[411,891],"page":[{"p":-1,"c":"android.widget.FrameLayout","b":[0,0,411,891],"f":2064},{"p":0,"c":"android.widget.Button","i":"a:id/b","t":"x","b":[0,0,10,10],"f":2065,"l":1},{"p":0,"c":"android.widget.ListView","b":[0,10,411,800],"f":2192,"sc":3}],"probes":[[0,1]],"classes":[[0,"a/Main",4]],"log":[],"virtual_ms":5,"settled":true}}"#;

pub fn targets(sources: &Sources) -> Vec<Target> {
    let samples = |name: &str, ending: &str, own: &str| {
        let mut all = folder(&sources.shared.join("samples").join(name), ending);
        all.push(own.as_bytes().to_vec());
        all
    };
    let read = |read: fn(&str) -> bool| -> Run { Box::new(move |bytes| read(&text(bytes))) };
    const LOG_WORDS: &[&str] = &[
        "FATAL EXCEPTION: ",
        "\tat ",
        "Caused by: ",
        "PID: ",
        "Process: ",
        "\t... 9 more",
        "E/AndroidRuntime( 1): ",
    ];
    vec![
        Target {
            name: "uiautomator",
            corpus: samples("uiautomator", "xml", DUMP),
            words: &[
                "<node ",
                "/>",
                "</node>",
                "bounds=\"[0,0][9,9]\"",
                "text=\"",
                "&#x0;",
                "rotation=\"",
                "<hierarchy>",
                "ERROR: could not get idle state.",
            ],
            run: read(dump),
        },
        Target {
            name: "logcat",
            corpus: samples("crash", "txt", LOG),
            words: LOG_WORDS,
            run: read(|text| {
                let records = logcat::records(text).filter(|r| r.level() > 0).count();
                for line in text.lines().take(200) {
                    let _ = logcat::record(line);
                }
                cleaned(text);
                records > 0
            }),
        },
        Target {
            name: "java-crash",
            corpus: samples("crash", "txt", LOG),
            words: LOG_WORDS,
            run: read(|text| {
                let _ = stack::parse(text);
                java_crash::parse(text).is_ok()
            }),
        },
        Target {
            name: "anr",
            corpus: samples("anr", "txt", TRACES),
            words: &[
                "ANR in ",
                "PID: ",
                "Reason: ",
                "\"main\" prio=5 tid=1 ",
                "  at ",
                "----- pid ",
                "----- end ",
            ],
            run: read(|text| anr::parse(text).is_ok()),
        },
        Target {
            name: "tombstone",
            corpus: samples("tombstone", "txt", TOMBSTONE),
            words: &[
                "*** *** ***",
                "signal ",
                ">>> ",
                " <<<",
                "backtrace:",
                "#00 pc ",
                "Abort message: '",
                "pid: ",
            ],
            run: read(|text| native::parse(text).is_ok()),
        },
        Target {
            name: "dropbox",
            corpus: texts(&[DROPBOX]),
            words: &[
                "========================================",
                "2026-11-22 13:45:01 ",
                "data_app_anr",
                " (compressed text, 812 bytes)",
                " (contents lost)",
                "Process: ",
                "PID: ",
            ],
            run: read(|text| {
                let _ = dropbox::listed(text);
                let entries = dropbox::printed(text);
                entries.iter().any(|entry| entry.process().0.is_some())
            }),
        },
        Target {
            name: "dumpsys",
            corpus: samples("dumpsys", "txt", FOCUS),
            words: &[
                "mCurrentFocus=",
                "Window{",
                "u0 ",
                "ActivityRecord{",
                "/.",
                "mResumedActivity",
                "}",
            ],
            run: read(|text| focus::parse(text).is_ok()),
        },
        Target {
            name: "adb",
            corpus: {
                let mut all = folder(&sources.shared.join("samples/adb"), "txt");
                all.extend(texts(&[STARTED, DEVICES]));
                all
            },
            words: &[
                "Status: ",
                "Activity: ",
                "Error: ",
                "TotalTime: ",
                "device",
                "offline",
                "transport_id:",
            ],
            run: read(|text| am::parse(text).is_ok() | devices::parse(text).is_ok()),
        },
        Target {
            name: "agent",
            corpus: texts(&[
                ANSWER,
                r#"{"notice":"blocked","ms":5100,"stack":"main\n\tat a.B.c(B.java:1)","in_app":true}"#,
                r#"{"id":1,"error":{"kind":"launch","message":"no activity"}}"#,
            ]),
            words: &[
                "\"obs\":",
                "\"nodes\":",
                "null",
                "-1",
                "\"bounds\":",
                "\"log\":",
                "\"crash\":",
                "[",
                "{",
            ],
            run: Box::new(agent),
        },
    ]
}

/// Read, made a page of, written as XML, read again.
fn dump(text: &str) -> bool {
    let Ok(dump) = uiautomator::parse(text) else {
        return false;
    };
    let _ = dump.extent();
    cleaned(text);
    true
}

fn cleaned(text: &str) {
    let clean = for_xml(text);
    assert!(
        !for_terminal(&clean).contains('\u{1b}'),
        "escapes reach no terminal"
    );
    let _ = shorten(text, 40);
    assert!(
        !for_file_name(text).contains(['/', '\\', '\0']),
        "names stay in their folder"
    );
}

/// A frame's body, as it is and behind a separate length, and the page in it.
fn agent(bytes: &[u8]) -> bool {
    let mut body = Vec::new();
    let _ = wire::read_frame(&mut &*bytes, &mut body);
    let Ok(message) = serde_json::from_slice::<Incoming>(bytes) else {
        return false;
    };
    used(message);
    true
}

/// The page that an answer holds, and that page written.
pub(super) fn used(message: Incoming) {
    if let Some(obs) = message.obs
        && let Some(nodes) = &obs.page
    {
        let mut interner = Interner::default();
        let _ = Page::build(
            nodes,
            &obs.activity,
            obs.rotation,
            obs.screen,
            &mut interner,
        );
        let _ = to_xml(nodes, obs.rotation);
    }
}
