//! Traces that do not fit: reported with place and fix, and nothing else is lost.

use crate::common::program::Desk;
use std::fs;

const SUITE: &str = "[suite]\nname = \"s\"\nbudget = { events = 2500 }\nseeds = [5]\n\
    [[app]]\nname = \"notes\"\nmodel = \"builtin:notes\"\n[[strategy]]\nkind = \"random\"\n";

const HEAD: &str = "version = 1\n[app]\npackage = \"org.example.notes\"\n\
    [finding]\nkind = \"java-crash\"\nexception = \"java.lang.NullPointerException\"\n";

fn megabyte() -> String {
    "é".repeat(500_000)
}

#[test]
fn replay_and_minimize_say_alike_what_is_wrong_with_a_trace() {
    let desk = Desk::new(SUITE);
    let both = |trace: &[u8], words: &[&str]| {
        desk.write("t.toml", trace);
        for command in ["replay t.toml", "minimize t.toml"] {
            desk.refused(command, words);
        }
        assert!(!desk.path("t-minimized/minimized.toml").exists());
    };
    let step = |lines: &str| format!("{HEAD}[[step]]\n{lines}\n").into_bytes();
    both(
        &step("do = \"click\"\nidd = \"a\""),
        &["t.toml:9: unknown field `idd`", "did you mean `id`?"],
    );
    both(
        &HEAD
            .replace("org.example.notes", "com.other.app")
            .into_bytes(),
        &[
            "t.toml is a trace of com.other.app",
            "`notes`",
            "add the app to the suite",
        ],
    );
    both(
        &step("do = \"click\"\nid = \"gone\""),
        &["step 1 (click gone): the widget was not found"],
    );
    both(
        &HEAD.replace("version = 1\n", "").into_bytes(),
        &["missing field `version`", "help: add `version`"],
    );
    both(
        &HEAD.replace("version = 1\n", "version = 7\n").into_bytes(),
        &["t.toml:1: a trace of version 7; this tool reads version 1"],
    );
    both(
        &step("do = \"click\"\nid = \"a\"\nnth = -1"),
        &["t.toml:10: invalid value: integer `-1`, expected a whole number from 0"],
    );
    both(
        format!("{HEAD}fingerprint = \"zz\"\n").as_bytes(),
        &["t.toml:7: an invalid fingerprint", "16 digits"],
    );
    both(b"", &["t.toml", "missing field"]);
    both(
        &[&step("do = \"click\"")[..], b"id = \"\xff\"\n"].concat(),
        &["t.toml:9: not UTF-8", "save the trace as UTF-8 text"],
    );
}

#[test]
fn a_trace_that_several_apps_could_be_meant_by_is_refused_and_a_stand_in_is_told() {
    let other = "[[app]]\nname = \"older\"\nmodel = \"builtin:notes\"\n";
    let desk = Desk::new(&format!("{SUITE}{other}"));
    let named = |name: &str| {
        let name = format!("[app]\nname = \"{name}\"\n");
        format!(
            "{}[[step]]\ndo = \"back\"\n",
            HEAD.replace("[app]\n", &name)
        )
    };
    let words = ["`notes` and `older` of the suite have it", "--app"];
    for name in ["", "ontes"] {
        desk.write("t.toml", named(name));
        desk.refused("replay t.toml", &words);
        desk.refused("minimize t.toml", &words);
    }
    for command in ["replay t.toml --app older", "replay t.toml"] {
        let said = desk.tool(command);
        assert_eq!(said.code, 0, "{}{}", said.out, said.err);
        let reported = said.err.contains("the app `older` instead of `ontes`");
        assert_eq!(reported, !command.ends_with("toml"), "{}", said.err);
        desk.write("t.toml", named("notes"));
    }
}

#[test]
fn texts_of_a_megabyte_are_read_and_told_in_a_few_lines() {
    let desk = Desk::new(SUITE);
    let long = megabyte();
    let refused = |step: &str, words: &[&str]| {
        desk.write("t.toml", format!("{HEAD}[[step]]\n{step}\n"));
        desk.refused("replay t.toml", words);
    };
    refused(
        &format!("do = \"click\"\ntext = \"{long}\""),
        &["step 1 (click “é", "the widget was not found"],
    );
    refused(
        &format!("do = \"{long}\"\nid = \"a\""),
        &["t.toml:8: step 1: unknown step `é", "valid steps: click"],
    );
    refused(
        &format!("do = \"click\"\nidd = \"{long}\""),
        &["t.toml:9: unknown field `idd`", "did you mean `id`?"],
    );
    // Typed, it is typed.
    let typed = "caption = \"Search notes\"";
    desk.write(
        "t.toml",
        format!("{HEAD}[[step]]\ndo = \"click\"\ntext = \"Search\"\n[[step]]\ndo = \"type\"\n{typed}\ninput = \"{long}\"\n"),
    );
    let said = desk.tool("replay t.toml");
    assert_eq!(said.code, 0, "{}{}", said.out, said.err);
    assert!(said.out.len() < 2000);
    assert!(said.out.contains("in 2 steps"), "{}", said.out);
}

#[test]
fn a_trace_edited_beyond_reading_costs_the_other_findings_of_a_run_nothing() {
    let desk = Desk::new(&format!("{SUITE}[minimize]\nenabled = false\n"));
    assert_eq!(desk.tool("run --run-id r").code, 100);
    let findings = desk.path("target/droidtest/r/sessions/notes-sim-random-5/findings");
    let mut folders: Vec<_> = fs::read_dir(findings)
        .unwrap()
        .map(|folder| folder.unwrap().path())
        .collect();
    folders.sort();
    assert!(folders.len() >= 2);
    let mut text = fs::read_to_string(folders[0].join("trace.toml")).unwrap();
    text += "\n[[step]]\ndo = \"clik\"\nid = \"a\"\n";
    fs::write(folders[0].join("trace.toml"), text).unwrap();
    let said = desk.tool("minimize target/droidtest/r");
    assert_eq!(said.code, 100, "{}", said.err);
    let warning = said.err.lines().find(|line| line.contains("warning"));
    let warning = warning.unwrap_or_else(|| panic!("{}", said.err));
    assert!(
        warning.contains("trace.toml:") && warning.contains("did you mean `click`?"),
        "{warning}"
    );
    assert!(!folders[0].join("minimized.toml").exists());
    for folder in &folders[1..] {
        assert!(
            folder.join("minimized.toml").is_file(),
            "{}",
            folder.display()
        );
    }
}
