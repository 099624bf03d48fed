//! `bench fate` from the command line: rows as JSON, resumed, and refused with a reason.

use crate::common::program::{Ended, droidtest};
use serde_json::Value;
use std::fs;
use std::process::Command;

/// What a program wrote that ended well.
fn written(command: &mut Command) -> String {
    let ended = Ended::of(command);
    assert_eq!(ended.code, 0, "{}", ended.err);
    ended.out
}

#[test]
fn rows_are_written_and_what_is_done_is_not_run_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let with = |seeds: &str, json: &str, more: &[&str]| {
        let mut command = droidtest(folder.path());
        command
            .args(["bench", "fate", "builtin:shop", "--strings", "3"])
            .args([
                "--strategies",
                "random,q-learning,q-learning:default,ares-ddpg",
            ])
            .args(["--steps", "500", "--seeds", seeds])
            .arg("--store")
            .arg(path("cells.jsonl"))
            // A bare name, as the docs write it.
            .arg("--json")
            .arg(json)
            .args(more);
        written(&mut command);
        let text = fs::read_to_string(path(json)).unwrap();
        serde_json::from_str::<Value>(&text).unwrap()
    };
    let run = |seeds: &str, json: &str| with(seeds, json, &[]);
    let first = run("3", "a.json");
    let rows = first["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 4);
    for row in rows {
        let mut keys: Vec<&str> = row
            .as_object()
            .unwrap()
            .keys()
            .map(String::as_str)
            .collect();
        keys.sort_unstable();
        assert_eq!(
            keys,
            [
                "activities_mean",
                "auc_mean",
                "auc_median",
                "auc_sd",
                "model",
                "seeds",
                "steps",
                "steps_per_second",
                "strategy",
                "strings"
            ]
        );
        // 499 pairs of points of at least one activity.
        assert!(row["auc_mean"].as_f64().unwrap() >= 499.0, "{row}");
        assert_eq!(
            (row["seeds"].as_u64(), row["strings"].as_u64()),
            (Some(3), Some(3))
        );
    }
    // A damaged line is as good as none.
    let whole = fs::read(path("cells.jsonl")).unwrap();
    fs::write(
        path("cells.jsonl"),
        [b"\xff\xfe{\n", whole.as_slice()].concat(),
    )
    .unwrap();
    let lines = || {
        let text = fs::read(path("cells.jsonl")).unwrap();
        text.split(|byte| *byte == b'\n').count()
    };
    let before = lines();
    // The same again gives the same, times included: nothing was run.
    assert_eq!(run("3", "b.json"), first);
    assert_eq!(lines(), before);
    // So do more seeds where nothing is to be run.
    assert_eq!(with("9", "b.json", &["--no-run"]), first);
    assert_eq!(lines(), before);
    // A line truncated is a cell that is run again; it comes to the same.
    let text = fs::read(path("cells.jsonl")).unwrap();
    fs::write(path("cells.jsonl"), &text[..text.len() - 9]).unwrap();
    let again = run("3", "c.json");
    for (row, old) in again["rows"].as_array().unwrap().iter().zip(rows) {
        assert_eq!(row["auc_mean"], old["auc_mean"]);
    }
    run("4", "d.json");
    assert_eq!(lines(), before + 5);
}

#[test]
fn wrong_names_and_missing_strings_are_refused_with_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let reported = |args: &[&str], code: i32, word: &str| {
        let mut command = droidtest(folder.path());
        let ended = Ended::of(command.args(["bench", "fate"]).args(args));
        assert_eq!(ended.code, code, "{args:?}: {}", ended.err);
        assert!(ended.err.contains(word), "{args:?}: {}", ended.err);
    };
    reported(
        &["builtin:shop", "--strategies", "ares-sacc"],
        2,
        "ares-sac[:default|paper|published]",
    );
    reported(&["builtin:shop", "--strings", "80"], 96, "--pool FILE");
    reported(&["builtin:shup"], 96, "did you mean `shop`");
    reported(&["nowhere.json"], 96, "nowhere.json");
    fs::write(
        folder.path().join("grid.toml"),
        "[[strategy]]\nkind = \"ares-td3\"\ntrain-every = [10, 0]\n",
    )
    .unwrap();
    reported(
        &["builtin:shop", "--grid", "grid.toml"],
        2,
        "grid.toml:3:20: `strategy.train-every` is out of range; make it at least 1",
    );
    fs::write(
        folder.path().join("grid.toml"),
        "[[strategy]]\nkind = \"qbe\"\nlimits = [1, 3, 8, 15]\n",
    )
    .unwrap();
    reported(
        &["builtin:shop", "--grid", "grid.toml"],
        2,
        "each of the values to try is a list: write limits = [[1, 3, 8, 15]]",
    );
}

#[test]
fn a_grid_is_ranked_with_its_ties_for_people_and_for_programs() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(
        folder.path().join("grid.toml"),
        "[[strategy]]\nkind = \"q-learning\"\npreset = \"paper\"\nepsilon = [0.1, 0.5, 0.5]\n",
    )
    .unwrap();
    let run = |more: &[&str]| {
        let mut command = droidtest(folder.path());
        command
            .args(["bench", "fate", "builtin:shop", "--strings", "3"])
            .args(["--steps", "300", "--seeds", "8", "--grid", "grid.toml"])
            .args(more);
        written(&mut command)
    };
    let printed: Value = serde_json::from_str(&run(&["--message-format", "json"])).unwrap();
    assert_eq!(printed["rows"].as_array().unwrap().len(), 3);
    let ranking = &printed["ranking"];
    assert_eq!(
        (ranking["seeds"].as_u64(), ranking["least_seeds"].as_u64()),
        (Some(8), Some(7))
    );
    let places = ranking["places"].as_array().unwrap();
    assert_eq!(places.len(), 3);
    assert!(places[0]["score"].as_f64().unwrap() >= places[1]["score"].as_f64().unwrap());
    for place in places {
        let same = place["settings"]["epsilon"] == places[0]["settings"]["epsilon"];
        assert!(
            !same || place["p_corrected"] == 1.0 && place["tied"] == true,
            "{place}"
        );
    }
    let text = run(&["--winner", "best.toml", "--json", "grid.json"]);
    assert!(
        text.contains("first ") && !text.contains("[[strategy]]"),
        "{text}"
    );
    let winner = fs::read_to_string(folder.path().join("best.toml")).unwrap();
    assert_eq!(winner, ranking["winner"].as_str().unwrap());
    assert!(
        winner.starts_with("# The first of 3 combinations"),
        "{winner}"
    );
    let written = fs::read_to_string(folder.path().join("grid.json")).unwrap();
    let written: Value = serde_json::from_str(&written).unwrap();
    assert_eq!(&written["ranking"], ranking);
}

#[test]
fn two_models_of_one_name_have_rows_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    for screens in ["20", "40"] {
        let mut command = droidtest(folder.path());
        command
            .args(["model", "generate", "--seed", "7", "--screens", screens])
            .args(["-o", &format!("of-{screens}.json")]);
        written(&mut command);
    }
    let run = |models: &[&str]| {
        let mut command = droidtest(folder.path());
        command
            .args(["bench", "fate", "--strategies", "random"])
            .args(["--strings", "1", "--steps", "50", "--seeds", "1"])
            .args(["--message-format", "json"])
            .args(models);
        let printed: Value = serde_json::from_str(&written(&mut command)).unwrap();
        let rows = printed["rows"].as_array().unwrap().iter();
        rows.map(|row| row["model"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(run(&["of-20.json"]), ["generated-7"]);
    // The first is not run again: its key hangs on no label.
    let cells = || {
        let store = folder.path().join("target/droidtest/fate.jsonl");
        fs::read_to_string(store).unwrap().lines().count()
    };
    let before = cells();
    assert_eq!(run(&["of-20.json", "of-40.json"]), ["of-20", "of-40"]);
    assert_eq!(cells(), before + 1);
}
