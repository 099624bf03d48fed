//! `run --resume`: a killed run continues.

use super::{content, cut, desk, findings, journals, suite, tool, until_begun};
use crate::common::program::Desk;
use std::collections::BTreeMap;
use std::fs;
use std::process::Stdio;

fn changed(desk: &Desk, run: &str) -> BTreeMap<String, Vec<u8>> {
    content(&desk.path(&format!("runs/{run}/sessions")), &[])
}

#[test]
fn a_killed_run_becomes_the_run_that_was_not() {
    let desk = desk(&suite("[1, 2]", "").replace("1500", "3000"));
    assert_eq!(tool(&desk, "run --run-id all").code, 100);
    let mut command = desk.command("run --run-id killed -j 1");
    let command = command.env("DROIDTEST_OUT", "runs").stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    until_begun(&desk, "runs/killed");
    child.kill().unwrap();
    child.wait().unwrap();
    let resumed = tool(&desk, "run --resume killed");
    assert_eq!(resumed.code, 100, "{}", resumed.err);
    assert!(
        resumed.err.contains("of 4 sessions complete"),
        "{}",
        resumed.err
    );
    let (one, all) = (desk.path("runs/killed"), desk.path("runs/all"));
    assert_eq!(journals(&one), journals(&all));
    assert_eq!(findings(&one), findings(&all));
}

#[test]
fn complete_sessions_stay_and_others_start_again() {
    let desk = desk(&suite("[1, 2]", ""));
    tool(&desk, "run --run-id r");
    let before = changed(&desk, "r");
    let traces = findings(&desk.path("runs/r"));
    cut(&desk, "r", "notes-sim-random-2");
    fs::remove_dir_all(desk.path("runs/r/sessions/shop-sim-random-1")).unwrap();
    desk.write("runs/r/sessions/shop-sim-random-2/failed.txt", "x");
    let resumed = tool(&desk, "run --resume latest");
    assert_eq!(resumed.code, 100, "{}", resumed.err);
    assert!(
        resumed.err.contains("1 of 4 sessions complete"),
        "{}",
        resumed.err
    );
    assert_eq!(findings(&desk.path("runs/r")), traces);
    let after = changed(&desk, "r");
    for (name, bytes) in before
        .iter()
        .filter(|(name, _)| name.starts_with("notes-sim-random-1/"))
    {
        assert!(after.get(name) == Some(bytes), "{name} changed");
    }
    // What was left of the others is kept.
    for name in ["notes-sim-random-2", "shop-sim-random-2"] {
        assert!(
            desk.path("runs/r/replaced")
                .join(name)
                .join("journal.jsonl")
                .is_file()
        );
    }
    // A complete run has nothing left to do.
    let nothing = tool(&desk, "run --resume r");
    assert_eq!(nothing.code, 100, "{}", nothing.err);
    assert!(
        nothing.err.contains("4 of 4 sessions complete"),
        "{}",
        nothing.err
    );
    assert!(!nothing.err.contains("Minimizing"), "{}", nothing.err);
    assert_eq!(changed(&desk, "r"), after);
}

#[test]
fn a_shard_stays_the_shard_that_it_was() {
    let desk = desk(&suite("[1, 2]", "").replace("1500", "60"));
    tool(&desk, "run --run-id s2 --partition slice:2/2");
    let before = journals(&desk.path("runs/s2"));
    assert_eq!(before.len(), 2);
    cut(&desk, "s2", "shop-sim-random-2");
    let other = tool(&desk, "run --resume s2 --partition slice:1/2");
    assert_eq!(other.code, 65);
    assert!(
        other
            .err
            .contains("it is the shard slice:2/2, not slice:1/2"),
        "{}",
        other.err
    );
    let resumed = tool(&desk, "run --resume runs/s2");
    assert!(
        resumed.err.contains("1 of 2 sessions complete"),
        "{}",
        resumed.err
    );
    assert_eq!(journals(&desk.path("runs/s2")), before);
    // A merged run continues with the sessions of the missing shards.
    tool(&desk, "merge s2 --out runs/part");
    let rest = tool(&desk, "run --resume part");
    assert!(
        rest.err.contains("2 of 4 sessions complete"),
        "{}",
        rest.err
    );
    assert_eq!(journals(&desk.path("runs/part")).len(), 4);
}

/// What its sessions counted stays with it, as without it in the shards.
#[test]
fn a_merged_run_that_continues_has_the_sum_of_all_models() {
    let suite = suite("[1, 2]", "").replace("1500", "60");
    let desk = desk(&suite.replace("\"random\"", "\"fastbot\""));
    for shard in [1, 2] {
        tool(
            &desk,
            &format!("run --run-id s{shard} --partition slice:{shard}/2"),
        );
    }
    tool(&desk, "merge s1 s2 --out runs/all");
    tool(&desk, "merge s1 --out runs/part");
    let models = |run: &str| content(&desk.path(&format!("runs/{run}/models")), &[]);
    assert_ne!(models("part"), models("all"));
    let resumed = tool(&desk, "run --resume part");
    assert!(
        resumed.err.contains("2 of 4 sessions complete"),
        "{}",
        resumed.err
    );
    assert_eq!(models("all").len(), 2);
    assert!(models("part") == models("all"), "{}", resumed.err);
    assert!(!desk.path("runs/models").exists());
}

#[test]
fn a_run_of_other_settings_is_refused() {
    let desk = desk(&suite("[1, 2]", "").replace("1500", "60"));
    tool(&desk, "run --run-id r");
    cut(&desk, "r", "shop-sim-random-1");
    let before = changed(&desk, "r");
    for (args, words) in [
        (
            "run --resume r --events 61",
            "they differ in `[suite] budget`",
        ),
        (
            "run --resume r --seed 1",
            "only one of them plans the session shop-sim-random-2",
        ),
        ("run --resume nowhere", "nowhere is not a run"),
    ] {
        let ended = tool(&desk, args);
        assert_eq!(ended.code, 65, "{}", ended.err);
        assert!(ended.err.contains(words), "{}", ended.err);
    }
    let both = tool(&desk, "run --resume r --run-id q");
    assert_eq!(both.code, 2, "{}", both.err);
    let info = String::from_utf8(desk.read("runs/r/run.json")).unwrap();
    desk.write(
        "runs/r/run.json",
        info.replace(env!("CARGO_PKG_VERSION"), "0.0.9"),
    );
    let old = tool(&desk, "run --resume r");
    assert_eq!(old.code, 65);
    assert!(old.err.contains("versions 0.0.9 and"), "{}", old.err);
    assert_eq!(changed(&desk, "r"), before);
}

#[test]
fn a_run_in_progress_is_not_taken_over() {
    let desk = desk(&suite("[1]", "").replace("1500", "100000000"));
    let mut command = desk.command("run --run-id r -j 1");
    let command = command.env("DROIDTEST_OUT", "runs").stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    until_begun(&desk, "runs/r");
    let second = tool(&desk, "run --resume r");
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(second.code, 110, "{}", second.err);
    assert!(
        second
            .err
            .contains(&format!("in use by process {}", child.id())),
        "{}",
        second.err
    );
    assert!(!desk.path("runs/r/replaced").exists());
}
