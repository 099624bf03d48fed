//! Restores in complete runs on the sim device: journal, report, replay, minimization.

use crate::common::program::{Desk, Ended};
use droidtest::outcome::folder::RunFolder;
use droidtest::outcome::journal::JournalReader;
use droidtest::outcome::run_event::{LedBy, Return};
use droidtest::outcome::{RunEvent, RunSummary};
use std::fs;

/// A hall with two doors that lead in only. The first room has nothing in it, the second a ladder to an attic where a button
/// breaks the app.
const HOUSE: &str = r#"{ "nodes": [
    { "node_id": "Hall", "blocks": ["a.Hall.show:1"], "transitions": [
        { "transition_id": "left", "type": "button", "destination": "Cell" },
        { "transition_id": "right", "type": "button", "destination": "Room" } ] },
    { "node_id": "Cell", "blocks": ["a.Cell.show:1"], "transitions": [
        { "transition_id": "lamp", "type": "button", "destination": "Cell" } ] },
    { "node_id": "Room", "blocks": ["a.Room.show:1"], "transitions": [
        { "transition_id": "lamp", "type": "button", "destination": "Room" },
        { "transition_id": "ladder", "type": "button", "destination": "Attic" } ] },
    { "node_id": "Attic", "blocks": ["a.Attic.show:1"], "transitions": [
        { "transition_id": "hatch", "type": "button", "destination": "Room" },
        { "transition_id": "boom", "type": "button", "destination": "Attic", "crash": { "exception": "java.lang.IllegalStateException" } } ] } ] }"#;

struct Left {
    desk: Desk,
    folder: RunFolder,
    said: String,
}

fn run(model: &str, strategy: &str) -> Left {
    run_guided(model, strategy, "")
}

/// With further tables of the app.
fn run_guided(model: &str, strategy: &str, app: &str) -> Left {
    let suite = format!(
        "[suite]\nname = \"s\"\nbudget = {{ events = 300 }}\nseeds = [3]\n\
         [[strategy]]\n{strategy}\n\
         [[app]]\nname = \"house\"\nmodel = \"house.json\"\n{app}"
    );
    let desk = Desk::new(&suite);
    desk.write("house.json", model);
    in_desk(desk)
}

fn in_desk(desk: Desk) -> Left {
    let said = Ended::of(&mut desk.command("run")).err;
    let folder = RunFolder::find(&desk.path("target/droidtest"), None)
        .unwrap_or_else(|e| panic!("{e}\n{said}"));
    Left { desk, folder, said }
}

impl Left {
    fn journal(&self) -> Vec<u8> {
        let session = self.folder.session(&self.folder.sessions().unwrap()[0]);
        fs::read(session.journal()).unwrap()
    }

    fn events(&self) -> Vec<RunEvent> {
        let session = self.folder.session(&self.folder.sessions().unwrap()[0]);
        let reader = JournalReader::open(&session.journal()).unwrap();
        reader.map(Result::unwrap).collect()
    }

    fn summary(&self) -> RunSummary {
        serde_json::from_slice(&fs::read(self.folder.summary()).unwrap()).unwrap()
    }
}

const TIMEMACHINE: &str =
    "kind = \"timemachine\"\nbase = { kind = \"random\" }\nmax-no-progress = 5\n";

#[test]
fn a_restore_leads_out_of_a_room_and_the_trace_of_what_follows_reproduces() {
    let left = run(HOUSE, TIMEMACHINE);
    let by_snapshot = |event: &RunEvent| {
        matches!(
            event,
            RunEvent::Restore {
                by: Return::Snapshot,
                arrived: true,
                ..
            }
        )
    };
    let restores = left
        .events()
        .iter()
        .filter(|event| by_snapshot(event))
        .count();
    assert!(restores > 1, "{}", left.said);
    assert!(
        left.events().iter().all(
            |event| !matches!(event, RunEvent::Step(step) if step.led == Some(LedBy::Restore))
        )
    );
    let summary = left.summary();
    let session = &summary.sessions[0];
    let counted = session.restores.unwrap();
    assert_eq!((counted.by_snapshot, counted.failed), (restores as u64, 0));
    assert!(
        counted.median_ms.is_some() && counted.saved >= 3,
        "{counted:?}"
    );
    assert_eq!(session.events, 300);
    let crash = &session.findings[0];
    // The shortest walk from a fresh start, by the trace alone: right, ladder, boom.
    assert_eq!(crash.minimized_length, Some(3), "{}", left.said);
    let (confirmed, tried) = crash.reproduced.unwrap();
    assert_eq!(confirmed, tried);
    let html = fs::read_to_string(left.folder.path().join("report.html")).unwrap();
    assert!(html.contains("Saved states") && html.contains("restored"));
    let replayed = Ended::of(left.desk.command("replay").arg(&crash.id));
    assert!(replayed.all().contains("Reproduced"), "{}", replayed.all());
}

/// The attic is reached by the script alone: its ladder is blocked for the strategy. The script is in the trace of what
/// is found behind it, and starts again where a restore leads back to its screen.
#[test]
fn a_script_leads_on_from_restored_states_and_is_in_the_trace() {
    let script = "[[app.script]]\nname = \"climb\"\nactivity = \"Room\"\ntimes = 100\nprobability = 0.2\n\
                  step = [{ do = \"click\", id = \"Room_ladder\" }]\n\
                  [app.block]\nwidgets = [\"Room_ladder\"]\n";
    let left = run_guided(HOUSE, TIMEMACHINE, script);
    let events = left.events();
    let (mut restored, mut climbs) = (false, 0);
    for event in &events {
        match event {
            RunEvent::Restore { arrived: true, .. } => restored = true,
            RunEvent::Step(step) if step.led == Some(LedBy::Script("climb".to_owned())) => {
                climbs += usize::from(restored);
            }
            _ => {}
        }
    }
    assert!(climbs > 1, "{}", left.said);
    let summary = left.summary();
    assert_eq!(summary.sessions[0].events, 300);
    let crash = &summary.sessions[0].findings[0];
    assert_eq!(crash.minimized_length, Some(3), "{}", left.said);
    let replayed = Ended::of(left.desk.command("replay").arg(&crash.id));
    assert!(replayed.all().contains("Reproduced"), "{}", replayed.all());
}

#[test]
fn the_same_seed_gives_the_same_journal_and_another_base_another() {
    let [first, second] = [(); 2].map(|()| run(HOUSE, TIMEMACHINE).journal());
    assert!(first == second);
    let other = run(
        HOUSE,
        "kind = \"timemachine\"\nbase = { kind = \"frontier\" }\n",
    );
    assert_ne!(other.journal(), first);
    let only = run(HOUSE, "kind = \"frontier\"\n");
    assert_eq!(only.summary().sessions[0].findings.len(), 1);
}

/// The base's raw events are no moves of the state graph, and lead to other states all the same.
#[test]
fn what_lies_around_a_saved_state_counts_with_monkey_as_the_base() {
    let journal = |neighbourhood: u32| {
        let suite = format!(
            "[suite]\nname = \"s\"\nbudget = {{ events = 300 }}\nseeds = [3]\n\
             [[strategy]]\nkind = \"timemachine\"\nmax-no-progress = 3\nneighbourhood = {neighbourhood}\n\
             [[app]]\nname = \"notes\"\nmodel = \"builtin:notes\"\n"
        );
        in_desk(Desk::new(&suite)).journal()
    };
    let steps = |journal: Vec<u8>| {
        let text = String::from_utf8(journal).unwrap();
        let lines = text.lines().filter(|line| line.contains("\"step\""));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_ne!(steps(journal(0)), steps(journal(3)));
}

#[test]
fn without_coverage_every_new_state_is_interesting_and_the_report_says_so() {
    let plain = HOUSE.split("\"blocks\": [").collect::<Vec<_>>();
    let plain: String = std::iter::once(plain[0].to_owned())
        .chain(
            plain[1..]
                .iter()
                .map(|part| part.split_once("], ").unwrap().1.to_owned()),
        )
        .collect();
    let left = run(&plain, TIMEMACHINE);
    let summary = left.summary();
    let session = &summary.sessions[0];
    let note = "the device measures no coverage: for timemachine every state that is visited for the first time is \
                interesting";
    assert_eq!(session.notes, [note]);
    assert!(left.said.contains(note), "{}", left.said);
    assert_eq!(session.restores.unwrap().saved, 4, "all four states");
    let html = fs::read_to_string(left.folder.path().join("report.html")).unwrap();
    assert!(html.contains(note));
}
