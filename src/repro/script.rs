//! A strategy that follows traces: to record a replay as a complete session.

use crate::explore::follow::{Texts, decision};
use crate::step::{Decision, View};
use crate::strategy::{Strategy, StrategyError};
use crate::trace::find::Fit;
use crate::trace::{Step, Trace};
use crate::util::seed::Rng;
use std::collections::VecDeque;
use std::sync::Arc;

/// Follows traces one after another, each from cleared data.
#[derive(Debug)]
pub struct Script {
    traces: VecDeque<VecDeque<Step>>,
    texts: Arc<Texts>,
}

impl Script {
    /// For these traces, with the texts that they name by key only.
    pub fn new<'t>(traces: impl IntoIterator<Item = &'t Trace>, texts: Arc<Texts>) -> Self {
        let steps = |trace: &Trace| trace.steps.iter().cloned().collect();
        Self {
            traces: traces.into_iter().map(steps).collect(),
            texts,
        }
    }

    /// Is the next step one that cannot be taken on this page?
    pub fn is_lost(&self, view: &View<'_>) -> bool {
        let next = self.traces.front().and_then(VecDeque::front);
        next.is_some_and(|step| self.decision(step, view).is_none())
    }

    fn decision(&self, step: &Step, view: &View<'_>) -> Option<Decision> {
        decision(step, view.page, view.interner, &self.texts, Fit::Strict).ok()
    }

    fn next(&mut self) -> Option<Step> {
        self.traces.front_mut()?.pop_front()
    }
}

impl Strategy for Script {
    fn decide(&mut self, view: &View<'_>, _: &mut Rng) -> Result<Decision, StrategyError> {
        while let Some(step) = self.next() {
            if let Some(decision) = self.decision(&step, view) {
                return Ok(decision);
            }
            // From here on the trace is not followed.
            if matches!(step, Step::On(..))
                && let Some(steps) = self.traces.front_mut()
            {
                steps.clear();
            }
        }
        self.traces.pop_front();
        Ok(match self.traces.is_empty() {
            true => Decision::Stop,
            false => Decision::Restart,
        })
    }
}
