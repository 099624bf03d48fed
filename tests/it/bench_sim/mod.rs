//! `bench` as a complete on the sim device: equal results however it is run, and it continues where it was stopped.

mod compare;
mod folder;

use crate::common::app;
use crate::common::program::Desk;
use serde_json::Value;
use std::fs;
use std::path::PathBuf;

const SUITE: &str = r#"
[suite]
name = "b"
budget = { events = 300 }
seeds = [1, 2]
[[app]]
name = "shop"
model = "builtin:shop"
[[app]]
name = "notes"
model = "builtin:notes"
[[device]]
name = "sim"
kind = "sim"
count = 4
[[strategy]]
kind = "random"
[[strategy]]
name = "no-system"
kind = "random"
system-rate = 0.0
[[strategy]]
kind = "monkey"
"#;

struct Case {
    desk: Desk,
}

impl Case {
    fn new(suite: &str) -> Self {
        let desk = Desk::new(suite);
        Self { desk }
    }

    fn bench(&self, args: &str) -> (i32, String, String) {
        self.desk.tool(&format!("bench {args}")).parts()
    }

    fn run_folder(&self) -> PathBuf {
        self.desk.path("target/droidtest/bench-b")
    }

    fn journal(&self, session: &str) -> PathBuf {
        self.run_folder()
            .join("sessions")
            .join(session)
            .join("journal.jsonl")
    }

    fn report(&self) -> Value {
        serde_json::from_slice(&fs::read(self.run_folder().join("bench.json")).unwrap()).unwrap()
    }
}

#[test]
fn strategies_are_compared_and_the_number_of_workers_changes_nothing() {
    let case = Case::new(SUITE);
    let (code, out, err) = case.bench("-j 1");
    assert_eq!(code, 0, "{err}");
    assert!(out.contains("code branches reached at the end"), "{out}");
    assert!(out.contains("random over no-system"), "{out}");
    let report = case.report();
    assert_eq!(report["sessions"].as_array().unwrap().len(), 12);
    assert!(
        report["sessions"]
            .as_array()
            .unwrap()
            .iter()
            .all(|s| s["events"] == 300)
    );
    let csv = fs::read_to_string(case.run_folder().join("bench.csv")).unwrap();
    assert_eq!(csv.lines().count(), 13);
    let table = |name: &str| fs::read_to_string(case.run_folder().join(name)).unwrap();
    // Five metrics (a model has no lines) at three places, two apps, three strategies and as many pairs.
    assert_eq!(table("bench-apps.csv").lines().count(), 1 + 15 * 6);
    assert_eq!(table("bench-pairs.csv").lines().count(), 1 + 15 * 3 * 3);
    let html = fs::read_to_string(case.run_folder().join("bench.html")).unwrap();
    assert!(html.contains("class=\"band\""));

    let other = Case::new(SUITE);
    other.bench("-j 4");
    assert_eq!(other.report(), report);
}

#[test]
fn modelled_time_ends_sessions_after_fewer_events_of_slower_strategies() {
    let timed = SUITE.replace("budget = { events = 300 }\n", "")
        + "[bench]\ntime = \"100s\"\nthink = { monkey = \"800ms\" }\n";
    let case = Case::new(&timed);
    let (code, _, err) = case.bench("");
    assert_eq!(code, 0, "{err}");
    let report = case.report();
    let mut events = [Vec::new(), Vec::new()];
    for session in report["sessions"].as_array().unwrap() {
        assert_eq!(session["ended"], "time", "{session}");
        let spent = session["modelled_seconds"].as_f64().unwrap();
        // The last event may overrun, and the start that follows a crash with it.
        assert!((100.0..106.0).contains(&spent), "{session}");
        let slow = session["strategy"] == "monkey";
        events[usize::from(slow)].push(session["events"].as_u64().unwrap());
    }
    assert!(
        events[1].iter().max() < events[0].iter().min(),
        "{events:?}"
    );
}

#[test]
fn comparing_needs_no_second_run_and_a_folder_that_is_not_there_is_named() {
    let case = Case::new(SUITE);
    let (code, _, err) = case.bench("--no-run");
    assert_eq!(code, 4);
    assert!(err.contains("bench-b"), "{err}");
    case.bench("");
    let report = case.report();
    fs::remove_file(case.run_folder().join("bench.json")).unwrap();
    assert_eq!(case.bench("--no-run").0, 0);
    assert_eq!(case.report(), report);
    fs::write(case.run_folder().join("run.json"), "run").unwrap();
    let (code, _, err) = case.bench("--no-run");
    assert_eq!(code, 65, "{err}");
    assert!(err.contains("run.json: expected value at line 1"), "{err}");
    assert!(!err.contains("cannot write"), "{err}");
}

#[test]
fn findings_are_no_failure_but_a_bench_without_any_session_is_one() {
    let apk = app("notes/notes.apk");
    // Not adb, and closes each connection: nor is an adb server started that would outlive the test.
    let other = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = other.local_addr().unwrap().port();
    std::thread::spawn(move || other.incoming().for_each(drop));
    let suite = format!(
        "[suite]\nname = \"b\"\nbudget = {{ events = 5 }}\nseeds = [1]\n[[app]]\nname = \"notes\"\n\
         apk = {apk:?}\n[[device]]\nname = \"phone\"\nkind = \"adb\"\nport = {port}\npatience = \"1s\"\n\
         [[strategy]]\nkind = \"random\"\n[retries]\ncount = 0\n"
    );
    let case = Case::new(&suite);
    let (code, _, err) = case.bench("");
    assert_eq!(code, 107, "{err}");
    assert!(err.contains("adb"), "{err}");
    let (code, help, _) = case.bench("--help");
    assert_eq!(code, 0);
    assert!(help.contains("whatever their sessions found"), "{help}");

    let found = Case::new(SUITE);
    assert_eq!(found.bench("").0, 0);
    let sessions = found.report()["sessions"].clone();
    let findings = |s: &Value| s["findings"].as_u64().unwrap();
    assert!(
        sessions
            .as_array()
            .unwrap()
            .iter()
            .map(findings)
            .sum::<u64>()
            > 0
    );
}

#[test]
fn comparing_takes_what_is_chosen_and_counts_what_is_missing() {
    let case = Case::new(SUITE);
    case.bench("--seed 1");
    let (code, out, err) = case.bench("--no-run --strategy random,monkey --app shop");
    assert_eq!(code, 0, "{err}");
    assert_eq!(err.matches("warning").count(), 0, "{err}");
    let report = case.report();
    assert_eq!(
        report["strategies"],
        serde_json::json!(["random", "monkey"])
    );
    assert!(
        out.contains("2 of 4 sessions did not complete") && out.contains("  2 not started"),
        "{out}"
    );
    let (code, out, _) = case.bench("--no-run --message-format json --seed 1");
    assert_eq!(code, 0);
    let line: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(
        (&line["e"], out.lines().count()),
        (&Value::from("bench"), 1)
    );
    let (code, _, err) = case.bench("--no-run --seed 9");
    assert_eq!(code, 4, "{err}");
}
