//! Runs that cannot be merged: a clear error, no output, and nothing changed.

use super::{content, desk, suite, tool};
use crate::common::program::Desk;
use serde_json::Value;
use std::fs;

/// A desk with the runs `s1` and `s2` of two shards; no finding is minimized.
fn two() -> Desk {
    let desk = desk(&small("[1, 2]"));
    for shard in 1..=2 {
        tool(
            &desk,
            &format!("run --run-id s{shard} --partition slice:{shard}/2"),
        );
    }
    desk
}

fn small(seeds: &str) -> String {
    suite(seeds, "").replace("1500", "60") + "[minimize]\nenabled = false\n"
}

/// The merge is refused with this exit code and all of these words, and leaves nothing.
fn refused(desk: &Desk, runs: &str, code: i32, words: &[&str]) {
    let before = content(desk.folder(), &[]);
    let merged = tool(desk, &format!("merge {runs} --out merged"));
    assert_eq!(merged.code, code, "{}", merged.err);
    for word in words {
        assert!(
            merged.err.contains(word),
            "{word:?} is not in: {}",
            merged.err
        );
    }
    assert!(!desk.path("merged").exists());
    assert_eq!(content(desk.folder(), &[]), before);
}

/// Runs shard 2 with another suite as `other`.
fn other(desk: &Desk, suite: &str, more: &str) {
    let original = desk.read("droidtest.toml");
    desk.write("droidtest.toml", suite);
    let ended = tool(
        desk,
        &format!("run --run-id other --partition slice:2/2 {more}"),
    );
    assert!([0, 100].contains(&ended.code), "{}", ended.err);
    desk.write("droidtest.toml", original);
}

#[test]
fn runs_of_different_plans() {
    for (suite, words) in [
        (
            small("[1, 3]"),
            "only one of them plans the session shop-sim-random-",
        ),
        (
            small("[1, 2]").replace("= 60", "= 61"),
            "they differ in `[suite] budget`",
        ),
        (
            small("[1, 2]").replace("kind = \"random\"", "kind = \"random\"\nsystem-rate = 0.5"),
            "they differ in the strategy `random`",
        ),
        (
            small("[1, 2]").replace("\"s\"", "\"t\""),
            "they are of the suites `s` and `t`",
        ),
    ] {
        let desk = two();
        other(&desk, &suite, "");
        refused(&desk, "s1 other", 65, &["cannot be merged", words]);
    }
}

#[test]
fn runs_of_different_builds_of_an_app() {
    let model =
        fs::read_to_string(crate::common::root().join("src/device/sim/models/shop.json")).unwrap();
    let desk = desk(&small("[1, 2]").replace("builtin:shop", "shop.json"));
    desk.write("shop.json", &model);
    tool(&desk, "run --run-id s1 --partition slice:1/2");
    desk.write("shop.json", format!("{model}\n"));
    tool(&desk, "run --run-id s2 --partition slice:2/2");
    refused(
        &desk,
        "s1 s2",
        65,
        &["they explored different builds of the app `shop`"],
    );
}

#[test]
fn two_runs_of_one_shard_that_differ() {
    let desk = two();
    tool(&desk, "run --run-id again --partition slice:2/2");
    // The same once more is fine.
    assert!([0, 100].contains(&tool(&desk, "merge s1 s2 again --out fine").code));
    let journal = "runs/again/sessions/shop-sim-random-2/journal.jsonl";
    let text = String::from_utf8(desk.read(journal)).unwrap();
    desk.write(
        journal,
        text.replacen("\"changed\":true", "\"changed\":false", 1),
    );
    refused(
        &desk,
        "s1 s2 again",
        65,
        &[
            "both have a complete session shop-sim-random-2",
            "give only one of these runs",
        ],
    );
}

#[test]
fn a_run_of_another_version() {
    let desk = two();
    let text = String::from_utf8(desk.read("runs/s2/run.json")).unwrap();
    let mut info: Value = serde_json::from_str(&text).unwrap();
    info["tool"] = "0.0.9".into();
    desk.write("runs/s2/run.json", info.to_string());
    refused(&desk, "s1 s2", 65, &["versions", "0.0.9"]);
    info["version"] = 1.into();
    info.as_object_mut().unwrap().remove("whole");
    desk.write("runs/s2/run.json", info.to_string());
    refused(
        &desk,
        "s1 s2",
        65,
        &["an older version made it", "run it again"],
    );
    info["version"] = 999.into();
    desk.write("runs/s2/run.json", info.to_string());
    refused(&desk, "s1 s2", 65, &["newer than this tool"]);
}

#[test]
fn no_run_at_all() {
    let desk = two();
    fs::create_dir(desk.path("empty")).unwrap();
    refused(&desk, "s1 empty", 65, &["empty is not a run"]);
    refused(&desk, "s1 nowhere", 65, &["nowhere is not a run"]);
    refused(
        &desk,
        "s1 droidtest.toml",
        65,
        &["droidtest.toml is not a run"],
    );
    let within = tool(&desk, "merge s1 s2 --out runs/s2/a/merged");
    assert_eq!(within.code, 65, "{}", within.err);
    assert!(
        within.err.contains("choose a folder outside"),
        "{}",
        within.err
    );
    assert!(!desk.path("runs/s2/a").exists());
    desk.write("runs/s2/run.json", "{ \"version\": 2,");
    refused(&desk, "s1 s2", 65, &["run.json"]);
    fs::create_dir(desk.path("merged")).unwrap();
    desk.write("merged/kept", "x");
    let merged = tool(&desk, "merge s1 --out merged");
    assert_eq!(merged.code, 110, "{}", merged.err);
    assert!(merged.err.contains("it exists"), "{}", merged.err);
    assert_eq!(desk.read("merged/kept"), b"x");
}

#[cfg(unix)]
#[test]
fn a_run_with_a_link_in_it() {
    let desk = two();
    std::os::unix::fs::symlink(
        "/etc/passwd",
        desk.path("runs/s2/sessions/shop-sim-random-2/x"),
    )
    .unwrap();
    refused(&desk, "s1 s2", 65, &["is a link"]);
}

#[test]
fn names_in_a_run_lead_nowhere() {
    let desk = two();
    let text = String::from_utf8(desk.read("runs/s2/run.json")).unwrap();
    let away = text.replace("shop-sim-random-2", "../../../away\\u001b[31m");
    desk.write("runs/s2/run.json", away);
    let merged = tool(&desk, "merge s2 --out merged");
    assert_eq!(merged.code, 106, "{}", merged.err);
    assert!(!merged.all().contains("\u{1b}[31m"));
    let names: Vec<_> = fs::read_dir(desk.folder())
        .unwrap()
        .map(|e| e.unwrap().file_name())
        .collect();
    assert_eq!(names.len(), 3, "{names:?}");
}

#[test]
fn a_journal_under_the_name_of_another_session() {
    let desk = two();
    let sessions = desk.path("runs/s2/sessions");
    fs::rename(
        sessions.join("shop-sim-random-2"),
        sessions.join("shop-sim-random-1"),
    )
    .unwrap();
    refused(
        &desk,
        "s2",
        65,
        &["has the journal of another: shop-sim-random-2"],
    );
}
