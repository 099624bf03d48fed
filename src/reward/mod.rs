//! Rewards of steps for learning strategies.

use crate::step::Step;

/// Scores one step.
pub trait Reward: Send {
    /// Its name in the suite.
    fn name(&self) -> &'static str;
    /// The step's reward.
    fn score(&mut self, step: &Step<'_>) -> f32;
}

/// DinoDroid's reward (paper, section III-D): something new is rewarded, everything else has a cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Novelty {
    /// For newly executed code of methods that changed since an earlier build.
    pub changed_code: f32,
    /// For newly executed code; without coverage, for a new page or activity.
    pub new_coverage: f32,
    /// For a finding of the app not observed before in this session.
    pub new_finding: f32,
    /// For a step with neither.
    pub nothing: f32,
    /// Does the device measure coverage?
    pub measured: bool,
}

impl Default for Novelty {
    fn default() -> Self {
        Self {
            changed_code: 10.0,
            new_coverage: 5.0,
            new_finding: 5.0,
            nothing: -2.0,
            measured: true,
        }
    }
}

impl Reward for Novelty {
    fn name(&self) -> &'static str {
        "novelty"
    }

    fn score(&mut self, step: &Step<'_>) -> f32 {
        let covered = if self.measured {
            !step.after.probes.is_empty()
        } else {
            step.new_pages + step.new_activities > 0
        };
        if step.new_findings > 0 {
            self.new_finding
        } else if step.new_changed > 0 {
            self.changed_code
        } else if covered {
            self.new_coverage
        } else {
            self.nothing
        }
    }
}
