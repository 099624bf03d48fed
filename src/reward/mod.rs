//! Rewards: what a step was worth to a learning strategy.

use crate::step::Step;

/// Scores one step.
pub trait Reward: Send {
    /// Its name in the suite.
    fn name(&self) -> &'static str;
    /// The step's worth.
    fn score(&mut self, step: &Step<'_>) -> f32;
}
