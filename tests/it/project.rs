//! A made-up project through its life: a base commit and three pull requests, each explored on four machines, merged,
//! judged and commented on.

use crate::common::forge::Forge;
use crate::common::program::Ended;
use crate::gate::{Project, are, model};
use serde_json::{Value, json};
use std::fs;

const SUITE: &str = "[suite]\nname = \"s\"\nbudget = { events = 60 }\nseeds = [1, 2, 3, 4]\n\
    [[app]]\nname = \"shop\"\nmodel = \"shop.json\"\n[[strategy]]\nkind = \"random\"\n[gate]\n";

/// Explores on four machines, merges their runs and judges the result; the exit codes of the machines and of the gate.
fn explored(project: &Project, name: &str) -> (Vec<i32>, i32, Value) {
    let mut machines = Vec::new();
    let mut merge = vec!["merge".to_owned()];
    for shard in 1..=4 {
        let (id, part) = (format!("{name}-{shard}"), format!("slice:{shard}/4"));
        let (code, _, err) = project.tool(&["run", "--run-id", &id, "--partition", &part]);
        assert!([0, 100].contains(&code), "{err}");
        machines.push(code);
        merge.push(format!("target/droidtest/{id}"));
    }
    let merged = format!("target/droidtest/{name}");
    merge.extend(["--out".to_owned(), merged.clone()]);
    let merge: Vec<_> = merge.iter().map(String::as_str).collect();
    let (code, _, err) = project.tool(&merge);
    assert_eq!(code, 0, "{err}");
    let (code, _, err) = project.tool(&["gate", &merged]);
    let verdict = fs::read(project.desk.path(&format!("{merged}/gate.json")));
    let verdict = verdict.unwrap_or_else(|e| panic!("{e}: {err}"));
    (machines, code, serde_json::from_slice(&verdict).unwrap())
}

/// Comments on a run; the text of the only comment.
fn commented(project: &Project, forge: &Forge, name: &str) -> String {
    let event = json!({ "pull_request": {
        "number": 7,
        "head": { "repo": { "full_name": "acme/shop" } },
        "base": { "repo": { "full_name": "acme/shop" } },
    } });
    project.desk.write("event.json", event.to_string());
    let mut command = project.desk.command("");
    command.args(["comment", &format!("target/droidtest/{name}")]);
    command
        .env("GITHUB_ACTIONS", "true")
        .env("GITHUB_API_URL", forge.url())
        .env("GITHUB_REPOSITORY", "acme/shop")
        .env("GITHUB_TOKEN", "ghs_1")
        .env("GITHUB_EVENT_PATH", project.desk.path("event.json"));
    let ended = Ended::of(&mut command);
    assert_eq!(ended.code, 0, "{}", ended.err);
    let comments = forge.comments();
    assert!(comments.len() <= 1, "{comments:?}");
    let body = comments.first().map(|comment| comment["body"].as_str());
    body.flatten().unwrap_or_default().to_owned()
}

#[test]
fn a_team_hears_of_what_a_pull_request_changes() {
    let project = Project::new(&["open", "save"]);
    project.desk.write("droidtest.toml", SUITE);
    // The base commit: its findings become the baseline.
    let (_, code, _) = explored(&project, "base");
    assert_eq!(code, 100);
    let (code, _, err) = project.tool(&["gate", "init", "target/droidtest/base"]);
    assert_eq!(code, 0, "{err}");
    let baseline = project.baseline();

    // No change: nothing to say.
    let (machines, code, verdict) = explored(&project, "same");
    assert_eq!((machines, code), (vec![0; 4], 0));
    are(&verdict, &[("open", "known"), ("save", "known")]);
    let quiet = Forge::new(Vec::new());
    assert_eq!(commented(&project, &quiet, "same"), "");

    // A new crash, in the second push fixed: one comment, updated in place.
    let forge = Forge::new(Vec::new());
    project.build(&["open", "save", "send"]);
    let (machines, code, verdict) = explored(&project, "new");
    assert_eq!(code, 100);
    assert!(machines.contains(&100), "{machines:?}");
    are(
        &verdict,
        &[("open", "known"), ("save", "known"), ("send", "new")],
    );
    let text = commented(&project, &forge, "new");
    assert!(text.contains("**failed: 1 new, 2 known**"), "{text}");
    assert!(text.contains("Main.send"), "{text}");
    project.build(&["open", "save"]);
    let (_, code, _) = explored(&project, "again");
    assert_eq!(code, 0);
    let text = commented(&project, &forge, "again");
    assert!(
        text.contains("**passed: 2 known**") && !text.contains("send"),
        "{text}"
    );

    // A fix: the trace of the baseline no longer shows it.
    let forge = Forge::new(Vec::new());
    let mut fixed: Value = serde_json::from_str(&model("org.x", &["open", "save"])).unwrap();
    let transitions = fixed["nodes"][0]["transitions"].as_array_mut().unwrap();
    transitions[2].as_object_mut().unwrap().remove("crash");
    project.desk.write("shop.json", fixed.to_string());
    let (machines, code, verdict) = explored(&project, "fix");
    assert_eq!((machines, code), (vec![0; 4], 0));
    are(&verdict, &[("open", "known"), ("save", "fixed")]);
    let text = commented(&project, &forge, "fix");
    assert!(
        text.contains("**Fixed**\n\n- IllegalStateException at Main.save"),
        "{text}"
    );
    assert_eq!(
        project.baseline(),
        baseline,
        "only `gate update` changes it"
    );
    let (code, _, err) = project.tool(&["gate", "update", "target/droidtest/fix"]);
    assert_eq!(code, 0, "{err}");
    assert!(!project.baseline().contains("Main.save"));

    // The corpus grows with the merged run, whoever merges it, and leads the next one.
    let files = || {
        let found = fs::read_dir(project.desk.path("corpus/org.x"));
        let names = found.unwrap().map(|file| file.unwrap().file_name());
        let mut names: Vec<_> = names.collect();
        names.sort();
        names
    };
    for _ in 0..2 {
        let (code, _, err) = project.tool(&["corpus", "add", "corpus", "target/droidtest/fix"]);
        assert_eq!(code, 0, "{err}");
    }
    let grown = files();
    assert!(grown.len() > 1, "{grown:?}");
    let suite = SUITE.replacen("seeds", "corpus = \"corpus\"\nseeds", 1);
    project.desk.write("droidtest.toml", suite);
    let (machines, code, _) = explored(&project, "led");
    assert_eq!((machines, code), (vec![0; 4], 0));
    assert_eq!(files(), grown, "a shard leaves the corpus as it is");
    let (code, _, err) = project.tool(&["corpus", "min"]);
    assert_eq!(code, 0, "{err}");
    // The regression suite alone finds a crash that comes back, on each machine.
    project.build(&["open", "save", "send"]);
    let (code, _, err) = project.tool(&["run", "--run-id", "back", "--events", "1", "--seed", "1"]);
    assert_eq!(code, 100, "{err}");
    assert!(err.contains("Main.save"), "{err}");
}
