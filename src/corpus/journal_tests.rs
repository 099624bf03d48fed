use super::*;
use crate::gui::{ExactId, SystemEvent};
use crate::outcome::journal::JournalWriter;
use crate::outcome::run_event::{Did, SaveId, StepRecord};

fn page(id: u64) -> RunEvent {
    RunEvent::Page {
        id: PageId(id),
        activity: "a.Main".into(),
        label: String::new(),
        widgets: 1,
        events: 1,
        screen: (9, 9),
        sketch: Some(SketchId(id)),
    }
}

fn launch(how: Reset, probes: &[(u32, u32)]) -> RunEvent {
    RunEvent::Launch {
        how,
        before: 1,
        page: PageId(1),
        exact: ExactId(0),
        probes: probes.to_vec(),
        activities: Vec::new(),
        findings: Vec::new(),
    }
}

fn step(led: bool, (from, to): (u64, u64), probes: &[(u32, u32)]) -> RunEvent {
    RunEvent::Step(StepRecord {
        i: 1,
        did: Did::System {
            event: SystemEvent::Rotate,
        },
        led: led.then(|| LedBy::Corpus("t".into())),
        from: PageId(from),
        to: PageId(to),
        exact: ExactId(0),
        changed: true,
        probes: probes.to_vec(),
        activities: Vec::new(),
        reward: 0.0,
        left: Vec::new(),
        toasts: Vec::new(),
        findings: Vec::new(),
    })
}

fn session(events: &[RunEvent]) -> (SessionHeader, Vec<Episode>) {
    let folder = tempfile::tempdir().unwrap();
    let folder = SessionFolder::at(folder.path());
    let mut journal = JournalWriter::create(&folder.journal()).unwrap();
    let head = [
        RunEvent::Session(SessionHeader {
            package: "org.x".into(),
            ..SessionHeader::default()
        }),
        RunEvent::Class {
            ix: 0,
            name: "a/B".into(),
            probes: 9,
        },
        page(1),
        page(2),
    ];
    for event in head.iter().chain(events) {
        journal.write(event).unwrap();
    }
    drop(journal);
    episodes(&folder).unwrap()
}

/// The steps of each trace that these events add.
fn added(events: &[RunEvent], known: &mut Worth) -> Vec<usize> {
    let (header, episodes) = session(events);
    let traces = additions(&header, &episodes, known);
    traces.iter().map(|(trace, _)| trace.steps.len()).collect()
}

#[test]
fn an_episode_is_cut_after_the_last_step_that_adds_something() {
    let events = [
        launch(Reset::ClearData, &[(0, 0)]),
        step(false, (1, 1), &[(0, 1)]),
        step(false, (1, 2), &[]),
        step(false, (2, 2), &[]),
        launch(Reset::ClearData, &[]),
        step(false, (1, 2), &[]),
        launch(Reset::ClearData, &[]),
        step(false, (1, 2), &[]),
        step(false, (2, 1), &[]),
    ];
    let mut known = Worth::new();
    assert_eq!(added(&events, &mut known), [2, 2]);
    let probe = |n| Gain::Probe("a/B".into(), n);
    let way = |from, to| Gain::Transition(SketchId(from), SketchId(to));
    let all = [probe(0), probe(1), way(1, 2), way(2, 1)];
    assert_eq!(known, Worth::from(all));
    assert!(added(&events, &mut known).is_empty());
}

#[test]
fn what_the_corpus_reaches_is_no_addition_and_an_episode_that_goes_on_from_it_is() {
    let events = [
        launch(Reset::ClearData, &[(0, 0)]),
        step(true, (1, 2), &[(0, 1)]),
        // After a crash of the corpus's step.
        launch(Reset::Relaunch, &[(0, 2)]),
        launch(Reset::ClearData, &[]),
        step(true, (1, 2), &[]),
        step(false, (2, 2), &[(0, 3)]),
        step(false, (2, 2), &[]),
    ];
    assert_eq!(added(&events, &mut Worth::new()), [2]);
}

#[test]
fn behind_a_restored_snapshot_an_episode_goes_on_from_the_steps_to_it() {
    let id = SaveId(0);
    let (page, exact) = (PageId(2), ExactId(0));
    let events = [
        launch(Reset::ClearData, &[]),
        step(false, (1, 2), &[(0, 1)]),
        RunEvent::Save {
            id,
            before: 2,
            page,
            exact,
        },
        step(false, (2, 2), &[(0, 2)]),
        step(false, (2, 1), &[(0, 3)]),
        RunEvent::Restore {
            id,
            before: 4,
            by: Return::Snapshot,
            steps: 0,
            arrived: true,
            page,
            exact,
            probes: Vec::new(),
            activities: Vec::new(),
            findings: Vec::new(),
        },
        step(false, (2, 2), &[(0, 4)]),
    ];
    assert_eq!(added(&events, &mut Worth::new()), [3, 2]);
}
