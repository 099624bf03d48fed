//! A learner on pages of one size, without a device.

use droidtest::device::Caps;
use droidtest::feature::txc::Vectors;
use droidtest::graph::tracker::Ended;
use droidtest::graph::{By, Tracker};
use droidtest::gui::{Flags, Page, RawNode, Rect};
use droidtest::strategy::dinodroid::{self, DinoDroid};
use droidtest::strategy::{Decision, Step, Strategy, View};
use droidtest::util::intern::Interner;
use droidtest::util::seed::{self, Rng};
use droidtest_network::Engine;
use std::sync::Arc;

/// A learner that has seen a few hundred pages, the pages, and the state graph of them.
pub struct Bed {
    learner: DinoDroid,
    tracker: Tracker,
    pages: Vec<Arc<Page>>,
    interner: Interner,
    rng: Rng,
    number: u64,
}

impl Bed {
    /// With so many events a page; `learn`: each step is learned from.
    pub fn new(engine: Engine, events: usize, epochs: usize, learn: bool) -> Self {
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
        let learner = DinoDroid::new(settings, engine, &Vectors::Shipped);
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

    /// One event: its decision, and what is learned of it.
    pub fn step(&mut self) {
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
