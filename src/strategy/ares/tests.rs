//! State, action, reward and episodes as ARES has them.

use super::*;
use crate::device::Observation;
use crate::gui::{Flags, RawNode, Rect, SystemEvent};
use crate::learn::bundle::Bundle;
use crate::outcome::evidence::Crash;
use crate::strategy::q_learning::{self, QLearning};
use crate::util::seed::generator;
use std::sync::{Arc, Mutex};

/// The calls that a learner received.
#[derive(Default, Debug)]
struct Calls {
    rewards: Vec<(f32, bool)>,
    scenes: Vec<(Vec<u32>, u32)>,
    episodes: u32,
    /// Does it see the activities of the episode?
    sees: bool,
    /// What it saw of that before it acted, and when it learned.
    visited: [Vec<Vec<u32>>; 2],
}

/// A learner that performs one action and records its calls.
struct Puppet {
    calls: Arc<Mutex<Calls>>,
    act: super::super::learner::Act,
}

impl Learner for Puppet {
    fn act(&mut self, scene: &Scene<'_>, _: &mut Rng) -> super::super::learner::Act {
        let mut calls = self.calls.lock().unwrap();
        calls.scenes.push((scene.bits.to_vec(), scene.widgets));
        calls.visited[0].push(scene.visited.to_vec());
        self.act
    }
    fn learn(&mut self, reward: f32, next: &Scene<'_>, terminal: bool, _: &mut Rng) {
        let mut calls = self.calls.lock().unwrap();
        calls.rewards.push((reward, terminal));
        calls.visited[1].push(next.visited.to_vec());
    }
    fn sees_visited(&self) -> bool {
        self.calls.lock().unwrap().sees
    }
    fn begin(&mut self) {
        self.calls.lock().unwrap().episodes += 1;
    }
    fn updates(&self) -> u64 {
        1
    }
    fn export(&self) -> Bundle {
        Bundle::default()
    }
    fn import(&mut self, _: &Bundle) -> Result<(), String> {
        Ok(())
    }
}

struct Bed {
    ares: Ares,
    calls: Arc<Mutex<Calls>>,
    interner: Interner,
    rng: Rng,
    system: Vec<SystemEvent>,
}

impl Bed {
    fn new(widget: u32, string: u32, second: bool) -> Self {
        let calls = Arc::new(Mutex::new(Calls::default()));
        let act = super::super::learner::Act {
            widget,
            string,
            second,
        };
        let learner = Box::new(Puppet {
            calls: Arc::clone(&calls),
            act,
        });
        Self {
            ares: Ares::new("q-learning", learner, Parameters::default(), "s"),
            calls,
            interner: Interner::default(),
            rng: generator(1, "", "", 0),
            system: vec![SystemEvent::Rotate],
        }
    }

    /// A page with a button (click and long click) and a field.
    fn page(&mut self, activity: &str) -> Page {
        let on = Flags::VISIBLE | Flags::ENABLED | Flags::NO_MENU;
        let node = |parent, id: &str, flags| RawNode {
            parent,
            class: "android.widget.Button".into(),
            resource_id: id.into(),
            flags: on | flags,
            bounds: Rect::from([0, 0, 9, 9]),
            ..RawNode::default()
        };
        let nodes = [
            node(-1, "", 0),
            node(0, "b", Flags::CLICKABLE | Flags::LONG_CLICKABLE),
            node(0, "f", Flags::EDITABLE),
        ];
        Page::build(&nodes, activity, 0, (9, 9), &mut self.interner)
    }

    fn decide(&mut self, page: &Page) -> Decision {
        let view = View {
            page,
            system: &self.system,
            links: &[],
            number: 1,
            interner: &self.interner,
            caps: crate::device::Caps::default(),
            map: None,
        };
        self.ares.decide(&view, &mut self.rng).unwrap()
    }

    fn outcome(&mut self, before: &Page, after: &Observation, page: &Page) {
        let step = Step {
            number: 1,
            ..Step::to(before, after, page, &self.interner)
        };
        self.ares.learn(&step, 7.0).unwrap();
    }
}

fn alive() -> Observation {
    Observation {
        alive: true,
        ..Observation::default()
    }
}

#[test]
fn system_events_come_first_then_keys_then_widgets_with_their_two_ways() {
    let kinds = |widget, second| {
        let mut bed = Bed::new(widget, 0, second);
        let page = bed.page("A");
        match bed.decide(&page) {
            Decision::Perform { event, .. } => format!("{}", page.events[event].kind),
            other => format!("{other:?}"),
        }
    };
    assert_eq!(kinds(0, false), "System(Rotate)");
    assert_eq!(kinds(1, false), "back");
    assert_eq!(kinds(2, false), "click");
    assert_eq!(kinds(2, true), "long click");
    assert_eq!(kinds(3, true), "type");
    assert_eq!(kinds(4, false), "Invalid");
}

#[test]
fn the_first_string_is_the_generators_and_the_others_are_the_pools() {
    for (string, typed) in [(0, None), (1, Some("")), (2, Some("a"))] {
        let mut bed = Bed::new(3, string, false);
        let page = bed.page("A");
        let Decision::Perform { input, .. } = bed.decide(&page) else {
            panic!("no event")
        };
        let wanted = typed.map(|s| Input::Text {
            s: s.into(),
            enter: false,
        });
        assert_eq!(input, wanted);
    }
}

/// Whatever the strategy was not asked about, too: what is seen is what is paid by.
#[test]
fn an_agent_that_wants_to_sees_the_activities_of_the_episode() {
    let mut bed = Bed::new(2, 0, false);
    bed.calls.lock().unwrap().sees = true;
    let (a, b, c) = (bed.page("A"), bed.page("B"), bed.page("C"));
    bed.decide(&a);
    bed.outcome(&a, &alive(), &b);
    // Somebody else led it on.
    bed.decide(&c);
    bed.outcome(&c, &Observation::default(), &c);
    assert_eq!(bed.decide(&a), Decision::Restart);
    bed.decide(&a);
    let places = ["A", "B", "C"].map(|name| bed.ares.place(format!("visited {name}")));
    let [a, b, c] = places;
    let calls = bed.calls.lock().unwrap();
    assert_eq!(calls.visited[0], [vec![a], vec![a, b, c], vec![a]]);
    assert_eq!(calls.visited[1], [vec![a, b], vec![a, b, c]]);
    let shown = || calls.scenes.iter().flat_map(|(bits, _)| bits);
    assert!(shown().all(|place| !places.contains(place)));
    drop(calls);

    let mut bed = Bed::new(2, 0, false);
    let a = bed.page("A");
    bed.decide(&a);
    assert!(
        bed.ares
            .places
            .keys()
            .all(|name| !name.starts_with("visited"))
    );
    assert_eq!(bed.calls.lock().unwrap().visited[0], [Vec::<u32>::new()]);
}

#[test]
fn rewards_are_areses_not_the_suites() {
    let mut bed = Bed::new(2, 0, false);
    let (a, b) = (bed.page("A"), bed.page("B"));
    let crashed = Observation {
        crash: Some(Crash::default()),
        ..Observation::default()
    };
    let left = Observation {
        left: vec![crate::outcome::evidence::Left::default()],
        ..alive()
    };
    let ended = Observation::default();
    for (before, after, page) in [
        (&a, &alive(), &a),
        (&a, &alive(), &b),
        (&b, &alive(), &a),
        (&a, &left, &a),
        (&a, &crashed, &a),
    ] {
        bed.decide(before);
        bed.outcome(before, after, page);
    }
    // The app has died: the episode is over, and it starts fresh.
    assert_eq!(bed.decide(&a), Decision::Restart);
    bed.decide(&a);
    bed.outcome(&a, &ended, &a);
    assert_eq!(bed.decide(&a), Decision::Restart);
    let calls = bed.calls.lock().unwrap();
    let wanted = [
        (-1.0, false),
        (1000.0, false),
        (0.0, false),
        (-100.0, false),
        (1000.0, true),
        (-100.0, true),
    ];
    assert_eq!(calls.rewards, wanted);
    assert_eq!(calls.episodes, 2);
}

#[test]
fn an_episode_is_250_events_and_is_no_end_to_the_learner() {
    let mut bed = Bed::new(2, 0, false);
    let page = bed.page("A");
    for round in 0..2 {
        for _ in 0..250 {
            assert!(
                matches!(bed.decide(&page), Decision::Perform { .. }),
                "{round}"
            );
            bed.outcome(&page, &alive(), &page);
        }
        assert_eq!(bed.decide(&page), Decision::Restart);
    }
    assert!(
        bed.calls
            .lock()
            .unwrap()
            .rewards
            .iter()
            .all(|(_, terminal)| !terminal)
    );
}

#[test]
fn the_state_is_the_activity_and_the_widgets_shown_each_with_a_place_for_good() {
    let mut bed = Bed::new(0, 0, false);
    let (a, b) = (bed.page("A"), bed.page("B"));
    for page in [&a, &b, &a] {
        bed.decide(page);
    }
    let calls = bed.calls.lock().unwrap();
    // The widgets have resource-ids, so they are the same on both activities.
    assert_eq!(
        calls.scenes,
        [(vec![0, 1, 2], 4), (vec![3, 1, 2], 4), (vec![0, 1, 2], 4)]
    );
}

mod policy_tests;
