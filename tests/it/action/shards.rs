//! Several machines explore, and one merges their runs.

use super::Runner;
use super::steps::RUN;
use std::fs;

#[test]
fn shards_are_merged_and_the_baseline_judges_the_merged_run() {
    let Some(mut runner) = Runner::new(&RUN) else {
        return;
    };
    runner.real_tool();
    runner.write("known.toml", "version = 1\n");
    runner.set("ARGS", "--events 300");
    for shard in ["1", "2"] {
        let out = runner.text(&format!("out-{shard}"));
        runner.set("DROIDTEST_OUT", out);
        runner.set("SHARD", format!("{shard}/2"));
        let run = runner.step("action/run.sh", &[]);
        run.expect(0);
        let from = run.output("folder").to_owned();
        fs::create_dir_all(runner.path("shards")).unwrap();
        fs::rename(from, runner.path(&format!("shards/droidtest-{shard}"))).unwrap();
    }
    for (name, value) in [("SHARD", ""), ("ARGS", ""), ("BASELINE", "known.toml")] {
        runner.set(name, value);
    }
    let (out, shards) = (runner.text("out"), runner.text("shards"));
    runner.set("DROIDTEST_OUT", &out);
    runner.set("MERGE", shards);
    let run = runner.step("action/run.sh", &[]);
    let said = run.expect(0);
    assert_eq!(run.output("exit-code"), "100", "{said}");
    assert_eq!(run.output("folder"), format!("{out}/merged"));
    assert!(runner.path("out/merged/gate.json").is_file(), "{said}");
    // Without one of the shards the run is incomplete.
    fs::remove_dir_all(runner.path("shards/droidtest-2")).unwrap();
    let run = runner.step("action/run.sh", &[]);
    assert_eq!(run.output("exit-code"), "100");
    let verdict = fs::read_to_string(runner.path("out/merged/gate.json")).unwrap();
    assert!(verdict.contains("not started"), "{verdict}");
    // Without a baseline every finding is new.
    runner.set("BASELINE", "");
    let run = runner.step("action/run.sh", &[]);
    assert_eq!(run.output("exit-code"), "100");
    // Runs that cannot be merged leave nothing, not the merged run of an earlier step.
    fs::write(runner.path("shards/droidtest-1/run.json"), "no").unwrap();
    let run = runner.step("action/run.sh", &[]);
    assert_eq!((run.output("exit-code"), run.output("folder")), ("65", ""));
}

#[test]
fn runs_of_several_machines_are_merged_and_judged() {
    let Some(mut runner) = Runner::new(&RUN) else {
        return;
    };
    runner.recorder("cargo-droidtest");
    let out = runner.text("out");
    fs::create_dir_all(runner.path("out/merged")).unwrap();
    fs::create_dir_all(runner.path("shards/one two")).unwrap();
    let shards = runner.text("shards");
    for (name, value) in [
        ("DROIDTEST_OUT", &*out),
        ("MERGE", &*shards),
        ("BASELINE", "b.toml"),
    ] {
        runner.set(name, value);
    }
    let done = runner.step("action/run.sh", &[]);
    done.expect(0);
    let (run, merged) = (format!("{shards}/one two"), format!("{out}/merged"));
    assert_eq!(
        runner.calls(),
        [
            "cargo-droidtest",
            "merge",
            "--suite",
            "droidtest.toml",
            &run,
            "--out",
            &merged,
            "cargo-droidtest",
            "gate",
            "--suite",
            "droidtest.toml",
            "--baseline",
            "b.toml",
            &merged
        ]
    );
    assert_eq!(
        (done.output("exit-code"), done.output("folder")),
        ("0", ""),
        "the recorder writes no folder"
    );
}
