//! The questions of a replay: what its trace types for a person is asked again.

use super::Runner;
use crate::explore::Asking;
use crate::trace::Step;
use std::sync::Arc;

/// The questions that a replay may ask.
#[derive(Debug)]
pub struct Questions {
    asking: Asking,
    by_key: Vec<(String, String)>,
}

impl Questions {
    /// These, by the keys of the steps that type their answers.
    pub const fn new(asking: Asking, by_key: Vec<(String, String)>) -> Self {
        Self { asking, by_key }
    }
}

impl Runner {
    /// Asks for what the step types, if a person knows it. Without an answer the step cannot be performed.
    pub(super) fn ask(&mut self, step: &Step) {
        let (Some(questions), Some(key)) = (&mut self.questions, step.secret()) else {
            return;
        };
        let Some((_, question)) = questions.by_key.iter().find(|(asked, _)| asked == key) else {
            return;
        };
        let texts = Arc::make_mut(&mut self.texts);
        texts.set(key, questions.asking.ask(question));
    }
}
