//! What deep learning costs: a decision, a learning step, and complete sessions of growing length.

use divan::Bencher;
use divan::counter::ItemsCount;
use droidtest::device::Caps;
use droidtest::feature::txc::Vectors;
use droidtest::graph::generations::{Scale, Walk};
use droidtest::graph::tracker::Ended;
use droidtest::graph::{By, EventId, Move, Sighting, StateGraph, StateId, Tracker};
use droidtest::gui::{Flags, Page, RawNode, Rect};
use droidtest::strategy::dinodroid::{self, DinoDroid};
use droidtest::strategy::{Decision, Step, Strategy, View};
use droidtest::util::intern::Interner;
use droidtest::util::seed::{self, Rng};
use droidtest_network::Engine;
use std::sync::Arc;

mod deep_session;

fn learner(settings: dinodroid::Settings) -> DinoDroid {
    DinoDroid::new(settings, Engine::Rust, &Vectors::Shipped)
}

/// A learner that has seen a few hundred pages, the pages, and the state graph of them.
struct Bed {
    learner: DinoDroid,
    tracker: Tracker,
    pages: Vec<Arc<Page>>,
    interner: Interner,
    rng: Rng,
    number: u64,
}

impl Bed {
    fn new(events: usize, epochs: usize, learn: bool) -> Self {
        let mut interner = Interner::default();
        let pages = (0..40)
            .map(|page| Arc::new(self::page(page, events, &mut interner)))
            .collect();
        let settings = dinodroid::Settings {
            learn: true,
            system_rate: 0.0,
            epochs,
            ..dinodroid::Settings::default()
        };
        let learner = learner(settings);
        let mut bed = Self {
            tracker: Tracker::new(learner.states().expect("it reads a graph")),
            learner,
            pages,
            interner,
            rng: seed::generator(1, "bench", "dinodroid", 0),
            number: 0,
        };
        for _ in 0..400 {
            bed.step();
        }
        bed.learner.set_learning(learn);
        bed
    }

    fn step(&mut self) {
        let page = Arc::clone(&self.pages[(self.number * 7 % 40) as usize]);
        self.number += 1;
        self.tracker.arrive(&page, &self.interner);
        let view = View {
            page: &page,
            system: &[],
            links: &[],
            number: self.number,
            interner: &self.interner,
            caps: Caps::default(),
            map: self.tracker.map(),
        };
        let decision = self
            .learner
            .decide(&view, &mut self.rng)
            .expect("a decision");
        let after = droidtest::device::Observation {
            alive: true,
            ..Default::default()
        };
        let step = Step {
            number: self.number,
            decision: Some(&decision),
            ..Step::to(&page, &after, &page, &self.interner)
        };
        let reward = if self.number.is_multiple_of(5) {
            5.0
        } else {
            -2.0
        };
        self.learner.learn(&step, reward).expect("learned");
        let event = match decision {
            Decision::Perform { event, .. } => Some(event),
            // Of the events that are not on the page there is one: the restart.
            Decision::System(_) => Some(page.events.len()),
            _ => None,
        };
        let ended = Ended {
            by: By::Strategy,
            leads: true,
            new: reward > 0.0,
        };
        self.tracker.performed(event, ended);
    }
}

fn page(number: usize, events: usize, interner: &mut Interner) -> Page {
    let node = |parent, text: String, flags| RawNode {
        parent,
        class: "android.widget.Button".into(),
        text,
        flags: flags | Flags::VISIBLE | Flags::ENABLED | Flags::NO_MENU,
        bounds: Rect::from([0, 0, 9, 9]),
        ..RawNode::default()
    };
    let letters = |n: usize| char::from(b'a' + u8::try_from(n % 26).unwrap_or(0));
    let mut nodes = vec![node(-1, String::new(), 0)];
    // Back and the restart are events too.
    nodes.extend((0..events.saturating_sub(2)).map(|n| {
        let text = format!("Do {} with {}", letters(n), letters(number));
        node(0, text, Flags::CLICKABLE)
    }));
    Page::build(&nodes, &format!("a.Page{number}"), 0, (9, 9), interner)
}

/// Features, values and the choice, nothing learned.
#[divan::bench(args = [20, 200, 5_000])]
fn decision(bencher: Bencher<'_, '_>, events: usize) {
    let mut bed = Bed::new(events, 2, false);
    bencher.bench_local(|| bed.step());
}

/// A decision on a page of 20 events with its learning step at the defaults, which go over what they drew twice, and
/// with more and fewer such epochs.
#[divan::bench(args = [1, 2, 4, 8])]
fn decision_and_learning(bencher: Bencher<'_, '_>, epochs: usize) {
    let mut bed = Bed::new(20, epochs, true);
    bencher.bench_local(|| bed.step());
}

/// The children of an event for three generations, in graphs whose states have nearly all events in common: what is
/// looked at has a bound.
#[divan::bench(args = [1_000_u32, 100_000])]
fn generations(bencher: Bencher<'_, '_>, states: u32) {
    let mut graph = StateGraph::default();
    for state in 0..states {
        let events = (0..64).map(|n| EventId((state + n) % 2_000)).collect();
        let state = StateId(state);
        graph.sighted(&Sighting { state, events });
    }
    for n in 0..400_000_u32 {
        graph.note(Move {
            from: StateId(n % 7),
            event: EventId(n % 2_000),
            to: Some(StateId(n.wrapping_mul(2_654_435_761) % states)),
            by: By::Strategy,
        });
    }
    let mut walk = Walk::new(usize::MAX, Scale::Counts);
    bencher.bench_local(|| graph.generations(EventId(0), &mut walk));
}

/// A complete session on a model: an event must not cost more in a longer run.
#[divan::bench(args = [1_000_u64, 10_000], sample_count = 3, sample_size = 1)]
fn session(bencher: Bencher<'_, '_>, events: u64) {
    measured(bencher, events);
}

/// The same, once and long, some five minutes: `-- --ignored`. It also prints the program's peak memory.
#[divan::bench(args = [100_000_u64], sample_count = 1, sample_size = 1, ignore)]
fn long_session(bencher: Bencher<'_, '_>, events: u64) {
    measured(bencher, events);
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    for line in status.lines().filter(|line| line.starts_with("VmHWM")) {
        eprintln!("\npeak memory after {events} events: {line}");
    }
}

fn measured(bencher: Bencher<'_, '_>, events: u64) {
    bencher
        .counter(ItemsCount::new(events))
        .bench_local(|| deep_session::run(Engine::Rust, events));
}

fn main() {
    divan::main();
}
