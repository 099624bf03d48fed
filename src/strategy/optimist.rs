//! `q-learning` with the preset `default`: Q-learning that knows what it typed itself, and hopes for the best.
//!
//! Three changes to the published table. (1) The state is the observation and what the learner last typed into each
//! field of the screen: its own memory, nothing of the app's. So what typing leads to is known before it is done
//! (planning by a known part of the model, as in Sutton's Dyna, 1990). (2) What was never tried is worth a hope
//! (optimistic first values: Sutton and Barto, 2018, section 2.6) that wears off on each screen with every
//! combination that brought nothing there. (3) It is rewarded for what is new in the run, not in the episode. It
//! sees string indices only; which of them it tries is chance.

use super::learner::{Act, Learner, Scene};
use super::q_learning::Parameters;
use super::table::{self, Table};
use crate::learn::bundle::{Bundle, bounded};
use crate::util::hash::mix;
use crate::util::seed::Rng;
use rand::RngExt as _;
use rustc_hash::{FxHashMap, FxHashSet};

/// Stands for "never tried" in a file, where NaN may not.
pub(super) const UNTRIED: f32 = f32::MIN;

/// Nothing was typed into the field yet, or it is not known what it holds.
const UNKNOWN: u32 = u32::MAX;

/// A screen.
#[derive(Debug, Default)]
struct Screen {
    /// By widget: the string typed last.
    typed: Vec<u32>,
    /// Was the app started anew since? Then the fields may be empty again.
    stale: bool,
    /// States that brought nothing when all their buttons were tried.
    failures: f32,
    /// The combination with the best value, and that value.
    best: Option<(Vec<u32>, f32)>,
}

/// A state: a screen with what is in its fields.
#[derive(Debug, Default)]
struct State {
    /// By widget, buttons only: its value; NaN: never tried.
    values: Vec<f32>,
}

impl State {
    /// What its buttons are worth; those never tried are hoped to be worth `hope`. What could be typed there does
    /// not count: it can be typed here as well.
    fn worth(&self, scene: &Scene<'_>, hope: f32) -> f32 {
        (0..scene.widgets)
            .filter(|&widget| !scene.field(widget))
            .map(|widget| match self.values.get(widget as usize) {
                Some(value) if !value.is_nan() => *value,
                _ => hope,
            })
            .fold(f32::NEG_INFINITY, f32::max)
            .max(NOTHING)
    }
}

/// The lowest worth: of a state without buttons.
const NOTHING: f32 = -1e6;

/// The last step.
#[derive(Debug)]
struct Last {
    scene: u64,
    state: u64,
    act: Act,
    typed: bool,
    stale: bool,
}

/// The learner.
#[derive(Debug)]
pub struct Optimist {
    parameters: Parameters,
    screens: FxHashMap<u64, Screen>,
    states: FxHashMap<u64, State>,
    seen: FxHashSet<u64>,
    last: Option<Last>,
    updates: u64,
    /// Candidates of one decision, kept for their room.
    candidates: Vec<(Act, f32)>,
}

impl Optimist {
    /// A fresh learner.
    pub fn new(parameters: Parameters) -> Self {
        Self {
            parameters,
            screens: FxHashMap::default(),
            states: FxHashMap::default(),
            seen: FxHashSet::default(),
            last: None,
            updates: 0,
            candidates: Vec::new(),
        }
    }

    /// What a state never seen on this screen is hoped to be worth.
    fn hope(&self, screen: &Screen) -> f32 {
        let patience = self.parameters.patience.max(1.0);
        self.parameters.hope * patience / (patience + screen.failures)
    }

    /// Everything that can be done, with its value.
    fn weigh(&mut self, scene: &Scene<'_>) -> u64 {
        let gamma = self.parameters.discount;
        self.screens
            .entry(scene.key)
            .or_default()
            .typed
            .resize(scene.widgets as usize, UNKNOWN);
        let screen = &self.screens[&scene.key];
        let hope = self.hope(screen);
        let state = identity(scene.key, &screen.typed, None);
        let known = self.states.get(&state);
        self.candidates.clear();
        for widget in 0..scene.widgets {
            if !scene.field(widget) {
                let value = known.and_then(|s| s.values.get(widget as usize)).copied();
                let value = value.filter(|v| !v.is_nan()).unwrap_or(hope);
                let act = Act {
                    widget,
                    ..Act::default()
                };
                self.candidates.push((act, value));
                continue;
            }
            let now = screen.typed[widget as usize];
            for string in (0..scene.strings).filter(|&s| s != now) {
                let next = identity(scene.key, &screen.typed, Some((widget, string)));
                let next = self.states.get(&next);
                let worth = next.map_or(hope, |state| state.worth(scene, hope));
                let mut value = gamma * worth;
                if let Some((best, worth)) = &screen.best
                    && best.get(widget as usize) == Some(&string)
                {
                    let apart = best
                        .iter()
                        .zip(&screen.typed)
                        .filter(|(a, b)| a != b)
                        .count();
                    value = value.max(worth * gamma.powi(i32::try_from(apart).unwrap_or(i32::MAX)));
                }
                let act = Act {
                    widget,
                    string,
                    second: false,
                };
                self.candidates.push((act, value));
            }
        }
        state
    }

    /// What can be had from here.
    fn appraise(&mut self, scene: &Scene<'_>) -> f32 {
        self.weigh(scene);
        let values = self.candidates.iter().map(|(_, value)| *value);
        values.reduce(f32::max).unwrap_or(0.0)
    }
}

/// Equal for equal fields on the same screen; `change`: as if this string were in this field.
fn identity(key: u64, typed: &[u32], change: Option<(u32, u32)>) -> u64 {
    let mut hash = key;
    for (widget, &string) in (0_u32..).zip(typed) {
        let string = match change {
            Some((changed, new)) if changed == widget => new,
            _ => string,
        };
        if string != UNKNOWN {
            hash = mix(hash, (u64::from(widget) << 32) | u64::from(string));
        }
    }
    hash
}

impl Learner for Optimist {
    fn act(&mut self, scene: &Scene<'_>, rng: &mut Rng) -> Act {
        self.seen.insert(scene.key);
        let state = self.weigh(scene);
        let Some(best) = self.candidates.iter().map(|c| c.1).reduce(f32::max) else {
            self.last = None;
            return Act::default();
        };
        self.states.entry(state).or_default();
        let epsilon = self.parameters.epsilon;
        let by_chance = epsilon > 0.0 && rng.random::<f64>() < epsilon;
        let bar = if by_chance { f32::NEG_INFINITY } else { best };
        let good = self.candidates.iter().filter(|c| c.1 >= bar);
        let chosen = rng.random_range(0..good.clone().count());
        let mut act = good.map(|c| c.0).nth(chosen).unwrap_or_default();
        act.second = rng.random();
        self.last = Some(Last {
            scene: scene.key,
            state,
            act,
            typed: scene.field(act.widget),
            stale: self.screens[&scene.key].stale,
        });
        act
    }

    fn learn(&mut self, reward: f32, next: &Scene<'_>, terminal: bool, _: &mut Rng) {
        let Some(last) = self.last.take().filter(|_| reward.is_finite()) else {
            return;
        };
        self.updates += 1;
        let stays = next.key == last.scene && !terminal;
        if last.typed {
            if let Some(screen) = self.screens.get_mut(&last.scene)
                && let Some(typed) = screen.typed.get_mut(last.act.widget as usize)
            {
                *typed = last.act.string;
            }
            if stays {
                return;
            }
        }
        let new = !terminal && self.seen.insert(next.key);
        // Whatever was new in earlier episodes is no news.
        let earned = if new {
            reward.max(self.parameters.hope)
        } else {
            reward.min(0.0)
        };
        let Some(screen) = self.screens.get_mut(&last.scene) else {
            return;
        };
        if stays && last.stale {
            // The fields did not hold what was believed.
            screen.stale = false;
            screen.typed.fill(UNKNOWN);
            return;
        }
        screen.stale = false;
        screen.failures += if stays { 1.0 } else { 0.0 };
        let typed = screen.typed.clone();
        // Where it led nowhere, nothing follows that could not be had without it.
        let follows = if terminal || stays {
            0.0
        } else {
            self.appraise(next)
        };
        let state = self.states.entry(last.state).or_default();
        let widget = last.act.widget as usize;
        if state.values.len() <= widget {
            state.values.resize(widget + 1, f32::NAN);
        }
        let target = earned + self.parameters.discount * follows;
        let value = &mut state.values[widget];
        // A first outcome is the best estimate there is.
        *value = if value.is_nan() {
            target
        } else {
            *value + self.parameters.alpha * (target - *value)
        };
        let value = *value;
        if let Some(screen) = self.screens.get_mut(&last.scene)
            && !stays
        {
            let same = screen.best.as_ref().is_some_and(|(best, _)| *best == typed);
            if same || screen.best.as_ref().is_none_or(|(_, worth)| value > *worth) {
                screen.best = Some((typed, value));
            }
        }
    }

    fn begin(&mut self) {
        for screen in self.screens.values_mut() {
            screen.stale = true;
        }
    }

    fn updates(&self) -> u64 {
        self.updates
    }

    fn export(&self) -> Bundle {
        let mut bundle = Bundle::default();
        for (key, state) in &self.states {
            let written = |v: &f32| if v.is_nan() { UNTRIED } else { *v };
            let row = state.values.iter().map(written).collect();
            bundle.tensors.insert(format!("{key:016x}"), row);
        }
        table::mark(Table::Hopeful, &mut bundle);
        bundle
    }

    fn import(&mut self, learned: &Bundle) -> Result<(), String> {
        let mut fresh = Self::new(self.parameters);
        table::check(Table::Hopeful, learned)?;
        for (name, row) in &learned.tensors {
            let tried: Vec<f32> = row.iter().copied().filter(|v| *v != UNTRIED).collect();
            bounded(name, &tried)?;
            let known = |value: &f32| if *value == UNTRIED { f32::NAN } else { *value };
            let state = State {
                values: row.iter().map(known).collect(),
            };
            fresh.states.insert(table::key(name)?, state);
        }
        *self = fresh;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
