//! `minimize` on the sim device: nothing that is known is lost, and nothing is left out without a word.

mod bench;
mod met;

use bench::{Bench, GATE, LONG, SUITE, steps, to_take};
use std::fs;

#[test]
fn the_trace_given_is_never_deleted() {
    let bench = Bench::new(SUITE, GATE);
    bench.write("f/finding.json", "{}");
    // Edited manually, so that the crash does not come.
    let text = to_take(&["Main_0", "Main_1"]);
    let given = bench.write("f/minimized.toml", &text);
    let said = bench.tool(&["minimize", given.to_str().unwrap()]);
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(said.out.contains("did not reproduce"), "{}", said.out);
    assert!(said.err.contains("kept the given trace"), "{}", said.err);
    assert_eq!(fs::read_to_string(&given).unwrap(), text);
    // The same by another name.
    let said = bench.tool(&["minimize", "f/../f/minimized.toml"]);
    assert_eq!((said.code, fs::read_to_string(&given).unwrap()), (0, text));
}

#[test]
fn without_a_replay_what_came_before_stays() {
    let bench = Bench::new(SUITE, GATE);
    let trace = bench.write("t.toml", &to_take(&LONG));
    let minimize = |env: &[(&str, &str)]| bench.tool_with(env, &["minimize", "t.toml"]);
    let said = minimize(&[]);
    assert_eq!(said.code, 100, "{}", said.err);
    let results = ["minimized.toml", "reproduction.json"]
        .map(|name| trace.with_file_name("t-minimized").join(name));
    let before = results.clone().map(|file| fs::read(file).unwrap());
    let said = minimize(&[("DROIDTEST_MINIMIZE__TIME", "0s")]);
    assert!(
        said.out.contains("not replayed"),
        "{}{}",
        said.out,
        said.err
    );
    assert!(said.err.contains("kept the earlier result"), "{}", said.err);
    assert_eq!(results.map(|file| fs::read(file).unwrap()), before);
}

#[test]
fn a_shorter_result_outlives_one_that_ended_at_its_budget() {
    let bench = Bench::new(SUITE, GATE);
    bench.write("t.toml", &to_take(&LONG));
    let said = bench.tool(&["minimize", "t.toml"]);
    assert_eq!(said.code, 100, "{}", said.err);
    let result = bench.path("t-minimized/minimized.toml");
    assert_eq!(steps(&result), 3);
    let before = fs::read(bench.path("t-minimized/reproduction.json")).unwrap();
    let small = [("DROIDTEST_MINIMIZE__REPLAYS", "1")];
    let said = bench.tool_with(&small, &["minimize", "t.toml"]);
    assert_eq!(said.code, 100, "{}", said.err);
    assert!(said.err.contains("is shorter (3 steps)"), "{}", said.err);
    assert_eq!(steps(&result), 3);
    let after = fs::read(bench.path("t-minimized/reproduction.json")).unwrap();
    assert_eq!(after, before, "both are of one result");
}

#[test]
fn an_app_of_the_same_name_is_not_taken_for_the_runs_own() {
    let bench = Bench::after_run(SUITE, GATE);
    let said = bench.tool(&["minimize", "target/droidtest/r"]);
    assert_eq!(said.code, 100, "{}", said.err);
    assert_eq!(bench.files("minimized.toml").len(), 1);
    bench.write(
        "gate.json",
        &GATE.replace("example.gate\" }", "example.other\" }"),
    );
    let said = bench.tool(&["minimize", "target/droidtest/r"]);
    assert_eq!(bench.files("minimized.toml").len(), 1, "{}", said.err);
    let reported = said.err.matches("org.example.other").count();
    assert_eq!(reported, bench.files("trace.toml").len(), "{}", said.err);
}

#[test]
fn another_trace_of_the_same_cause_is_tried_where_the_shortest_does_not_lead_there() {
    for (bad, tried) in [(to_take(&["Main_1"]), 2), ("no trace".to_owned(), 1)] {
        let bench = Bench::after_run(SUITE, GATE);
        let mut traces = bench.files("trace.toml");
        assert_eq!(traces.len(), 2, "one of each seed");
        traces.sort_by_key(|trace| steps(trace));
        fs::write(&traces[0], bad).unwrap();
        let said = bench.tool(&["minimize", "target/droidtest/r"]);
        assert_eq!(said.code, 100, "{}", said.err);
        let there =
            [&traces[0], &traces[1]].map(|trace| trace.with_file_name("minimized.toml").is_file());
        assert_eq!(there, [false, true], "{}", said.err);
        assert_eq!(
            said.err.matches("  Minimizing ").count(),
            tried,
            "{}",
            said.err
        );
    }
}

#[test]
fn at_most_three_traces_of_a_cause_are_tried() {
    let bench = Bench::after_run(&SUITE.replace("[1, 2]", "[1, 2, 3, 4, 5]"), GATE);
    let traces = bench.files("trace.toml");
    assert_eq!(traces.len(), 5);
    for trace in &traces {
        fs::write(trace, to_take(&["Main_1"])).unwrap();
    }
    let said = bench.tool(&["minimize", "target/droidtest/r"]);
    assert_eq!(said.err.matches("  Minimizing ").count(), 3, "{}", said.err);
}

#[test]
fn app_and_device_are_chosen_for_a_runs_findings_too() {
    let second = "[[app]]\nname = \"other\"\nmodel = \"other.json\"\n[[device]]\nname = \"sim2\"\nkind = \"sim\"\n";
    let bench = Bench::new(SUITE, GATE);
    let both = SUITE.to_owned() + second;
    bench.write("droidtest.toml", &both);
    bench.write("other.json", &GATE.replace("gate", "other"));
    let off = [("DROIDTEST_MINIMIZE__ENABLED", "false")];
    let said = bench.tool_with(&off, &["run", "--run-id", "r", "--device", "sim"]);
    assert_eq!(said.code, 100, "{}", said.err);
    let of = |app: &str| {
        let all = bench.files("minimized.toml");
        let name = format!("/{app}-sim-");
        all.iter()
            .filter(|p| p.to_str().unwrap().contains(&name))
            .count()
    };
    let said = bench.tool(&["minimize", "r", "--app", "other", "--device", "sim2"]);
    assert_eq!(
        (said.code, of("gate"), of("other")),
        (100, 0, 1),
        "{}",
        said.err
    );
    assert!(
        said.err.contains("the device `sim2` instead of `sim`"),
        "{}",
        said.err
    );
    let said = bench.tool(&["minimize", "r", "--device", "sim3"]);
    assert!(
        said.code == 96 && said.err.contains("did you mean `sim"),
        "{}",
        said.err
    );
    // The device that it was recorded on is gone: another is in.
    bench.write(
        "droidtest.toml",
        &SUITE.replace("\"sim\"\nkind", "\"new\"\nkind"),
    );
    let said = bench.tool(&["minimize", "r", "--app", "gate"]);
    assert_eq!((said.code, of("gate")), (100, 1), "{}", said.err);
    assert!(
        said.err.contains("the device `new` instead of `sim`"),
        "{}",
        said.err
    );
    // An app that is gone is reported to be so.
    let said = bench.tool(&["minimize", "r"]);
    assert!(
        said.err
            .contains("its package is org.example.other, and no app of the suite has it"),
        "{}",
        said.err
    );
}

#[test]
fn all_that_is_given_is_read_first_and_one_that_fails_does_not_end_the_others() {
    let bench = Bench::new(SUITE, GATE);
    bench.write("a.toml", &to_take(&LONG));
    bench.write("b.toml", &to_take(&LONG));
    bench.write(
        "misfit.toml",
        &to_take(&LONG).replace("example.gate", "example.other"),
    );
    let said = bench.tool(&["minimize", "a.toml", "nowhere.toml", "b.toml"]);
    assert!(
        said.code == 96 && said.err.contains("nowhere.toml"),
        "{}",
        said.err
    );
    assert!(!bench.path("a-minimized").exists());
    let said = bench.tool(&["minimize", "misfit.toml", "b.toml"]);
    assert!(said.err.contains("org.example.other"), "{}", said.err);
    assert_eq!(said.code, 100, "{}", said.err);
    assert!(bench.path("b-minimized/minimized.toml").is_file());
    let said = bench.tool(&["minimize", "misfit.toml"]);
    assert_eq!(said.code, 96, "{}", said.err);
}

#[test]
fn a_run_is_known_by_its_name() {
    let bench = Bench::after_run(SUITE, GATE);
    for name in ["r", "latest"] {
        let said = bench.tool(&["minimize", name]);
        assert_eq!(
            (said.code, bench.files("minimized.toml").len()),
            (100, 1),
            "{}",
            said.err
        );
        fs::remove_file(&bench.files("minimized.toml")[0]).unwrap();
    }
}
