//! The settings of `timemachine`.

use super::TimeMachine;
use crate::device::Caps;
use crate::strategy::base::Base;
use crate::strategy::definition::{
    self, Conflict, Context, Definition, Key, ModelFiles, PolicyFiles, Preset, StartFile, Texts,
};
use crate::strategy::kind::Kind;
use crate::strategy::{Strategy, StrategyError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Whose rules of fitness and loops apply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Rules {
    /// The paper's formulas, by event: each event is a visit of the state that it leads to, and one that runs new code is
    /// progress and counts for the state that it starts from, whether it leads to another state or not.
    #[default]
    Events,
    /// The paper's formulas, by transition between states.
    Paper,
    /// Those of the published code, which compares the fitness without the neighbourhood.
    Published,
}

/// The settings of `timemachine`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", default)]
pub struct Settings {
    /// The source of the settings that are left out.
    pub preset: Preset,
    /// The strategy that chooses the events: a table with its `kind` and its settings.
    pub base: Base,
    /// l: the states of so many last transitions are checked for a loop.
    #[schemars(range(min = 2, max = 1000))]
    pub queue: usize,
    /// It is stuck after more events than this without a transition to another state.
    #[schemars(range(min = 1))]
    pub max_no_progress: u32,
    /// States count as frequent if they are in this share of the most visited ones.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub alpha: f64,
    /// It is in a loop where the repeated and the frequent states among the last ones have a larger share than this.
    #[schemars(range(min = 0.0, max = 2.0))]
    pub beta: f64,
    /// k: the transitions of the paths from a saved state whose average fitness counts. 0: only the state itself.
    #[schemars(range(min = 0, max = 8))]
    pub neighbourhood: u32,
    /// r: what each interesting state that was found from a state adds to its fitness, as a share.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub reward: f64,
    /// p: what each other visit takes from it, as a share.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub penalty: f64,
    /// f0: the first fitness of an interesting state; that of any other is 1.
    #[schemars(range(min = 1.0, max = 1000.0))]
    pub interesting: f64,
    /// Whose rules of fitness and loops apply.
    pub rules: Rules,
    /// The most states that are saved at a time; the least fit one is replaced.
    #[schemars(range(min = 1, max = 1000))]
    pub saved: u32,
    /// Two pages of one activity are one state when at least this share of their events is common to both; 1: only pages
    /// with the same events. Without effect with a base that has its own states, such as `dinodroid`.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub alike: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            preset: Preset::Default,
            base: Base::default(),
            queue: 10,
            max_no_progress: 20,
            alpha: 0.2,
            beta: 0.8,
            neighbourhood: 3,
            reward: 0.1,
            penalty: 0.1,
            interesting: 6.0,
            rules: Rules::Events,
            saved: 32,
            alike: 0.8,
        }
    }
}

/// The paper's values: its budget is six hours, its states are exact.
const PAPER: &str = "max-no-progress = 200\nsaved = 1000\nalike = 1.0\nrules = \"paper\"";

impl Definition for Settings {
    const NAME: &'static str = "timemachine";
    const SUMMARY: &'static str =
        "Another strategy, returned to promising states when it is stuck (TimeMachine, ICSE 2020).";
    const PAPER: &'static [&'static str] = &[PAPER];
    const PUBLISHED: &'static [&'static str] = &[PAPER, "rules = \"published\""];
    const WRAPS: bool = true;
}

impl definition::Settings for Settings {
    fn make(&self, context: &Context<'_>) -> Result<Box<dyn Strategy>, StrategyError> {
        let base = self.base.make(context)?;
        Ok(Box::new(TimeMachine::new(self.clone(), base)))
    }

    fn policy(&self) -> Option<&PolicyFiles> {
        self.base.policy()
    }

    fn model(&self) -> Option<&ModelFiles> {
        self.base.model()
    }

    fn inside(&self) -> Vec<(Vec<Key>, &Kind)> {
        vec![(vec![Key::Name("base")], self.base.kind())]
    }

    fn files(&self) -> Vec<StartFile<'_>> {
        self.base.files_below(&[Key::Name("base")])
    }

    fn conflict(&self) -> Option<Conflict> {
        Some(self.base.conflict()?.below(&[Key::Name("base")]))
    }

    fn throttle(&self) -> Duration {
        self.base.throttle()
    }

    fn faults(&self) -> bool {
        self.base.faults()
    }

    fn notes(&self, caps: Caps) -> Vec<&'static str> {
        let mut notes = self.base.notes(caps);
        if !caps.snapshots {
            notes.push(
                "the device has no snapshots: timemachine returns to a state by a start with cleared data and the \
                 shortest known steps",
            );
        }
        if !caps.coverage {
            notes.push(
                "the device measures no coverage: for timemachine every state that is visited for the first time is \
                 interesting",
            );
        }
        notes
    }

    fn texts(&self) -> Texts {
        self.base.texts()
    }

    fn shipped_lessons(&self) -> Vec<String> {
        self.base.shipped_lessons()
    }
}
