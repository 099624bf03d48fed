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
    run_on(&Bench::new(Config::sim(34, "notes")), trace, variables)
}

/// The same on this rig.
fn run_on(bench: &Bench, trace: &Trace, variables: &[(&str, &str)]) -> (i32, String) {
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

const EDITOR: &str = "[[step]]\ndo = \"click\"\ntext = \"New note\"\n";

#[test]
fn another_crash_is_not_this_one_and_a_missing_widget_is_named() {
    let steps = format!(
        "{EDITOR}[[step]]\ndo = \"type\"\nclass = \"android.widget.EditText\"\nsecret = \"a note\"\n\
         [[step]]\ndo = \"click\"\ntext = \"Preview\"\n"
    );
    let other = trace(&format!("{CRASH}\nframe = \"org.x.Elsewhere.go\""), &steps);
    let (code, said) = run(&other, &[("TEXT_A_NOTE", "50%")]);
    assert_eq!(code, 1, "{said}");
    assert!(said.ends_with("not reproduced\n"), "{said}");
    let (code, said) = run(&other, &[]);
    assert!(code != 0 && said.contains("TEXT_A_NOTE"), "{code} {said}");
    let missing = trace(CRASH, "[[step]]\ndo = \"click\"\ntext = \"No such\"\n");
    let (code, said) = run(&missing, &[]);
    assert_eq!(code, 2, "{said}");
    assert!(
        said.ends_with("step 1: the widget is not on the screen\n"),
        "{said}"
    );
}

#[test]
fn a_text_reaches_the_field_whatever_is_in_it() {
    let hostile = "5%s 'q' \"$HOME\" $(reboot) `reboot` ${x}; reboot & | > <";
    let quoted = serde_json::to_string(hostile).unwrap();
    let steps = format!(
        "{EDITOR}[[step]]\ndo = \"type\"\nclass = \"android.widget.EditText\"\ninput = {quoted}\n\
         [[step]]\ndo = \"home\"\n[[step]]\ndo = \"wait\"\nms = 1\n"
    );
    let bench = Bench::new(Config::sim(34, "notes"));
    let (code, said) = run_on(&bench, &trace("kind = \"rotation-loss\"", &steps), &[]);
    assert_eq!(code, 3, "{said}");
    let state = droidtest_rig::pipe_lock(&bench.rig.phone.state);
    assert_eq!(state.typed, hostile);
}
