//! An exported script of adb commands, run by the stock adb against the rig.

use droidtest::export::{self, Language, Tool};
use droidtest::trace::{self, Trace};
use droidtest_rig::Config;
use droidtest_rig::bench::{Bench, notes};
use std::process::Command;

/// A trace of the sample app with these steps.
fn trace(finding: &str, steps: &str) -> Trace {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("trace.toml");
    let text = format!(
        "version = 1\n[app]\npackage = \"{}\"\n[finding]\n{finding}\n{steps}",
        notes().package
    );
    std::fs::write(&file, text).unwrap();
    trace::load(&file).unwrap()
}

/// Exports a trace and runs it on a rig with the sample app; the exit code and what it prints.
fn run(trace: &Trace, variables: &[(&str, &str)]) -> (i32, String) {
    let bench = Bench::new(Config::sim(34, "notes"));
    drop(bench.device(false));
    let exported = export::export(trace, Tool::Adb, Language::default(), "");
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("finding.sh");
    std::fs::write(&script, &exported.text).unwrap();
    let done = Command::new("sh")
        .arg(&script)
        .env("ADB", droidtest_rig::adb())
        .env("ANDROID_SERIAL", bench.rig.serial())
        .env("ANDROID_ADB_SERVER_PORT", bench.server.port.to_string())
        .env("PAUSE", "0.1")
        .envs(variables.iter().copied())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    (done.status.code().unwrap_or(-1), said)
}

const CRASH: &str =
    "kind = \"java-crash\"\nexception = \"java.util.UnknownFormatConversionException\"";

#[test]
fn a_script_leads_to_the_crash_and_says_so() {
    let steps = "[[step]]\ndo = \"click\"\ntext = \"New note\"\n\
        [[step]]\ndo = \"type\"\nclass = \"android.widget.EditText\"\ninput = \"50%\"\n\
        [[step]]\ndo = \"click\"\ntext = \"Preview\"\n";
    let (code, said) = run(&trace(CRASH, steps), &[]);
    assert_eq!(code, 0, "{said}");
    assert!(said.ends_with("reproduced\n"), "{said}");
}
