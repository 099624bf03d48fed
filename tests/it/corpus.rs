//! A corpus on the sim device: grown by runs, performed by them, measured and minimized, refused where it is wrong.

use crate::common::program::Desk;
use serde_json::Value;
use std::fs;
use std::path::PathBuf;

const SUITE: &str = "[suite]\nname = \"s\"\nbudget = { events = 300 }\nseeds = [1, 2]\ncorpus = \"corpus\"\n\
    [[app]]\nname = \"shop\"\nmodel = \"builtin:shop\"\n[[strategy]]\nkind = \"random\"\n[minimize]\nenabled = false\n";
const APP: &str = "corpus/org.example.shop";

/// The names of the traces, sorted.
fn traces(desk: &Desk) -> Vec<PathBuf> {
    let files = fs::read_dir(desk.path(APP)).unwrap();
    let mut files: Vec<_> = files.map(|file| file.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "toml"));
    files.sort();
    files
}

fn grown() -> Desk {
    let desk = Desk::new(SUITE);
    let ended = desk.tool("run --run-id first");
    assert_eq!(ended.code, 100, "{}", ended.err);
    assert!(!traces(&desk).is_empty());
    desk
}

fn lines(text: &str) -> Vec<Value> {
    let lines = text.lines().map(serde_json::from_str);
    lines.collect::<Result<_, _>>().unwrap()
}

fn journal(desk: &Desk, run: &str) -> Vec<Value> {
    let file = format!("target/droidtest/{run}/sessions/shop-sim-random-1/journal.jsonl");
    lines(&String::from_utf8(desk.read(&file)).unwrap())
}

fn total(shown: &[Value], key: &str) -> u64 {
    shown.iter().map(|trace| trace[key].as_u64().unwrap()).sum()
}

#[test]
fn a_run_performs_the_corpus_first_and_adds_only_what_is_new() {
    let desk = grown();
    let before = traces(&desk);
    let ended = desk.tool("run --run-id second --events 1");
    // The findings of the corpus are findings of the run.
    assert_eq!(ended.code, 100, "{}", ended.err);
    let journal = journal(&desk, "second");
    let steps: Vec<_> = journal.iter().filter(|line| line["e"] == "step").collect();
    let led = |step: &&&Value| step["led"]["corpus"].is_string();
    let by_corpus = steps.iter().filter(led).count();
    assert_eq!(steps.len(), by_corpus + 1, "the budget is for exploration");
    let starts = journal.iter().filter(|line| line["e"] == "corpus");
    assert_eq!(starts.count(), before.len());
    let summary: Value =
        serde_json::from_slice(&desk.read("target/droidtest/second/summary.json")).unwrap();
    let corpus = &summary["sessions"][0]["corpus"];
    assert_eq!(corpus["started"], before.len());
    assert_eq!(corpus["events"], by_corpus);
    let report = String::from_utf8(desk.read("target/droidtest/second/report.html")).unwrap();
    let said = format!(
        "corpus: {} traces started, {by_corpus} events",
        before.len()
    );
    assert!(report.contains(&said), "{said}");
    // The same runs add nothing, in any order.
    for runs in ["first second", "second first", "first first"] {
        let ended = desk.tool(&format!("corpus add corpus {runs}"));
        assert_eq!(ended.code, 0, "{}", ended.err);
        assert_eq!(traces(&desk), before);
    }
}

#[test]
fn the_same_seed_and_corpus_give_the_same_journal_and_runs_continue_with_theirs() {
    let desk = grown();
    for id in ["one", "two"] {
        // A shard leaves the corpus as it is.
        let ended = desk.tool(&format!(
            "run --run-id {id} --partition slice:1/1 --events 400"
        ));
        assert_eq!(ended.code, 100, "{}", ended.err);
    }
    assert_eq!(journal(&desk, "one"), journal(&desk, "two"));
    let ended = desk.tool("corpus min --time 1m");
    assert_eq!(ended.code, 0, "{}", ended.err);
    // The corpus has changed; the run goes on with the traces it started from.
    let session = "target/droidtest/one/sessions/shop-sim-random-1";
    fs::remove_dir_all(desk.path(session)).unwrap();
    let ended = desk.tool("run --resume one --events 400");
    assert_eq!(ended.code, 100, "{}", ended.err);
    assert_eq!(journal(&desk, "one"), journal(&desk, "two"));
    // So can a merged run.
    let ended = desk.tool("merge one two --out target/droidtest/merged");
    assert_eq!(ended.code, 0, "{}", ended.err);
    fs::remove_dir_all(desk.path(&session.replace("/one/", "/merged/"))).unwrap();
    let ended = desk.tool("run --resume merged --events 400");
    assert_eq!(ended.code, 100, "{}", ended.err);
    assert_eq!(journal(&desk, "merged"), journal(&desk, "two"));
}

#[test]
fn a_minimized_corpus_reaches_the_same_with_a_tenth_of_the_events() {
    let desk = grown();
    let json = "--message-format json";
    let ended = desk.tool(&format!("corpus show {json}"));
    assert_eq!(ended.code, 0, "{}", ended.err);
    let before = lines(&ended.out);
    assert_eq!(before.len(), traces(&desk).len());
    let ended = desk.tool(&format!("corpus min {json}"));
    assert_eq!(ended.code, 0, "{}", ended.err);
    let min = lines(&ended.out).remove(0);
    assert_eq!(min["worth"], min["kept"], "{min}");
    assert_eq!(min["complete"], true);
    let events = |of: &str| min[of]["events"].as_u64().unwrap();
    assert!(events("after") * 10 <= events("before"), "{min}");
    // Measured again by replays, without the index.
    fs::remove_file(desk.path(&format!("{APP}/index.json"))).unwrap();
    let ended = desk.tool(&format!("corpus show {json}"));
    let after = lines(&ended.out);
    assert_eq!(total(&after, "events"), events("after"));
    assert!(total(&before, "findings") >= 2);
    let reached = |shown: &[Value]| total(shown, "findings");
    assert!(reached(&after) >= min["worth"]["findings"].as_u64().unwrap());
    // Every trace that is left is needed, and each is an ordinary trace.
    for (shown, file) in after.iter().zip(traces(&desk)) {
        let sole = &shown["sole"];
        let needed = ["probes", "transitions", "findings"].map(|key| sole[key].as_u64().unwrap());
        assert!(
            after.len() == 1 || needed.iter().sum::<u64>() > 0,
            "{shown}"
        );
        let found = shown["findings"].as_u64().unwrap() > 0;
        let ended = desk.tool(&format!("replay {}", file.display()));
        assert_eq!(ended.code, if found { 100 } else { 0 }, "{}", ended.all());
    }
    let again = lines(&desk.tool(&format!("corpus min {json}")).out).remove(0);
    assert_eq!(again["worth"], again["kept"]);
    assert!(again["after"]["events"].as_u64() <= min["after"]["events"].as_u64());
}

#[test]
fn what_is_not_kept_costs_no_events() {
    let desk = grown();
    let json = "--message-format json";
    let min = |keep: &str| lines(&desk.tool(&format!("corpus min {json} {keep}")).out).remove(0);
    let all = min("");
    let findings = min("--keep findings");
    let count = |of: &Value, what: &str| of[what].as_u64().unwrap();
    assert_eq!(findings["kept"]["findings"], all["kept"]["findings"]);
    assert!(count(&findings["after"], "events") < count(&all["after"], "events"));
    assert!(count(&findings["kept"], "transitions") < count(&all["kept"], "transitions"));
    // A first step alone leads to no finding: no trace would be left.
    for file in &traces(&desk)[1..] {
        fs::remove_file(file).unwrap();
    }
    let file = traces(&desk).remove(0);
    let text = fs::read_to_string(&file).unwrap();
    let (second, _) = text.match_indices("[[step]]").nth(1).unwrap();
    fs::write(&file, &text[..second]).unwrap();
    let ended = desk.tool("corpus min --keep findings");
    assert_eq!(ended.code, 4, "{}", ended.err);
    assert!(
        ended.err.contains("anything of what `--keep` names"),
        "{}",
        ended.err
    );
    assert!(file.is_file());
}

#[test]
fn a_corpus_that_is_wrong_is_refused_and_kept() {
    let desk = grown();
    let before = traces(&desk);
    let text = fs::read_to_string(&before[0]).unwrap();
    let broken = desk.write(&format!("{APP}/broken.toml"), "version = 1\n[app\n");
    for command in [
        "run",
        "corpus show",
        "corpus min",
        "corpus add corpus first",
    ] {
        let ended = desk.tool(command);
        assert_eq!(ended.code, 96, "{command}: {}", ended.err);
        assert!(
            ended.err.contains("broken.toml:2"),
            "{command}: {}",
            ended.err
        );
    }
    fs::remove_file(broken).unwrap();
    let other = desk.write("corpus/org.example.other/a.toml", &text);
    let ended = desk.tool("run");
    assert_eq!(ended.code, 96, "{}", ended.err);
    let words = "is a trace of the app org.example.shop: move it to the folder org.example.shop";
    assert!(ended.err.contains(words), "{}", ended.err);
    // A trace of an app that the suite does not have stays.
    let text = text.replace("org.example.shop", "org.example.other");
    fs::write(&other, text.replace("name = \"shop\"", "name = \"other\"")).unwrap();
    let ended = desk.tool("run --events 1");
    assert_eq!(ended.code, 100, "{}", ended.err);
    let words = "no app of this run has the package org.example.other";
    assert!(ended.err.contains(words), "{}", ended.err);
    let ended = desk.tool("corpus min --time 0s");
    assert_eq!(ended.code, 0, "{}", ended.err);
    assert!(
        ended.err.contains("no app of the suite has it"),
        "{}",
        ended.err
    );
    assert!(other.is_file());
    assert!(!traces(&desk).is_empty());
    // Nothing to show.
    let ended = desk.tool("corpus show nowhere");
    assert!(ended.err.contains("nowhere has no traces"), "{}", ended.err);
    assert_ne!(ended.code, 0);
}
