//! Pages of no widget, of thousands, and of texts of a megabyte: sessions of every strategy complete, and
//! what they leave is complete.

use crate::common::program::Desk;
use droidtest::outcome::RunEvent;
use droidtest::outcome::folder::RunFolder;
use droidtest::outcome::journal::JournalReader;
use serde_json::json;
use std::fs;

/// Wide leads to Empty and Long; both lead nowhere but back. One of the widgets crashes.
fn model() -> String {
    let long = "é".repeat(500_000);
    let mut wide: Vec<_> = (0..5000)
        .map(|n| {
            let to = if n % 2 == 0 { "Empty" } else { "Long" };
            json!({ "type": "button", "text": format!("w{n}"), "destination": to })
        })
        .collect();
    wide[7]["crash"] = json!({ "exception": "java.lang.IllegalStateException", "message": long,
                               "frame": "org.example.wide.Wide.go(Wide.java:7)" });
    json!({
        "meta": { "name": "wide", "package": "org.example.wide", "back": "history", "strings": ["a", "b"] },
        "nodes": [
            { "node_id": "Wide", "transitions": wide },
            { "node_id": "Empty", "transitions": [] },
            { "node_id": "Long", "title": long, "transitions": [
                { "type": "button", "text": long, "destination": "Wide" },
                { "type": "editText", "hint": long, "destination": "Wide" } ] } ]
    })
    .to_string()
}

const SUITE: &str = r#"
[suite]
name = "s"
budget = { events = 24 }
seeds = [1]
[[app]]
name = "wide"
model = "wide.json"
[[device]]
name = "sim"
kind = "sim"
count = 2
[[strategy]]
kind = "random"
[[strategy]]
kind = "monkey"
[[strategy]]
kind = "q-learning"
[[strategy]]
kind = "ares-sac"
[[strategy]]
kind = "ares-td3"
[[strategy]]
kind = "ares-ddpg"
"#;

/// A trace that leads to the crash, whichever strategy encountered it.
const TRACE: &str = "version = 1\n[app]\npackage = \"org.example.wide\"\n\
    [finding]\nkind = \"java-crash\"\nexception = \"java.lang.IllegalStateException\"\n\
    [[step]]\ndo = \"click\"\ntext = \"w7\"\n";

#[test]
fn pages_of_any_size_are_explored_to_the_end_and_reported_whole() {
    let deep = "[[strategy]]\nkind = \"dinodroid\"\nwarm-up = 5\npolicy = { fresh = true }\n";
    let desk = Desk::new(&format!("{SUITE}{deep}"));
    desk.write("wide.json", model());
    let said = desk.tool("run --run-id r -j 2");
    assert!([0, 100].contains(&said.code), "{:.3000}", said.err);
    let run = RunFolder::at(desk.path("target/droidtest/r"));
    let mut pages = Vec::new();
    for session in run.sessions().unwrap() {
        let journal = run.session(&session).journal();
        let size = fs::metadata(&journal).unwrap().len();
        assert!(size < 200_000, "{session}: a journal of {size} bytes");
        let events: Vec<_> = JournalReader::open(&journal)
            .unwrap()
            .collect::<Result<_, _>>()
            .unwrap();
        let end = events.last();
        assert!(
            matches!(end, Some(RunEvent::End { events: 24, .. })),
            "{session}: {end:?}"
        );
        pages.extend(events.into_iter().filter_map(|event| match event {
            RunEvent::Page {
                activity, widgets, ..
            } => Some((activity, widgets)),
            _ => None,
        }));
    }
    for page in [("Wide", 5001), ("Empty", 1), ("Long", 4)] {
        let met = |(activity, widgets): &(String, u32)| (activity.as_str(), *widgets) == page;
        assert!(pages.iter().any(met), "{page:?} not met: {pages:?}");
    }
    for report in [run.junit(), run.html(), run.summary()] {
        let size = fs::metadata(&report).unwrap().len();
        assert!(size < 1_000_000, "{}: {size} bytes", report.display());
    }
    let junit = fs::read_to_string(run.junit()).unwrap();
    let mut parts = quick_xml::Reader::from_str(&junit);
    while parts.read_event().unwrap() != quick_xml::events::Event::Eof {}
    let summary: serde_json::Value =
        serde_json::from_slice(&fs::read(run.summary()).unwrap()).unwrap();
    let sessions = summary["sessions"].as_array().unwrap();
    assert_eq!(sessions.len(), 7);

    // The crash with its message of a megabyte, by its trace.
    desk.write("trace.toml", TRACE);
    let said = desk.tool("minimize trace.toml");
    assert_eq!(said.code, 100, "{}", said.err);
    assert!(
        said.out
            .contains("Reduced from 1 step to 1; reproduced 5 of 5 times"),
        "{}",
        said.out
    );
    assert!(said.out.len() < 2000);
}
