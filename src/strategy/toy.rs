//! `toy`: the events of a page in turn. A strategy for tests, and the shortest example of one.

use super::definition::{self, Context, Definition, PolicyFiles, Preset};
use super::{Decision, Strategy, StrategyError, View};
use crate::util::seed::Rng;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::io;

/// The settings of `toy`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", default)]
pub struct Settings {
    /// The source of the settings that are left out.
    pub preset: Preset,
    /// Events that are left out between two.
    #[schemars(range(min = 0, max = 9))]
    pub stride: usize,
    /// The number of the next event.
    pub policy: PolicyFiles,
}

impl Definition for Settings {
    const NAME: &'static str = "toy";
    const SUMMARY: &'static str = "The events of a page in turn.";
    const PAPER: &'static [&'static str] = &["stride = 2"];
}

impl definition::Settings for Settings {
    fn make(&self, context: &Context<'_>) -> Result<Box<dyn Strategy>, StrategyError> {
        let mut toy = Toy {
            stride: self.stride,
            next: 0,
        };
        context.load(&self.policy, &mut toy)?;
        Ok(Box::new(toy))
    }

    fn policy(&self) -> Option<&PolicyFiles> {
        Some(&self.policy)
    }
}

struct Toy {
    stride: usize,
    next: usize,
}

impl Strategy for Toy {
    fn decide(&mut self, view: &View<'_>, _: &mut Rng) -> Result<Decision, StrategyError> {
        let Some(event) = self.next.checked_rem(view.page.events.len()) else {
            return Ok(Decision::Restart);
        };
        self.next += 1 + self.stride;
        Ok(Decision::Perform { event, input: None })
    }

    fn save(&self, to: &mut dyn io::Write) -> Result<(), StrategyError> {
        Ok(write!(to, "{}", self.next)?)
    }

    fn load(&mut self, from: &mut dyn io::Read) -> Result<(), StrategyError> {
        let text = io::read_to_string(from)?;
        let wrong = |_| StrategyError::Policy(format!("{text:?} is not a number"));
        self.next = text.parse().map_err(wrong)?;
        Ok(())
    }
}
