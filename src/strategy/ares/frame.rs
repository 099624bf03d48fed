//! What all strategies of the ARES family have in common in a suite.

use super::{Ares, NUMBERS, Parameters};
use crate::strategy::definition::{self, Context, Definition, PolicyFiles, Preset, Texts};
use crate::strategy::learner::Learner;
use crate::strategy::{Strategy, StrategyError};
use crate::util::seed::Rng;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A learner's hyperparameters, and how it is made.
pub trait Algorithm:
    Copy
    + fmt::Debug
    + Default
    + PartialEq
    + Serialize
    + DeserializeOwned
    + JsonSchema
    + Send
    + Sync
    + 'static
{
    /// As [`Definition::NAME`].
    const NAME: &'static str;
    /// As [`Definition::SUMMARY`].
    const SUMMARY: &'static str;
    /// As [`Definition::PAPER`].
    const PAPER: &'static [&'static str];
    /// As [`Definition::PUBLISHED`].
    const PUBLISHED: &'static [&'static str];

    /// A fresh learner; actions have so many numbers.
    fn learner(self, numbers: usize, rng: &mut Rng) -> Box<dyn Learner>;
}

/// The settings of a strategy of the family.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", default)]
#[serde(bound = "P: Algorithm")]
#[schemars(bound = "P: Algorithm")]
pub struct Settings<P> {
    /// The source of the settings that are left out.
    pub preset: Preset,
    /// Hyperparameters.
    #[serde(flatten)]
    pub parameters: P,
    /// Episodes, texts, policy.
    #[serde(flatten)]
    pub frame: Frame,
}

impl<P: Algorithm> Definition for Settings<P> {
    const NAME: &'static str = P::NAME;
    const SUMMARY: &'static str = P::SUMMARY;
    const PAPER: &'static [&'static str] = P::PAPER;
    const PUBLISHED: &'static [&'static str] = P::PUBLISHED;
}

impl<P: Algorithm> definition::Settings for Settings<P> {
    fn make(&self, context: &Context<'_>) -> Result<Box<dyn Strategy>, StrategyError> {
        let learner = self
            .parameters
            .learner(NUMBERS, &mut context.first_weights());
        self.frame.around(P::NAME, learner, context)
    }

    fn policy(&self) -> Option<&PolicyFiles> {
        Some(&self.frame.policy)
    }

    fn faults(&self) -> bool {
        self.preset == Preset::Default
    }

    fn prefers_changed(&self) -> bool {
        self.preset == Preset::Default
    }

    fn texts(&self) -> Texts {
        self.frame.texts()
    }

    fn learner(&self, numbers: usize, rng: &mut Rng) -> Option<Box<dyn Learner>> {
        Some(self.parameters.learner(numbers, rng))
    }
}

/// Episodes, texts, policy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", default)]
pub struct Frame {
    /// The number of events in an episode, after which the app restarts with cleared data.
    #[schemars(range(min = 1))]
    pub episode: u32,
    /// The texts to type, in addition to those of the text generator. Default: a few built-in texts; for models, the
    /// model's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<String>", length(min = 1))]
    pub strings: Option<Vec<String>>,
    /// Learned weights or values.
    pub policy: PolicyFiles,
}

impl Default for Frame {
    fn default() -> Self {
        Self {
            episode: 250,
            strings: None,
            policy: PolicyFiles::default(),
        }
    }
}

impl Frame {
    /// The strategy around a learner, its policy loaded. Strings: the suite's, else the model's (which are all there is
    /// to type), else ours.
    ///
    /// # Errors
    /// The policy cannot be read or does not fit.
    pub fn around(
        &self,
        name: &'static str,
        learner: Box<dyn Learner>,
        context: &Context<'_>,
    ) -> Result<Box<dyn Strategy>, StrategyError> {
        let usual = Parameters::default();
        let pool = context.pool.filter(|_| self.strings.is_none());
        let parameters = Parameters {
            episode: self.episode,
            generator: pool.is_none(),
            strings: pool
                .map(<[String]>::to_vec)
                .or_else(|| self.strings.clone())
                .unwrap_or(usual.strings),
        };
        let mut strategy =
            Ares::new(name, learner, parameters, context.session).in_session(context.lesson());
        context.load(&self.policy, &mut strategy)?;
        Ok(Box::new(strategy))
    }

    /// Strings are learned by their numbers.
    pub const fn texts(&self) -> Texts {
        match self.strings {
            None => Texts::Numbered,
            Some(_) => Texts::Listed,
        }
    }
}
