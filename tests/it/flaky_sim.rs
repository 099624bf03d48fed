//! A crash that comes at every other try, passed on with how reliably it reproduces.

use crate::common::program::{Desk, Ended};
use std::fs;

const MODEL: &str = r#"{
  "meta": { "name": "gate", "package": "org.example.gate", "strings": ["a"], "back": "history" },
  "global_vars": {},
  "nodes": [
    { "node_id": "Gate",
      "transitions": [ { "transition_id": 0, "type": "button", "text": "Enter", "destination": "Cave" } ] },
    { "node_id": "Cave",
      "transitions": [
        { "transition_id": 0, "type": "button", "text": "Leave", "destination": "Gate" },
        { "transition_id": 1, "type": "button", "text": "Dice", "nondeterministic": true, "destination": "Gate" },
        { "transition_id": 1, "type": "button", "text": "Dice", "nondeterministic": true,
          "crash": { "exception": "java.lang.RuntimeException", "message": "dice",
                     "frame": "org.example.gate.Cave.dice(Cave.java:41)" } } ] } ]
}"#;

const SUITE: &str = "[suite]\nname = \"s\"\nbudget = { events = 60 }\n[report]\nhtml = false\n\
    [[app]]\nname = \"gate\"\nmodel = \"gate.json\"\n[[strategy]]\nkind = \"random\"\n";

/// How often the crash of the run with this seed came again, of how many, and how many steps it takes.
fn handed_over(desk: &Desk, seed: u32) -> Option<(u64, u64, usize)> {
    let run = desk.tool(&format!("run --seed {seed} --run-id r{seed}"));
    assert!([0, 100].contains(&run.code), "{}", run.err);
    let findings = desk.path(&format!(
        "target/droidtest/r{seed}/sessions/gate-sim-random-{seed}/findings"
    ));
    let finding = fs::read_dir(findings).ok()?.next()?.unwrap().path();
    let reported = fs::read_to_string(finding.join("reproduction.json")).unwrap();
    let reported: serde_json::Value = serde_json::from_str(&reported).unwrap();
    let number = |key: &str| reported[key].as_u64().unwrap();
    let (came, of) = (number("reproduced"), number("of"));
    // What comes in no fresh process is not passed on as one that does.
    assert_eq!(
        finding.join("minimized.toml").is_file(),
        came > 0,
        "{reported}"
    );
    if came > 0 {
        // The app's chance is that of a process that has shown it.
        let mut replay = desk.command("replay");
        let again = Ended::of(replay.arg(finding.join("minimized.toml")));
        assert_eq!(again.code, 100, "{reported}: {}", again.out);
    }
    if came > 0 && came < of {
        assert_ne!(reported["minimality"], "one-minimal", "{reported}");
    }
    Some((came, of, reported["steps"].as_array().unwrap().len()))
}

/// The app's chance restarts with each fresh process: with one seed for all of them it would show always or never.
#[test]
fn fresh_processes_confirm_a_crash_as_often_as_it_comes() {
    let desk = Desk::new(SUITE);
    desk.write("gate.json", MODEL);
    let all: Vec<_> = (1..=12)
        .filter_map(|seed| handed_over(&desk, seed))
        .collect();
    assert!(all.len() >= 8, "{all:?}");
    let came: u64 = all.iter().map(|(came, ..)| came).sum();
    let of: u64 = all.iter().map(|(_, of, _)| of).sum();
    let between = all.iter().filter(|(came, of, _)| 0 < *came && came < of);
    assert!(between.count() * 2 > all.len(), "{all:?}");
    assert!((of / 4..=of * 3 / 4).contains(&came), "{all:?}");
    let short = all
        .iter()
        .filter(|(came, _, steps)| *came > 0 && *steps <= 3);
    assert!(short.count() * 2 > all.len(), "{all:?}");
}
