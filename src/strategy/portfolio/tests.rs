//! Members that find what they are set to: the turns are known.

use super::*;
use crate::device::{Caps, Observation};
use crate::gui::Page;
use crate::outcome::exchange::Turn;
use crate::util::intern::Interner;
use crate::util::seed::generator;
use std::sync::{Arc, Mutex};

/// What happened to a member: its decisions, and the members that interrupted it.
#[derive(Default)]
struct Seen {
    decided: usize,
    learned: usize,
    interrupted: usize,
}

/// A member that stops after so many decisions.
struct Fake(Arc<Mutex<Seen>>, usize);

impl Strategy for Fake {
    fn decide(&mut self, _: &View<'_>, _: &mut Rng) -> Result<Decision, StrategyError> {
        let mut seen = self.0.lock().unwrap();
        seen.decided += 1;
        Ok(match seen.decided > self.1 {
            true => Decision::Stop,
            false => Decision::Invalid,
        })
    }

    fn learn(&mut self, _: &Step<'_>, _: f32) -> Result<(), StrategyError> {
        self.0.lock().unwrap().learned += 1;
        Ok(())
    }

    fn interrupted(&mut self, _: &View<'_>, _: &mut Rng) -> Result<(), StrategyError> {
        self.0.lock().unwrap().interrupted += 1;
        Ok(())
    }
}

struct Scene {
    portfolio: Portfolio,
    seen: Vec<Arc<Mutex<Seen>>>,
    /// The members' names in the order of their turns.
    turns: Vec<String>,
    rng: Rng,
}

impl Scene {
    fn new(stops: &[usize]) -> Self {
        let settings = Settings {
            segment: 10,
            ..Settings::default()
        };
        let seen: Vec<Arc<Mutex<Seen>>> = stops.iter().map(|_| Arc::default()).collect();
        let members = seen.iter().zip(stops).enumerate();
        let members = members.map(|(at, (seen, stop))| {
            let fake: Box<dyn Strategy> = Box::new(Fake(seen.clone(), *stop));
            (format!("m{at}"), fake)
        });
        Self {
            portfolio: Portfolio::new(&settings, members.collect(), (None, None)),
            seen,
            turns: Vec::new(),
            rng: generator(1, "a", "b", 0),
        }
    }

    /// One event; `finds`: does it bring something new, if this member chose it? False: nothing more to do.
    fn event(&mut self, finds: impl Fn(usize) -> bool) -> bool {
        let mut interner = Interner::default();
        let page = Page::build(&[], "A", 0, (9, 9), &mut interner);
        let view = View {
            page: &page,
            system: &[],
            links: &[],
            number: 1,
            interner: &interner,
            caps: Caps::ALL,
            map: None,
        };
        let decision = self.portfolio.decide(&view, &mut self.rng).unwrap();
        if let Some(name) = self.portfolio.next_member() {
            self.turns.push(name.to_owned());
        }
        if decision == Decision::Stop {
            return false;
        }
        let new = finds(self.portfolio.turn.unwrap());
        let after = Observation::default();
        let step = Step {
            number: 1,
            decision: Some(&decision),
            new_pages: usize::from(new),
            ..Step::to(&page, &after, &page, &interner)
        };
        self.portfolio.learn(&step, 0.0).unwrap();
        true
    }

    fn decided(&self, member: usize) -> usize {
        self.seen[member].lock().unwrap().decided
    }
}

#[test]
fn each_member_has_a_turn_in_order_and_learns_from_its_own_events_only() {
    let mut scene = Scene::new(&[1_000; 3]);
    for _ in 0..30 {
        scene.event(|_| true);
    }
    assert_eq!(scene.turns, ["m0", "m1", "m2"]);
    for (at, interrupted) in [1, 1, 0].into_iter().enumerate() {
        let seen = scene.seen[at].lock().unwrap();
        assert_eq!((seen.decided, seen.learned), (10, 10));
        assert_eq!(seen.interrupted, interrupted);
    }
}

#[test]
fn the_member_that_finds_more_gets_most_of_the_turns() {
    let mut scene = Scene::new(&[100_000; 3]);
    for event in 0..2_000 {
        scene.event(|member| match member {
            0 => event % 10 == 0,
            1 => event % 2 == 0,
            _ => false,
        });
    }
    let share = |member| scene.decided(member) as f64 / 2_000.0;
    assert!(share(1) > 0.7, "{} {} {}", share(0), share(1), share(2));
}

#[test]
fn when_a_member_has_found_all_it_can_the_turns_go_to_another() {
    let mut scene = Scene::new(&[100_000; 2]);
    for event in 0..1_000 {
        scene.event(|member| {
            if event < 500 {
                member == 0
            } else {
                member == 1
            }
        });
    }
    let early = scene.decided(1);
    assert!(early > 350, "{early} of the last 500 and some before");
    assert!(early < 650, "{early}");
}

/// With `discount = 0` a turn counts until the next one ends.
#[test]
fn members_whose_turns_count_nothing_any_more_come_the_longest_ago_first() {
    let mut scene = Scene::new(&[1_000; 3]);
    scene.portfolio.discount = 0.0;
    for _ in 0..70 {
        scene.event(|_| false);
    }
    assert_eq!(scene.turns, ["m0", "m1", "m2", "m0", "m1", "m2", "m0"]);
}

#[test]
fn a_member_with_nothing_more_to_do_gets_no_turn_and_the_end_comes_with_the_last() {
    let mut scene = Scene::new(&[5, 25]);
    let events = (0..100).take_while(|_| scene.event(|_| false)).count();
    assert_eq!(events, 30);
    assert_eq!(scene.turns, ["m0", "m1", "m1", "m1"]);
}

/// What the sessions of a group were allotted after an exchange with these turns: (session from 1, member, news of ten).
fn allotted(scenes: &mut [Scene], here: &[bool], turns: &[(usize, usize, u64)]) -> Vec<usize> {
    let turn = |(seat, member, news): &(usize, usize, u64)| Turn {
        seat: *seat,
        member: format!("m{member}"),
        events: 10,
        news: *news,
    };
    let turns: Vec<_> = turns.iter().map(turn).collect();
    let mut members = Vec::new();
    for (seat, scene) in scenes
        .iter_mut()
        .enumerate()
        .filter(|(seat, _)| here[*seat])
    {
        let round = Round {
            seat,
            here,
            turns: &turns,
        };
        scene.portfolio.exchanged(Some(&round));
        scene.event(|_| false);
        members.push(scene.portfolio.turn.unwrap());
    }
    members
}

#[test]
fn side_by_side_each_session_gets_another_member_and_keeps_it_while_it_is_among_the_best() {
    let mut scenes: Vec<_> = (0..2).map(|_| Scene::new(&[1_000; 3])).collect();
    let both = [true, true];
    assert_eq!(allotted(&mut scenes, &both, &[]), [0, 1]);
    // One that had no turn comes first, and takes the place of the worse.
    let next = allotted(&mut scenes, &both, &[(1, 0, 1), (2, 1, 9)]);
    assert_eq!(next, [2, 1]);
    let next = allotted(&mut scenes, &both, &[(1, 2, 5), (2, 1, 9)]);
    assert_eq!(next, [2, 1]);
    // The turn goes on however many events it has.
    for _ in 0..30 {
        scenes[0].event(|_| false);
    }
    assert_eq!(scenes[0].portfolio.turn, Some(2));
    // The second has ended: the first gets the best.
    let next = allotted(&mut scenes, &[true, false], &[(1, 2, 0), (2, 1, 9)]);
    assert_eq!(next, [1]);
    // Alone again, turns have their length.
    scenes[0].portfolio.exchanged(None);
    let turns = scenes[0].turns.len();
    for _ in 0..100 {
        scenes[0].event(|_| false);
    }
    assert!(scenes[0].turns.len() > turns, "{:?}", scenes[0].turns);
}

#[test]
fn with_more_sessions_than_members_the_best_has_several() {
    let mut scenes: Vec<_> = (0..5).map(|_| Scene::new(&[1_000; 3])).collect();
    let all = [true; 5];
    assert_eq!(allotted(&mut scenes, &all, &[]), [0, 1, 2, 0, 1]);
    let turns = [(1, 0, 0), (2, 1, 2), (3, 2, 9), (4, 0, 0), (5, 1, 3)];
    // The order is now 2, 1, 0: the best two have two sessions each, and whoever can stays.
    let next = allotted(&mut scenes, &all, &turns);
    assert_eq!(next, [0, 1, 2, 2, 1]);
}

#[test]
fn the_policy_that_is_kept_is_the_first_one_that_is_to_be_saved() {
    let suite =
        "members = [{ kind = \"q-learning\" }, { kind = \"ares-sac\", policy = { save = true } }]";
    let settings: Settings = toml::from_str(suite).unwrap();
    let policy = crate::strategy::definition::Settings::policy(&settings);
    assert!(policy.unwrap().save);
}

#[test]
fn a_member_without_faults_takes_them_from_the_others_only() {
    use crate::strategy::definition::{Definition as _, Settings as _};
    let lost = |members: &str| {
        let settings = Settings::read(&format!("members = [{members}]")).unwrap();
        (settings.faults(), settings.loses_faults().is_some())
    };
    let (random, monkey) = ("{ kind = \"random\" }", "{ kind = \"monkey\" }");
    assert_eq!(lost(&format!("{random}, {monkey}")), (false, true));
    assert_eq!(lost(&format!("{random}, {random}")), (true, false));
    assert_eq!(lost(&format!("{monkey}, {monkey}")), (false, false));
}
