//! Strategies: what to do next, chosen from what is on screen. They never touch a device.

pub mod monkey;
pub mod random;
pub mod registry;

pub use crate::step::{Decision, Step, View};
use crate::util::seed::Rng;
use std::io;

/// Why a strategy could not go on.
#[derive(Debug, thiserror::Error)]
pub enum StrategyError {
    /// A saved policy does not fit.
    #[error("the policy does not fit: {0}")]
    Policy(String),
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
    /// Writes what was learned.
    fn save(&self, _to: &mut dyn io::Write) -> Result<(), StrategyError> {
        Ok(())
    }
    /// Reads what was learned before.
    fn load(&mut self, _from: &mut dyn io::Read) -> Result<(), StrategyError> {
        Ok(())
    }
}
