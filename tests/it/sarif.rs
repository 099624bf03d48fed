//! SARIF, annotations and the summary of a job, from a run of the program.

use crate::common::program::{Desk, Ended};
use crate::common::root;
use crate::common::shop;
use serde_json::{Value, json};
use std::fs;

const SUITE: &str = "[suite]\nname = \"s\"\nbudget = { events = 40 }\nseeds = [5]\n\
    [[app]]\nname = \"shop\"\nmodel = \"shop.json\"\nsources = [\"app/src/main/java\"]\n[[strategy]]\nkind = \"random\"\n[gate]\n";

#[test]
fn a_new_finding_is_at_its_code_line_everywhere() {
    let desk = Desk::new(SUITE);
    desk.write("shop.json", shop::model("::error::x ##[error]50%"));
    let missing = desk.tool("run");
    assert_eq!(missing.code, 96, "{}", missing.err);
    assert!(missing.err.contains("folder of sources"), "{}", missing.err);
    desk.write("app/src/main/java/org/x/Main.java", "class Main {}");
    let mut command = desk.command("run --run-id one");
    command
        .env("GITHUB_ACTIONS", "true")
        .env("GITHUB_STEP_SUMMARY", desk.path("summary.md"));
    let run = Ended::of(&mut command);
    assert_eq!(run.code, 100, "{}", run.err);
    let file = "app/src/main/java/org/x/Main.java";
    let annotation =
        format!("::error file={file},line=7,title=new crash%3A shop::Main.save (Main.java:7): ");
    let commands: Vec<_> = run.out.lines().filter(|l| l.starts_with("::")).collect();
    assert_eq!(commands.len(), 1, "{}", run.out);
    assert!(
        commands[0].starts_with(&annotation) && commands[0].contains("50%25"),
        "{}",
        run.out
    );
    let is_command = |line: &str| line.trim_start().starts_with("::") || line.contains("##[");
    assert!(!run.err.lines().any(is_command), "{}", run.err);
    let log: Value =
        serde_json::from_slice(&desk.read("target/droidtest/one/droidtest.sarif")).unwrap();
    let schema = fs::read(root().join("tests/fixtures/sarif/sarif-schema-2.1.0.json")).unwrap();
    let schema: Value = serde_json::from_slice(&schema).unwrap();
    let problems = jsonschema::validator_for(&schema).unwrap();
    let problems: Vec<_> = problems.iter_errors(&log).map(|e| e.to_string()).collect();
    assert!(problems.is_empty(), "{problems:?}");
    let result = &log["runs"][0]["results"][0];
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], file);
    assert_eq!(place["region"]["startLine"], 7);
    assert_eq!(
        (&result["level"], &result["baselineState"]),
        (&json!("error"), &json!("new"))
    );
    assert_eq!(result["ruleId"], "crash/java.lang.IllegalStateException");
    let summary = String::from_utf8(desk.read("summary.md")).unwrap();
    assert!(summary.contains("**failed: 1 new**"), "{summary}");
    assert!(
        summary
            .contains("| new | Main.save \\(Main.java&#58;7\\) | java.lang.IllegalStateException"),
        "{summary}"
    );
    // Known: a note, no annotation.
    assert_eq!(desk.tool("gate init one").code, 0);
    let mut command = desk.command("run --run-id two");
    let run = Ended::of(command.env("GITHUB_ACTIONS", "true"));
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(!run.out.contains("::error"), "{}", run.out);
    assert!(run.err.contains(", known)"), "{}", run.err);
    let log: Value =
        serde_json::from_slice(&desk.read("target/droidtest/two/droidtest.sarif")).unwrap();
    let after = &log["runs"][0]["results"][0];
    assert_eq!(
        (&after["level"], &after["baselineState"]),
        (&json!("note"), &json!("unchanged"))
    );
    for key in ["ruleId", "locations", "partialFingerprints"] {
        assert_eq!(after[key], result[key], "{key}");
    }
    // Judged again without the entry, as `run` does.
    desk.write("droidtest-baseline.toml", "version = 1\n");
    let mut command = desk.command("gate two");
    command
        .env("GITHUB_ACTIONS", "true")
        .env("GITHUB_STEP_SUMMARY", desk.path("gate.md"));
    let gate = Ended::of(&mut command);
    assert_eq!(gate.code, 100, "{}", gate.err);
    assert!(gate.out.contains(&annotation), "{}", gate.out);
    let summary = String::from_utf8(desk.read("gate.md")).unwrap();
    assert!(summary.contains("**failed: 1 new**"), "{summary}");
    // `sarif = false` writes none.
    desk.write(
        "droidtest.toml",
        format!("{SUITE}[report]\nsarif = false\ngithub = false\n"),
    );
    let mut command = desk.command("run --run-id three");
    Ended::of(command.env("GITHUB_ACTIONS", "true"));
    assert!(!desk.path("target/droidtest/three/droidtest.sarif").exists());
}
