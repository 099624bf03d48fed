//! Fitness, loops and selection on small graphs with known answers.

mod others;

use super::*;
use crate::device::{Caps, Observation};
use crate::graph::{Bounds, Map, Sighting, StateGraph};
use crate::gui::page;
use crate::strategy::definition::{Definition, Preset};
use crate::util::intern::Interner;
use crate::util::seed::generator;

/// A base that does nothing.
struct Idle;

impl Strategy for Idle {
    fn decide(&mut self, _: &View<'_>, _: &mut Rng) -> Result<Decision, StrategyError> {
        Ok(Decision::Invalid)
    }
}

/// A walk through states by number, without a session.
struct Walk {
    machine: TimeMachine,
    graph: StateGraph,
    rng: Rng,
    interner: Interner,
}

impl Walk {
    fn new(settings: Settings) -> Self {
        Self {
            machine: TimeMachine::new(settings, Box::new(Idle)),
            graph: StateGraph::new(Bounds::default()),
            rng: generator(1, "", "", 0),
            interner: Interner::default(),
        }
    }

    /// The decision in a state, on a page of the same number.
    fn decide(&mut self, state: u32) -> Decision {
        self.on(state, state, |machine, view, rng| {
            machine.decide(view, rng).unwrap()
        })
    }

    /// Others act in a state.
    fn interrupt(&mut self, state: u32) {
        self.on(state, state, |machine, view, rng| {
            machine.interrupted(view, rng).unwrap();
        });
    }

    /// Something that the strategy is asked in a state, on a page of this number.
    fn on<T>(
        &mut self,
        state: u32,
        page: u32,
        ask: impl FnOnce(&mut TimeMachine, &View<'_>, &mut Rng) -> T,
    ) -> T {
        let state = StateId(state);
        let page = page::Page {
            id: PageId(page.into()),
            ..page::none()
        };
        let sighting = Sighting {
            state,
            events: Vec::new(),
        };
        self.graph.sighted(&sighting);
        let map = Map {
            graph: &self.graph,
            sighting: &sighting,
        };
        let view = View {
            page: &page,
            system: &[],
            links: &[],
            number: 1,
            interner: &self.interner,
            caps: Caps::ALL,
            map: Some(map),
        };
        ask(&mut self.machine, &view, &mut self.rng)
    }

    /// An event led to a state, and ran new code there or not. The decision that follows.
    fn step(&mut self, to: u32, code: bool) -> Decision {
        self.led(code);
        self.decide(to)
    }

    /// The same, before the decision.
    fn led(&mut self, code: bool) {
        let (before, after) = (
            page::none(),
            Observation {
                alive: true,
                probes: if code { vec![(0, 0)] } else { Vec::new() },
                ..Observation::default()
            },
        );
        let step = Step {
            number: 1,
            decision: Some(&Decision::Invalid),
            ..Step::to(&before, &after, &before, &self.interner)
        };
        self.machine.learn(&step, 0.0).unwrap();
    }

    fn fitness(&self, state: u32) -> f64 {
        self.machine.fitness(StateId(state))
    }
}

fn save(id: u32) -> Decision {
    Decision::Save(SaveId(id))
}

fn restore(id: u32) -> Decision {
    Decision::Restore(SaveId(id))
}

#[test]
fn a_state_is_saved_when_it_is_new_and_ran_new_code() {
    // f0 (1 + r)^w (1 - p)^(v - w): two events of state 1 ran new code, one of them found a new state.
    for (rules, of_first) in [(Rules::Paper, 1.1), (Rules::Events, 1.1 * 1.1)] {
        let mut walk = Walk::new(Settings {
            rules,
            ..Settings::default()
        });
        assert_eq!(walk.decide(0), save(0), "the first state");
        let again = walk.decide(0);
        assert_eq!(again, Decision::Invalid, "asked again behind the save");
        assert_eq!(walk.step(1, false), Decision::Invalid, "no new code");
        assert_eq!(walk.step(1, true), Decision::Invalid, "not new");
        assert_eq!(walk.step(2, true), save(1));
        for (state, expected) in [(0, 6.0 * 0.9), (1, of_first), (2, 6.0 * 0.9)] {
            let found = walk.fitness(state);
            assert!(
                (found - expected).abs() < 1e-12,
                "{rules:?} {state}: {found}"
            );
        }
    }
}

/// A page on which seven events change nothing, the fourth of them runs new code.
#[test]
fn by_events_new_code_is_progress_and_each_event_is_a_visit() {
    for (rules, restored, visits) in [(Rules::Paper, 4, 1), (Rules::Events, 8, 9)] {
        let mut walk = Walk::new(Settings {
            max_no_progress: 3,
            rules,
            ..Settings::default()
        });
        walk.decide(0);
        let mut events = (1..).map(|at| walk.step(0, at == 4));
        let first = events.position(|decision| decision == restore(0));
        assert_eq!(first, Some(restored - 1), "{rules:?}");
        assert_eq!(walk.machine.states[0].visits, visits, "{rules:?}");
    }
}

/// The baseline of the paper: only the first state is saved.
#[test]
fn where_one_state_may_be_saved_it_is_the_first() {
    let mut walk = Walk::new(Settings {
        saved: 1,
        max_no_progress: 1,
        ..Settings::default()
    });
    assert_eq!(walk.decide(0), save(0));
    assert_eq!(walk.step(1, true), Decision::Invalid);
    assert_eq!(walk.step(1, false), Decision::Invalid);
    assert_eq!(walk.step(1, false), restore(0));
}

#[test]
fn it_is_stuck_after_too_many_events_without_a_transition_and_starts_counting_again() {
    let mut walk = Walk::new(Settings {
        max_no_progress: 3,
        ..Settings::default()
    });
    walk.decide(0);
    let decisions: Vec<Decision> = (0..5).map(|_| walk.step(0, false)).collect();
    let idle = Decision::Invalid;
    assert_eq!(
        decisions,
        [idle.clone(), idle.clone(), idle.clone(), restore(0), idle]
    );
}

#[test]
fn it_is_in_a_loop_when_the_same_frequent_states_come_again() {
    let mut walk = Walk::new(Settings::default());
    walk.decide(0);
    // Ten transitions to ten states: one visit each, so that two of them are among the most visited 20 %.
    for state in 1..=10 {
        assert_ne!(walk.step(state, false), restore(0), "{state}");
    }
    // Between two states: each is half of the queue, and both are frequent soon.
    let decisions: Vec<Decision> = (0..10).map(|at| walk.step(1 + at % 2, false)).collect();
    let first = decisions
        .iter()
        .position(|decision| *decision == restore(0));
    // Repeated and frequent ones together are more than .8 of ten: by the seventh transition, 4 + 5 or more.
    assert!(matches!(first, Some(4..=7)), "{decisions:?}");
}

/// Two rooms behind a hall, each with a door that leads in only. All code of the first is known, the second still leads to
/// new states: by the fitness of the paths around it, the second is restored, although both were visited equally often.
#[test]
fn of_two_rooms_behind_one_way_doors_the_one_with_more_to_find_is_restored() {
    for (rules, neighbourhood, expected) in [
        (Rules::Events, 3, 2),
        (Rules::Paper, 3, 2),
        (Rules::Paper, 0, 1),
        (Rules::Published, 3, 1),
    ] {
        let mut walk = Walk::new(Settings {
            max_no_progress: 5,
            rules,
            neighbourhood,
            ..Settings::default()
        });
        assert_eq!(walk.decide(0), save(0));
        // The first room: it is entered, and has a corner without code of its own.
        assert_eq!(walk.step(1, true), save(1));
        walk.step(2, false);
        walk.step(1, false);
        // Back in the hall by a restore that somebody else led, to the second room and the states behind it.
        walk.machine.led = Some(Led::Others);
        walk.decide(0);
        assert_eq!(walk.step(3, true), save(2));
        walk.step(3, false);
        for state in 4..=6 {
            walk.step(state, false);
            walk.machine.states[state as usize].interesting = true;
        }
        // Their own fitness is the same but for what the neighbourhood adds.
        let (room, second) = (StateId(1), StateId(3));
        walk.machine.states[second.index()].visits = walk.machine.states[room.index()].visits + 1;
        walk.machine.states[room.index()].published = 150.0;
        walk.machine.states[0].visits = 100;
        let decision = (0..6).map(|_| walk.step(6, false)).last();
        assert_eq!(
            decision,
            Some(restore(expected)),
            "{rules:?} {neighbourhood}"
        );
    }
}

#[test]
fn a_state_that_was_not_restored_is_not_tried_again_and_its_place_is_used() {
    // 1 is the fittest, as 0 was visited often. It leads elsewhere instead.
    let (mut walk, SaveId(id)) = others::restoring();
    let elsewhere = 7;
    walk.decide(elsewhere);
    assert_eq!(walk.machine.saved.iter().filter(|s| s.is_some()).count(), 1);
    assert_eq!(walk.step(8, true), save(id));
}

#[test]
fn the_first_state_is_restored_again_although_a_start_once_showed_another() {
    let mut walk = Walk::new(Settings {
        saved: 1,
        max_no_progress: 1,
        ..Settings::default()
    });
    walk.decide(0);
    for elsewhere in [7, 0] {
        walk.step(1, false);
        walk.step(1, false);
        assert_eq!(walk.step(1, false), restore(0), "{elsewhere}");
        walk.decide(elsewhere);
    }
}

#[test]
fn of_too_many_saved_states_the_least_fit_is_replaced_and_the_first_stays() {
    let mut walk = Walk::new(Settings {
        saved: 3,
        ..Settings::default()
    });
    walk.decide(0);
    assert_eq!([walk.step(1, true), walk.step(2, true)], [save(1), save(2)]);
    // State 1 was visited often: the least fit one.
    walk.machine.states[1].visits = 50;
    walk.machine.states[0].visits = 90;
    assert_eq!(walk.step(3, true), save(1));
}

#[test]
fn the_presets_have_the_papers_constants() {
    let paper = Settings::preset(Preset::Paper).unwrap();
    let numbers = (paper.queue, paper.max_no_progress, paper.alpha, paper.beta);
    assert_eq!(numbers, (10, 200, 0.2, 0.8));
    let fitness = (
        paper.neighbourhood,
        paper.reward,
        paper.penalty,
        paper.interesting,
    );
    assert_eq!(fitness, (3, 0.1, 0.1, 6.0));
    let published = Settings::preset(Preset::Published).unwrap();
    assert_eq!(
        (paper.rules, published.rules),
        (Rules::Paper, Rules::Published)
    );
    let own = Settings::read("base = { kind = \"random\", system-rate = 0.5 }").unwrap();
    let table = serde_json::to_value(&own.base).unwrap();
    assert_eq!(
        table,
        serde_json::json!({ "kind": "random", "system-rate": 0.5 })
    );
    let nested = Settings::read("base = { kind = \"timemachine\" }").unwrap_err();
    assert!(
        nested.contains("`timemachine` cannot be a `base`"),
        "{nested}"
    );
}

#[test]
fn the_published_code_punishes_known_states_and_revives_those_at_nothing() {
    let mut walk = Walk::new(Settings::preset(Preset::Published).unwrap());
    walk.decide(0);
    walk.step(1, false);
    assert_eq!((walk.fitness(0), walk.fitness(1)), (90.0, 0.0));
    // From 1 to a new state with new code: 1 had nothing, and its page has no widgets.
    walk.step(2, true);
    assert!((walk.fitness(2) - 110.0).abs() < 1e-9);
    assert!((walk.fitness(1) - 20.0).abs() < 1e-9);
    walk.step(0, true);
    assert!((walk.fitness(2) - 99.0).abs() < 1e-9);
}
