//! `run --partition` and `merge`.

use super::{content, cut, desk, findings, journals, suite, tool, until_begun};
use crate::common::program::Desk;
use serde_json::Value;
use std::fs;
use std::process::{Child, Stdio};
use std::sync::OnceLock;

/// A desk with the runs `all` and `s1` to `s<count>`.
fn shards(by: &str, count: u32) -> Desk {
    let desk = desk(&suite("[1, 2, 3]", ""));
    assert_eq!(tool(&desk, "run --run-id all").code, 100);
    for shard in 1..=count {
        let ended = tool(
            &desk,
            &format!("run --run-id s{shard} --partition {by}:{shard}/{count}"),
        );
        assert!([0, 100].contains(&ended.code), "{}", ended.err);
    }
    desk
}

/// The same, divided by three slices, for all tests that only read it.
fn three() -> &'static Desk {
    static THREE: OnceLock<Desk> = OnceLock::new();
    THREE.get_or_init(|| shards("slice", 3))
}

#[test]
fn merged_shards_are_the_run_of_one_machine() {
    for (desk, out) in [(three(), "same"), (&shards("hash", 2), "same")] {
        let runs = match desk.path("runs/s3").is_dir() {
            true => "s3 s1 s2",
            false => "s2 s1",
        };
        let merged = tool(desk, &format!("merge {runs} --out {out}"));
        assert_eq!(merged.code, 0, "{}", merged.err);
        let (one, all) = (desk.path(out), desk.path("runs/all"));
        assert_eq!(journals(&one), journals(&all));
        assert_eq!(journals(&all).len(), 6);
        assert_eq!(findings(&one), findings(&all));
        assert!(findings(&all).len() > 8);
    }
}

#[test]
fn neither_order_nor_repetition_has_an_effect() {
    let desk = three();
    let before = content(&desk.path("runs"), &[]);
    let mut first = None;
    for (ix, runs) in [
        "s1 s2 s3",
        "s3 s2 runs/s1 s2 s3",
        "order/0 s2",
        "s1 order/0 order/1",
    ]
    .into_iter()
    .enumerate()
    {
        // The report contains commands with the folder's path.
        assert_eq!(
            tool(desk, &format!("merge {runs} --out order/merged")).code,
            0
        );
        let merged = content(&desk.path("order/merged"), &[]);
        fs::rename(desk.path("order/merged"), desk.path(&format!("order/{ix}"))).unwrap();
        let first = first.get_or_insert_with(|| merged.clone());
        assert!(first.len() > 60);
        assert!(first.keys().eq(merged.keys()), "{runs}");
        for (name, bytes) in first {
            assert!(*bytes == merged[name], "{runs}: {name} differs");
        }
    }
    assert_eq!(
        content(&desk.path("runs"), &[]),
        before,
        "the given runs are unchanged"
    );
}

#[test]
fn a_missing_shard_is_named_with_the_command_that_runs_it() {
    let desk = three();
    let merged = tool(desk, "merge s1 s3 --out part");
    assert_eq!(merged.code, 106, "{}", merged.err);
    assert!(
        merged.err.contains("shard 2 of 3 is incomplete"),
        "{}",
        merged.err
    );
    assert!(
        merged.err.contains("`--partition slice:2/3`"),
        "{}",
        merged.err
    );
    let summary: Value = serde_json::from_slice(&desk.read("part/summary.json")).unwrap();
    assert_eq!(summary["sessions"].as_array().unwrap().len(), 6);
    // The rest is merged into what was merged before.
    let whole = tool(desk, "merge part s2 --out whole");
    assert_eq!(whole.code, 0, "{}", whole.err);
    assert_eq!(
        findings(&desk.path("whole")),
        findings(&desk.path("runs/all"))
    );
}

#[test]
fn a_merged_run_is_a_run_like_others() {
    let desk = three();
    tool(desk, "merge s1 s2 s3 --out like");
    let before = desk.read("like/summary.json");
    fs::remove_file(desk.path("like/summary.json")).unwrap();
    assert_eq!(tool(desk, "report like").code, 0);
    assert_eq!(desk.read("like/summary.json"), before);
    let trace = crate::common::files(&desk.path("like"))
        .into_iter()
        .find(|file| file.ends_with("minimized.toml"))
        .unwrap();
    let replayed = tool(desk, &format!("replay {}", trace.display()));
    assert_eq!(replayed.code, 100, "{}", replayed.all());
    let again = tool(desk, "minimize like");
    assert_eq!(again.code, 100, "{}", again.err);
}

#[test]
fn a_shard_without_sessions_succeeds() {
    let desk = desk(&suite("[1]", ""));
    let empty = tool(&desk, "run --run-id s3 --partition slice:3/4");
    assert_eq!(empty.code, 0, "{}", empty.err);
    assert!(
        empty.err.contains("this shard has no sessions"),
        "{}",
        empty.err
    );
    for shard in [1, 2, 4] {
        tool(
            &desk,
            &format!("run --run-id s{shard} --partition slice:{shard}/4"),
        );
    }
    let merged = tool(&desk, "merge s1 s2 s3 s4 --out merged");
    assert_eq!(merged.code, 0, "{}", merged.err);
    let alone = tool(&desk, "merge s3 --out alone");
    assert_eq!(alone.code, 106, "{}", alone.err);
}

#[test]
fn the_schedulers_variables_are_read_for_auto_only() {
    let desk = desk(&suite("[1, 2]", ""));
    let list = |args: &str| {
        let mut command = desk.command(args);
        command.env("CI_NODE_INDEX", "2").env("CI_NODE_TOTAL", "3");
        crate::common::program::Ended::of(&mut command)
    };
    assert!(list("list").out.contains("\n4 sessions"));
    let auto = list("list --partition auto");
    assert!(
        auto.out.contains("\n1 session,") && auto.out.contains("shop-sim-random-2"),
        "{}",
        auto.all()
    );
    assert!(
        auto.err
            .contains("slice:2/3 (from CI_NODE_INDEX and CI_NODE_TOTAL)"),
        "{}",
        auto.err
    );
    let none = tool(&desk, "list --partition auto");
    assert_eq!(none.code, 2);
    assert!(
        none.err
            .contains("JOB_COMPLETION_INDEX and DROIDTEST_SHARDS"),
        "{}",
        none.err
    );
    let wrong = tool(&desk, "list --partition slice:4/3");
    assert_eq!(wrong.code, 2);
    assert!(
        wrong.err.contains("there is no shard 4 of 3"),
        "{}",
        wrong.err
    );
}

#[test]
fn eight_shards_of_which_two_are_killed_become_the_run_of_one_machine() {
    let long = suite("[1, 2, 3, 4]", "").replace("1500", "3000");
    let desk = desk(&long);
    assert_eq!(tool(&desk, "run --run-id all").code, 100);
    let start = |shard: u32, id: &str| -> Child {
        let mut command = desk.command(&format!("run --run-id {id} --partition slice:{shard}/8"));
        let command = command.env("DROIDTEST_OUT", "runs").stderr(Stdio::null());
        command.spawn().unwrap()
    };
    for (shard, session) in [(3, "shop-sim-random-3"), (6, "notes-sim-random-2")] {
        let run = format!("s{shard}");
        let mut child = start(shard, &run);
        until_begun(&desk, &format!("runs/{run}"));
        child.kill().unwrap();
        child.wait().unwrap();
        let journal = desk.read(&format!("runs/{run}/sessions/{session}/journal.jsonl"));
        // A busy machine may let it finish before the signal.
        if String::from_utf8_lossy(&journal).contains("{\"e\":\"end\",") {
            cut(&desk, &run, session);
        }
    }
    let rest = [1, 2, 4, 5, 7, 8].map(|shard| start(shard, &format!("s{shard}")));
    for mut child in rest {
        child.wait().unwrap();
    }
    let all = "s1 s2 s3 s4 s5 s6 s7 s8";
    let part = tool(&desk, &format!("merge {all} --out part"));
    assert_eq!(part.code, 106, "{}", part.err);
    for shard in [3, 6] {
        assert!(
            part.err
                .contains(&format!("shard {shard} of 8 is incomplete; cut off")),
            "{}",
            part.err
        );
        start(shard, &format!("again{shard}")).wait().unwrap();
    }
    let whole = tool(&desk, &format!("merge {all} again3 again6 --out whole"));
    assert_eq!(whole.code, 0, "{}", whole.err);
    assert_eq!(
        journals(&desk.path("whole")),
        journals(&desk.path("runs/all"))
    );
    assert_eq!(
        findings(&desk.path("whole")),
        findings(&desk.path("runs/all"))
    );
    let from_part = tool(&desk, "merge part again3 again6 --out whole2");
    assert_eq!(from_part.code, 0, "{}", from_part.err);
    assert_eq!(
        findings(&desk.path("whole2")),
        findings(&desk.path("runs/all"))
    );
}
