//! A portfolio in complete runs on the sim device: turns in the journal, who found what in the report, the event model.

use crate::common::program::{Desk, Ended};
use droidtest::outcome::RunSummary;
use droidtest::outcome::folder::RunFolder;
use std::fs;

const SUITE: &str = "[suite]\nname = \"s\"\nbudget = { events = 300 }\nseeds = [3]\nstrategies = [\"all\"]\nreuse = true\n\
    [[strategy]]\nname = \"all\"\nkind = \"portfolio\"\n\
    members = [{ kind = \"fastbot\", system-rate = 0.0 }, \"mine\", { kind = \"frontier\" }]\n\
    [[strategy]]\nname = \"mine\"\nkind = \"random\"\nsystem-rate = 0.0\n\
    [[app]]\nname = \"shop\"\nmodel = \"builtin:shop\"\n";

#[test]
fn members_take_turns_and_the_report_says_what_each_brought() {
    let desk = Desk::new(SUITE);
    let run = |id: &str| {
        let ended = Ended::of(&mut desk.command(&format!("run --run-id {id}")));
        assert!(!ended.err.contains("arning"), "{}", ended.err);
        let folder = RunFolder::at(desk.path(&format!("target/droidtest/{id}")));
        let session = folder.session(&folder.sessions().unwrap()[0]);
        let journal = fs::read(session.journal()).unwrap();
        (folder, journal)
    };
    let (folder, first) = run("first");
    let summary: RunSummary = serde_json::from_slice(&fs::read(folder.summary()).unwrap()).unwrap();
    let members = &summary.sessions[0].members;
    let mut names: Vec<&str> = members.iter().map(|member| member.name.as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["fastbot", "frontier", "mine"]);
    let sum: u64 = members.iter().map(|member| member.events).sum();
    assert_eq!(sum, summary.sessions[0].events);
    let found: u64 = members.iter().map(|member| member.probes).sum();
    let reached = summary.sessions[0].probes.covered;
    // The first start has reached the rest.
    assert!(found > 0 && found <= reached, "{members:?}");
    let report = fs::read_to_string(folder.path().join("report.html")).unwrap();
    assert!(report.contains("mine: "), "no line of members");
    // The fastbot in it has left its model: the second run starts from it, and differs by that.
    assert!(
        desk.path("target/droidtest/models/org.example.shop.jsonl")
            .is_file()
    );
    let (_, second) = run("second");
    assert_ne!(first, second);
    fs::remove_dir_all(desk.path("target/droidtest/models")).unwrap();
    let (_, third) = run("third");
    assert_eq!(first, third, "the same seed and no model: the same journal");
}
