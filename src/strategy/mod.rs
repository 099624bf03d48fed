//! Strategies: what to do next, chosen from what is on screen. They never touch a device.

pub mod actor;
pub mod agent;
pub mod ares;
pub mod ddpg;
#[cfg(feature = "deep")]
pub mod dinodroid;
pub mod monkey;
pub mod optimist;
pub mod q_learning;
pub mod random;
pub mod registry;
pub mod sac;
mod table;
pub mod td3;

#[cfg(test)]
mod actor_tests;

use crate::outcome::explanation::Explanation;
pub use crate::step::{Decision, Step, View};
use crate::util::seed::Rng;
use std::io;

/// Why a strategy could not go on.
#[derive(Debug, thiserror::Error)]
pub enum StrategyError {
    /// A saved policy does not fit.
    #[error("the policy does not fit: {0}")]
    Policy(String),
    /// The tensor engine cannot do what was asked.
    #[error("the tensor engine: {0}")]
    Engine(String),
    /// Learning gave numbers that nothing can be chosen by.
    #[error("learning ran away: {0}")]
    RanAway(&'static str),
    /// Reading or writing it failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// An exploration algorithm.
pub trait Strategy: Send {
    /// What to do on this page.
    fn decide(&mut self, view: &View<'_>, rng: &mut Rng) -> Result<Decision, StrategyError>;
    /// What came of the last decision, and its reward.
    fn learn(&mut self, _step: &Step<'_>, _reward: f32) -> Result<(), StrategyError> {
        Ok(())
    }
    /// Why the last decision was taken, once after it; `None`: there is nothing to tell.
    fn explanation(&mut self) -> Option<Explanation> {
        None
    }
    /// Writes what was learned.
    fn save(&self, _to: &mut dyn io::Write) -> Result<(), StrategyError> {
        Ok(())
    }
    /// Reads what was learned before.
    fn load(&mut self, _from: &mut dyn io::Read) -> Result<(), StrategyError> {
        Ok(())
    }
}

#[cfg(feature = "deep")]
impl From<crate::learn::policy::PolicyError> for StrategyError {
    fn from(error: crate::learn::policy::PolicyError) -> Self {
        match error {
            crate::learn::policy::PolicyError::Io(error) => Self::Io(error),
            crate::learn::policy::PolicyError::RanAway(what) => Self::RanAway(what),
            other => Self::Policy(other.to_string()),
        }
    }
}
