//! A session that the tool does not carry through: every report says that it failed and why, and `bench` runs it again.

use crate::common::program::droidtest;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

fn suite(policy: &str, events: u32) -> String {
    format!(
        "[suite]\nname = \"s\"\nbudget = {{ events = {events} }}\nseeds = [1, 2]\n[[app]]\nname = \"shop\"\n\
         model = \"builtin:shop\"\n[[strategy]]\nkind = \"q-learning\"\npolicy = {{ {policy} }}\n"
    )
}

fn start(folder: &Path, args: &str) -> Child {
    droidtest(folder)
        .args(args.split_whitespace())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// The exit code, and all that was reported.
fn end(child: Child) -> (Option<i32>, String) {
    let out = child.wait_with_output().unwrap();
    let said = [out.stdout, out.stderr].concat();
    (out.status.code(), String::from_utf8(said).unwrap())
}

fn run(folder: &Path, args: &str) -> (Option<i32>, String) {
    end(start(folder, args))
}

/// A folder with a policy in it and a suite that starts from it.
fn learned(events: u32) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    fs::write(path.join("droidtest.toml"), suite("save = true", 100)).unwrap();
    run(path, "run --run-id first");
    let saved = "target/droidtest/first/sessions/shop-sim-q-learning-1/policy.safetensors";
    fs::rename(path.join(saved), path.join("learned.safetensors")).unwrap();
    let loads = suite("load = \"learned.safetensors\"", events);
    fs::write(path.join("droidtest.toml"), loads).unwrap();
    folder
}

#[test]
fn a_policy_deleted_during_a_run_fails_its_sessions_in_every_report() {
    let folder = learned(20_000);
    let path = folder.path();
    let mut child = start(path, "run --run-id second -j 1");
    let sessions = path.join("target/droidtest/second/sessions");
    let started = sessions.join("shop-sim-q-learning-1/journal.jsonl");
    let deadline = Instant::now() + Duration::from_secs(60);
    while !fs::metadata(&started).is_ok_and(|file| file.len() > 0) {
        if Instant::now() > deadline {
            child.kill().unwrap();
            panic!("no session within a minute");
        }
        sleep(Duration::from_millis(1));
    }
    fs::remove_file(path.join("learned.safetensors")).unwrap();
    let (code, said) = end(child);
    assert_eq!(code, Some(96), "{said}");
    let why = "learned.safetensors was written, moved or deleted during the run";
    assert!(said.contains(why) && said.contains("Failed"), "{said}");
    assert!(!said.contains("Killed"), "{said}");

    let report =
        |name: &str| fs::read_to_string(path.join("target/droidtest/second").join(name)).unwrap();
    let summary: Value = serde_json::from_str(&report("summary.json")).unwrap();
    for session in summary["sessions"].as_array().unwrap() {
        assert!(
            session["failed"].as_str().unwrap().contains(why),
            "{session}"
        );
    }
    assert_eq!(summary["interrupted"], false);
    let junit = report("junit.xml");
    assert_eq!(
        junit.matches("<error type=\"failed\"").count(),
        2,
        "{junit}"
    );
    assert!(report("report.html").contains(why));
    for all in [junit, report("summary.json")] {
        assert!(!all.contains(path.to_str().unwrap()), "{all}");
    }
}

#[test]
fn a_bench_tells_why_a_session_failed_and_runs_it_again() {
    let folder = learned(100);
    let path = folder.path();
    let (code, said) = run(path, "bench");
    assert_eq!(code, Some(0), "{said}");
    let base = path.join("target/droidtest/bench-s");
    let session = base.join("sessions/shop-sim-q-learning-2");
    fs::write(session.join("failed.txt"), "learning ran away\n").unwrap();

    let (_, said) = run(path, "bench --no-run");
    assert!(said.contains("1 of 2 sessions did not complete"), "{said}");
    assert!(
        said.contains("shop-sim-q-learning-2, 100 events: learning ran away"),
        "{said}"
    );
    let report: Value =
        serde_json::from_slice(&fs::read(base.join("bench.json")).unwrap()).unwrap();
    assert_eq!(report["sessions"][1]["cut_off"], true);
    assert_eq!(report["sessions"][1]["damage"], "learning ran away");

    let (code, said) = run(path, "bench");
    assert_eq!(code, Some(0), "{said}");
    assert!(!session.join("failed.txt").exists());
    assert!(!said.contains("did not come to their end"), "{said}");
}
