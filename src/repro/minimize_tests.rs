//! What must hold whatever the app is: the result still fails, is 1-minimal and no longer than the input.
//!
//! The apps here are machines made at random: pages, moves between them, keys of hidden state that some
//! steps set and others clear, steps that exist on some pages only, and a failure that wants a page and keys.

use super::super::search::{Limit, Search, Steps, Tester, Verdict};
use super::*;
use crate::util::seed::{Rng, generator};
use proptest::prelude::*;
use std::convert::Infallible;
use std::sync::Mutex;

/// Step `s` of the trace does action `actions[s]`.
#[derive(Debug)]
pub(super) struct App {
    /// By page and action: where it leads; none: there is no such widget on this page.
    moves: Vec<Vec<Option<usize>>>,
    /// By action: keys it sets and keys it clears.
    sets: Vec<(u32, u32)>,
    /// By action: keys without which its widget is not there.
    wants: Vec<u32>,
    /// The failure: on this page, by this action, with all these keys.
    failure: (usize, usize, u32),
    actions: Vec<usize>,
    /// Chance that the failure comes when all is as it must be.
    rate: f64,
    chance: Mutex<Rng>,
    workers: usize,
    /// Chance that a replay ends before its first step: the app does not start, or the device fails.
    pub(super) mute: f64,
}

const ACTIONS: usize = 8;

impl App {
    pub(super) fn new(seed: u64, length: usize, rate: f64) -> Self {
        let mut rng = generator(seed, "app", "minimize", 0);
        let pages = rng.random_range(2..7);
        let keys = rng.random_range(0..4_u32);
        let mut some = |of: usize| rng.random_range(0..of);
        let moves = (0..pages)
            .map(|_| {
                (0..ACTIONS)
                    .map(|_| (some(5) > 0).then(|| some(pages)))
                    .collect()
            })
            .collect();
        let key = |some: &mut dyn FnMut(usize) -> usize| match keys {
            0 => 0,
            n => 1 << some(n as usize),
        };
        let sets = (0..ACTIONS)
            .map(|_| match some(4) {
                0 => (key(&mut some), 0),
                1 => (0, key(&mut some)),
                _ => (0, 0),
            })
            .collect();
        let wants = (0..ACTIONS).map(|_| match some(5) {
            0 => key(&mut some),
            _ => 0,
        });
        let wants = wants.collect();
        let failure = (some(pages), some(ACTIONS), (1 << keys) - 1);
        let actions = (0..length).map(|_| some(ACTIONS)).collect();
        Self {
            moves,
            sets,
            wants,
            failure,
            actions,
            rate,
            chance: Mutex::new(generator(seed, "chance", "minimize", 0)),
            workers: 1,
            mute: 0.0,
        }
    }

    /// The page and the keys after an action; none: its widget is not there.
    fn after(&self, (page, keys): (usize, u32), action: usize) -> Option<(usize, u32)> {
        let to =
            self.moves[page][action].filter(|_| keys & self.wants[action] == self.wants[action])?;
        let (set, clear) = self.sets[action];
        Some((to, (keys | set) & !clear))
    }

    /// What these steps do, when a failure that may come does.
    fn walk(&self, steps: &[u32], gone: Gone) -> Verdict {
        let (mut page, mut keys) = (0, 0);
        let mut verdict = Verdict {
            pages: vec![PageId(0)],
            ..Verdict::default()
        };
        for (at, step) in steps.iter().enumerate() {
            let action = self.actions[*step as usize];
            let Some(next) = self.after((page, keys), action) else {
                if gone == Gone::Skipped {
                    verdict.skipped.push(at);
                    continue;
                }
                verdict.diverged = Some(at + 1);
                return verdict;
            };
            let (wanted_page, wanted_action, wanted) = self.failure;
            let fails = (page, action) == (wanted_page, wanted_action) && keys & wanted == wanted;
            (page, keys) = next;
            verdict.pages.push(PageId(page as u64));
            if fails {
                verdict.fails = Some(at + 1);
                return verdict;
            }
        }
        verdict
    }

    /// The steps of a walk that a person would take: only what the page offers.
    pub(super) fn offered(&self) -> Steps {
        let mut place = (0, 0);
        let mut steps = Vec::new();
        for (at, &action) in self.actions.iter().enumerate() {
            if let Some(next) = self.after(place, action) {
                place = next;
                steps.push(at as u32);
            }
        }
        steps
    }

    /// The least number of steps to the failure where nothing is hidden: breadth first over the pages.
    fn least(&self) -> usize {
        let mut pages = vec![0];
        for steps in 1.. {
            if pages.contains(&self.failure.0) {
                return steps;
            }
            let next = pages
                .iter()
                .flat_map(|&page| self.moves[page].iter().flatten());
            pages = next.copied().chain(pages.iter().copied()).collect();
            pages.sort_unstable();
            pages.dedup();
        }
        unreachable!("the failure was met")
    }

    pub(super) fn fails(&self, steps: &[u32]) -> bool {
        self.walk(steps, Gone::Ends).fails.is_some()
    }

    /// Can one step be left out?
    pub(super) fn is_minimal(&self, steps: &[u32]) -> bool {
        (0..steps.len()).all(|at| {
            let fewer = [&steps[..at], &steps[at + 1..]].concat();
            !self.fails(&fewer)
        })
    }
}

impl App {
    /// Can a stretch be left out that ends on the page it started on?
    fn has_loop_too_many(&self, steps: &[u32]) -> bool {
        let pages = self.walk(steps, Gone::Ends).pages;
        (1..steps.len()).any(|to| {
            (0..to).any(|from| {
                let without = [&steps[..from], &steps[to..]].concat();
                pages[from] == pages[to] && self.fails(&without)
            })
        })
    }
}

impl Tester for App {
    type Error = Infallible;

    fn workers(&self) -> usize {
        self.workers
    }

    fn test(&self, _: usize, steps: &[u32], gone: Gone) -> Result<Verdict, Infallible> {
        if self.mute > 0.0 && self.chance.lock().unwrap().random_bool(self.mute) {
            let (lost, diverged) = (steps.len().is_multiple_of(2), Some(0));
            return Ok(Verdict {
                lost,
                diverged,
                ..Verdict::default()
            });
        }
        let mut verdict = self.walk(steps, gone);
        if self.rate < 1.0
            && verdict.fails.is_some()
            && !self.chance.lock().unwrap().random_bool(self.rate)
        {
            verdict.fails = None;
        }
        Ok(verdict)
    }
}

pub(super) const MUCH: Limit = Limit {
    replays: 100_000,
    until: None,
};

fn minimized(app: &App, limit: Limit) -> (Option<Fewest>, u64) {
    let mut search = Search::new(app, limit);
    let Ok(fewest) = search.minimize(app.offered());
    (fewest, search.spent)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn the_result_fails_is_minimal_and_no_longer_than_the_input(seed: u64, length in 1..120_usize) {
        let app = App::new(seed, length, 1.0);
        let given = app.offered();
        let (fewest, _) = minimized(&app, MUCH);
        prop_assert_eq!(fewest.is_some(), app.fails(&given));
        if let Some(fewest) = fewest {
            prop_assert!(fewest.minimal && app.fails(&fewest.steps));
            prop_assert!(app.is_minimal(&fewest.steps), "{:?}", fewest.steps);
            prop_assert!(!app.has_loop_too_many(&fewest.steps), "{:?}", fewest.steps);
            prop_assert!(fewest.steps.len() <= given.len());
        }
    }

    /// What is left out of a long path takes widgets away that later steps touch.
    #[test]
    fn long_ways_come_out_as_sound_as_short_ones(seed: u64, length in 120..600_usize, rate in 0.3..3.0_f64) {
        let app = App::new(seed, length, rate.min(1.0));
        let given = app.offered();
        let (fewest, _) = minimized(&app, MUCH);
        prop_assert!(fewest.is_some() || !app.fails(&given) || app.rate < 1.0);
        if let Some(fewest) = fewest {
            prop_assert!(fewest.minimal && app.fails(&fewest.steps));
            prop_assert!(app.rate < 1.0 || app.is_minimal(&fewest.steps), "{:?}", fewest.steps);
        }
    }

    /// All that can be done is known from other walks, and some of what is known does not hold.
    #[test]
    fn known_moves_make_it_least_where_nothing_is_hidden_and_never_wrong(
        seed: u64, length in 1..120_usize, lies in 0..20_usize
    ) {
        let mut app = App::new(seed, length, 1.0);
        let given = app.offered();
        app.actions.extend(0..ACTIONS);
        let mut search = Search::new(&app, MUCH);
        for (page, moves) in app.moves.iter().enumerate() {
            for (action, to) in moves.iter().enumerate() {
                let to = to.map(|to| PageId(to as u64));
                let step = (length + action) as u32;
                to.into_iter().for_each(|to| search.graph.see(PageId(page as u64), step, to, 2));
                search.activities.add_activity(PageId(page as u64), if page % 2 == 0 { "A" } else { "B" });
            }
        }
        let mut rng = generator(seed, "lies", "minimize", 0);
        let mut any = |of: usize| rng.random_range(0..of);
        for _ in 0..lies {
            let page = |n| PageId(n as u64);
            let (from, step, to) = (any(app.moves.len()), any(app.actions.len()), any(app.moves.len()));
            search.graph.see(page(from), step as u32, page(to), 1);
            search.activities.see(page(from), (step as u32, step as u64), page(to), 1);
        }
        let Ok(fewest) = search.minimize(given.clone());
        prop_assert_eq!(fewest.is_some(), app.fails(&given));
        if let Some(fewest) = fewest {
            prop_assert!(fewest.minimal && app.fails(&fewest.steps));
            prop_assert!(app.is_minimal(&fewest.steps), "{:?}", fewest.steps);
            prop_assert!(fewest.steps.len() <= given.len());
            if app.failure.2 == 0 && lies == 0 {
                prop_assert_eq!(fewest.steps.len(), app.least());
            }
        }
    }

    #[test]
    fn any_number_of_devices_gives_the_same_result_with_the_same_replays(
        seed: u64, length in 1..300_usize, replays in 1..200_u64, workers in 2..5_usize
    ) {
        let limit = Limit { replays, until: None };
        let mut app = App::new(seed, length, 1.0);
        let one = minimized(&app, limit);
        app.workers = workers;
        prop_assert_eq!(minimized(&app, limit), one);
    }

    #[test]
    fn the_limit_is_kept_and_what_is_found_by_then_still_fails(
        seed: u64, length in 20..120_usize, replays in 1..30_u64
    ) {
        let app = App::new(seed, length, 1.0);
        let (fewest, spent) = minimized(&app, Limit { replays, until: None });
        prop_assert!(spent <= replays);
        if let Some(fewest) = fewest {
            prop_assert!(app.fails(&fewest.steps));
            prop_assert!(!fewest.minimal || app.is_minimal(&fewest.steps));
        }
    }

    #[test]
    fn replays_that_tell_nothing_never_make_a_result_minimal(
        seed: u64, length in 1..80_usize, mute in 0.0..0.6_f64
    ) {
        let mut app = App::new(seed, length, 1.0);
        app.mute = mute;
        if let (Some(fewest), _) = minimized(&app, MUCH) {
            prop_assert!(app.fails(&fewest.steps) && (!fewest.minimal || app.is_minimal(&fewest.steps)));
        }
    }

    #[test]
    fn what_comes_now_and_then_is_never_cut_to_what_does_not_come(
        seed: u64, length in 1..80_usize, rate in 0.3..0.95_f64
    ) {
        let app = App::new(seed, length, rate);
        let given = app.offered();
        if let (Some(fewest), _) = minimized(&app, MUCH) {
            prop_assert!(app.fails(&fewest.steps) && fewest.steps.len() <= given.len());
        }
    }
}

/// The failure wants these steps, whatever is between them. No page is seen twice, so that neither loops nor short
/// cuts help: what can be left out is found by delta debugging alone.
pub(super) struct Needs {
    needed: Vec<u32>,
    rate: f64,
    /// Chance that a widget is not there yet when it is looked for, and its step left out.
    pub(super) late: f64,
    pub(super) chance: Mutex<Rng>,
}

impl Needs {
    pub(super) fn new(needed: &[u32], rate: f64) -> Self {
        Self {
            needed: needed.to_vec(),
            rate,
            late: 0.0,
            chance: Mutex::new(generator(0, "chance", "minimize", 0)),
        }
    }
}

impl Tester for Needs {
    type Error = Infallible;

    fn workers(&self) -> usize {
        1
    }

    fn test(&self, _: usize, steps: &[u32], gone: Gone) -> Result<Verdict, Infallible> {
        let mut chance = self.chance.lock().unwrap();
        let (mut page, mut verdict) = (1, Verdict::default());
        verdict.pages = vec![PageId(1)];
        let mut missing = self.needed.clone();
        for (at, step) in steps.iter().enumerate() {
            if gone == Gone::Skipped && self.late > 0.0 && chance.random_bool(self.late) {
                verdict.skipped.push(at);
                continue;
            }
            page = crate::util::hash::mix(page, u64::from(*step));
            verdict.pages.push(PageId(page));
            missing.retain(|needed| needed != step);
            if missing.is_empty() {
                verdict.fails = chance.random_bool(self.rate).then_some(at + 1);
                break;
            }
        }
        Ok(verdict)
    }
}

proptest! {
    #[test]
    fn of_steps_that_are_wanted_or_not_exactly_the_wanted_ones_are_left(
        wanted in proptest::collection::vec(proptest::bool::weighted(0.3), 1..60)
    ) {
        let all = 0..u32::try_from(wanted.len()).unwrap();
        let needed: Vec<u32> = all.clone().filter(|at| wanted[*at as usize]).collect();
        prop_assume!(!needed.is_empty());
        let app = Needs::new(&needed, 1.0);
        let mut search = Search::new(&app, MUCH);
        let Ok(fewest) = search.minimize(all.collect());
        prop_assert_eq!(fewest, Some(Fewest { steps: needed, minimal: true }));
    }
    #[test]
    fn a_few_needs_far_apart_in_a_long_way_are_found_within_the_default_200_replays(
        length in 200..1000_u32, shares in proptest::collection::vec(0.0..1.0_f64, 1..4)
    ) {
        let mut needed: Vec<u32> = shares.iter().map(|share| (share * f64::from(length)) as u32).collect();
        needed.sort_unstable();
        needed.dedup();
        let app = Needs::new(&needed, 1.0);
        let mut search = Search::new(&app, Limit { replays: 200, until: None });
        let Ok(fewest) = search.minimize((0..length).collect());
        prop_assert_eq!(fewest, Some(Fewest { steps: needed, minimal: true }));
    }
}
