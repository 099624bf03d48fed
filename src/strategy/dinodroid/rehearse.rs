//! Learning from what people showed, before the first event: their steps go into memory as the strategy's own do.
//!
//! As in deep Q-learning from demonstrations (Hester et al., AAAI 2018, section IV: "pre-training"), without its
//! supervised loss: the steps are from any session, and a person's choice need not be the best one.

use super::algorithm::{DinoDroid, Tried};
use crate::device::Caps;
use crate::graph::tracker::Ended;
use crate::graph::{By, Tracker};
use crate::gui::Page;
use crate::learn::dqn::Dqn;
use crate::learn::shown::{Shown, ShownStep};
use crate::step::View;
use crate::strategy::{Strategy as _, StrategyError};
use crate::util::intern::Interner;
use crate::util::seed::Rng;

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
            let learner = Dqn::new(&towers, self.settings.learner(self.device), rng);
            self.learner = Some(learner.map_err(StrategyError::Engine)?);
        }
        self.rehearse(rng)
    }

    /// Learns from all that was shown, once: each session on a state graph of its own, step by step.
    fn rehearse(&mut self, rng: &mut Rng) -> Result<(), StrategyError> {
        for shown in std::mem::take(&mut self.shown) {
            let mut interner = Interner::default();
            let Some(states) = self.states() else {
                continue;
            };
            let mut map = Tracker::new(states);
            for step in &shown.steps {
                self.rehearse_step(&shown, step, (&mut map, &mut interner), rng)?;
            }
            for feature in &mut self.features {
                feature.forget();
            }
        }
        Ok(())
    }

    fn rehearse_step(
        &mut self,
        shown: &Shown,
        step: &ShownStep,
        (map, interner): (&mut Tracker, &mut Interner),
        rng: &mut Rng,
    ) -> Result<(), StrategyError> {
        let (page, events) = shown.places[step.from].page(interner);
        // A gesture on a widget with texts inside it is no event of the page that can be made of it.
        let Some(chosen) = events[step.act] else {
            return Ok(());
        };
        let reward = step.reward.unwrap_or(OF_TRACE);
        map.arrive(&page, interner);
        let seen = self.see(&view(&page, map, interner))?;
        self.tried = Some(Tried::of(&seen, chosen, reward));
        let ended = Ended {
            by: By::Strategy,
            leads: true,
            new: reward > 0.0,
        };
        map.performed(Some(chosen), ended);
        let (page, _) = shown.places[step.to].page(interner);
        map.arrive(&page, interner);
        let mut seen = self.see(&view(&page, map, interner))?;
        self.conclude(&mut seen, rng);
        Ok(())
    }
}

fn view<'v>(page: &'v Page, map: &'v Tracker, interner: &'v Interner) -> View<'v> {
    View {
        page,
        system: &[],
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
    use crate::learn::engine::TorchDevice;
    use crate::strategy::definition::Definition as _;
    use crate::trace::read;
    use crate::util::seed::generator;
    use std::path::Path;

    /// What it thinks of the only page's events, before and after it has seen that one button so often.
    fn values(times: usize) -> (Vec<f32>, Vec<f32>, u64) {
        let step = "[[step]]\ndo = \"click\"\ntext = \"Pay\"\n";
        let text = format!(
            "version = 1\n[app]\npackage = \"p\"\n{}",
            step.repeat(times)
        );
        let shown = Shown::of_trace(&read(&text, Path::new("t.toml")).unwrap());
        let place = shown.places[0].clone();
        let settings = Settings::read("policy = { fresh = true }").unwrap();
        let mut strategy = DinoDroid::new(settings, TorchDevice::Cpu, &Vectors::Shipped);
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
}
