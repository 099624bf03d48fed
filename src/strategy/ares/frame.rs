//! What all strategies of the ARES family have in common in a suite.

use super::{Ares, Parameters};
use crate::strategy::definition::{Context, PolicyFiles, Texts};
use crate::strategy::learner::Learner;
use crate::strategy::{Strategy, StrategyError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Episodes, texts, policy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", default)]
pub struct Frame {
    /// Events of an episode, after which the app starts fresh.
    #[schemars(range(min = 1))]
    pub episode: u32,
    /// What can be typed, beside what the text generator knows. Default: a few strings of ours; for models the model's
    /// own.
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
