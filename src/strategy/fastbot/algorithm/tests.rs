use super::*;
use crate::device::Caps;
use crate::device::Observation;
use crate::graph::Abstraction;
use crate::graph::Tracker;
use crate::graph::tracker::Ended;
use crate::gui::{Flags, Page, RawNode, Rect, SystemEvent};
use crate::strategy::definition::{Definition as _, Preset};
use crate::strategy::fastbot::Select;
use crate::strategy::fastbot::choice::softmax;
use crate::util::intern::Interner;
use crate::util::seed::generator;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// An app as a table: the buttons of each activity, and where each leads.
type World = BTreeMap<&'static str, Vec<(&'static str, &'static str)>>;

/// Five activities in a row. One of four buttons leads on, the others back to the first, so do back and restarts.
fn chain() -> World {
    let names = ["A0", "A1", "A2", "A3", "A4", "A5"];
    let next = |at: usize| *names.get(at + 1).unwrap_or(&"A0");
    let buttons = |at| vec![("w", "A0"), ("x", "A0"), ("y", next(at)), ("z", "A0")];
    let all = names.into_iter().enumerate();
    all.map(|(at, name)| (name, buttons(at))).collect()
}

/// A session of a strategy in a world.
struct Play {
    strategy: Fastbot,
    tracker: Tracker,
    rng: Rng,
    interner: Interner,
    /// Addresses that open the app.
    links: Vec<SystemEvent>,
    at: &'static str,
    number: u64,
}

impl Play {
    fn new(toml: &str, history: &EventModel, seed: u64) -> Self {
        let settings = Settings::read(toml).unwrap();
        let own = EventModel::new("p");
        let texts = StaticTexts::default();
        let strategy = Fastbot::new(settings, texts, history.clone(), own, None);
        Self {
            tracker: Tracker::new(strategy.states().unwrap()),
            strategy,
            rng: generator(seed, "world", "fastbot", 0),
            interner: Interner::default(),
            links: Vec::new(),
            at: "A0",
            number: 0,
        }
    }

    fn page(&mut self, world: &World) -> Page {
        let flags = Flags::VISIBLE | Flags::ENABLED | Flags::NO_MENU;
        let node = |parent, flags, text: &str| RawNode {
            parent,
            flags,
            text: text.into(),
            bounds: Rect::from([0, 0, 9, 9]),
            ..RawNode::default()
        };
        let mut nodes = vec![node(-1, flags, "")];
        let buttons = world[self.at].iter();
        nodes.extend(buttons.map(|(text, _)| node(0, flags | Flags::CLICKABLE, text)));
        Page::build(&nodes, self.at, 0, (9, 9), &mut self.interner)
    }

    /// One decision, and what it leads to; gives the button, or what else was decided.
    fn step(&mut self, world: &World) -> String {
        let page = self.page(world);
        self.number += 1;
        self.tracker.arrive(&page, &self.interner);
        let view = View {
            page: &page,
            system: &[],
            links: &self.links,
            number: self.number,
            interner: &self.interner,
            map: self.tracker.map(),
            caps: Caps::ALL,
        };
        let decision = self.strategy.decide(&view, &mut self.rng).unwrap();
        let chosen = match &decision {
            Decision::Perform { event, .. } => Some(*event),
            _ => None,
        };
        let (name, to) = chosen
            .and_then(|event| world[self.at].get(event).copied())
            .unwrap_or(("back", "A0"));
        self.at = to;
        let after = self.page(world);
        let observation = Observation {
            page: Some(Arc::new(after.clone())),
            alive: true,
            ..Observation::default()
        };
        let step = Step {
            number: self.number,
            decision: Some(&decision),
            ..Step::to(&page, &observation, &after, &self.interner)
        };
        self.strategy.learn(&step, 0.0).unwrap();
        let ended = Ended {
            by: crate::graph::By::Strategy,
            leads: true,
            new: false,
        };
        self.tracker.performed(chosen, ended);
        match decision {
            Decision::Perform { .. } => name.to_owned(),
            other => format!("{other:?}"),
        }
    }

    /// Events until the end of the chain.
    fn reach_the_end(&mut self, world: &World) -> u64 {
        while self.at != "A5" {
            assert!(self.number < 10_000, "never there");
            self.step(world);
        }
        self.number
    }
}

const FRESH: &str = "system-rate = 0.0\nstuck-after = 0\n";

/// A session that has seen all four buttons and back of the six activities.
fn all_seen(toml: &str, world: &World) -> Play {
    let toml = format!("{toml}select = \"model\"\n");
    let mut play = Play::new(&toml, &EventModel::new("p"), 1);
    while play.strategy.own.size().0 < 30 {
        assert!(play.number < 100_000, "not all seen");
        play.step(world);
    }
    play
}

#[test]
fn a_reused_model_walks_the_chain_that_a_fresh_one_searches() {
    let world = chain();
    for states in ["fixed", "fastbot", "tuned"] {
        let toml = format!("{FRESH}states = \"{states}\"\n");
        let none = EventModel::new("p");
        let searched = Play::new(&toml, &none, 1).reach_the_end(&world);
        let first = all_seen(&toml, &world);
        let mut again = Play::new(&toml, &first.strategy.own, 2);
        assert_eq!(again.reach_the_end(&world), 5, "{states}");
        assert!(searched > 10, "{states}: {searched}");
    }
}

#[test]
fn what_is_new_in_a_version_is_tried_before_anything_known() {
    let world = chain();
    let first = all_seen(FRESH, &world);
    let mut newer = world.clone();
    newer.get_mut("A0").unwrap().push(("new", "A0"));
    newer.get_mut("A2").unwrap()[1] = ("renamed", "A2");
    let mut again = Play::new(FRESH, &first.strategy.own, 2);
    let chosen: Vec<_> = (0..7).map(|_| again.step(&newer)).collect();
    assert_eq!(chosen, ["new", "y", "y", "renamed", "y", "y", "y"]);
}

#[test]
fn expectation_and_reward_are_the_papers_to_the_digit() {
    let mut model = EventModel::new("p");
    model.count(1, "A", "A", 1);
    model.count(1, "A", "B", 2);
    model.count(1, "A", OUTSIDE, 1);
    let (a, b) = (model.activity("A"), model.activity("B"));
    let settings = Settings::read("").unwrap();
    let own = EventModel::new("p");
    let mut strategy = Fastbot::new(settings, StaticTexts::default(), model, own, None);
    assert_eq!(strategy.expectation(1), 1.0);
    strategy.visit(a);
    assert_eq!(strategy.expectation(1), 0.75);
    assert_eq!([strategy.visit(b), strategy.visit(b)], [1, 2]);
    assert_eq!(strategy.expectation(1), 0.25);
    assert_eq!(strategy.expectation(2), 0.0);
    let action = |known, count, expectation| Action {
        id: EventId(0),
        key: 0,
        kind: EventKind::Click,
        events: vec![0],
        known,
        count,
        expectation,
        prospect: 0.0,
    };
    // One is not in the model, two were not chosen, the expectations are .5: (1 + .5 * 2 + .5) / sqrt(3 + 1).
    let actions = [
        action(false, 0, 0.0),
        action(true, 0, 0.5),
        action(true, 4, 0.0),
    ];
    assert_eq!(Fastbot::reward(0.5, &actions, 3), 1.75);
}

#[test]
fn a_bandits_arms_are_chosen_in_proportion_to_the_exponent_of_their_values() {
    let mut rng = generator(1, "bandit", "fastbot", 0);
    let mut chosen = [0_u32; 3];
    for _ in 0..20_000 {
        let arms = [0.0, 1.0, 2.0].into_iter().enumerate();
        chosen[softmax(arms, 2.0, &mut rng).unwrap()] += 1;
    }
    let weights = [0.0_f64, 0.5, 1.0].map(f64::exp);
    let total: f64 = weights.iter().sum();
    for (times, weight) in chosen.into_iter().zip(weights) {
        let expected = 20_000.0 * weight / total;
        assert!((f64::from(times) - expected).abs() < 300.0, "{chosen:?}");
    }
    assert_eq!(softmax(std::iter::empty(), 1.0, &mut rng), None);
}

/// One activity that no event leaves.
fn trap() -> World {
    BTreeMap::from([("A0", vec![("w", "A0"), ("x", "A0")])])
}

#[test]
fn a_state_that_is_not_left_is_left_by_back_and_then_by_a_restart() {
    let toml = "system-rate = 0.0\nstates = \"fastbot\"\nstuck-after = 2\n";
    let mut play = Play::new(toml, &EventModel::new("p"), 1);
    let chosen: Vec<_> = (0..14).map(|_| play.step(&trap())).collect();
    let restarts: Vec<_> = (0..14).filter(|at| chosen[*at] == "Restart").collect();
    assert_eq!(chosen[2], "back", "{chosen:?}");
    assert_eq!(restarts, [6, 13], "{chosen:?}");
}

/// An activity that this address opens.
fn link(address: &str) -> SystemEvent {
    SystemEvent::Activity {
        component: "p.A1".to_owned(),
        action: None,
        data: Some(address.to_owned()),
    }
}

#[test]
fn between_back_and_a_restart_a_state_is_left_by_a_deep_link_each_time_another_one() {
    let links = ["p://one", "p://two"].map(link);
    let toml = "system-rate = 0.0\nstates = \"fastbot\"\nstuck-after = 2\n";
    let walk = |toml: &str, offered: &[SystemEvent]| -> Vec<(String, Option<Why>)> {
        let mut play = Play::new(toml, &EventModel::new("p"), 1);
        play.links = offered.to_vec();
        let mut step = || {
            let chosen = play.step(&trap());
            let why = play.strategy.explanation();
            (chosen, why.map(|why| why.why))
        };
        (0..14).map(|_| step()).collect()
    };
    let by_system = |walk: &[(String, Option<Why>)]| -> Vec<usize> {
        let ats = 0..walk.len();
        ats.filter(|at| walk[*at].0.starts_with("System")).collect()
    };
    let without = walk(toml, &[]);
    assert_eq!(by_system(&without), [0; 0], "{without:?}");
    let with = walk(toml, &links);
    // In each of two stays: back after 2 steps, the link after 4, a restart after 6.
    assert_eq!(by_system(&with), [4, 11], "{with:?}");
    for (at, link) in [4, 11].into_iter().zip(&links) {
        let opened = format!("{:?}", Decision::System(link.clone()));
        assert_eq!(with[at], (opened, Some(Why::Stuck)));
        assert_eq!(with[at - 2], ("back".to_owned(), Some(Why::Stuck)));
        assert_eq!(with[at + 2], ("Restart".to_owned(), Some(Why::Stuck)));
    }
    let never = walk(&toml.replace("= 2", "= 0"), &links);
    assert_eq!(by_system(&never), [0; 0], "{never:?}");
}

#[test]
fn the_presets_have_the_constants_of_the_paper_and_of_its_code() {
    let paper = Settings::preset(Preset::Paper).unwrap();
    // Section III-B: both parts of the model, softmax with alpha .8, each event at most once, new ones uniformly.
    assert_eq!((paper.select, paper.alpha), (Select::Both, 0.8));
    assert_eq!((paper.repeats, paper.weighted), (1, false));
    // Section III-C: values learned over windows of the code's five steps, for all events of a page. The paper has neither
    // beta nor the number of events after which they choose: 1 and 1,000 are ours.
    assert!(!paper.untried_first);
    assert_eq!((paper.beta, paper.learned_after), (1.0, Some(1000)));
    let published = Settings::preset(Preset::Published).unwrap();
    // The code: Gumbel noise at .1 in both choices, priorities by kind, untried events before values.
    assert_eq!((published.select, published.alpha), (Select::Both, 0.1));
    assert_eq!((published.repeats, published.weighted), (1, true));
    assert!(published.untried_first);
    assert_eq!((published.beta, published.learned_after), (0.1, None));
    for preset in [paper, published] {
        // The code: n = 5, gamma .8, alpha .5 at first.
        let sarsa = (preset.steps, preset.discount, preset.learning_rate);
        assert_eq!(sarsa, (5, 0.8, 0.5));
        // What only Fastbot3 has, and what is ours.
        assert_eq!(
            (preset.states, preset.double),
            (Abstraction::Fastbot, false)
        );
        let ours = (preset.stuck_after, preset.ahead, preset.system_rate);
        assert_eq!(ours, (0, 0.0, 0.0));
    }
    let own = Settings::default();
    // Fastbot3: Double SARSA, tuned states, back after 5 steps in a state.
    assert_eq!((own.states, own.double), (Abstraction::Tuned, true));
    assert_eq!(own.stuck_after, 5);
}

/// Twelve buttons that lead nowhere: with back, thirteen events.
#[test]
fn learned_values_choose_where_each_event_was_performed() {
    const NAMES: [&str; 12] = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"];
    let world = World::from([("A0", NAMES.map(|name| (name, "A0")).to_vec())]);
    let tried = |rule: &str| {
        let toml = format!("{FRESH}select = \"learned\"\n{rule}");
        let mut play = Play::new(&toml, &EventModel::new("p"), 1);
        let tried: BTreeSet<_> = (0..13).map(|_| play.step(&world)).collect();
        tried.len()
    };
    assert_eq!(tried(""), 13);
    assert_eq!(tried("preset = \"published\""), 13);
    // The paper's rule: the first events that earn something keep all others from being chosen.
    assert!(tried("untried-first = false") < 7);
}

#[test]
fn each_selection_of_the_ablation_is_its_own() {
    let world = chain();
    // Without a history, what is not in the model is what was not tried: `learned` and `both` would choose alike.
    let history = all_seen(FRESH, &world).strategy.own;
    let mut walks = Vec::new();
    for select in ["model", "learned", "both"] {
        let toml = format!("{FRESH}select = \"{select}\"\n");
        let walk = || -> Vec<_> {
            let mut play = Play::new(&toml, &history, 1);
            (0..200).map(|_| play.step(&world)).collect()
        };
        assert_eq!(walk(), walk(), "the same seed is the same walk");
        walks.push(walk());
    }
    // Until the model has nothing left on a page, both choose by it.
    assert_eq!(walks[0][..5], walks[2][..5]);
    assert_ne!(walks[0], walks[2]);
    assert_ne!(walks[1], walks[2]);
}

#[test]
fn each_choice_says_what_it_was_made_by() {
    let world = chain();
    let known = all_seen(FRESH, &world).strategy.own.clone();
    for (toml, history, wanted) in [
        ("select = \"model\"", EventModel::new("p"), Why::Unknown),
        ("select = \"model\"", known.clone(), Why::Model),
        ("select = \"learned\"", known, Why::Untried),
    ] {
        let mut play = Play::new(&format!("{FRESH}{toml}"), &history, 1);
        let chosen = play.step(&world);
        let why = play.strategy.explanation().unwrap();
        assert_eq!((why.why, why.i), (wanted, 1));
        if wanted == Why::Model {
            // Only `y` leads to an activity that the session was not at.
            assert_eq!(chosen, "y");
            assert_eq!(why.best.len(), 5);
            assert_eq!(Some(why.best[0].ix), why.chosen);
            assert_eq!(why.best[0].what, "click \"y\"");
            assert!(why.best[0].q > why.best[1].q, "{why:?}");
        } else {
            assert!(why.best.is_empty(), "{why:?}");
        }
        if wanted == Why::Untried {
            let learned = (0..200).find_map(|_| {
                play.step(&world);
                let why = play.strategy.explanation().unwrap();
                (why.why == Why::Values).then_some(why)
            });
            let learned = learned.expect("all events of a page are tried");
            let times = &learned.best[0].features[0];
            assert!(times.starts_with("performed "), "{times}");
        }
    }
}

#[test]
fn a_larger_model_is_written_less_often() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.jsonl");
    let mut play = Play::new(FRESH, &EventModel::new("p"), 1);
    play.strategy.keep = Some(path.clone());
    (0..250).for_each(|key| play.strategy.own.count(key, "A0", "A0", 1));
    let world = chain();
    let events = (1..400).find(|_| {
        play.step(&world);
        path.exists()
    });
    assert!((250..300).contains(&events.unwrap()), "{events:?}");
}
