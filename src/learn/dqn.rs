//! Deep Q-learning: the network's values, a memory, and steps that bring the values nearer to what was seen.

use super::memory::Memory;
use crate::util::seed::Rng;
use droidtest_network::{
    Engine, Lesson, Moments, Network, Rows, Sizes, Texts, Tower, first_limits,
};
use rand::RngExt as _;

/// Events of a page kept for the value of what follows: of a longer page, those that looked best.
const NEXT: usize = 48;

/// Where the values learned from come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// The value computed when the event was performed, never renewed (DinoDroid's memory).
    Frozen,
    /// The largest value of the following page's events, by a copy of the network that follows it every so
    /// many learning steps (Mnih et al., 2015).
    Copy {
        /// Learning steps between two copies, at least 1.
        every: u32,
        /// Is the event chosen by the network itself and only valued by the copy (van Hasselt et al., 2016)?
        double: bool,
    },
}

/// What is drawn from memory for one learning step, and how often it is gone over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Replay {
    /// Transitions kept.
    pub capacity: usize,
    /// Transitions of a step, the newest among them.
    pub batch: usize,
    /// Times the step's transitions are gone over.
    pub epochs: usize,
    /// Up to two that earned something, the others not, as the published code draws them; else evenly.
    pub by_reward: bool,
}

/// Every hyperparameter.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Parameters {
    /// The network's layers.
    pub sizes: Sizes,
    /// Adam's learning rate.
    pub rate: f64,
    /// What the future counts, 0 to 1.
    pub gamma: f32,
    /// Values learned from are clipped to these.
    pub clip: (f32, f32),
    /// Share of a text's filters left out while learning, 0 to 1.
    pub dropout: f32,
    /// Where the values come from.
    pub target: Target,
    /// What is learned from.
    pub replay: Replay,
    /// What computes it.
    pub engine: Engine,
}

/// One step: the event performed, what it earned, and what could be done after it.
#[derive(Clone, PartialEq, Debug)]
pub struct Transition {
    /// The event's features before it was performed: one row.
    pub row: Rows,
    /// Its reward.
    pub reward: f32,
    /// The events of the page after it; `None`: the app ended there, nothing follows.
    pub next: Option<Rows>,
    /// The value computed when it was performed: `reward + gamma * max Q(next)`, clipped.
    pub label: f32,
}

/// A network that learns.
#[derive(Debug)]
pub struct Dqn {
    parameters: Parameters,
    network: Box<dyn Network>,
    copy: Option<Box<dyn Network>>,
    /// Filters of each tower of words.
    filters: Vec<usize>,
    memory: Memory<Transition>,
    steps: u32,
}

impl Dqn {
    /// A learner with first weights drawn from `rng`, evenly after Glorot and Bengio (2010); biases are 0.
    ///
    /// # Errors
    /// The engine is not there.
    pub fn new(towers: &[Tower], parameters: Parameters, rng: &mut Rng) -> Result<Self, String> {
        let mut weights = Vec::new();
        for layer in first_limits(towers, parameters.sizes) {
            let draw = || (rng.random::<f32>() * 2.0 - 1.0) * layer.limit;
            weights.extend(std::iter::repeat_with(draw).take(layer.weights));
            weights.extend(std::iter::repeat_n(0.0, layer.biases));
        }
        Self::with(towers, &weights, parameters)
    }

    /// A learner that goes on with these weights.
    ///
    /// # Errors
    /// The engine is not there, or the weights are those of another network.
    pub fn with(towers: &[Tower], weights: &[f32], parameters: Parameters) -> Result<Self, String> {
        let network = parameters
            .engine
            .network(towers, parameters.sizes, weights)?;
        let copy = match parameters.target {
            Target::Frozen => None,
            Target::Copy { .. } => Some(network.twin()),
        };
        let words = towers.iter().filter(|t| matches!(t, Tower::Words { .. }));
        Ok(Self {
            memory: Memory::new(parameters.replay.capacity),
            filters: words.map(|_| parameters.sizes.filters).collect(),
            steps: 0,
            parameters,
            network,
            copy,
        })
    }

    /// The network's weights, in the order of [`droidtest_network::slots`].
    pub fn weights(&self) -> Vec<f32> {
        self.network.weights()
    }

    /// The optimiser's state.
    pub fn moments(&self) -> Moments {
        self.network.moments()
    }

    /// Goes on from a state of the optimiser.
    ///
    /// # Panics
    /// It is of another network.
    pub fn set_moments(&mut self, moments: &Moments) {
        self.network.set_moments(moments);
    }

    /// Its settings.
    pub const fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// The value of each event.
    pub fn values(&self, rows: &Rows, texts: &Texts) -> Vec<f32> {
        self.network.values(rows, texts)
    }

    /// Keeps a step in memory. `next`: the events of the page after it with their values, or `None` where
    /// nothing follows.
    pub fn remember(&mut self, row: Rows, reward: f32, next: Option<(&Rows, &[f32])>) {
        let best = next.map_or(0.0, |(_, values)| largest(values));
        let label = self.label(reward, best);
        let next = match (self.parameters.target, next) {
            (Target::Copy { .. }, Some((rows, values))) => Some(promising(rows, values)),
            _ => None,
        };
        self.memory.push(Transition {
            row,
            reward,
            next,
            label,
        });
    }

    /// One learning step: the newest transition and others from memory. Gives the loss before the last
    /// epoch's change; `None` while there is nothing to learn from.
    pub fn learn(&mut self, texts: &Texts, rng: &mut Rng) -> Option<f32> {
        let replay = self.parameters.replay;
        let sample = if replay.by_reward {
            self.memory
                .sample_by_reward(replay.batch, |one| one.reward > 0.0, rng)
        } else {
            self.memory.sample(replay.batch, rng)
        };
        if sample.is_empty() {
            return None;
        }
        let labels = self.labels(&sample, texts);
        let mut rows = Rows::default();
        for transition in &sample {
            rows.append(&transition.row);
        }
        let mut loss = f32::NAN;
        for _ in 0..replay.epochs.max(1) {
            let masks = masks(&self.filters, rows.len, self.parameters.dropout, rng);
            let lesson = Lesson {
                rows: &rows,
                texts,
                wanted: &labels,
                masks: &masks,
            };
            loss = self.network.learn(&lesson, self.parameters.rate);
        }
        self.steps = self.steps.wrapping_add(1);
        if let (Target::Copy { every, .. }, Some(copy)) = (self.parameters.target, &mut self.copy)
            && self.steps.is_multiple_of(every.max(1))
        {
            copy.follow(&self.network.weights());
        }
        Some(loss)
    }

    /// Forgets what was tried, not what was learned: another app begins.
    pub fn forget(&mut self) {
        self.memory.clear();
    }

    fn label(&self, reward: f32, best: f32) -> f32 {
        let (low, high) = self.parameters.clip;
        (reward + self.parameters.gamma * best).clamp(low, high)
    }

    /// What each transition's value should be.
    fn labels(&self, sample: &[&Transition], texts: &Texts) -> Vec<f32> {
        let (Target::Copy { double, .. }, Some(copy)) = (self.parameters.target, &self.copy) else {
            return sample.iter().map(|t| t.label).collect();
        };
        let mut following = Rows::default();
        for next in sample.iter().filter_map(|t| t.next.as_ref()) {
            following.append(next);
        }
        let valued = copy.values(&following, texts);
        let chosen = if double {
            self.network.values(&following, texts)
        } else {
            valued.clone()
        };
        let mut at = 0;
        sample
            .iter()
            .map(|transition| {
                let best = transition.next.as_ref().map_or(0.0, |next| {
                    let here = at..at + next.len;
                    at += next.len;
                    let best = argmax(&chosen[here.clone()]);
                    best.map_or(0.0, |best| valued[here][best])
                });
                self.label(transition.reward, best)
            })
            .collect()
    }
}

/// The masks of [`Lesson::masks`] for towers of so many filters.
fn masks(filters: &[usize], rows: usize, dropout: f32, rng: &mut Rng) -> Vec<Vec<f32>> {
    if dropout <= 0.0 {
        return Vec::new();
    }
    let kept = 1.0 / (1.0 - dropout);
    let mut draw = || {
        if rng.random::<f32>() < dropout {
            0.0
        } else {
            kept
        }
    };
    let mask = |filters: &usize| (0..rows * filters).map(|_| draw()).collect();
    filters.iter().map(mask).collect()
}

/// The place of the largest value, the first of equal ones; `None` of none. NaN is never the largest.
pub fn argmax(values: &[f32]) -> Option<usize> {
    let mut best: Option<usize> = None;
    for (ix, value) in values.iter().enumerate() {
        if best.is_none_or(|b| *value > values[b] || values[b].is_nan()) {
            best = Some(ix);
        }
    }
    best
}

fn largest(values: &[f32]) -> f32 {
    argmax(values).map_or(0.0, |best| values[best])
}

/// The rows, or the most promising of them where there are many.
fn promising(rows: &Rows, values: &[f32]) -> Rows {
    if rows.len <= NEXT {
        return rows.clone();
    }
    let mut order: Vec<usize> = (0..rows.len).collect();
    order.sort_by(|&a, &b| values[b].total_cmp(&values[a]).then(a.cmp(&b)));
    let mut kept = Rows::default();
    for &ix in &order[..NEXT] {
        kept.append(&rows.row(ix));
    }
    kept
}
