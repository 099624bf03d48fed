//! The gate end to end: a made-up project on the sim device with a base build, a baseline, and changes of the app.

use crate::common::program::{Desk, Ended};
use serde_json::{Value, json};
use std::fs;

const SUITE: &str = "[suite]\nname = \"s\"\nbudget = { events = 60 }\nseeds = [5]\n\
    [[app]]\nname = \"shop\"\nmodel = \"shop.json\"\n[[strategy]]\nkind = \"random\"\n[gate]\n";

/// A model with a button for each crash.
pub fn model(package: &str, crashes: &[&str]) -> String {
    let mut transitions = vec![json!({
        "transition_id": "more", "type": "button", "text": "More", "destination": "More",
        "blocks": ["org.x.Main.onMore:1"]
    })];
    for name in crashes {
        let crash = json!({
            "exception": "java.lang.IllegalStateException", "message": name,
            "frame": format!("org.x.Main.{name}(Main.java:7)")
        });
        transitions.push(json!({
            "transition_id": name, "type": "button", "text": name, "destination": "Main",
            "crash": crash, "blocks": [format!("org.x.Main.{name}:1")]
        }));
    }
    let back = json!({
        "transition_id": "back", "type": "button", "text": "Less", "destination": "Main",
        "blocks": ["org.x.More.onLess:1"]
    });
    json!({
        "meta": { "name": "shop", "package": package, "strings": ["a"] },
        "nodes": [
            { "node_id": "Main", "title": "Main", "blocks": ["org.x.Main.onCreate:1"], "transitions": transitions },
            { "node_id": "More", "title": "More", "blocks": ["org.x.More.onCreate:1"], "transitions": [back] }
        ]
    })
    .to_string()
}

pub struct Project {
    pub desk: Desk,
}

impl Project {
    /// A project whose app has these crashes.
    pub fn new(crashes: &[&str]) -> Self {
        let project = Self {
            desk: Desk::new(SUITE),
        };
        project.build(crashes);
        project
    }

    pub fn build(&self, crashes: &[&str]) {
        self.desk.write("shop.json", model("org.x", crashes));
    }

    pub fn tool(&self, args: &[&str]) -> (i32, String, String) {
        Ended::of(self.desk.command("").args(args)).parts()
    }

    /// Runs the suite; the exit code and the verdict.
    fn run(&self, id: &str, args: &[&str]) -> (i32, Value) {
        let mut all = vec!["run", "--run-id", id];
        all.extend(args);
        let (code, _, err) = self.tool(&all);
        let text = fs::read(self.desk.path(&format!("target/droidtest/{id}/gate.json")));
        let text = text.unwrap_or_else(|e| panic!("{e}: {err}"));
        (code, serde_json::from_slice(&text).unwrap())
    }

    pub fn baseline(&self) -> String {
        fs::read_to_string(self.desk.path("droidtest-baseline.toml")).unwrap()
    }
}

/// Method and status of each finding.
fn statuses(verdict: &Value) -> Vec<(String, String)> {
    let findings = verdict["findings"].as_array().unwrap().iter();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let mut all: Vec<_> = findings
        .map(|f| {
            let frame = text(&f["frame"]);
            let method = frame.split('(').next().unwrap().rsplit('.').next();
            (method.unwrap().to_owned(), text(&f["status"]))
        })
        .collect();
    all.sort();
    all
}

pub fn are(verdict: &Value, wanted: &[(&str, &str)]) {
    let wanted: Vec<_> = wanted
        .iter()
        .map(|(a, b)| ((*a).to_owned(), (*b).to_owned()))
        .collect();
    assert_eq!(statuses(verdict), wanted, "{verdict:#}");
}

#[test]
fn a_project_hears_of_new_findings_only() {
    let project = Project::new(&["open", "save"]);
    // Without a baseline every finding is new.
    let (code, first) = project.run("base", &[]);
    assert_eq!(code, 100);
    are(&first, &[("open", "new"), ("save", "new")]);
    assert!(first["notices"][0].as_str().unwrap().contains("gate init"));
    let (code, _, err) = project.tool(&["gate", "init", "base"]);
    assert_eq!(code, 0, "{err}");
    assert_eq!(project.baseline().matches("\n[[current]]").count(), 2);
    // No change.
    let (code, same) = project.run("same", &[]);
    assert_eq!(code, 0);
    are(&same, &[("open", "known"), ("save", "known")]);
    // A new crash.
    project.build(&["open", "save", "send"]);
    let (code, new) = project.run("new", &[]);
    assert_eq!(code, 100);
    are(
        &new,
        &[("open", "known"), ("save", "known"), ("send", "new")],
    );
    // A fix: the trace of the baseline no longer reproduces it.
    project.build(&["open"]);
    let (code, fixed) = project.run("fixed", &[]);
    assert_eq!(code, 0);
    are(&fixed, &[("open", "known"), ("save", "not-seen")]);
}

#[test]
fn a_fix_leaves_the_baseline_and_a_person_s_acceptance_stays() {
    // The button stays, the crash goes.
    let project = Project::new(&["open", "save"]);
    project.run("base", &[]);
    project.tool(&["gate", "init", "base"]);
    let kept = model("org.x", &["open", "save"]);
    let mut fixed: Value = serde_json::from_str(&kept).unwrap();
    let transitions = fixed["nodes"][0]["transitions"].as_array_mut().unwrap();
    transitions[2].as_object_mut().unwrap().remove("crash");
    project.desk.write("shop.json", fixed.to_string());
    let (code, verdict) = project.run("fixed", &[]);
    assert_eq!(code, 0, "{verdict:#}");
    are(&verdict, &[("open", "known"), ("save", "fixed")]);
    let (code, _) = project.run("strict", &["--strict"]);
    assert_eq!(code, 108);
    let (code, _, err) = project.tool(&["gate", "update", "fixed"]);
    assert_eq!(code, 0, "{err}");
    let text = project.baseline();
    assert!(
        text.contains("Main.open") && !text.contains("Main.save"),
        "{text}"
    );
    // A person accepts the other: `gate update` leaves it alone.
    let text = text.replace(
        "\n[[current]]",
        "\n# ours\n[[accepted]]\nreason = \"vendor\"\nuntil = \"2999-01-01\"",
    );
    project.desk.write("droidtest-baseline.toml", &text);
    let (code, verdict) = project.run("accepted", &["--max-crashes", "0"]);
    are(&verdict, &[("open", "accepted")]);
    assert_eq!(
        (code, &verdict["exceeded"][0]["limit"]),
        (108, &json!("max-crashes"))
    );
    project.tool(&["gate", "update", "accepted"]);
    assert!(
        project
            .baseline()
            .contains("# ours\n[[accepted]]\nreason = \"vendor\""),
        "{}",
        project.baseline()
    );
    // The finished run is judged again by other rules, without exploring.
    assert_eq!(project.tool(&["gate", "accepted"]).0, 0);
    assert_eq!(
        project.tool(&["gate", "accepted", "--max-crashes", "0"]).0,
        108
    );
    let expired = project.baseline().replace("2999", "1999");
    project.desk.write("droidtest-baseline.toml", &expired);
    let (code, out, _) = project.tool(&["gate", "accepted", "--message-format", "json"]);
    assert_eq!(code, 100, "{out}");
    let line: Value = serde_json::from_str(out.lines().last().unwrap()).unwrap();
    are(&line["verdict"], &[("open", "new")]);
}

#[test]
fn a_finding_of_the_base_build_or_of_one_device_alone_does_not_fail() {
    let project = Project::new(&["open", "send"]);
    let base = project.desk.write("base.json", model("org.x", &["open"]));
    let base = base.to_str().unwrap();
    let (code, verdict) = project.run("pr", &["--base", base]);
    assert_eq!(code, 100);
    are(&verdict, &[("open", "pre-existing"), ("send", "new")]);
    project.build(&["open"]);
    let (code, verdict) = project.run("green", &["--base", base]);
    assert_eq!(code, 0);
    are(&verdict, &[("open", "pre-existing")]);
    // A second device that shows it, too.
    let suite = format!(
        "{SUITE}confirm = \"second\"\n[[device]]\nname = \"first\"\nkind = \"sim\"\n[[device]]\nname = \"second\"\nkind = \"sim\"\n"
    );
    project.desk.write("droidtest.toml", &suite);
    let (code, verdict) = project.run("two", &[]);
    assert_eq!(code, 100);
    assert_eq!(
        verdict["findings"][0]["confirmed"],
        json!(true),
        "{verdict:#}"
    );
    let sessions = fs::read_dir(project.desk.path("target/droidtest/two/sessions")).unwrap();
    assert_eq!(sessions.count(), 1, "the second device only confirms");
}

#[test]
fn bad_input_is_named_with_its_fix() {
    let project = Project::new(&["open"]);
    let error = |args: &[&str], part: &str| {
        let (code, _, err) = project.tool(args);
        assert_eq!(code, 96, "{err}");
        let plain = err.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(plain.contains(part), "{part} in {plain}");
    };
    project
        .desk
        .write("droidtest-baseline.toml", "version = 1\n[[current]\n");
    error(&["run"], "droidtest-baseline.toml:2:");
    project
        .desk
        .write("droidtest-baseline.toml", "version = 2\n");
    error(
        &["run"],
        "the baseline has version 2, this tool reads version 1",
    );
    project
        .desk
        .write("droidtest-baseline.toml", "version = 1\n");
    let other = project.desk.write("other.json", model("org.other", &[]));
    error(
        &["run", "--base", other.to_str().unwrap()],
        "has the package org.other, the apps have org.x",
    );
    error(
        &["gate", "init"],
        "exists: `cargo droidtest gate update` rewrites it",
    );
    let (code, _, err) = project.tool(&["run", "--confirm", "phone"]);
    assert_eq!(code, 4, "{err}");
    assert!(err.contains("there is no device `phone`"), "{err}");
    let (code, _, err) = project.tool(&["gate", "nowhere"]);
    assert_eq!(code, 65, "{err}");
    // A trace of another app.
    project.desk.write("droidtest-baseline.toml", "");
    project.run("base", &[]);
    fs::remove_file(project.desk.path("droidtest-baseline.toml")).unwrap();
    project.tool(&["gate", "init", "base"]);
    let text = project.baseline();
    project.desk.write(
        "droidtest-baseline.toml",
        text.replace("app = \"shop\"", "app = \"till\""),
    );
    error(&["run"], "is a trace of the app `shop`, and the baseline");
}

#[test]
fn a_run_that_was_cut_off_does_not_pass() {
    let project = Project::new(&[]);
    let (code, verdict) = project.run("green", &[]);
    assert_eq!(
        (code, verdict["findings"].as_array().unwrap().len()),
        (0, 0)
    );
    // As a killed run leaves it: without the last line.
    let journal = "target/droidtest/green/sessions/shop-sim-random-5/journal.jsonl";
    let text = String::from_utf8(project.desk.read(journal)).unwrap();
    let (killed, _) = text.trim_end().rsplit_once('\n').unwrap();
    project.desk.write(journal, format!("{killed}\n"));
    let (code, _, err) = project.tool(&["gate", "green"]);
    assert_eq!(code, 106, "{err}");
    assert!(err.contains("killed after 60 events"), "{err}");
}

#[test]
fn a_continued_run_keeps_its_gate() {
    let project = Project::new(&["open"]);
    let suite = SUITE
        .replace("[gate]\n", "")
        .replace("seeds = [5]", "seeds = [5, 6]");
    project.desk.write("droidtest.toml", suite);
    let baseline = project.desk.write("b.toml", "version = 1\n");
    let baseline = baseline.to_str().unwrap();
    let (code, _) = project.run("r", &["--baseline", baseline]);
    assert_eq!(code, 100);
    // As a run leaves it that was killed before its second session, and judged before its first.
    let folder = project.desk.path("target/droidtest/r");
    fs::remove_dir_all(folder.join("sessions/shop-sim-random-6")).unwrap();
    let green = json!({ "version": 1, "baseline": "", "findings": [], "exit_code": 0 });
    fs::write(folder.join("gate.json"), green.to_string()).unwrap();
    let (code, _, err) = project.tool(&["run", "--resume", "r"]);
    assert_eq!(code, 100, "{err}");
    assert!(err.contains("failed: 1 new"), "{err}");
}

#[test]
fn a_shard_does_not_need_the_base_builds_of_other_apps() {
    let project = Project::new(&["open"]);
    let suite = SUITE.replace(
        "[[strategy]]",
        "[[app]]\nname = \"till\"\nmodel = \"till.json\"\n[[strategy]]",
    );
    project.desk.write("droidtest.toml", suite);
    project.desk.write("till.json", model("org.till", &["pay"]));
    let base = project.desk.write("base.json", model("org.till", &["pay"]));
    let base = base.to_str().unwrap();
    let (code, first) = project.run("one", &["--base", base, "--partition", "slice:1/2"]);
    assert_eq!(code, 100);
    are(&first, &[("open", "new")]);
    let (code, second) = project.run("two", &["--base", base, "--partition", "slice:2/2"]);
    assert_eq!(code, 0);
    are(&second, &[("pay", "pre-existing")]);
}

#[test]
fn the_text_of_a_strangers_baseline_starts_no_line() {
    let project = Project::new(&["open"]);
    let entry = |fingerprint: &str, trace: &str| {
        format!(
            "version = 1\n[[current]]\napp = \"shop\"\nfirst-seen = \"2026-01-02\"\n\
             fingerprint = \"{fingerprint}\"\ntrace = \"{trace}\"\n"
        )
    };
    for text in [
        entry("\\n::error::no", "a.toml"),
        entry("v2:0123456789abcdef", "\\n::error::no"),
    ] {
        project.desk.write("droidtest-baseline.toml", &text);
        let (_, out, err) = project.tool(&["run"]);
        let all = format!("{out}{err}");
        assert!(all.contains("::error::no"), "{all}");
        assert!(
            !all.lines().any(|line| line.trim_start().starts_with("::")),
            "{all}"
        );
    }
    // Nor does the folder of a run decide which file is written.
    project
        .desk
        .write("droidtest-baseline.toml", "version = 1\n");
    project.run("r", &[]);
    fs::remove_file(project.desk.path("droidtest.toml")).unwrap();
    let folder = project.desk.path("target/droidtest/r");
    let (code, _, err) = project.tool(&["gate", "update", folder.to_str().unwrap()]);
    assert_eq!(code, 96, "{err}");
    assert!(err.contains("name it with --baseline"), "{err}");
}
