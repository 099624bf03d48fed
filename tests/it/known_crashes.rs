//! Crashes that the trackers of real apps report, as traces written manually: each comes on the jvm device.
//!
//! The APKs are in the folder named by `DROIDTEST_APKS`; without it there is nothing to replay and the test passes.

use crate::common::{files, root};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn traces() -> Vec<PathBuf> {
    files(&root().join("tests/known-crashes"))
}

/// A suite of the apps that the traces name; an app is called as its APK.
fn suite(apks: &Path) -> String {
    let mut suite =
        "[suite]\nname = \"known-crashes\"\n[[device]]\nname = \"jvm\"\nkind = \"jvm\"\n"
            .to_owned();
    for file in traces() {
        let trace = droidtest::trace::read(&fs::read_to_string(&file).unwrap(), &file).unwrap();
        let name = &trace.app.name;
        let apk = apks.join(format!("{name}.apk"));
        let apk = toml::Value::from(apk.to_str().unwrap());
        suite += &format!("[[app]]\nname = \"{name}\"\napk = {apk}\n");
    }
    suite
}

#[test]
fn crashes_known_from_trackers_come_again() {
    let Some(apks) = std::env::var_os("DROIDTEST_APKS").map(PathBuf::from) else {
        return crate::common::skip::skip("DROIDTEST_APKS names no folder");
    };
    let apks = fs::canonicalize(apks).unwrap();
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("droidtest.toml"), suite(&apks)).unwrap();
    let out = Command::new(env!("CARGO_BIN_EXE_cargo-droidtest"))
        .args(["replay", "--message-format", "json"])
        .args(traces())
        .current_dir(folder.path())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&out.stdout);
    let said: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let err = String::from_utf8_lossy(&out.stderr);
    assert_eq!(said.len(), traces().len(), "{err}");
    let missed: Vec<_> = said
        .iter()
        .filter(|one| one["result"] != "reproduced")
        .collect();
    assert!(missed.is_empty(), "{missed:#?}");
}
