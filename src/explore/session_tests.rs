//! The loop against a scripted device: what it records when things go wrong.

use super::*;
use crate::device::{Action, App, Caps, Device, DeviceError, Observation, Reset};
use crate::gui::{Flags, RawNode, Rect};
use crate::outcome::run_event::{EndReason, SessionHeader};
use crate::outcome::{Anr, Crash};
use crate::reward::Novelty;
use crate::strategy::random::{self, Random};
use crate::util::seed::generator;
use std::collections::VecDeque;
use std::sync::Arc;

/// Answers each `observe` with the next entry; `None` is an ordinary page, as are all after the last.
#[derive(Default)]
struct Scripted {
    answers: VecDeque<Answer>,
    resets: Vec<Reset>,
}

impl Device for Scripted {
    fn id(&self) -> &str {
        "scripted"
    }
    fn caps(&self) -> Caps {
        Caps::default()
    }
    fn install(&mut self, _app: &App) -> Result<(), DeviceError> {
        Ok(())
    }
    fn reset(&mut self, how: Reset) -> Result<(), DeviceError> {
        self.resets.push(how);
        Ok(())
    }
    fn perform(&mut self, _action: &Action) -> Result<(), DeviceError> {
        Ok(())
    }
    fn observe(&mut self, interner: &mut Interner) -> Result<Observation, DeviceError> {
        if let Some(Some(answer)) = self.answers.pop_front() {
            return answer;
        }
        let node = RawNode {
            parent: -1,
            text: "ok".into(),
            flags: Flags::VISIBLE | Flags::ENABLED | Flags::CLICKABLE,
            bounds: Rect::from([0, 0, 9, 9]),
            ..RawNode::default()
        };
        let page = Page::build(&[node], "a.Main", 0, (9, 9), interner);
        Ok(Observation {
            page: Some(Arc::new(page)),
            alive: true,
            visited: vec!["a.Main".into()],
            ..Observation::default()
        })
    }
}

type Answer = Option<Result<Observation, DeviceError>>;

/// Keeps the lines of the journal.
#[derive(Default)]
pub(super) struct Lines(pub Vec<RunEvent>);

impl Recorder for Lines {
    fn event(&mut self, event: &RunEvent) -> io::Result<()> {
        self.0.push(event.clone());
        Ok(())
    }
    fn timing(&mut self, _: u64, _: Duration, _: Duration) -> io::Result<()> {
        Ok(())
    }
    fn progress(&mut self, _: &Counts) {}
    fn finding(&mut self, _: &Finding, _: &Pages<'_>) -> io::Result<Option<PathBuf>> {
        Ok(None)
    }
}

fn run(answers: Vec<Answer>, budget: Budget) -> (EndReason, Vec<RunEvent>, Vec<Reset>) {
    run_with(2, answers, budget)
}

fn run_with(
    retries: u32,
    answers: Vec<Answer>,
    budget: Budget,
) -> (EndReason, Vec<RunEvent>, Vec<Reset>) {
    let mut device = Scripted {
        answers: answers.into(),
        resets: Vec::new(),
    };
    let mut lines = Lines::default();
    let mut strategy = Random::new(random::Settings { system_rate: 0.0 });
    let settings = Settings {
        budget,
        retries,
        header: SessionHeader {
            version: 1,
            tool: "test".into(),
            session: "s".into(),
            app: "a".into(),
            package: "a".into(),
            content: String::new(),
            device: "scripted".into(),
            device_kind: "sim".into(),
            strategy: "random".into(),
            seed: 1,
            activities_declared: Vec::new(),
            activities_reachable: Vec::new(),
            secrets: Vec::new(),
            scripts: Vec::new(),
            notes: Vec::new(),
            capability: None,
        },
        manifest_events: Vec::new(),
        texts: text::TextGenerator::default(),
        changed: None,
        faults: 0.0,
        throttle: Duration::ZERO,
        backoff: Duration::ZERO,
        guide: Guide::default(),
        corpus: Corpus::default(),
    };
    let oracles: Vec<Box<dyn crate::oracle::Oracle>> = vec![
        Box::new(crate::oracle::java_crash::JavaCrash::default()),
        Box::new(crate::oracle::anr::AnrOracle::new(
            5_000,
            crate::oracle::program::Program::default(),
        )),
    ];
    let rng = generator(1, "a", "random", 0);
    let session = Session::new(
        settings,
        &mut device,
        &mut strategy,
        oracles,
        Box::new(Novelty::default()),
        &mut lines,
        rng,
    );
    let end = session.run(&Stop::default()).unwrap();
    (end, lines.0, device.resets)
}

fn events(n: u64) -> Budget {
    Budget {
        events: Some(n),
        ..Budget::default()
    }
}

fn page() -> Answer {
    None
}

fn crashed() -> Answer {
    let crash = Crash {
        class: "java.lang.Error".into(),
        stack: "java.lang.Error\n\tat a.B.c(B.java:1)".into(),
        ..Crash::default()
    };
    Some(Ok(Observation {
        crash: Some(crash),
        ..Observation::default()
    }))
}

fn findings(lines: &[RunEvent]) -> Vec<&Finding> {
    lines
        .iter()
        .filter_map(|l| {
            if let RunEvent::Finding(f) = l {
                Some(&**f)
            } else {
                None
            }
        })
        .collect()
}

#[test]
fn a_crash_is_found_once_and_the_app_started_again_with_its_files() {
    let (end, lines, resets) = run(vec![page(), crashed(), page(), crashed()], events(4));
    assert_eq!(end, EndReason::Events);
    assert_eq!(resets, [Reset::ClearData, Reset::Relaunch, Reset::Relaunch]);
    assert_eq!(findings(&lines).len(), 1);
    let met = lines
        .iter()
        .filter(|l| matches!(l, RunEvent::Step(s) if s.findings.len() == 1))
        .count();
    assert_eq!(met, 2);
    assert!(matches!(
        lines.last(),
        Some(RunEvent::End { events: 4, .. })
    ));
}

#[test]
fn a_blocked_main_thread_is_a_finding_and_not_a_device_failure() {
    let anr = Anr {
        ms: 6_000,
        virtual_time: false,
        stack: "main\n\tat a.B.c(B.java:1)".into(),
        ..Anr::default()
    };
    let (end, lines, _) = run(
        vec![page(), Some(Err(DeviceError::Blocked(anr)))],
        events(2),
    );
    assert_eq!(end, EndReason::Events);
    assert_eq!(findings(&lines)[0].kind, crate::outcome::FindingKind::Anr);
    assert!(
        !lines
            .iter()
            .any(|l| matches!(l, RunEvent::DeviceFailure { .. }))
    );
}

#[test]
fn device_failures_are_retried_recorded_and_at_last_end_the_session() {
    let lost = || Some(Err(DeviceError::Protocol("garbage".into())));
    let (end, lines, _) = run(
        vec![page(), lost(), page(), lost(), page(), lost()],
        events(99),
    );
    assert_eq!(end, EndReason::DeviceLost);
    assert_eq!(
        lines
            .iter()
            .filter(|l| matches!(l, RunEvent::DeviceFailure { .. }))
            .count(),
        3
    );
    let (end, _, _) = run(vec![page(), lost()], events(9));
    assert_eq!(end, EndReason::Events);
}

#[test]
fn failures_far_apart_end_no_session_and_each_start_that_the_suite_allows_is_made() {
    let lost = || Some(Err(DeviceError::Protocol("garbage".into())));
    // A start, 30 events, a failure: over and over.
    let mut answers = Vec::new();
    for _ in 0..5 {
        answers.extend((0..31).map(|_| page()));
        answers.push(lost());
    }
    let (end, lines, _) = run(answers, events(200));
    assert_eq!(end, EndReason::Events);
    let failures = |l: &&RunEvent| matches!(l, RunEvent::DeviceFailure { .. });
    assert_eq!(lines.iter().filter(failures).count(), 5);
    // Starts that fail are counted by the suite's number, not by that of apps that die at once.
    let (end, _, resets) = run_with(6, (0..6).map(|_| lost()).collect(), events(9));
    assert_eq!((end, resets.len()), (EndReason::Events, 7));
}

#[test]
fn an_app_that_does_not_answer_when_started_with_its_files_is_started_without_them() {
    let lost = || Some(Err(DeviceError::Protocol("no answer".into())));
    let (end, _, resets) = run(vec![page(), lost(), lost(), page()], events(3));
    assert_eq!(end, EndReason::Events);
    let tries = [Reset::ClearData, Reset::Relaunch, Reset::ClearData];
    assert_eq!(resets, tries);
}

#[test]
fn an_app_that_dies_at_every_start_ends_the_session() {
    let (end, lines, resets) = run(vec![crashed(), crashed(), crashed()], events(9));
    assert_eq!(end, EndReason::CannotLaunch);
    assert_eq!(resets.len(), 3);
    assert_eq!(findings(&lines)[0].trigger, crate::outcome::Trigger::Launch);
}

#[test]
fn an_app_that_closes_its_window_at_every_start_is_not_called_broken() {
    let closed = || {
        Some(Ok(Observation {
            exit: Some("finished".into()),
            ..Observation::default()
        }))
    };
    let (end, lines, resets) = run(vec![closed(), closed(), closed()], events(9));
    assert_eq!((end, resets.len()), (EndReason::ClosesAtStart, 3));
    assert!(findings(&lines).is_empty());
    // Of one that also crashes at a start, the crash says more.
    let (end, ..) = run(vec![closed(), crashed(), closed()], events(9));
    assert_eq!(end, EndReason::CannotLaunch);
}

#[test]
fn an_app_that_needs_a_network_to_start_gets_one_where_nobody_answers() {
    let offline = || {
        let mut answer = crashed();
        if let Some(Ok(after)) = &mut answer
            && let Some(crash) = &mut after.crash
        {
            crash.provoked_by = Some("offline".into());
        }
        answer
    };
    let first = vec![offline(), page(), crashed(), crashed(), page()];
    let (end, lines, resets) = run(first, events(9));
    assert_eq!(end, EndReason::Events);
    let expected = [
        Reset::ClearData,
        Reset::Unanswered,
        Reset::Relaunch,
        Reset::Unanswered,
    ];
    assert_eq!(resets, expected);
    assert_eq!(findings(&lines)[0].provoked_by, ["offline"]);
    // One that dies there, too, cannot be started.
    let (end, _, resets) = run(vec![offline(), offline(), offline()], events(9));
    assert_eq!(end, EndReason::CannotLaunch);
    assert_eq!(resets[1..], [Reset::Unanswered; 2]);
}

#[test]
fn nothing_new_for_long_is_a_plateau() {
    let (end, lines, _) = run(
        vec![],
        Budget {
            plateau: Some(5),
            ..Budget::default()
        },
    );
    assert_eq!(end, EndReason::Plateau);
    assert!(matches!(
        lines.last(),
        Some(RunEvent::End { events: 5, .. })
    ));
}

#[test]
fn a_trace_holds_places_as_shares_of_what_was_there_when_they_were_touched() {
    use crate::gui::Listeners;
    use crate::outcome::run_event::{Did, Input};
    use crate::trace::record::Tracer;
    use crate::trace::{Deed, Spot, Step};
    // The same view: upright, turned, moved.
    let look = |at: u64| match at % 3 {
        0 => (Rect::from([0, 0, 100, 200]), (100, 200)),
        1 => (Rect::from([0, 20, 200, 100]), (200, 100)),
        _ => (Rect::from([0, 150, 100, 200]), (100, 200)),
    };
    let answer = |at| {
        let (bounds, screen) = look(at);
        let node = RawNode {
            parent: -1,
            flags: Flags::VISIBLE | Flags::ENABLED,
            listeners: Listeners::OWN_TOUCH,
            bounds,
            ..RawNode::default()
        };
        let page = Page::build(&[node], "", 0, screen, &mut Interner::default());
        Some(Ok(Observation {
            page: Some(Arc::new(page)),
            alive: true,
            ..Observation::default()
        }))
    };
    let (_, lines, _) = run((0..310).map(answer).collect(), events(300));
    let mut tracer = Tracer::default();
    let mut tapped = 0;
    for line in lines {
        let step = match &line {
            RunEvent::Step(step) => Some((step.i, step.did.clone())),
            _ => None,
        };
        tracer.take(line);
        let Some((number, Did::Event { input, .. })) = step else {
            continue;
        };
        let Some(Step::On(target, deed)) = tracer.steps().last() else {
            continue;
        };
        let (bounds, (width, height)) = look(number - 1);
        if let (Deed::Tap(spot), Some(Input::Point(x, y))) = (deed, input) {
            assert_eq!(*spot, Spot::of(x, y, bounds), "step {number}");
            let middle = Spot::middle(bounds, Rect::from([0, 0, width, height]));
            assert_eq!(target.at, Some(middle), "step {number}");
            tapped += 1;
        }
    }
    assert!(tapped > 9, "{tapped}");
}
