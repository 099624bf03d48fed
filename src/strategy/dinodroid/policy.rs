//! What was learned, to and from a file.

use super::DinoDroid;
use crate::learn::dqn::Dqn;
use crate::learn::policy::{Header, Policy};
use crate::learn::policy_file::Lesson;
use crate::strategy::StrategyError;
use droidtest_network::Moments;
use std::io;

impl DinoDroid {
    fn header(&self) -> Header {
        let basis = self
            .features
            .iter()
            .filter_map(|f| Some((f.name().to_owned(), f.basis()?)));
        Header {
            encoding: format!(
                "{:?}, {:?}",
                self.settings.encoding,
                self.settings.encoding.scale()
            )
            .to_lowercase(),
            towers: self.towers(),
            sizes: self.settings.learner(self.engine).sizes,
            basis: basis.collect(),
            steps: 0,
        }
    }

    /// Writes what was learned: nothing where no page was ever seen.
    ///
    /// # Errors
    /// It cannot be written, or learning ran away.
    pub(super) fn write_policy(&self, to: &mut dyn io::Write) -> Result<(), StrategyError> {
        let Some(learner) = &self.learner else {
            return Ok(());
        };
        let mut header = self.header();
        let moments = learner.moments();
        header.steps = moments.steps;
        let mut history = self.history.clone();
        // One with too few events to learn from counts, too: it need not be done again.
        if let Some(lesson) = &self.lesson {
            history.push(Lesson {
                steps: self.steps,
                ..lesson.clone()
            });
        }
        let policy = Policy {
            header,
            history,
            weights: learner.weights(),
            mean: moments.mean,
            square: moments.square,
        };
        Ok(policy.write(to)?)
    }

    /// Goes on from what was learned before.
    ///
    /// # Errors
    /// It cannot be read, or is not of this network.
    pub(super) fn read_policy(&mut self, from: &mut dyn io::Read) -> Result<(), StrategyError> {
        let policy = Policy::read(from)?;
        policy.fits(&self.header())?;
        let parameters = self.settings.learner(self.engine);
        let learner = Dqn::with(&self.towers(), &policy.weights, parameters);
        let mut learner = learner.map_err(StrategyError::Engine)?;
        learner.set_moments(&Moments {
            steps: policy.header.steps,
            mean: policy.mean,
            square: policy.square,
        });
        self.learner = Some(learner);
        self.history = policy.history;
        Ok(())
    }
}
