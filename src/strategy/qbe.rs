//! `qbe`: Q-learning over the number of a page's actions, learned on some apps and used on others (Koroglu et al.:
//! "QBE: QLearning-Based Exploration of Android Applications", ICST 2018).
//!
//! The abstraction: a state is the number of a page's actions in five classes; an action is one of seven types. Nothing of
//! an app is in them, so that the values learned on one app apply to any other. The choice (Algorithm 3): a type of action
//! in proportion to its value in the state, then one of the page's actions of this type with equal probability. Learning:
//! Watkins' rule, with a reward for a crash or for a new activity. The rate is 1 / n for the n-th observation, so that a
//! value is the mean over all apps: at a fixed rate, rewards as rare as these are forgotten before the next one.

use super::definition::{self, Conflict, Context, Definition, Key, PolicyFiles, Preset, Together};
use super::{Decision, Step, Strategy, StrategyError, View};
use crate::gui::{EventKind, Page};
use crate::learn::bundle::bounded;
use crate::learn::policy_file::{LARGEST, Lesson, PolicyFile, Tensor};
use crate::util::seed::Rng;
use rand::RngExt as _;
use rand::seq::{IndexedRandom as _, IteratorRandom as _};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::io;

/// States: too few, few, moderately many, many and too many actions.
const STATES: usize = 5;
/// Types of actions.
const TYPES: usize = 7;
/// Names of the values and of the numbers of their observations in a policy.
const TABLE: &str = "values";
const COUNTS: &str = "counts";
/// A number by state and type.
type Table = [[f32; TYPES]; STATES];

/// What the paper learned for crashes (section IV-B, as MATE, an open reimplementation, quotes it).
const CRASHES: Table = [
    [0.04, 0.18, 0.33, 0.0, 0.12, 0.33, 0.0],
    [0.19, 0.18, 0.12, 0.0, 0.44, 0.07, 0.0],
    [0.13, 0.43, 0.15, 0.0, 0.07, 0.23, 0.0],
    [0.17, 0.18, 0.48, 0.0, 0.18, 0.0, 0.0],
    [0.33, 0.26, 0.13, 0.0, 0.23, 0.04, 0.0],
];
/// The same for activities.
const ACTIVITIES: Table = [
    [0.11, 0.09, 0.4, 0.0, 0.1, 0.3, 0.0],
    [0.13, 0.44, 0.26, 0.0, 0.12, 0.05, 0.0],
    [0.06, 0.66, 0.16, 0.0, 0.13, 0.0, 0.0],
    [0.17, 0.25, 0.4, 0.0, 0.09, 0.09, 0.0],
    [0.06, 0.28, 0.52, 0.0, 0.09, 0.05, 0.0],
];

/// What is rewarded with 1; all else with 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Goal {
    /// An event that crashes the app, whether the crash is known or not.
    #[default]
    Crashes,
    /// An event that leads to an activity that the session has not seen before.
    Activities,
}

/// The values to start from where no policy is loaded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Start {
    /// Zeros.
    #[default]
    Zero,
    /// What the paper learned for the goal on its training apps; each counts as one observation.
    Paper,
}

/// The settings of `qbe`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", default)]
pub struct Settings {
    /// The source of the settings that are left out.
    pub preset: Preset,
    /// What is rewarded.
    pub goal: Goal,
    /// The values to start from where no policy is loaded.
    pub start: Start,
    /// The most actions of a page with too few, few, moderately many and many actions, in ascending order; a page with
    /// more has too many.
    pub limits: [u32; STATES - 1],
    /// Whether the strategy learns. Otherwise it only uses its policy.
    pub learn: bool,
    /// The least learning rate: a value moves towards the n-th observed one by 1 / n, but at least by this.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub alpha: f32,
    /// The discount factor: the weight of future rewards.
    #[schemars(range(min = 0.0, max = 0.99))]
    pub discount: f32,
    /// The chance of a type with equal probability instead.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub epsilon: f64,
    /// The policy to start from, and whether to save the new one.
    pub policy: PolicyFiles,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            preset: Preset::Default,
            goal: Goal::default(),
            start: Start::default(),
            limits: [1, 3, 8, 15],
            learn: true,
            alpha: 0.0,
            discount: 0.1,
            epsilon: 0.2,
            policy: PolicyFiles::default(),
        }
    }
}

impl Definition for Settings {
    const NAME: &'static str = "qbe";
    const SUMMARY: &'static str = "QBE (ICST 2018): Q-learning over types of actions, learned on some apps and used on others.";
    const PAPER: &'static [&'static str] = &["start = \"paper\"\nlearn = false\nepsilon = 0.0"];
}

impl definition::Settings for Settings {
    fn make(&self, context: &Context<'_>) -> Result<Box<dyn Strategy>, StrategyError> {
        let mut qbe = Qbe::new(self.clone(), context.lesson());
        context.load(&self.policy, &mut qbe)?;
        Ok(Box::new(qbe))
    }

    fn policy(&self) -> Option<&PolicyFiles> {
        Some(&self.policy)
    }

    fn learning_switch(&self) -> Option<&'static str> {
        Some("learn")
    }

    fn conflict(&self) -> Option<Conflict> {
        let ascends = self.limits.is_sorted_by(|one, next| one < next);
        (!ascends).then(|| Conflict {
            what: Together::Order,
            keys: vec![Key::Name("limits")],
            message: format!("`limits` is {:?}, which does not ascend", self.limits),
            fix: "for example `limits = [1, 3, 8, 15]`",
        })
    }
}

/// The type of an action: its column of the values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Type {
    Menu,
    Back,
    Click,
    LongClick,
    Text,
    Swipe,
    /// What comes from outside the page's widgets: system events, and keys and gestures of no other type.
    Contextual,
}

impl Type {
    const fn of(kind: EventKind) -> Self {
        match kind {
            EventKind::Menu => Self::Menu,
            EventKind::Back => Self::Back,
            EventKind::Click | EventKind::Point => Self::Click,
            EventKind::LongClick => Self::LongClick,
            EventKind::Text => Self::Text,
            EventKind::Scroll { .. } | EventKind::Swipe { .. } => Self::Swipe,
            EventKind::Enter | EventKind::Pinch { .. } => Self::Contextual,
        }
    }
}

/// The types of a page's actions, in the order of its events, then of `system` system events.
fn types(page: &Page, system: usize) -> Vec<Type> {
    let events = page.events.iter().map(|event| Type::of(event.kind));
    let outside = std::iter::repeat_n(Type::Contextual, system);
    events.chain(outside).collect()
}

/// The strategy.
#[derive(Debug)]
pub struct Qbe {
    settings: Settings,
    /// 0 to 1 / (1 - discount).
    values: Table,
    /// How often each value was observed; up to [`LARGEST`], the most that a policy can hold.
    counts: Table,
    /// State and type of the last decision, and how many system events there were to choose from.
    last: Option<(usize, Type, usize)>,
    /// This session, and those learned from before.
    session: Lesson,
    history: Vec<Lesson>,
}

impl Qbe {
    /// `session` is remembered in its policy.
    pub fn new(settings: Settings, session: Lesson) -> Self {
        let (values, seen) = match (settings.start, settings.goal) {
            (Start::Zero, _) => (Table::default(), 0.0),
            (Start::Paper, Goal::Crashes) => (CRASHES, 1.0),
            (Start::Paper, Goal::Activities) => (ACTIVITIES, 1.0),
        };
        Self {
            settings,
            values,
            counts: [[seen; TYPES]; STATES],
            last: None,
            session,
            history: Vec::new(),
        }
    }

    /// The state of a page: the number of its actions, in classes. System events do not count: most of them are always
    /// there.
    fn state(&self, page: &Page) -> usize {
        let actions = page.events.len();
        (self.settings.limits).partition_point(|limit| (*limit as usize) < actions)
    }

    /// Algorithm 3: one of these types, each once, in proportion to its value. Where no value is known, and with the
    /// chance `epsilon`, each with equal probability.
    fn choose(&self, state: usize, types: &[Type], rng: &mut Rng) -> Option<Type> {
        let mut distinct: Vec<Type> = types.to_vec();
        distinct.sort_unstable_by_key(|kind| *kind as usize);
        distinct.dedup();
        let epsilon = self.settings.epsilon;
        if epsilon == 0.0 || !rng.random_bool(epsilon.min(1.0)) {
            let value = |kind: &Type| self.values[state][*kind as usize];
            // All weights are zero: there is nothing to choose by.
            if let Ok(kind) = distinct.choose_weighted(rng, value) {
                return Some(*kind);
            }
        }
        distinct.choose(rng).copied()
    }

    /// The settings that the values depend on.
    fn about(&self) -> Map<String, Value> {
        let limits = json!(self.settings.limits);
        let goal = json!(self.settings.goal);
        [("goal".to_owned(), goal), ("limits".to_owned(), limits)]
            .into_iter()
            .collect()
    }

    fn reward(&self, step: &Step<'_>) -> f32 {
        let reached = match self.settings.goal {
            Goal::Crashes => step.after.crash.is_some() || step.after.death.is_some(),
            Goal::Activities => step.new_activities > 0,
        };
        f32::from(u8::from(reached))
    }
}

impl Strategy for Qbe {
    fn decide(&mut self, view: &View<'_>, rng: &mut Rng) -> Result<Decision, StrategyError> {
        let state = self.state(view.page);
        let types = types(view.page, view.system.len());
        let Some(chosen) = self.choose(state, &types, rng) else {
            self.last = None;
            return Ok(Decision::Restart);
        };
        self.last = Some((state, chosen, view.system.len()));
        let actions = (0..types.len()).filter(|action| types[*action] == chosen);
        let action = actions.choose(rng).unwrap_or_default();
        Ok(match action.checked_sub(view.page.events.len()) {
            Some(outside) => Decision::System(view.system[outside].clone()),
            None => Decision::Perform {
                event: action,
                input: None,
            },
        })
    }

    /// Q(s, a) += rate (r + discount max Q(s', a') - Q(s, a)), where a' is one of the types of the next page's actions.
    /// Its system events are those of the page before. Nothing follows the app's death.
    fn learn(&mut self, step: &Step<'_>, _: f32) -> Result<(), StrategyError> {
        let Some((state, chosen, system)) = self.last.take().filter(|_| self.settings.learn) else {
            return Ok(());
        };
        let next = &self.values[self.state(step.page)];
        let values = types(step.page, system).into_iter();
        let follows = match step.after.alive {
            true => values.map(|kind| next[kind as usize]).fold(0.0, f32::max),
            false => 0.0,
        };
        let target = self.reward(step) + self.settings.discount * follows;
        let count = &mut self.counts[state][chosen as usize];
        *count = (*count + 1.0).min(LARGEST);
        let rate = count.recip().max(self.settings.alpha);
        let value = &mut self.values[state][chosen as usize];
        *value += rate * (target - *value);
        self.session.steps += 1;
        Ok(())
    }

    fn save(&self, to: &mut dyn io::Write) -> Result<(), StrategyError> {
        let tensor = |table: &Table| Tensor {
            shape: vec![STATES, TYPES],
            numbers: table.concat(),
        };
        let tables = [(TABLE, &self.values), (COUNTS, &self.counts)];
        let session = Some(&self.session).filter(|_| self.settings.learn);
        let file = PolicyFile {
            strategy: Settings::NAME.to_owned(),
            about: self.about(),
            history: self.history.iter().chain(session).cloned().collect(),
            tensors: (tables.iter())
                .map(|(name, table)| ((*name).to_owned(), tensor(table)))
                .collect(),
        };
        Ok(file.write(to)?)
    }

    fn load(&mut self, from: &mut dyn io::Read) -> Result<(), StrategyError> {
        let file = PolicyFile::read(from, Settings::NAME)?;
        for (key, ours) in self.about() {
            let theirs: Value = file.about(&key)?;
            if theirs != ours {
                return Err(StrategyError::differs(&key, theirs, ours));
            }
        }
        let known = file.tensors.len() == 2;
        let table = |name| {
            let tensor = file.tensors.get(name).filter(|_| known);
            let tensor = tensor.filter(|tensor| tensor.shape == [STATES, TYPES]);
            let Tensor { numbers, .. } = tensor.ok_or_else(|| {
                format!(
                    "it does not hold `{TABLE}` and `{COUNTS}`, two tables of {STATES} x {TYPES} numbers"
                )
            })?;
            bounded(name, numbers)?;
            if let Some(number) = numbers.iter().find(|number| **number < 0.0) {
                return Err(format!(
                    "its `{name}` holds {number}, but no number there is negative"
                ));
            }
            let (rows, _) = numbers.as_chunks::<TYPES>();
            let mut table = Table::default();
            table.copy_from_slice(rows);
            Ok(table)
        };
        let tables = table(TABLE).and_then(|values| Ok((values, table(COUNTS)?)));
        (self.values, self.counts) = tables.map_err(StrategyError::Policy)?;
        self.history = file.history;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
