//! Sessions side by side on a model of two halves, with a member that knows the one and a member that knows the other.

use super::*;
use crate::device::sim::{Model, Semantics, SimDevice};
use crate::device::{Action, App, Caps, Device, DeviceError, Reset};
use crate::explore::Budget;
use crate::explore::session::Settings;
use crate::explore::session_tests::Lines;
use crate::gui::EventKind;
use crate::outcome::run_event::EndReason;
use crate::reward::Novelty;
use crate::step::{Decision, View};
use crate::strategy::portfolio::{self, Portfolio};
use crate::strategy::{Strategy, StrategyError};
use crate::util::seed::{Rng, generator};
use rand::RngExt as _;
use std::sync::Mutex;
use std::thread;

/// A hall with two doors; behind each are two rooms, and a way back. Member `left` opens the left one only.
const MODEL: &str = r#"{ "nodes": [
    { "node_id": "Hall", "transitions": [
        { "transition_id": "left-1", "type": "button", "destination": "L1" },
        { "transition_id": "right-1", "type": "button", "destination": "R1" } ] },
    { "node_id": "L1", "transitions": [ { "transition_id": "left-2", "type": "button", "destination": "L2" } ] },
    { "node_id": "L2", "transitions": [ { "transition_id": "left-3", "type": "button", "destination": "Hall" } ] },
    { "node_id": "R1", "transitions": [ { "transition_id": "right-2", "type": "button", "destination": "R2" } ] },
    { "node_id": "R2", "transitions": [ { "transition_id": "right-3", "type": "button", "destination": "Hall" } ] } ] }"#;
const SEGMENT: u64 = 5;

/// A device that is slower or faster than others, and lost after some actions.
struct Uneven {
    inner: SimDevice,
    pause: Duration,
    left: u32,
}

impl Device for Uneven {
    fn id(&self) -> &str {
        self.inner.id()
    }
    fn caps(&self) -> Caps {
        self.inner.caps()
    }
    fn install(&mut self, app: &App) -> Result<(), DeviceError> {
        self.inner.install(app)
    }
    fn reset(&mut self, how: Reset) -> Result<(), DeviceError> {
        match self.left {
            0 => Err(DeviceError::Protocol("the cable is out".into())),
            _ => self.inner.reset(how),
        }
    }
    fn perform(&mut self, action: &Action) -> Result<(), DeviceError> {
        thread::sleep(self.pause);
        self.left = self.left.saturating_sub(1);
        match self.left {
            0 => Err(DeviceError::Protocol("the cable is out".into())),
            _ => self.inner.perform(action),
        }
    }
    fn observe(&mut self, interner: &mut Interner) -> Result<Observation, DeviceError> {
        self.inner.observe(interner)
    }
}

/// Presses a button whose name begins with its own, else one drawn from all.
struct Half {
    name: &'static str,
    states: Arc<Mutex<usize>>,
}

impl Strategy for Half {
    fn decide(&mut self, view: &View<'_>, rng: &mut Rng) -> Result<Decision, StrategyError> {
        if let Some(map) = view.map {
            *self.states.lock().unwrap() = map.graph.size().0;
        }
        let name = |widget: u32| {
            let widget = &view.page.widgets[widget as usize];
            view.interner.get(widget.resource_id).contains(self.name)
        };
        let mut own = view.page.events.iter();
        let own = own.position(|e| e.kind == EventKind::Click && e.widget.is_some_and(name));
        Ok(Decision::Perform {
            event: own.unwrap_or_else(|| rng.random_range(0..view.page.events.len())),
            input: None,
        })
    }
}

struct Explored {
    end: EndReason,
    lines: Vec<RunEvent>,
    states: usize,
}

impl Explored {
    fn exchanges(&self) -> Vec<&exchange::Exchange> {
        let lines = self.lines.iter();
        let exchanges = lines.filter_map(|line| match line {
            RunEvent::Exchange(exchange) => Some(exchange),
            _ => None,
        });
        exchanges.collect()
    }
}

/// Sessions of 40 events each; every one has the members `left-` and `right-`. `lost`: actions of each device.
fn explore(pauses: &[u64], lost: &[u32]) -> Vec<Explored> {
    let one = |(seat, (pause, left)): (Seat<Offer>, (&u64, &u32))| {
        let mut device = Uneven {
            inner: SimDevice::new("sim", Semantics::FateCompat, 1),
            pause: Duration::from_micros(*pause),
            left: *left,
        };
        let model = Model::parse(MODEL, "m.json", "m").unwrap();
        device.inner.install_model(Arc::new(model));
        let settings = Settings {
            budget: Budget {
                events: Some(40),
                ..Budget::default()
            },
            retries: 1,
            ..Settings::default()
        };
        let mut lines = Lines::default();
        let states = Arc::default();
        let members = ["left-", "right-"].map(|name| {
            let states = Arc::clone(&states);
            let half: Box<dyn Strategy> = Box::new(Half { name, states });
            (name.to_owned(), half)
        });
        let own = portfolio::Settings::default();
        let mut strategy = Portfolio::new(&own, members.into(), (None, None));
        let number = seat.number() as u32;
        let session = Session::new(
            settings,
            &mut device,
            &mut strategy,
            Vec::new(),
            Box::new(Novelty::default()),
            &mut lines,
            generator(1, "m", "", number),
        );
        let session = session.with_group(seat, SEGMENT);
        let end = session.run(&Stop::default()).unwrap();
        let states = *states.lock().unwrap();
        Explored {
            end,
            lines: lines.0,
            states,
        }
    };
    let one = &one;
    thread::scope(|scope| {
        let seats = Seat::group(pauses.len()).into_iter();
        let running = seats.zip(pauses.iter().zip(lost));
        let running: Vec<_> = running.map(|seat| scope.spawn(move || one(seat))).collect();
        running.into_iter().map(|one| one.join().unwrap()).collect()
    })
}

const NEVER: u32 = u32::MAX;

#[test]
fn each_member_finds_its_half_and_every_session_knows_both() {
    for session in explore(&[0, 0], &[NEVER, NEVER]) {
        assert_eq!(session.end, EndReason::Events);
        // The hall, and two rooms of each half, of which it has seen one half itself.
        assert_eq!(session.states, 5);
        let exchanges = session.exchanges();
        let turns = exchanges.iter().flat_map(|exchange| &exchange.turns);
        let mut found = [0, 0];
        for turn in turns {
            let own = usize::from(turn.member == "right-");
            assert_eq!(turn.seat, own + 1, "a member stays on its device");
            found[own] += turn.news;
        }
        assert_eq!(found, [2, 2]);
        // Before the first event, and each five.
        assert_eq!(exchanges.len(), 1 + 40 / 5);
        let steps: Vec<_> = exchanges.iter().map(|exchange| exchange.steps).collect();
        assert_eq!(steps, [0, 5, 5, 5, 5, 5, 5, 5, 5]);
    }
}

#[test]
fn the_journals_do_not_depend_on_which_device_is_faster() {
    for sessions in [2, 4] {
        let lost = vec![NEVER; sessions];
        let (mut one, mut other) = (vec![0; sessions], vec![300; sessions]);
        (one[0], other[0]) = (300, 0);
        let (one, other) = (explore(&one, &lost), explore(&other, &lost));
        for (one, other) in one.iter().zip(&other) {
            assert_eq!(one.lines, other.lines);
        }
        let shares: Vec<_> = one.iter().map(|session| session.lines.len()).collect();
        assert!(shares.iter().all(|lines| *lines > 40), "{shares:?}");
    }
}

#[test]
fn a_lost_device_ends_its_session_and_no_other_and_what_follows_is_repeatable() {
    let explored = || explore(&[0, 200, 0], &[NEVER, 13, NEVER]);
    let (one, other) = (explored(), explored());
    let ends: Vec<_> = one.iter().map(|session| session.end).collect();
    use EndReason::{DeviceLost, Events};
    assert_eq!(ends, [Events, DeviceLost, Events]);
    for (one, other) in one.iter().zip(&other) {
        assert_eq!(one.lines, other.lines);
    }
    let with = |at: usize| -> Vec<usize> {
        let exchanges = one[at].exchanges();
        exchanges
            .iter()
            .map(|exchange| exchange.steps as usize)
            .collect()
    };
    // Two segments of the second are complete; of what it did then nothing is known.
    assert_eq!(with(0), [0, 10, 10, 5, 5, 5, 5, 5, 5]);
    assert_eq!(one[0].exchanges()[3].ended, [2]);
    assert!(one[0].exchanges()[2].ended.is_empty());
}
