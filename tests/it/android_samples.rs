//! Real texts of real phones, where they are next to the checkout: each is understood by `inspect`, or refused for
//! the failure that it records. Without them the tests pass; `src/android/tests.rs` has texts of our own.

use std::fs;
use std::path::PathBuf;

use crate::common::program::{Ended, droidtest};
use crate::common::root;
use serde_json::Value;

fn samples(kind: &str) -> Vec<PathBuf> {
    let folder = root().join("../shared/samples").join(kind);
    let mut files: Vec<_> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|e| e != "tsv"))
        .collect();
    files.sort();
    if files.is_empty() {
        crate::common::skip::skip("there are no samples next to the checkout");
    }
    files
}

/// What `inspect` prints for each sample of a folder, with its file's stem.
fn inspected(folder: &str, kind: &str) -> Vec<(String, Value)> {
    inspect(kind, &samples(folder))
}

fn inspect(kind: &str, files: &[PathBuf]) -> Vec<(String, Value)> {
    if files.is_empty() {
        return Vec::new();
    }
    let mut command = droidtest(root());
    let ended = Ended::of(command.args(["inspect", "--kind", kind]).args(files));
    assert_eq!(ended.code, 0, "{}", ended.err);
    let found: Vec<_> = ended
        .out
        .lines()
        .map(|line| {
            let value: Value = serde_json::from_str(line).unwrap();
            let file = PathBuf::from(value["file"].as_str().unwrap());
            (
                file.file_stem().unwrap().to_string_lossy().into_owned(),
                value,
            )
        })
        .collect();
    assert_eq!(found.len(), files.len());
    found
}

#[test]
fn every_view_dump_has_its_nodes() {
    for (name, found) in inspected("uiautomator", "uiautomator") {
        let file = samples("uiautomator")
            .into_iter()
            .find(|f| f.file_stem().unwrap().to_string_lossy() == name)
            .unwrap();
        let text = fs::read_to_string(file).unwrap();
        assert_eq!(
            found["node-count"],
            text.matches("<node ").count(),
            "{name}"
        );
    }
}

#[test]
fn every_crash_log_has_its_crashes() {
    for (name, found) in inspected("crash", "crash") {
        let java = found["java-crashes"].as_array().unwrap();
        let native = found["native-crashes"].as_array().unwrap();
        assert!(!java.is_empty() || !native.is_empty(), "{name}");
        for crash in java {
            assert!(
                crash["class"].as_str().unwrap().contains(['.', 'E']),
                "{name}: {}",
                crash["class"]
            );
            assert!(crash["uncaught"].is_boolean(), "{name}");
            for thrown in crash["chain"].as_array().unwrap() {
                let message = thrown["message"].as_str().unwrap_or_default();
                assert!(!message.ends_with(" more"), "{name}: {message}");
            }
        }
        native.iter().for_each(|crash| has_no_address(&name, crash));
    }
}

/// The names of a native crash's files and symbols are the same in each process.
fn has_no_address(name: &str, crash: &Value) {
    for frame in crash["backtrace"].as_array().unwrap() {
        let file = frame["file"].as_str().unwrap();
        assert!(!file.contains(" (deleted)"), "{name}: {file}");
        let symbol = frame["symbol"].as_str().unwrap_or_default();
        let odd = ["deleted", "offset 0x", "BuildId"];
        assert!(
            !odd.iter().any(|o| symbol.starts_with(o)),
            "{name}: {symbol}"
        );
    }
}

/// Each tombstone read as lines of a log in these formats is the crash that the file is.
#[test]
fn every_tombstone_is_the_same_crash_in_a_log() {
    let folder = tempfile::tempdir().unwrap();
    let (mut files, mut fingerprints) = (Vec::new(), Vec::new());
    for ((name, found), file) in inspected("tombstone", "tombstone")
        .into_iter()
        .zip(samples("tombstone"))
    {
        let text = fs::read_to_string(file).unwrap();
        let forms: [fn(&str) -> String; 3] = [
            |line| format!("03-13 10:01:23.827 25670 25670 F DEBUG   : {line}\n"),
            |line| format!("F/DEBUG   (10012:25670): {line}\n"),
            |line| format!("[ 03-13 10:01:23.827 25670:25670 F/DEBUG    ]\n{line}\n\n"),
        ];
        for (ix, form) in forms.iter().enumerate() {
            let log = folder.path().join(format!("{name}-{ix}.txt"));
            fs::write(&log, text.lines().map(form).collect::<String>()).unwrap();
            files.push(log);
            fingerprints.push(found["native-crashes"][0]["fingerprint"].clone());
        }
    }
    let found: Vec<_> = inspect("tombstone", &files)
        .into_iter()
        .map(|(_, found)| found["native-crashes"][0]["fingerprint"].clone())
        .collect();
    assert_eq!(found, fingerprints);
}

#[test]
fn every_tombstone_anr_and_focus_is_read() {
    let mut causes = std::collections::BTreeSet::new();
    for (name, found) in inspected("tombstone", "tombstone") {
        let cause = found["native-crashes"][0]["fingerprint"].to_string();
        assert!(
            causes.insert(cause),
            "{name}: taken for another app's crash"
        );
        let crash = &found["native-crashes"][0];
        assert!(
            crash["signal"].is_number() && crash["process"].is_string(),
            "{name}"
        );
        assert!(!crash["backtrace"].as_array().unwrap().is_empty(), "{name}");
        has_no_address(&name, crash);
    }
    for (name, found) in inspected("anr", "anr") {
        assert!(found["anrs"][0]["process"].is_string(), "{name}");
    }
    for (name, found) in inspected("dumpsys", "dumpsys") {
        assert!(found["front"]["package"].is_string(), "{name}");
    }
}
