//! Saved states are restored by snapshots or by ways, and the trace of what is found behind one is a walk from a fresh
//! start.

use super::*;
use crate::device::sim::{Model, Semantics, SimDevice};
use crate::device::{Action, App, Caps, Snapshots};
use crate::explore::{Budget, Counts, Pages};
use crate::gui::EventKind;
use crate::oracle::java_crash::JavaCrash;
use crate::outcome::run_event::{Return, SaveId};
use crate::outcome::{Finding, RestoreCost};
use crate::reward::Novelty;
use crate::strategy::{StrategyError, View};
use crate::trace::record::Tracer;
use crate::trace::{Step as TraceStep, Trace};
use crate::util::seed::generator;
use std::io;
use std::path::PathBuf;

/// A hall with a door that opens after a coin; behind it is a room, from which a hatch leads back and a button breaks the
/// app.
const MODEL: &str = r#"{ "global_vars": { "coins": 0 }, "nodes": [
    { "node_id": "Hall", "transitions": [
        { "transition_id": "coin", "type": "button", "set": "coins = coins + 1", "destination": "Hall" },
        { "transition_id": "door", "type": "button", "guard": "coins > 0", "destination": "Room" } ] },
    { "node_id": "Room", "transitions": [
        { "transition_id": "hatch", "type": "button", "destination": "Hall" },
        { "transition_id": "boom", "type": "button", "destination": "Room", "crash": { "exception": "E" } } ] } ] }"#;

/// A device that cannot save its state, unless it can; or says so, and fails.
struct Only {
    inner: SimDevice,
    snapshots: bool,
    broken: bool,
}

impl Device for Only {
    fn id(&self) -> &str {
        self.inner.id()
    }
    fn caps(&self) -> Caps {
        Caps {
            snapshots: self.snapshots,
            ..self.inner.caps()
        }
    }
    fn install(&mut self, app: &App) -> Result<(), DeviceError> {
        self.inner.install(app)
    }
    fn reset(&mut self, how: Reset) -> Result<(), DeviceError> {
        self.inner.reset(how)
    }
    fn perform(&mut self, action: &Action) -> Result<(), DeviceError> {
        self.inner.perform(action)
    }
    fn observe(&mut self, interner: &mut Interner) -> Result<Observation, DeviceError> {
        self.inner.observe(interner)
    }
    fn snapshots(&mut self) -> Option<&mut dyn Snapshots> {
        if self.broken {
            Some(self)
        } else {
            self.inner.snapshots().filter(|_| self.snapshots)
        }
    }
}

impl Snapshots for Only {
    fn save(&mut self) -> Result<crate::device::SnapshotId, DeviceError> {
        self.inner.save()
    }
    fn restore(&mut self, _: crate::device::SnapshotId) -> Result<(), DeviceError> {
        Err(DeviceError::Protocol("the snapshot is damaged".into()))
    }
    fn delete(&mut self, id: crate::device::SnapshotId) {
        self.inner.delete(id);
    }
}

#[derive(Default)]
struct Lines(Vec<RunEvent>, Vec<RestoreCost>);

impl Recorder for Lines {
    fn event(&mut self, event: &RunEvent) -> io::Result<()> {
        self.0.push(event.clone());
        Ok(())
    }
    fn timing(&mut self, _: u64, _: Duration, _: Duration) -> io::Result<()> {
        Ok(())
    }
    fn restored(&mut self, cost: &RestoreCost) -> io::Result<()> {
        self.1.push(*cost);
        Ok(())
    }
    fn progress(&mut self, _: &Counts) {}
    fn finding(&mut self, _: &Finding, _: &Pages<'_>) -> io::Result<Option<PathBuf>> {
        Ok(None)
    }
}

/// Does what it is given, one after the other: presses the button of this name, `save` or `restore`.
struct Script<'a> {
    todo: std::slice::Iter<'a, &'static str>,
    /// Pages at which others led on.
    interrupted: usize,
}

impl Strategy for Script<'_> {
    fn saves(&self) -> bool {
        true
    }
    fn decide(&mut self, view: &View<'_>, _: &mut Rng) -> Result<Decision, StrategyError> {
        Ok(match self.todo.next().copied() {
            None => Decision::Stop,
            Some("save") => Decision::Save(SaveId(3)),
            Some("restore") => Decision::Restore(SaveId(3)),
            Some(name) => {
                let id = |widget: u32| {
                    view.interner
                        .get(view.page.widgets[widget as usize].resource_id)
                };
                let mut events = view.page.events.iter();
                let event = events.position(|event| {
                    event.kind == EventKind::Click
                        && event
                            .widget
                            .is_some_and(|widget| id(widget).ends_with(name))
                });
                Decision::Perform {
                    event: event.unwrap_or_else(|| panic!("no {name}")),
                    input: None,
                }
            }
        })
    }
    fn interrupted(&mut self, _: &View<'_>, _: &mut Rng) -> Result<(), StrategyError> {
        self.interrupted += 1;
        Ok(())
    }
}

struct Explored {
    lines: Vec<RunEvent>,
    costs: usize,
    interrupted: usize,
}

fn explore((snapshots, broken): (bool, bool), budget: u64, todo: &[&'static str]) -> Explored {
    let mut device = Only {
        inner: SimDevice::new("sim", Semantics::Clean, 1),
        snapshots,
        broken,
    };
    let model = Model::parse(MODEL, "m.json", "m").unwrap();
    device.inner.install_model(Arc::new(model));
    let settings = Settings {
        budget: Budget {
            events: Some(budget),
            ..Budget::default()
        },
        retries: 0,
        ..Settings::default()
    };
    let mut lines = Lines::default();
    let mut strategy = Script {
        todo: todo.iter(),
        interrupted: 0,
    };
    let session = Session::new(
        settings,
        &mut device,
        &mut strategy,
        vec![Box::new(JavaCrash::default())],
        Box::new(Novelty::default()),
        &mut lines,
        generator(1, "m", "", 0),
    );
    session.run(&Stop::default()).unwrap();
    Explored {
        lines: lines.0,
        costs: lines.1.len(),
        interrupted: strategy.interrupted,
    }
}

/// The restores of a journal: how, with how many steps, did they arrive?
fn restores(lines: &[RunEvent]) -> Vec<(Return, u32, bool)> {
    let restore = |line: &RunEvent| match line {
        RunEvent::Restore {
            by, steps, arrived, ..
        } => Some((*by, *steps, *arrived)),
        _ => None,
    };
    lines.iter().filter_map(restore).collect()
}

/// The ids of the buttons that the trace of the first finding presses.
fn trace(lines: &[RunEvent]) -> Vec<String> {
    let mut tracer = Tracer::default();
    let mut found = lines.iter().flat_map(|line| tracer.take(line.clone()));
    let (_, Trace { steps, .. }) = found.next().unwrap();
    let id = |step: &TraceStep| match step {
        TraceStep::On(target, _) => target.id.rsplit('_').next().unwrap().to_owned(),
        other => format!("{other:?}"),
    };
    steps.iter().map(id).collect()
}

const TODO: [&str; 8] = [
    "coin", "coin", "door", "save", "hatch", "coin", "restore", "boom",
];

#[test]
fn by_a_snapshot_the_app_is_as_it_was_and_the_trace_leaves_out_what_was_undone() {
    let done = explore((true, false), 100, &TODO);
    assert_eq!(restores(&done.lines), [(Return::Snapshot, 0, true)]);
    assert_eq!(trace(&done.lines), ["coin", "coin", "door", "boom"]);
    assert_eq!((done.costs, done.interrupted), (1, 1));
}

#[test]
fn without_snapshots_ways_lead_there_and_one_that_leads_elsewhere_is_recorded_and_dropped() {
    let twice = [&TODO[..7], &["hatch", "restore", "boom"]].concat();
    let done = explore((false, false), 100, &twice);
    // The door alone is the shortest way, and stays closed without a coin. Then the way that was walked.
    let expected = [
        (Return::Way, 1, false),
        (Return::Way, 3, true),
        (Return::Way, 3, true),
    ];
    assert_eq!(restores(&done.lines), expected);
    assert_eq!(trace(&done.lines), ["coin", "coin", "door", "boom"]);
    // Steps of a way are none of the budget's events, and their number is the one before.
    let steps = done.lines.iter().filter_map(|line| match line {
        RunEvent::Step(step) => Some((step.i, !step.counts())),
        _ => None,
    });
    let numbers: Vec<_> = steps.collect();
    let own = numbers.iter().filter(|(_, back)| !back).map(|(i, _)| *i);
    assert!(own.eq(1..=7), "{numbers:?}");
    let back: Vec<u64> = numbers
        .iter()
        .filter(|(_, back)| *back)
        .map(|(i, _)| *i)
        .collect();
    assert_eq!(back, [5, 5, 5, 5, 6, 6, 6]);
    let last = done.lines.last();
    assert!(
        matches!(last, Some(RunEvent::End { events: 7, .. })),
        "{last:?}"
    );
}

#[test]
fn where_a_snapshot_fails_a_way_leads_there() {
    let done = explore((true, true), 100, &TODO);
    let failures = done
        .lines
        .iter()
        .filter(|line| matches!(line, RunEvent::DeviceFailure { .. }));
    assert_eq!(failures.count(), 1);
    assert_eq!(restores(&done.lines).last(), Some(&(Return::Way, 3, true)));
    assert_eq!(trace(&done.lines), ["coin", "coin", "door", "boom"]);
}

#[test]
fn what_was_never_saved_is_not_restored_and_endless_saving_ends() {
    let done = explore((true, false), 100, &["restore", "coin"]);
    assert!(restores(&done.lines).is_empty());
    assert!(matches!(
        done.lines.last(),
        Some(RunEvent::End { events: 1, .. })
    ));
    let done = explore((true, false), 100, &["save"; 500]);
    let end = RunEvent::End {
        reason: EndReason::Strategy,
        events: 0,
    };
    assert_eq!(done.lines.last(), Some(&end));
}
