//! Who runs: a strategy's name, with a preset behind a colon where it has several.

use super::FateError;
use crate::strategy::definition::{Context, Preset};
use crate::strategy::kind::Kind;
use crate::strategy::learner::Learner;
use crate::strategy::{self, ALL, Strategy};
use crate::util::seed::{Rng, generator};
use std::str::FromStr;

/// A strategy with its hyperparameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Contender {
    /// As the user wrote it: `NAME` or `NAME:PRESET`.
    pub name: String,
    /// What it is.
    pub runs: Runs,
}

/// What runs.
#[derive(Clone, Debug, PartialEq)]
pub enum Runs {
    /// FATE's random walk.
    RandomWalk,
    /// A strategy, with nothing learned at the start.
    Strategy(Kind),
}

/// Numbers of FATE's actions: widget and string.
const NUMBERS: usize = 2;

/// The setting of a strategy that restarts the app as one of its events.
const RESTART: &str = "restart";

/// The name of FATE's random walk.
const RANDOM: &str = "random";

/// Names that are understood, for errors and help.
pub fn names() -> Vec<String> {
    let strategies = ALL
        .iter()
        .filter(|entry| entry.name != RANDOM)
        .map(|entry| {
            let presets: Vec<&str> = entry.presets().into_iter().map(Preset::name).collect();
            match presets.len() {
                0 | 1 => entry.name.to_owned(),
                _ => format!("{}[:{}]", entry.name, presets.join("|")),
            }
        });
    std::iter::once(RANDOM.to_owned())
        .chain(strategies)
        .collect()
}

impl FromStr for Contender {
    type Err = FateError;

    fn from_str(text: &str) -> Result<Self, FateError> {
        let (name, preset) = match text.split_once(':') {
            Some((name, preset)) => (name, Some(preset)),
            None => (text, None),
        };
        let runs = match (name, preset) {
            (RANDOM, None) => Some(Runs::RandomWalk),
            (RANDOM, Some(_)) => None,
            _ => named(name, preset).map(Runs::Strategy),
        };
        let runs = runs.ok_or_else(|| {
            let names = names().join(", ");
            FateError::Contender(format!(
                "`{text}` is not a strategy of `bench fate`; choose one of {names}"
            ))
        })?;
        Ok(Self {
            name: text.to_owned(),
            runs,
        })
    }
}

fn named(name: &str, preset: Option<&str>) -> Option<Kind> {
    let entry = strategy::entry(name)?;
    let has = |wanted: &str| {
        entry
            .presets()
            .into_iter()
            .find(|preset| preset.name() == wanted)
    };
    let ours = entry.preset(Preset::Default).ok()?;
    let preset = match preset {
        Some(preset) => has(preset)?,
        // Those that FATE itself compares: as its paper has them.
        None if walks(&ours) => has(Preset::Paper.name()).unwrap_or_default(),
        None => Preset::Default,
    };
    let kind = entry.preset(preset).ok()?;
    // None of FATE's actions restarts the app.
    match kind.values().contains_key(RESTART) {
        true => kind.set(&[RESTART], false.into()).ok(),
        false => Some(kind),
    }
}

/// Does it walk the model step by step, without pages?
fn walks(kind: &Kind) -> bool {
    kind.learner(NUMBERS, &mut generator(0, "", "", 0))
        .is_some()
}

impl Runs {
    /// The strategy's name, without a preset.
    pub fn name(&self) -> &'static str {
        match self {
            Self::RandomWalk => RANDOM,
            Self::Strategy(kind) => kind.name(),
        }
    }
}

/// How a strategy runs on a model.
pub enum Player {
    /// Step by step, as FATE's own learners.
    Walk(Box<dyn Learner>),
    /// As a session on the sim device, with pages.
    Session(Box<dyn Strategy>),
}

impl Player {
    /// A fresh one.
    ///
    /// # Errors
    /// This build has no tensor engine.
    pub fn new(kind: &Kind, model: &str, rng: &mut Rng) -> Result<Self, FateError> {
        if let Some(learner) = kind.learner(NUMBERS, rng) {
            return Ok(Self::Walk(learner));
        }
        let made = kind.make(&Context::bare(model));
        let made = made.map_err(|e| FateError::Contender(e.to_string()))?;
        Ok(Self::Session(made))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_contender_starts_the_app_by_itself() {
        let contender: Contender = "dinodroid".parse().unwrap();
        let Runs::Strategy(kind) = contender.runs else {
            panic!("{contender:?}")
        };
        assert_eq!(kind.values()[RESTART], false);
    }
}
