//! A person pauses a session, acts, and lets the strategy go on.

use super::*;
use crate::device::sim::{Model, Semantics, SimDevice};
use crate::explore::hand::{Act, Control, Refused};
use crate::explore::shown::Shown;
use crate::explore::{Budget, Counts, Pages};
use crate::gui::{EventKind, ExactId, Rect};
use crate::outcome::Finding;
use crate::reward::Novelty;
use crate::strategy::{StrategyError, View};
use crate::trace::record::Tracer;
use crate::trace::words;
use crate::util::seed::generator;
use std::io;
use std::path::PathBuf;
use std::sync::Mutex;
use std::thread;

const MODEL: &str = r#"{ "nodes": [
    { "node_id": "First", "transitions": [
        { "transition_id": "one", "type": "button", "destination": "Second" } ] },
    { "node_id": "Second", "transitions": [
        { "transition_id": "two", "type": "button", "destination": "First" } ] } ] }"#;

/// What was recorded, and the page last shown: its identity and the place of its button.
#[derive(Default)]
struct Log {
    lines: Vec<RunEvent>,
    shown: Option<(ExactId, Rect)>,
}

struct Recording(Arc<Mutex<Log>>);

impl Recorder for Recording {
    fn event(&mut self, event: &RunEvent) -> io::Result<()> {
        self.0.lock().unwrap().lines.push(event.clone());
        Ok(())
    }
    fn timing(&mut self, _: u64, _: Duration, _: Duration) -> io::Result<()> {
        Ok(())
    }
    fn progress(&mut self, _: &Counts) {}
    fn finding(&mut self, _: &Finding, _: &Pages<'_>) -> io::Result<Option<PathBuf>> {
        Ok(None)
    }
    fn shown(&mut self, shown: Shown<'_>) {
        assert_eq!(shown.coming, None, "only a person watches");
        let clicks = |event: &&crate::gui::Event| event.kind == EventKind::Click;
        let button = shown.page.events.iter().find(clicks).unwrap();
        let widget = &shown.page.widgets[button.widget.unwrap() as usize];
        self.0.lock().unwrap().shown = Some((shown.page.exact, widget.bounds));
    }
}

/// Presses the first button, and counts its interruptions.
#[derive(Default)]
struct Presser(usize);

impl Strategy for Presser {
    fn decide(&mut self, view: &View<'_>, _: &mut Rng) -> Result<Decision, StrategyError> {
        let clicks = |event: &crate::gui::Event| event.kind == EventKind::Click;
        let event = view.page.events.iter().position(clicks).unwrap();
        Ok(Decision::Perform { event, input: None })
    }
    fn interrupted(&mut self, _: &View<'_>, _: &mut Rng) -> Result<(), StrategyError> {
        self.0 += 1;
        Ok(())
    }
}

/// Runs a session that a person holds from its start, who then does `person`. Gives how it ended, what was recorded and
/// how often it interrupted the strategy.
fn held(
    budget: Budget,
    stop: &Stop,
    person: impl FnOnce(&Hand, &Mutex<Log>) + Send,
) -> (EndReason, Vec<RunEvent>, usize) {
    let hand = Arc::new(Hand::new(true, PathBuf::new()));
    let log = Arc::new(Mutex::new(Log::default()));
    let mut device = SimDevice::new("sim", Semantics::Clean, 1);
    device.install_model(Arc::new(Model::parse(MODEL, "m.json", "m").unwrap()));
    let (mut strategy, mut recording) = (Presser::default(), Recording(Arc::clone(&log)));
    let settings = Settings {
        budget,
        ..Settings::default()
    };
    let session = Session::new(
        settings,
        &mut device,
        &mut strategy,
        Vec::new(),
        Box::new(Novelty::default()),
        &mut recording,
        generator(1, "m", "", 0),
    );
    let session = session.with_hand(Some(Arc::clone(&hand)));
    let end = thread::scope(|scope| {
        let (held, seen) = (Arc::clone(&hand), Arc::clone(&log));
        let person = scope.spawn(move || {
            wait_for(&held, Control::Person);
            person(&held, &seen);
        });
        let end = session.run(stop).unwrap();
        hand.end();
        person.join().unwrap();
        end
    });
    let lines = std::mem::take(&mut log.lock().unwrap().lines);
    (end, lines, strategy.0)
}

fn wait_for(hand: &Hand, control: Control) {
    let until = Instant::now() + Duration::from_secs(60);
    while hand.control() != control {
        assert!(Instant::now() < until, "{:?}", hand.control());
        thread::sleep(Duration::from_millis(2));
    }
}

/// The page that is shown, and a click on its button.
fn click(log: &Mutex<Log>) -> (Act, ExactId) {
    let (page, button) = log.lock().unwrap().shown.unwrap();
    let (x, y) = (button.left + 1, button.top + 1);
    (Act::Click { x, y }, page)
}

fn events(most: u64) -> Budget {
    Budget {
        events: Some(most),
        ..Budget::default()
    }
}

/// The number of each step, and who led it.
fn steps(lines: &[RunEvent]) -> Vec<(u64, Option<LedBy>)> {
    let step = |line: &RunEvent| match line {
        RunEvent::Step(step) => Some((step.i, step.led.clone())),
        _ => None,
    };
    lines.iter().filter_map(step).collect()
}

#[test]
fn a_persons_events_are_recorded_as_such_and_use_no_budget() {
    let (end, lines, interrupted) = held(events(2), &Stop::default(), |hand, log| {
        let (act, page) = click(log);
        assert_eq!(hand.act(act.clone(), page), Ok(()));
        assert_eq!(hand.act(act, page), Err(Refused::Changed));
        let (_, page) = click(log);
        assert_eq!(hand.act(Act::Back, page), Ok(()));
        assert_eq!(hand.resume(true), Ok(()));
        wait_for(hand, Control::Person);
        let (act, page) = click(log);
        assert_eq!(hand.act(act, page), Ok(()));
        assert_eq!(hand.resume(false), Ok(()));
    });
    assert_eq!(end, EndReason::Events);
    let person = || Some(LedBy::Person);
    assert_eq!(
        steps(&lines),
        [
            (0, person()),
            (0, person()),
            (1, None),
            (1, person()),
            (2, None)
        ]
    );
    // Once for each time that others lead.
    assert_eq!(interrupted, 2);
    assert!(matches!(
        lines.last(),
        Some(RunEvent::End { events: 2, .. })
    ));
    // A trace needs what the person did, too.
    let mut tracer = Tracer::default();
    for line in lines {
        tracer.take(line);
    }
    let traced: Vec<_> = tracer.steps().map(words::step).collect();
    assert_eq!(traced.len(), 5, "{traced:?}");
    assert_eq!(traced[1], "back");
}

#[test]
fn what_cannot_be_done_is_refused_with_the_reason() {
    let (_, lines, interrupted) = held(events(1), &Stop::default(), |hand, log| {
        let (_, page) = click(log);
        let refused = |act| hand.act(act, page).unwrap_err().to_string();
        let (x, y) = (-1, 3);
        assert!(refused(Act::Click { x, y }).starts_with("(-1, 3) is outside the screen of "));
        let (x, y) = (1, 1);
        assert_eq!(
            refused(Act::LongClick { x, y }),
            "nothing at this place takes a long click"
        );
        let (text, enter) = ("abc".to_owned(), false);
        assert_eq!(
            refused(Act::Type { x, y, text, enter }),
            "nothing at this place takes a text"
        );
        let (text, enter) = ("a".repeat(5000), false);
        assert_eq!(
            refused(Act::Type { x, y, text, enter }),
            "the text has more than 4096 bytes"
        );
        assert_eq!(hand.resume(false), Ok(()));
        wait_for(hand, Control::Over);
        assert_eq!(hand.act(Act::Back, page), Err(Refused::Over));
        assert_eq!(hand.pause(), Err(Refused::Over));
    });
    assert_eq!(steps(&lines), [(1, None)]);
    assert_eq!(interrupted, 0);
}

#[test]
fn the_clock_stands_still_while_a_person_is_in_control() {
    let budget = Budget {
        time: Some(Duration::from_millis(300)),
        ..events(1)
    };
    let (end, ..) = held(budget, &Stop::default(), |hand, _| {
        thread::sleep(Duration::from_millis(400));
        assert_eq!(hand.control(), Control::Person);
        hand.resume(false).unwrap();
    });
    assert_eq!(end, EndReason::Events);
}

#[test]
fn the_users_wish_to_stop_ends_a_pause() {
    let stop = Stop::default();
    let (end, lines, _) = held(events(9), &stop, |_, _| stop.request());
    assert_eq!(end, EndReason::Interrupted);
    assert!(matches!(
        lines.last(),
        Some(RunEvent::End { events: 0, .. })
    ));
}
