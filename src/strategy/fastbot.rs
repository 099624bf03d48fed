//! `fastbot`: a model of which event leads to which activity, reused between runs, and n-step SARSA.
//!
//! Lv, Peng, Zhang, Su, Liu, Yang: "Fastbot2: Reusable Automated Model-based GUI Testing for Android Enhanced by
//! Reinforcement Learning" (ASE 2022). [`algorithm`] reads beside its section III; the preset `published` has the values
//! of its code, the default has Fastbot3's Double SARSA, tuned states and ways out of a state (2026).

pub mod algorithm;
mod choice;
mod sarsa;
mod stuck;
mod ways;

use super::definition::{self, Context, Definition, Key, ModelFiles, Preset, StartFile};
use super::{Strategy, StrategyError, demonstrations};
use crate::graph::Abstraction;
use crate::graph::fastbot::StaticTexts;
use crate::learn::event_model::EventModel;
use algorithm::Fastbot;
use camino::Utf8PathBuf;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// What selects an event (the paper's ablation).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Select {
    /// The probabilistic model only, at random where it has nothing left.
    Model,
    /// Learned values only.
    Learned,
    /// The model first, learned values later.
    Both,
}

/// The settings of `fastbot`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", default)]
pub struct Settings {
    /// The source of the settings that are left out.
    pub preset: Preset,
    /// What selects an event: the probabilistic model, learned values, or both.
    pub select: Select,
    /// What makes pages one state, and events one event: DinoDroid's rules (`fixed`), sets of widgets (`fastbot`), or the
    /// same, refined while the session runs (`tuned`).
    pub states: Abstraction,
    /// The temperature of choices by the model: the lower, the more often the event with the highest expectation.
    #[schemars(range(min = 0.001, max = 1000.0))]
    pub alpha: f64,
    /// The weight of activities behind those that an event leads to, for each event further away. 0: only where the event
    /// itself leads to counts (the paper).
    #[schemars(range(min = 0.0, max = 1.0))]
    pub ahead: f64,
    /// How often the model may choose the same event in a session.
    #[schemars(range(min = 1))]
    pub repeats: u32,
    /// Whether new clicks are likelier than new long clicks and scrolls, these than other new events, and back the least.
    pub weighted: bool,
    /// The number of events after which only learned values choose. Without it they choose on pages where the model has
    /// nothing left.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64")]
    pub learned_after: Option<u64>,
    /// Whether learned values choose only where the session has performed each event of the page, and at random among the
    /// others until then. Without it the event that was tried first has a value, the others have none, and it is repeated.
    pub untried_first: bool,
    /// The temperature of choices by learned values.
    #[schemars(range(min = 0.001, max = 1000.0))]
    pub beta: f64,
    /// The number of steps of a return.
    #[schemars(range(min = 1, max = 100))]
    pub steps: usize,
    /// The learning rate at first; it falls to its half over 100,000 events.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub learning_rate: f32,
    /// The discount factor: the weight of future rewards.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub discount: f32,
    /// Whether to learn two tables, each from the other (Double SARSA), and from every step of a return.
    pub double: bool,
    /// The number of steps in one state after which the strategy goes back; after twice as many it opens a deep link, if
    /// the app has one, after three times as many it restarts the app with cleared data. 0: never.
    pub stuck_after: u32,
    /// The share of events that are system events the app listens for.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub system_rate: f64,
    /// The probabilistic model, as files.
    pub model: ModelFiles,
    /// What people did, to count at the start: folders of runs or journals of sessions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<String>")]
    pub demonstrations: Vec<Utf8PathBuf>,
}

impl Default for Settings {
    /// Ours: Fastbot3's algorithm with the published code's constants.
    fn default() -> Self {
        Self {
            preset: Preset::Default,
            select: Select::Both,
            states: Abstraction::Tuned,
            alpha: 0.05,
            ahead: 0.7,
            repeats: 1,
            weighted: true,
            learned_after: None,
            untried_first: true,
            beta: 1.0,
            steps: 5,
            learning_rate: 0.5,
            discount: 0.8,
            double: true,
            stuck_after: 5,
            system_rate: 0.05,
            model: ModelFiles::default(),
            demonstrations: Vec::new(),
        }
    }
}

/// Fastbot2's code.
const PUBLISHED: &str = r#"
states = "fastbot"
alpha = 0.1
ahead = 0.0
beta = 0.1
double = false
stuck-after = 0
system-rate = 0.0
"#;

/// The paper: softmax with α = .8, new events uniformly, learned values for all events. It gives neither β nor when learned values take over; both are
/// ours.
const PAPER: &str = r"
alpha = 0.8
beta = 1.0
weighted = false
untried-first = false
learned-after = 1000
";

impl Definition for Settings {
    const NAME: &'static str = "fastbot";
    const SUMMARY: &'static str = "A reusable model of which events lead to which activities, and n-step SARSA (Fastbot2, 2022; Fastbot3, 2026).";
    const PAPER: &'static [&'static str] = &[PUBLISHED, PAPER];
    const PUBLISHED: &'static [&'static str] = &[PUBLISHED];
}

/// [`StartFile::what`] of a model.
const MODEL: &str = "event model";

impl Settings {
    /// The model that a session starts from: the suite's files added up, else the one that the run has; with what people
    /// showed.
    fn history(
        &self,
        context: &Context<'_>,
        texts: &StaticTexts,
    ) -> Result<EventModel, StrategyError> {
        let mut history = EventModel::new(context.package);
        let named = self.model.files();
        let named = named.map(|path| (context.on_disk)(path).into_std_path_buf());
        let stored = context
            .model
            .filter(|_| self.model.files().next().is_none());
        for path in named.chain(stored.map(Path::to_owned)) {
            let model = EventModel::open(&path, context.package);
            let model = model.map_err(|error| StrategyError::File {
                what: MODEL,
                path: path.to_string_lossy().into_owned().into(),
                place: error
                    .line
                    .map(|line| format!(":{line}"))
                    .unwrap_or_default(),
                reason: error.reason,
            })?;
            history.add(&model);
        }
        let named = |path: &Utf8PathBuf| {
            let mut own = self.demonstrations.iter();
            own.any(|own| (context.on_disk)(own) == *path)
        };
        for (path, shown) in context.shown(&self.demonstrations)? {
            let model = shown.model(texts);
            if model.is_none() && context.may_leave_out && !named(&path) {
                continue;
            }
            let model = model.ok_or_else(|| StrategyError::File {
                what: demonstrations::DEMONSTRATION,
                path,
                place: String::new(),
                reason: "a trace names no activities, which `fastbot` counts: perform it with `run --corpus`, and name \
                         the folder of that run"
                    .to_owned(),
            })?;
            history.add(&model);
        }
        Ok(history)
    }
}

impl definition::Settings for Settings {
    fn make(&self, context: &Context<'_>) -> Result<Box<dyn Strategy>, StrategyError> {
        let texts = (context.texts)()?;
        let history = self.history(context, &texts)?;
        let own = EventModel::new(context.package);
        let keep = context.keep.clone().filter(|_| self.model.save);
        Ok(Box::new(Fastbot::new(
            self.clone(),
            texts,
            history,
            own,
            keep,
        )))
    }

    fn files(&self) -> Vec<StartFile<'_>> {
        let file = |key, place: Option<usize>, path| StartFile {
            what: MODEL,
            keys: [Key::Name("model"), Key::Name(key)]
                .into_iter()
                .chain(place.map(Key::Place))
                .collect(),
            path,
            missing: "a session leaves its model in its folder, a run the sum below `models` beside it; relative paths \
                      start from the folder of the suite",
            unusable: "without `model.load` a run starts from the model that earlier runs left",
            folder: false,
            of_app: true,
        };
        let load = self.model.load.as_deref();
        let load = load.map(|path| file("load", None, path));
        let merge = self.model.merge.iter().enumerate();
        load.into_iter()
            .chain(merge.map(|(ix, path)| file("merge", Some(ix), path)))
            .chain(demonstrations::files(&self.demonstrations))
            .collect()
    }

    fn demonstrations(&self) -> Option<&[Utf8PathBuf]> {
        Some(&self.demonstrations)
    }

    fn model(&self) -> Option<&ModelFiles> {
        Some(&self.model)
    }

    fn faults(&self) -> bool {
        self.preset == Preset::Default
    }
}
