//! The same APK and seed on a `jvm` device and on an adb device with a jvm device behind it: the same pages, events,
//! toasts and findings in the journal. This holds everything between the tool and a phone to account: adb's protocol,
//! the agent's, the log, the shell. What Android itself does is another matter.

use droidtest_rig::sdk::Sdk;
use droidtest_rig::{Behind, Config, Phone, Rig};
use serde_json::Value;
use std::path::Path;
use std::sync::atomic::Ordering;

/// What an adb device cannot know, since no phone tells it: probes and classes (coverage is the app's hook's to give),
/// what a coverage-driven reward makes of them, and which intents the device behind refused to send elsewhere.
const UNKNOWN_TO_ADB: [&str; 4] = ["probes", "reward", "left", "changed"];

/// The text with what starts with such characters behind each mark left out.
fn without(text: &str, mark: &str, of: impl Fn(char) -> bool) -> String {
    let mut parts = text.split(mark);
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |all, part| all + mark + part.trim_start_matches(&of))
}

/// The session's journal without the lines and fields that an adb device cannot have.
fn journal(folder: &Path, device: &str) -> Vec<Value> {
    let file = folder.join(format!(
        "target/droidtest/latest/sessions/notes-{device}-random-7/journal.jsonl"
    ));
    let text = std::fs::read_to_string(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    let mut lines: Vec<Value> = text
        .lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .collect();
    lines.retain(|l| l["e"] != "session" && l["e"] != "class");
    for line in &mut lines {
        let fields = line.as_object_mut().unwrap();
        if let Some(Value::String(text)) = fields.get_mut("evidence") {
            // A process's number is the system's to choose, an object's (`Receiver@2e7bee1b`) Java's.
            let process = without(text, "PID: ", |c| c.is_ascii_digit());
            *text = without(&process, "@", |c| c.is_ascii_hexdigit());
        }
        for name in UNKNOWN_TO_ADB {
            fields.remove(name);
        }
    }
    lines
}

#[test]
fn a_session_over_adb_sees_what_the_device_behind_it_sees() {
    let folder = tempfile::tempdir().unwrap();
    let sdk = Sdk::new(folder.path(), Path::new(env!("CARGO_BIN_EXE_rig-sdk")));
    let work = tempfile::tempdir().unwrap();
    let behind = Behind::Jvm {
        work: work.path().to_owned(),
        seed: 7,
    };
    let phone = Phone::new(Config {
        behind,
        ..Config::sim(34, "notes")
    });
    // The device behind takes broadcasts that only the system may send, a phone's shell only as root.
    phone.rooted.store(true, Ordering::Relaxed);
    let rig = Rig::start(phone, 0).unwrap();
    sdk.server.connect(&rig.serial());
    let apk = Path::new(env!("CARGO_MANIFEST_DIR")).join("../apps/notes/notes.apk");
    let suite = format!(
        "[suite]\nname = \"s\"\nbudget = {{ events = 160 }}\nseeds = [7]\n[[app]]\nname = \"notes\"\napk = {apk:?}\n\
         [[device]]\nname = \"jvm\"\nkind = \"jvm\"\n[[device]]\nname = \"wire\"\nkind = \"adb\"\nserial = \"{}\"\n\
         [[strategy]]\nkind = \"random\"\nsystem-rate = 0.1\n[faults]\nrate = 0\n[minimize]\nenabled = false\n[report]\nhtml = false\n",
        rig.serial()
    );
    let out = sdk.run(&suite, &[]);
    let code = out.status.code();
    let said = String::from_utf8_lossy(&out.stderr);
    assert!(code == Some(0) || code == Some(100), "{code:?}: {said}");
    let (jvm, wire) = (
        journal(folder.path(), "jvm"),
        journal(folder.path(), "wire"),
    );
    for (at, (one, other)) in jvm.iter().zip(&wire).enumerate() {
        assert_eq!(one, other, "line {at} differs");
    }
    assert_eq!(jvm.len(), wire.len());
    let of = |kind: &str| jvm.iter().filter(|l| l["e"] == kind).count();
    assert_eq!(of("step"), 160);
    assert!(of("page") >= 10, "{} pages", of("page"));
    assert!(of("finding") >= 1 && of("launch") >= 2);
    let system = |what: &str| jvm.iter().any(|l| l["event"]["do"] == what);
    assert!(system("rotate") && system("home") && system("broadcast"));
}
