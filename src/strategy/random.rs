//! `random`: uniform over the enabled events of the page, system events at a set rate.
//!
//! The honest baseline of every comparison: no memory, no preference. (Dynodroid's
//! UniformRandom and ARES's random differ only in what counts as an event.)

use super::definition::{self, Context, Definition};
use super::{Decision, Strategy, StrategyError, View};
use crate::util::seed::Rng;
use rand::RngExt as _;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The settings of `random`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", default)]
pub struct Settings {
    /// The share of events that are system events the app listens for (rotation, broadcasts, going to the background
    /// and back).
    #[schemars(range(min = 0.0, max = 1.0))]
    pub system_rate: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { system_rate: 0.05 }
    }
}

impl Definition for Settings {
    const NAME: &'static str = "random";
    const SUMMARY: &'static str = "Uniform over the events that the page offers.";
}

impl definition::Settings for Settings {
    fn make(&self, _: &Context<'_>) -> Result<Box<dyn Strategy>, StrategyError> {
        Ok(Box::new(Random::new(*self)))
    }
}

/// The strategy; it learns nothing.
#[derive(Debug, Default)]
pub struct Random {
    settings: Settings,
}

impl Random {
    /// With these settings.
    pub const fn new(settings: Settings) -> Self {
        Self { settings }
    }
}

/// One of the system events that the app listens for, at this rate. At 0 nothing is drawn.
pub fn system_event(view: &View<'_>, rate: f64, rng: &mut Rng) -> Option<Decision> {
    if view.system.is_empty() || rate <= 0.0 || !rng.random_bool(rate.min(1.0)) {
        return None;
    }
    let ix = rng.random_range(0..view.system.len());
    Some(Decision::System(view.system[ix].clone()))
}

impl Strategy for Random {
    fn decide(&mut self, view: &View<'_>, rng: &mut Rng) -> Result<Decision, StrategyError> {
        if let Some(event) = system_event(view, self.settings.system_rate, rng) {
            return Ok(event);
        }
        match view.page.events.len() {
            0 => Ok(Decision::Restart),
            n => Ok(Decision::Perform {
                event: rng.random_range(0..n),
                input: None,
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gui::{Flags, Page, RawNode, Rect, SystemEvent};
    use crate::util::intern::Interner;
    use crate::util::seed::generator;

    #[test]
    fn every_event_is_chosen_about_equally_often_and_system_events_at_their_rate() {
        let mut interner = Interner::default();
        let flags = Flags::VISIBLE | Flags::ENABLED | Flags::CLICKABLE;
        let node = |parent| RawNode {
            parent,
            flags,
            bounds: Rect::from([0, 0, 9, 9]),
            ..RawNode::default()
        };
        let page = Page::build(&[node(-1), node(0)], "A", 0, (9, 9), &mut interner);
        let system = [SystemEvent::Rotate, SystemEvent::Home];
        let mut strategy = Random::new(Settings { system_rate: 0.2 });
        let mut rng = generator(1, "a", "random", 0);
        let (mut events, mut systems) = (vec![0; page.events.len()], 0);
        for number in 1..=10_000 {
            let view = View {
                page: &page,
                system: &system,
                links: &[],
                number,
                interner: &interner,
                caps: crate::device::Caps::default(),
                map: None,
            };
            match strategy.decide(&view, &mut rng).unwrap() {
                Decision::Perform { event, .. } => events[event] += 1,
                Decision::System(_) => systems += 1,
                other => panic!("{other:?}"),
            }
        }
        assert!((1_800..2_200).contains(&systems), "{systems}");
        assert_eq!(events.len(), 4); // two clicks, back, menu
        assert!(
            events.iter().all(|n| (1_800..2_200).contains(n)),
            "{events:?}"
        );
    }
}
