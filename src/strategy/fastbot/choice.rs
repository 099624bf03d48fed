//! Section III of the paper: the choice by the model (III-B) and the choice by learned values (III-C).

use super::Select;
use super::algorithm::{Action, Fastbot};
use crate::gui::EventKind;
use crate::outcome::explanation::{Explanation, Valued, Why};
use crate::strategy::{Decision, View, explain};
use crate::util::seed::Rng;
use rand::RngExt as _;

/// An event with this prospect may be chosen again.
const PROMISING: f64 = 0.05;
/// The published code's model chooses among events of more than this expectation.
const PROBABLE: f64 = 1e-4;

/// What was chosen.
#[derive(Debug)]
pub(super) struct Choice {
    /// Its place in the page's hyper-events.
    pub at: usize,
    /// Why.
    pub why: Why,
    /// The value of each hyper-event of the page; empty: the choice had none.
    pub values: Vec<f32>,
}

impl Choice {
    /// One that values have no part in.
    pub fn plain(why: Why) -> impl Fn(usize) -> Self {
        move |at| Self {
            at,
            why,
            values: Vec::new(),
        }
    }

    /// The reason, with the best hyper-events; the chosen one is performed as `decision`.
    pub fn explain(&self, view: &View<'_>, actions: &[Action], decision: &Decision) -> Explanation {
        let mut explanation = explain::plain(view, decision, self.why);
        for at in explain::best(&self.values, Some(self.at)) {
            let first = actions[at].events.first().map(|ix| *ix as u32);
            let performed = explanation.chosen.filter(|_| at == self.at);
            let Some(ix) = performed.or(first) else {
                continue;
            };
            explanation.best.push(Valued {
                ix,
                what: explain::what(view, ix as usize),
                q: Some(self.values[at]).filter(|value| value.is_finite()),
                features: vec![format!("performed {}", actions[at].count)],
            });
        }
        explanation
    }
}

impl Fastbot {
    /// Section III-B, the choice by the model: a hyper-event that is not in it (expansion), else one chosen fewer than K
    /// times, by its expectation (exploitation). The published code leaves those without one to its next rule.
    /// `None`: there is no such event.
    fn by_model(&self, actions: &[Action], rng: &mut Rng) -> Option<Choice> {
        let all = || actions.iter().enumerate();
        let new = |action: &Action| !action.known;
        let unknown = self.by_priority(actions, new, rng);
        unknown.map(Choice::plain(Why::Unknown)).or_else(|| {
            let ahead = self.settings.ahead > 0.0;
            let value = |action: &Action| match ahead {
                true => action.prospect,
                false => action.expectation,
            };
            let least = match self.settings.untried_first && !ahead {
                true => PROBABLE,
                false => f64::NEG_INFINITY,
            };
            let left = all().filter(|(_, action)| {
                action.count < self.settings.repeats && action.expectation > least
                    || ahead && action.prospect > PROMISING
            });
            let left = left.map(|(ix, action)| (ix, value(action)));
            let at = softmax(left, self.settings.alpha, rng)?;
            let values = actions.iter().map(|action| value(action) as f32).collect();
            Some(Choice {
                at,
                why: Why::Model,
                values,
            })
        })
    }

    /// One of the new events, by priority. `None`: none is new.
    fn by_priority(
        &self,
        actions: &[Action],
        is_new: impl Fn(&Action) -> bool,
        rng: &mut Rng,
    ) -> Option<usize> {
        let new = actions.iter().enumerate().filter(|(_, one)| is_new(one));
        let new = new.map(|(ix, action)| (ix, self.weight(action.kind).ln()));
        softmax(new, 1.0, rng)
    }

    /// How likely a new event is chosen, compared with others: the published code's priorities. A widget's event has six
    /// times the priority of its kind, and 20; back, which has no widget, its own, and 5. The code has no other keys: they
    /// are offered only where the app reacts to them, and count as a widget's.
    fn weight(&self, kind: EventKind) -> f64 {
        match kind {
            _ if !self.settings.weighted => 1.0,
            EventKind::Click => 44.0,
            EventKind::LongClick | EventKind::Scroll { .. } => 32.0,
            EventKind::Back => 6.0,
            _ => 26.0,
        }
    }

    /// An event that this session has not performed, by priority, if those come before others.
    fn untried(&self, actions: &[Action], rng: &mut Rng) -> Option<Choice> {
        let untried = |action: &Action| self.settings.untried_first && action.count == 0;
        let untried = self.by_priority(actions, untried, rng);
        untried.map(Choice::plain(Why::Untried))
    }

    /// Section III-C, the choice by learned values: softmax of Q(e) / beta. The published code asks them only where the
    /// session has performed every event: rewards are never negative, so that the first event that earned one is above
    /// all that have no value yet.
    fn by_values(&self, actions: &[Action], rng: &mut Rng) -> Option<Choice> {
        self.untried(actions, rng).or_else(|| {
            let table = self.sarsa.table(rng);
            let value = |action: &Action| self.sarsa.value(table, action.id);
            let values: Vec<f32> = actions.iter().map(value).collect();
            let all = values.iter().map(|value| f64::from(*value)).enumerate();
            Some(Choice {
                at: softmax(all, self.settings.beta, rng)?,
                why: Why::Values,
                values,
            })
        })
    }

    /// Model first, learned values later (section III).
    pub(super) fn choose(&self, actions: &[Action], number: u64, rng: &mut Rng) -> Option<Choice> {
        let later = self.settings.learned_after;
        match self.settings.select {
            Select::Learned => self.by_values(actions, rng),
            Select::Both if later.is_some_and(|after| number > after) => {
                self.by_values(actions, rng)
            }
            Select::Both => (self.by_model(actions, rng)).or_else(|| self.by_values(actions, rng)),
            Select::Model => (self.by_model(actions, rng))
                .or_else(|| self.untried(actions, rng))
                .or_else(|| {
                    let any = (0..actions.len()).map(|ix| (ix, 0.0));
                    softmax(any, 1.0, rng).map(Choice::plain(Why::Explore))
                }),
        }
    }
}

/// One of these by softmax of its value divided by a temperature: the largest after Gumbel noise is added has that
/// distribution. `None`: there is none.
pub(super) fn softmax(
    values: impl Iterator<Item = (usize, f64)>,
    temperature: f64,
    rng: &mut Rng,
) -> Option<usize> {
    let noisy = values.map(|(ix, value)| {
        let uniform = rng.random::<f64>().max(f64::MIN_POSITIVE);
        (ix, value / temperature - (-uniform.ln()).ln())
    });
    let best = noisy.max_by(|a, b| a.1.total_cmp(&b.1));
    best.map(|(ix, _)| ix)
}

#[cfg(test)]
mod tests;
