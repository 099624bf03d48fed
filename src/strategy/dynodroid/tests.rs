//! The selector on problems with known answers.

use super::*;
use crate::device::Caps;
use crate::graph::tracker::Ended;
use crate::graph::{By, Map, Tracker};
use crate::gui::{Flags, RawNode, Rect};
use crate::util::intern::Interner;
use crate::util::seed::generator;
use std::collections::BTreeMap;

/// A page of `buttons` buttons and `fields` fields, with its map.
struct Scene {
    page: Page,
    interner: Interner,
    tracker: Tracker,
}

impl Scene {
    fn new(buttons: usize, fields: usize, strategy: &Dynodroid) -> Self {
        let mut scene = Self {
            page: crate::gui::page::none(),
            interner: Interner::default(),
            tracker: Tracker::new(strategy.states().unwrap()),
        };
        scene.show(buttons, fields);
        scene
    }

    fn show(&mut self, buttons: usize, fields: usize) {
        let node = |at: usize, editable: bool| RawNode {
            parent: -1,
            resource_id: format!("a:id/n{at}"),
            flags: Flags::VISIBLE
                | Flags::ENABLED
                | if editable {
                    Flags::EDITABLE
                } else {
                    Flags::CLICKABLE
                },
            bounds: Rect::from([0, 0, 9, 9]),
            ..RawNode::default()
        };
        let nodes: Vec<_> = (0..buttons + fields)
            .map(|at| node(at, at < fields))
            .collect();
        self.page = Page::build(&nodes, "A", 0, (9, 9), &mut self.interner);
        self.tracker.arrive(&self.page, &self.interner);
    }

    /// An event was performed, and led to the same page.
    fn performed(&mut self, event: EventIx) {
        let ended = Ended {
            by: By::Strategy,
            leads: true,
            new: false,
        };
        self.tracker.performed(Some(event), ended);
        self.tracker.arrive(&self.page, &self.interner);
    }

    fn map(&self) -> Map<'_> {
        self.tracker.map().unwrap()
    }

    fn decide(&self, strategy: &mut Dynodroid, system: &[SystemEvent], rng: &mut Rng) -> Decision {
        let view = View {
            page: &self.page,
            system,
            links: &[],
            number: 1,
            interner: &self.interner,
            map: Some(self.map()),
            caps: Caps::ALL,
        };
        strategy.decide(&view, rng).unwrap()
    }
}

fn dynodroid(select: Select) -> Dynodroid {
    Dynodroid::new(Settings {
        select,
        reinstall: 0.0,
        ..Settings::default()
    })
}

/// Algorithm 2 word for word: `G` as it stands, `L` from zero.
fn by_the_paper(needed: &mut BTreeMap<Relevant, u32>, rng: &mut Rng) -> Relevant {
    let events: Vec<_> = needed.keys().copied().collect();
    let mut drawn = BTreeMap::new();
    loop {
        let event = *events.choose(rng).unwrap();
        let times: &mut u32 = drawn.entry(event).or_default();
        if *times == needed[&event] {
            *needed.get_mut(&event).unwrap() += 1;
            return event;
        }
        *times += 1;
    }
}

#[test]
fn clocks_choose_as_often_as_the_papers_loop_does() {
    let events = [
        Relevant::Ui(EventId(0)),
        Relevant::Ui(EventId(1)),
        Relevant::System(0),
    ];
    let start: BTreeMap<_, _> = events.into_iter().zip([1, 4, 2]).collect();
    let rounds = 40_000;
    let mut rng = generator(1, "a", "b", 0);
    let mut count = [[0_u32; 3]; 2];
    let mut strategy = dynodroid(Select::Biased);
    for _ in 0..rounds {
        let looped = by_the_paper(&mut start.clone(), &mut rng);
        strategy.needed = start.iter().map(|(event, g)| ((0, *event), *g)).collect();
        let raced = strategy.biased(&events, 0, &mut rng).unwrap();
        for (at, chosen) in [looped, raced].into_iter().enumerate() {
            count[at][events.iter().position(|e| *e == chosen).unwrap()] += 1;
        }
    }
    // Two samples of one distribution: chi-square with 2 degrees of freedom, 13.8 at 0.1 %.
    let chi: f64 = (0..3)
        .map(|at| {
            let (a, b) = (f64::from(count[0][at]), f64::from(count[1][at]));
            (a - b).powi(2) / (a + b)
        })
        .sum();
    assert!(chi < 13.8, "{chi}: {count:?}");
    assert!(count[1].iter().all(|n| *n > 100), "{count:?}");
}

#[test]
fn no_event_of_a_context_is_starved_whatever_its_bias() {
    let mut strategy = dynodroid(Select::Biased);
    let scene = Scene::new(18, 0, &strategy);
    let system = ["a.ONE", "a.TWO"].map(broadcast);
    let mut rng = generator(2, "a", "b", 0);
    let mut count: BTreeMap<String, u32> = BTreeMap::new();
    let events = scene.page.events.len() + system.len();
    for _ in 0..events * 200 {
        let chosen = scene.decide(&mut strategy, &system, &mut rng);
        *count.entry(format!("{chosen:?}")).or_default() += 1;
    }
    assert_eq!(count.len(), events);
    // What was chosen often needs more draws, so that the counts stay together: 200 each, where
    // independent draws would spread by 14.
    assert!(count.values().all(|n| (180..=220).contains(n)), "{count:?}");
}

#[test]
fn a_system_event_is_rarer_at_first() {
    let mut rng = generator(3, "a", "b", 0);
    let mut first = [0, 0];
    for _ in 0..2_000 {
        let mut strategy = dynodroid(Select::Biased);
        let events = [Relevant::Ui(EventId(0)), Relevant::System(0)];
        match strategy.biased(&events, 0, &mut rng).unwrap() {
            Relevant::Ui(_) => first[0] += 1,
            Relevant::System(_) => first[1] += 1,
        }
    }
    // Two draws before three: 11 of 16.
    assert!((1_300..1_450).contains(&first[0]), "{first:?}");
}

#[test]
fn the_least_chosen_event_comes_next_by_frequency() {
    let mut strategy = dynodroid(Select::Frequency);
    let mut scene = Scene::new(4, 0, &strategy);
    let mut rng = generator(4, "a", "b", 0);
    let mut last = 0;
    for round in 0..60 {
        let Decision::Perform { event, .. } = scene.decide(&mut strategy, &[], &mut rng) else {
            panic!()
        };
        let map = scene.map();
        let counts = map.sighting.events.iter().map(|e| map.graph.count(*e));
        let chosen = map.graph.count(map.sighting.events[event]);
        assert_eq!(Some(chosen), counts.clone().min(), "{round}");
        last = counts.max().unwrap();
        scene.performed(event);
    }
    assert!(last >= 9, "{last}");
}

#[test]
fn fields_are_filled_before_an_event_is_chosen_and_again_after_a_round_of_choices() {
    for select in [Select::Biased, Select::Frequency, Select::Uniform] {
        let mut strategy = dynodroid(select);
        let scene = Scene::new(2, 3, &strategy);
        let other = Scene::new(5, 0, &strategy);
        let mut rng = generator(5, "a", "b", 0);
        let mut kind =
            |scene: &Scene, strategy: &mut Dynodroid| match scene.decide(strategy, &[], &mut rng) {
                Decision::Perform { event, .. } => scene.page.events[event].kind,
                other => panic!("{other:?}"),
            };
        let choices = scene.page.events.len() - 3;
        for (visit, left_after) in [(0, choices), (1, choices), (2, 1), (3, choices)] {
            for _ in 0..3 {
                assert_eq!(kind(&scene, &mut strategy), EventKind::Text, "{visit}");
            }
            for _ in 0..left_after {
                assert_ne!(kind(&scene, &mut strategy), EventKind::Text, "{visit}");
            }
            if visit == 2 {
                kind(&other, &mut strategy);
            }
        }
    }
}

#[test]
fn the_app_is_installed_again_at_the_rate_that_is_set() {
    let mut strategy = Dynodroid::new(Settings {
        reinstall: 0.1,
        ..Settings::default()
    });
    let scene = Scene::new(2, 0, &strategy);
    let mut rng = generator(6, "a", "b", 0);
    let restarts = (0..2_000)
        .filter(|_| scene.decide(&mut strategy, &[], &mut rng) == Decision::Restart)
        .count();
    assert!((150..250).contains(&restarts), "{restarts}");
}

#[test]
fn only_what_is_relevant_now_is_chosen() {
    let mut strategy = dynodroid(Select::Uniform);
    let scene = Scene::new(1, 0, &strategy);
    let mut rng = generator(7, "a", "b", 0);
    let registered = [broadcast("a.ONE")];
    let sent = |decision| matches!(decision, Decision::System(_));
    assert!((0..50).any(|_| sent(scene.decide(&mut strategy, &registered, &mut rng))));
    assert!(!(0..50).any(|_| sent(scene.decide(&mut strategy, &[], &mut rng))));
    // What reaches each app is relevant for none.
    let activity = SystemEvent::Activity {
        component: "a.B".to_owned(),
        action: None,
        data: None,
    };
    let any = [SystemEvent::Rotate, SystemEvent::Home, activity];
    assert!(!(0..50).any(|_| sent(scene.decide(&mut strategy, &any, &mut rng))));
}

fn broadcast(action: &str) -> SystemEvent {
    SystemEvent::Broadcast {
        action: action.to_owned(),
        component: None,
        extras: crate::gui::Extras::new(),
    }
}

/// Typing takes the focus, which brings a key, and the text enables a button.
#[test]
fn a_field_is_filled_once_although_filling_changes_the_page() {
    let mut strategy = dynodroid(Select::Biased);
    let mut scene = Scene::new(2, 3, &strategy);
    let mut rng = generator(9, "a", "b", 0);
    let mut filled = Vec::new();
    for button in 0..3 {
        let Decision::Perform { event, .. } = scene.decide(&mut strategy, &[], &mut rng) else {
            panic!("{filled:?}")
        };
        assert_eq!(scene.page.events[event].kind, EventKind::Text, "{filled:?}");
        filled.push(scene.page.events[event].key);
        scene.show(3 + button, 3);
    }
    filled.sort_unstable();
    filled.dedup();
    assert_eq!(filled.len(), 3);
    let chosen = scene.decide(&mut strategy, &[], &mut rng);
    let Decision::Perform { event, .. } = chosen else {
        panic!("{chosen:?}")
    };
    assert_ne!(scene.page.events[event].kind, EventKind::Text);
}

/// In a portfolio others perform the page's events too.
#[test]
fn by_frequency_only_its_own_choices_count() {
    let mut strategy = dynodroid(Select::Frequency);
    let mut scene = Scene::new(4, 0, &strategy);
    for _ in 0..10 {
        for event in 0..scene.page.events.len() {
            scene.performed(event);
        }
    }
    let mut rng = generator(10, "a", "b", 0);
    let system = [broadcast("a.ONE")];
    let sent = (0..14).filter(|_| {
        let chosen = scene.decide(&mut strategy, &system, &mut rng);
        matches!(chosen, Decision::System(_))
    });
    // Seven events with back and menu, each twice.
    assert_eq!(sent.count(), 2);
}

#[test]
fn a_start_with_cleared_data_is_not_followed_by_another() {
    let mut strategy = Dynodroid::new(Settings {
        reinstall: 1.0,
        ..Settings::default()
    });
    let scene = Scene::new(3, 0, &strategy);
    let mut rng = generator(1, "", "", 0);
    let mut restarts = || scene.decide(&mut strategy, &[], &mut rng) == Decision::Restart;
    assert_eq!([restarts(), restarts(), restarts()], [true, false, true]);
}
