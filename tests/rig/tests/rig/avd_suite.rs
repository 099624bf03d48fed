//! A complete suite with `kind = "avd"`, as `cargo xtask rig` runs it, in short: an emulator is made and started, the
//! sample app itself is explored on it and crashes, the crash is minimized on it, the clean state is gone back to, and
//! nothing is left. Told from what the run leaves behind.

use droidtest_rig::sdk::Sdk;
use std::path::Path;

/// One planted crash lies two steps from the start (`planted.toml`); the script takes a way around.
const SUITE: &str = r#"
[suite]
name = "avd"
budget = { events = 8 }
seeds = [7, 8]

[[app]]
name = "notes"
apk = "APK"

[[app.script]]
name = "to-a-crash"
activity = "SignInActivity"
step = [
    { do = "rotate" },
    { do = "click", id = "skip" },
    { do = "click", id = "sort" },
]

[[device]]
name = "pixel"
kind = "avd"
profile = "pixel_6"
install = true

[[strategy]]
kind = "random"
system-rate = 0.0

[minimize]
replays = 6
confirm = 1
"#;

#[test]
fn a_suite_on_an_emulator_comes_to_its_end_with_all_that_it_hands_over() {
    let folder = tempfile::tempdir().unwrap();
    let sdk = Sdk::new(folder.path(), Path::new(env!("CARGO_BIN_EXE_rig-sdk")));
    let apk = Path::new(env!("CARGO_MANIFEST_DIR")).join("../apps/notes/notes.apk");
    let suite = SUITE.replace("APK", &apk.display().to_string());
    // The APK itself runs behind the emulator, on the jvm device.
    let out = sdk.run(&suite, &[]);
    let said = String::from_utf8_lossy(&out.stderr);
    assert_eq!(out.status.code(), Some(100), "{said}");
    assert_eq!(sdk.left_behind(), [""; 0], "{said}");
    let state = folder.path().join("rig-state");
    let avds = std::fs::read_dir(state.join("avds")).unwrap().count();
    let images = std::fs::read_dir(state.join("images")).unwrap().count();
    // Replays may have had one next to it.
    assert!((1..=2).contains(&avds) && images == 1, "{avds} {images}");

    let summary = sdk.summary();
    let sessions = summary["sessions"].as_array().unwrap();
    assert_eq!(sessions.len(), 2, "{said}");
    let mut restored = 0;
    for session in sessions {
        assert_eq!(session["events"], 8, "{session}");
        assert_eq!(session["device_failures"], serde_json::json!([]));
        let snapshots = &session["snapshots"];
        assert_eq!(
            snapshots["failures"],
            serde_json::Value::Null,
            "{snapshots}"
        );
        restored += snapshots["restored"].as_u64().unwrap();
    }
    assert_eq!(
        restored, 1,
        "the second session begins with the first one's clean state"
    );

    let run = folder.path().join("target/droidtest/latest");
    let read = |file: &Path| {
        std::fs::read_to_string(file).unwrap_or_else(|e| panic!("{}: {e}", file.display()))
    };
    let is_planted = |f: &&serde_json::Value| {
        f["exception"] == "java.lang.NullPointerException"
            && f["activity"] == "org.droidtest.notes.NotesActivity"
    };
    let mut found = sessions
        .iter()
        .flat_map(|s| s["findings"].as_array().unwrap());
    let finding = found.find(is_planted).unwrap_or_else(|| panic!("{said}"));
    assert_eq!(finding["minimized_length"], 2, "{finding}");
    let trace = run.join(finding["trace"].as_str().unwrap());
    assert!(trace.ends_with("minimized.toml"), "{}", trace.display());
    let trace = read(&trace);
    assert!(trace.contains("skip") && trace.contains("sort"), "{trace}");
    assert!(!trace.contains("rotate"), "{trace}");
    let junit = read(&run.join("junit.xml"));
    assert!(
        junit.contains("NullPointerException") && junit.contains("<failure"),
        "{junit}"
    );
    let html = read(&run.join("report.html"));
    assert!(html.contains("NullPointerException") && html.contains("1 restored in "));
}
