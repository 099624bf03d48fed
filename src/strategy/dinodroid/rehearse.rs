//! Learning from what people showed, before the first event: their steps go into memory as the strategy's own do.
//!
//! As in deep Q-learning from demonstrations (Hester et al., AAAI 2018, section IV: "pre-training"), without its
//! supervised loss: the steps are from any session, and a person's choice need not be the best one.

use super::algorithm::{DinoDroid, Tried, Valuation};
use crate::device::Caps;
use crate::graph::tracker::Ended;
use crate::graph::{By, States, Tracker};
use crate::gui::Page;
use crate::learn::dqn::Dqn;
use crate::learn::shown::{Place, Shown, ShownStep};
use crate::step::View;
use crate::strategy::{Strategy as _, StrategyError};
use crate::util::intern::Interner;
use crate::util::seed::Rng;
use rustc_hash::FxHashMap;

/// Steps learned from at most: they are learned from at once, and a session cannot stop or end meanwhile.
const MOST: usize = 500;
/// The reward of a step of a trace, which records none: that of one that brought new code.
const OF_TRACE: f32 = 5.0;

impl DinoDroid {
    /// Before its first event it learns from this, too.
    pub(super) fn rehearse_first(&mut self, shown: Shown) {
        self.shown.push(shown);
    }

    /// Makes the network, if there is none, and learns from what was shown.
    pub(super) fn begin(&mut self, rng: &mut Rng) -> Result<(), StrategyError> {
        if self.learner.is_none() {
            let towers = self.towers();
            let learner = Dqn::new(&towers, self.settings.learner(self.engine), rng);
            self.learner = Some(learner.map_err(StrategyError::Engine)?);
        }
        self.rehearse(rng)
    }

    /// Learns from what was shown, once: each session on a state graph of its own, step by step.
    fn rehearse(&mut self, rng: &mut Rng) -> Result<(), StrategyError> {
        let all = std::mem::take(&mut self.shown);
        let lengths: Vec<usize> = all.iter().map(|shown| shown.steps.len()).collect();
        for (shown, share) in all.iter().zip(shares(&lengths)) {
            let Some(states) = self.states() else {
                continue;
            };
            let from = shown.steps.len() - share;
            self.rehearse_steps(&shown.places, &shown.steps[from..], states, rng)?;
            for feature in &mut self.features {
                feature.forget();
            }
        }
        Ok(())
    }

    /// Performs the steps in mind: each page that follows is the one that the next step starts on, unless steps between
    /// them were not shown.
    fn rehearse_steps(
        &mut self,
        places: &[Place],
        steps: &[ShownStep],
        states: Box<dyn States>,
        rng: &mut Rng,
    ) -> Result<(), StrategyError> {
        let mut interner = Interner::default();
        let mut pages = FxHashMap::default();
        for place in steps.iter().flat_map(|step| [step.from, step.to]) {
            let page = || places[place].page(&mut interner);
            pages.entry(place).or_insert_with(page);
        }
        let mut map = Tracker::new(states);
        let mut front: Option<(usize, Valuation<'_>)> = None;
        for step in steps {
            let (page, events) = &pages[&step.from];
            // A gesture on a widget with texts inside it is no event of the page that can be made of it.
            let Some(chosen) = events[step.act] else {
                continue;
            };
            let seen = match front.take().filter(|(place, _)| *place == step.from) {
                Some((_, seen)) => seen,
                None => {
                    map.arrive(page, &interner);
                    self.see(&view(page, &map, &interner))?
                }
            };
            let reward = step.reward.unwrap_or(OF_TRACE);
            self.tried = Some(Tried::of(&seen, chosen, reward));
            let ended = Ended {
                by: By::Strategy,
                leads: true,
                new: reward > 0.0,
            };
            map.performed(Some(chosen), ended);
            let (page, _) = &pages[&step.to];
            map.arrive(page, &interner);
            let seen = self.see(&view(page, &map, &interner))?;
            self.conclude(&seen, rng);
            front = Some((step.to, seen));
        }
        Ok(())
    }
}

/// How many steps of each session are learned from, by their numbers of steps: [`MOST`] in all, divided evenly. What a
/// short one leaves goes to those after it.
fn shares(lengths: &[usize]) -> Vec<usize> {
    let mut left = MOST;
    let all = lengths.iter().enumerate();
    let share = |(ix, length): (usize, &usize)| {
        let share = (left / (lengths.len() - ix)).min(*length);
        left -= share;
        share
    };
    all.map(share).collect()
}

fn view<'v>(page: &'v Page, map: &'v Tracker, interner: &'v Interner) -> View<'v> {
    View {
        page,
        system: &[],
        links: &[],
        number: 0,
        interner,
        caps: Caps::default(),
        map: map.map(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Settings;
    use super::*;
    use crate::feature::txc::Vectors;
    use crate::graph::Sighting;
    use crate::strategy::definition::Definition as _;
    use crate::trace::read;
    use crate::util::seed::generator;
    use droidtest_network::Engine;
    use std::path::Path;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// A trace that clicks one button so often.
    fn shown(times: usize) -> Shown {
        let step = "[[step]]\ndo = \"click\"\ntext = \"Pay\"\n";
        let text = format!(
            "version = 1\n[app]\npackage = \"p\"\n{}",
            step.repeat(times)
        );
        Shown::of_trace(&read(&text, Path::new("t.toml")).unwrap())
    }

    /// What it thinks of the only page's events, before and after it has seen that one button so often.
    fn values(times: usize) -> (Vec<f32>, Vec<f32>, u64) {
        let shown = shown(times);
        let place = shown.places[0].clone();
        let settings = Settings::read("policy = { fresh = true }").unwrap();
        let mut strategy = DinoDroid::new(settings, Engine::Rust, &Vectors::Shipped);
        let mut rng = generator(7, "p", "s", 0);
        strategy.begin(&mut rng).unwrap();
        let look = |strategy: &mut DinoDroid| {
            let mut interner = Interner::default();
            let (page, _) = place.page(&mut interner);
            let mut map = Tracker::new(strategy.states().unwrap());
            map.arrive(&page, &interner);
            let seen = strategy.see(&view(&page, &map, &interner)).unwrap();
            let values = seen.values.clone();
            strategy
                .features
                .iter_mut()
                .for_each(|feature| feature.forget());
            values
        };
        let before = look(&mut strategy);
        strategy.rehearse_first(shown);
        strategy.begin(&mut rng).unwrap();
        (before, look(&mut strategy), strategy.steps)
    }

    #[test]
    fn what_was_shown_is_learned_from_before_the_first_event_and_the_same_way_each_time() {
        let (before, after, steps) = values(40);
        assert_eq!(steps, 40);
        assert!(after[0] > before[0] + 1.0, "{before:?} {after:?}");
        assert_eq!(values(40).1, after);
        let (before, after, steps) = values(0);
        assert_eq!((before, steps), (after, 0));
    }

    #[test]
    fn no_more_steps_are_learned_from_than_the_bound_whatever_was_shown() {
        assert_eq!(shares(&[4_500]), [MOST]);
        assert_eq!(shares(&[12, 40]), [12, 40]);
        assert_eq!(shares(&[10, 4_500, 4_500]), [10, 245, 245]);
        assert_eq!(shares(&vec![9; 4 * MOST]).iter().sum::<usize>(), MOST);
        let (.., steps) = values(MOST + 40);
        assert_eq!(steps, MOST as u64);
    }

    /// The states of another abstraction, which counts the pages that it is shown.
    struct Counting(Box<dyn States>, Arc<AtomicUsize>);

    impl States for Counting {
        fn observe(&mut self, page: &Page, interner: &Interner) -> Sighting {
            self.1.fetch_add(1, Ordering::Relaxed);
            self.0.observe(page, interner)
        }
    }

    #[test]
    fn the_page_behind_a_step_is_the_one_that_the_next_starts_on_unless_steps_are_missing() {
        let shown = shown(3);
        let settings = Settings::read("policy = { fresh = true }").unwrap();
        let mut strategy = DinoDroid::new(settings, Engine::Rust, &Vectors::Shipped);
        let mut rng = generator(7, "p", "s", 0);
        strategy.begin(&mut rng).unwrap();
        for (steps, pages) in [
            (shown.steps.clone(), 4),
            (vec![shown.steps[0], shown.steps[2]], 4),
            (vec![shown.steps[1]], 2),
        ] {
            let count = Arc::new(AtomicUsize::new(0));
            let states = Counting(strategy.states().unwrap(), count.clone());
            let rehearsed =
                strategy.rehearse_steps(&shown.places, &steps, Box::new(states), &mut rng);
            rehearsed.unwrap();
            assert_eq!(count.load(Ordering::Relaxed), pages, "{steps:?}");
        }
    }
}
