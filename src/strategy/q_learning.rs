//! `q-learning`: a table of values of (observation, action), as in FATE and ARES.
//!
//! Watkins and Dayan (1992), in the form of Romdhana et al. (2022): epsilon-greedy, a table of zeros for each
//! observation. It sees string indices only and draws nothing from their order: among equal values it chooses
//! by chance (the published code takes the first). [`super::optimist`] is what we made of it.

use super::ares;
use super::learner::{Act, Learner, Scene};
use super::optimist::Optimist;
use super::table::{self, Table};
use crate::learn::bundle::{Bundle, bounded};
use crate::util::seed::Rng;
use rand::RngExt as _;
use rustc_hash::FxHashMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Every hyperparameter, of both tables.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", default)]
pub struct Parameters {
    /// Whether to use the optimistic table, which remembers typed texts and gives untried actions a high value.
    /// Otherwise the papers' table is used.
    pub optimistic: bool,
    /// The learning rate: how far a value moves towards the observed one.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub alpha: f32,
    /// The discount factor: the weight of future rewards.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub discount: f32,
    /// The chance of a uniformly random action.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub epsilon: f64,
    /// For the papers' table: whether to take the first of equal values (the published code), not a random one.
    pub first_of_equals: bool,
    /// For the optimistic table: the initial value of an untried action.
    #[schemars(range(min = 0.0, max = 1_000_000.0))]
    pub hope: f32,
    /// For the optimistic table: the number of combinations without a reward after which the initial value on a screen
    /// is halved.
    #[schemars(range(min = 1.0, max = 1_000_000.0))]
    pub patience: f32,
}

impl Default for Parameters {
    fn default() -> Self {
        Self {
            optimistic: true,
            alpha: 0.628,
            discount: 0.9,
            epsilon: 0.02,
            first_of_equals: false,
            hope: 1000.0,
            patience: 50.0,
        }
    }
}

/// ARES's evaluation on real apps: alpha .628, gamma .9, epsilon .8.
const PAPER: &str = "
optimistic = false
epsilon = 0.8
";

/// FATE's published code: epsilon .6, the first of equal values.
const PUBLISHED: &str = "
epsilon = 0.6
first-of-equals = true
";

/// The settings of `q-learning`.
pub type Settings = ares::Settings<Parameters>;

impl ares::Algorithm for Parameters {
    const NAME: &'static str = "q-learning";
    const SUMMARY: &'static str = "Q-learning with a table of values (ARES, 2022; the preset `default` has a table of our own).";
    const PAPER: &'static [&'static str] = &[PAPER];
    const PUBLISHED: &'static [&'static str] = &[PAPER, PUBLISHED];

    fn learner(self, _: usize, _: &mut Rng) -> Box<dyn Learner> {
        if self.optimistic {
            Box::new(Optimist::new(self))
        } else {
            Box::new(QLearning::new(self))
        }
    }
}

/// Values of one observation's actions; the best of them is known at any time.
#[derive(Debug, Default, PartialEq)]
struct Row {
    values: Vec<f32>,
    best: f32,
    /// Actions whose value is the best one.
    tied: Vec<u32>,
    /// By action: its place in `tied`, or `u32::MAX`.
    place: Vec<u32>,
}

const NOWHERE: u32 = u32::MAX;

impl Row {
    fn grow(&mut self, actions: usize) {
        if self.values.is_empty() && actions > 0 {
            // A fresh row: all are worth nothing, so each is among the best.
            self.values.resize(actions, 0.0);
            self.best = 0.0;
            self.tied.extend(0..narrow(actions));
            self.place.clone_from(&self.tied);
        }
        while self.values.len() < actions {
            self.place.push(NOWHERE);
            self.values.push(0.0);
            self.rank(self.values.len() - 1);
        }
    }

    /// Puts an action among the best if it is one of them.
    fn rank(&mut self, action: usize) {
        let value = self.values[action];
        if self.tied.is_empty() || value > self.best {
            for &tied in &self.tied {
                self.place[tied as usize] = NOWHERE;
            }
            self.tied.clear();
            self.best = value;
        }
        if value == self.best {
            self.place[action] = narrow(self.tied.len());
            self.tied.push(narrow(action));
        }
    }

    /// Looks for the best of all, as [`Row::rank`] of each in turn would: it is the first of equals that counts.
    fn find_best(&mut self) {
        let best = highest(&self.values);
        for (action, value) in self.values.iter().enumerate() {
            if *value == best {
                self.place[action] = narrow(self.tied.len());
                self.tied.push(narrow(action));
            }
        }
        self.best = self
            .tied
            .first()
            .map_or(0.0, |&first| self.values[first as usize]);
    }

    fn set(&mut self, action: usize, value: f32) {
        if self.values[action] == value {
            return;
        }
        self.values[action] = value;
        let place = std::mem::replace(&mut self.place[action], NOWHERE);
        if place != NOWHERE {
            self.tied.swap_remove(place as usize);
            if let Some(&moved) = self.tied.get(place as usize) {
                self.place[moved as usize] = place;
            }
            if self.tied.is_empty() {
                return self.find_best();
            }
        }
        self.rank(action);
    }
}

/// The highest of these numbers. In lanes, which processors compare at once: a loop over single ones was most of a
/// step's time in rows of hundreds of actions.
fn highest(values: &[f32]) -> f32 {
    const LANES: usize = 16;
    let mut lanes = [f32::NEG_INFINITY; LANES];
    let (chunks, rest) = values.as_chunks::<LANES>();
    for chunk in chunks {
        for (highest, value) in lanes.iter_mut().zip(chunk) {
            *highest = if *value > *highest { *value } else { *highest };
        }
    }
    let all = lanes.iter().chain(rest).copied();
    all.fold(f32::NEG_INFINITY, f32::max)
}

/// The learner.
#[derive(Debug)]
pub struct QLearning {
    parameters: Parameters,
    places: FxHashMap<u64, u32>,
    rows: Vec<Row>,
    /// Row and action of the last step.
    last: Option<(u32, usize)>,
    /// Key and row of the scene met last: the next one acted on.
    met: Option<(u64, u32)>,
    updates: u64,
}

fn narrow(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

impl QLearning {
    /// A fresh learner.
    pub fn new(parameters: Parameters) -> Self {
        Self {
            parameters,
            places: FxHashMap::default(),
            rows: Vec::new(),
            last: None,
            met: None,
            updates: 0,
        }
    }

    /// The value of an action where it was met before.
    pub fn value(&self, key: u64, action: Act, strings: u32) -> Option<f32> {
        let row = &self.rows[*self.places.get(&key)? as usize];
        row.values.get(number(action, strings)).copied()
    }

    fn row(&mut self, scene: &Scene<'_>) -> u32 {
        if let Some((key, row)) = self.met
            && key == scene.key
        {
            return row;
        }
        let new = narrow(self.rows.len());
        let at = *self.places.entry(scene.key).or_insert(new);
        if at == new {
            self.rows.push(Row::default());
        }
        let rows = scene.rows.max(scene.widgets).max(1);
        self.rows[at as usize].grow(rows as usize * scene.strings as usize);
        self.met = Some((scene.key, at));
        at
    }
}

const fn number(action: Act, strings: u32) -> usize {
    action.widget as usize * strings as usize + action.string as usize
}

impl Learner for QLearning {
    fn act(&mut self, scene: &Scene<'_>, rng: &mut Rng) -> Act {
        let at = self.row(scene);
        let row = &self.rows[at as usize];
        let epsilon = self.parameters.epsilon;
        let chosen = if epsilon > 0.0 && rng.random::<f64>() < epsilon {
            let widgets = scene.widgets.max(1) + u32::from(scene.beyond);
            let widget = rng.random_range(0..widgets);
            let string = rng.random_range(0..scene.strings);
            number(
                Act {
                    widget,
                    string,
                    second: false,
                },
                scene.strings,
            )
        } else if self.parameters.first_of_equals {
            row.tied.iter().copied().min().unwrap_or(0) as usize
        } else {
            row.tied[rng.random_range(0..row.tied.len())] as usize
        };
        self.last = Some((at, chosen));
        Act {
            widget: narrow(chosen / scene.strings as usize),
            string: narrow(chosen % scene.strings as usize),
            second: rng.random(),
        }
    }

    fn learn(&mut self, reward: f32, next: &Scene<'_>, terminal: bool, _: &mut Rng) {
        let Some((from, action)) = self.last.take() else {
            return;
        };
        let follows = if terminal {
            0.0
        } else {
            let next = self.row(next);
            self.rows[next as usize].best
        };
        let row = &mut self.rows[from as usize];
        let Some(&old) = row.values.get(action) else {
            return;
        };
        let target = reward + self.parameters.discount * follows;
        let new = old + self.parameters.alpha * (target - old);
        // A reward that is no number teaches nothing.
        if new.is_finite() {
            row.set(action, new);
            self.updates += 1;
        }
    }

    fn updates(&self) -> u64 {
        self.updates
    }

    fn export(&self) -> Bundle {
        let mut table: Vec<(u64, u32)> = self.places.iter().map(|(k, row)| (*k, *row)).collect();
        table.sort_unstable();
        let mut bundle = Bundle::default();
        for (key, row) in table {
            let values = self.rows[row as usize].values.clone();
            bundle.tensors.insert(format!("{key:016x}"), values);
        }
        table::mark(Table::Plain, &mut bundle);
        bundle
    }

    fn import(&mut self, learned: &Bundle) -> Result<(), String> {
        let mut fresh = Self::new(self.parameters);
        table::check(Table::Plain, learned)?;
        for (name, values) in &learned.tensors {
            bounded(name, values)?;
            let mut row = Row::default();
            row.grow(values.len());
            for (action, value) in values.iter().enumerate() {
                row.set(action, *value);
            }
            let at = narrow(fresh.rows.len());
            fresh.places.insert(table::key(name)?, at);
            fresh.rows.push(row);
        }
        *self = fresh;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
