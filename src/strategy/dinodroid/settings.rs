//! Every hyperparameter, and the three sets of them.

use crate::feature::{Encoding, FeatureKind};
use crate::graph::Abstraction;
use crate::graph::fixed::{Limits, Numbers, Restart};
use crate::strategy::definition::{Definition, PolicyFiles, Preset};
use camino::Utf8PathBuf;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

/// The events to choose from in a random choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Explore {
    /// Any event of the page (the paper).
    Any,
    /// One of those tried least (the published code).
    LeastPerformed,
}

/// The source of the values to learn from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Target {
    /// Computed when the event was performed, and never updated.
    Frozen,
    /// The best value of the following page, computed by a copy of the network that lags behind it.
    Copy,
    /// The same, but the network chooses the event, and its copy computes the value.
    Double,
}

/// When system events are sent, and which.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum System {
    /// One of all that Android knows, every so many events, whether the app listens or not (Stoat's generator).
    Every(u64),
    /// With this chance at each event, one that the app listens to, each as likely.
    Listened(f64),
}

/// When text fields are filled before anything else is done.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Fill {
    /// The page's empty ones when a session arrives at it, with this chance.
    Empty(f64),
    /// All of the page's, before every event that is no text itself (the paper).
    Always(Always),
}

/// The word `always`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Always {
    /// The word.
    Always,
}

impl Fill {
    /// All fields, before every event.
    pub const ALWAYS: Self = Self::Always(Always::Always);
}

fn fill_schema(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "anyOf": [
            { "type": "number", "minimum": 0.0, "maximum": 1.0 },
            { "type": "string", "enum": ["always"] },
        ],
    })
}

/// The settings of `dinodroid`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", default)]
pub struct Settings {
    /// The source of the settings that are left out.
    pub preset: Preset,
    /// The features of an event that the network sees: how often it was performed (`fcr`), how often the events that it
    /// leads to were performed, for three generations (`fcd`), its text (`txc`).
    #[schemars(length(min = 1))]
    pub features: Vec<FeatureKind>,
    /// The way to turn counts into numbers.
    pub encoding: Encoding,
    /// The chance of an event that is not the best one.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub epsilon: f64,
    /// The number of events chosen at random at the start, unless a policy is loaded. Filling fields is part of an
    /// event.
    pub warm_up: u64,
    /// The events to choose from in a random choice.
    pub explore: Explore,
    /// A Q-value margin: among events whose value is within this margin of the best, the least tried one is chosen.
    #[schemars(range(min = 0.0, max = 1_000_000.0))]
    pub margin: f32,
    /// Added to the reward of an event performed for the `n`th time, divided by the root of `n` (a count-based bonus for
    /// exploration: Strehl and Littman, 2008; Bellemare et al., 2016).
    #[schemars(range(min = 0.0, max = 1_000_000.0))]
    pub bonus: f32,
    /// Subtracted from the reward of an event that crashes the app in a way that is already a finding.
    #[schemars(range(min = 0.0, max = 1_000_000.0))]
    pub repeat_crash_penalty: f32,
    /// The chance of a system event that the app listens to.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub system_rate: f64,
    /// The number of events from one system event, of any kind, to the next (filling fields is part of an event).
    /// Replaces `system-rate`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64", range(min = 1))]
    pub system_every: Option<u64>,
    /// The chance that a page's empty text fields are filled when a session arrives at it; `"always"`: all fields,
    /// before every event.
    #[schemars(schema_with = "fill_schema")]
    pub fill: Fill,
    /// What makes pages one state, and events one event: the paper's rules (`fixed`), Fastbot2's sets of widgets
    /// (`fastbot`), or Fastbot3's, refined while the session runs (`tuned`).
    pub states: Abstraction,
    /// The number of texts in a row (rows of a list) without anything new, after which further ones count as one event.
    #[schemars(range(min = 1))]
    pub novelty_patience: u32,
    /// Whether texts that differ only in numbers are one event.
    pub merge_numbers: bool,
    /// The most events to count in one generation of an event's children.
    #[schemars(range(min = 1))]
    pub generation_size: usize,
    /// Whether a restart of the app is an event.
    pub restart: bool,
    /// Whether a restart is a separate event on each page. Otherwise it is one event for all pages.
    pub restart_per_page: bool,
    /// Whether the strategy learns. Otherwise it only uses its policy.
    pub learn: bool,
    /// Adam's learning rate.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub learning_rate: f64,
    /// The discount factor: the weight of future rewards.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub discount: f32,
    /// The source of the values to learn from.
    pub target: Target,
    /// The number of steps to keep in memory.
    #[schemars(range(min = 1))]
    pub memory: usize,
    /// The number of steps to learn from at each event.
    #[schemars(range(min = 1, max = 4096))]
    pub batch: usize,
    /// The number of passes over these steps at each event.
    #[schemars(range(min = 1, max = 1000))]
    pub epochs: usize,
    /// Whether up to two of these steps are ones with a reward and the others ones without. Otherwise all are drawn
    /// uniformly.
    pub by_reward: bool,
    /// Word vectors: word2vec, GloVe or finalfusion. Default: those that come with the tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub embedding: Option<Utf8PathBuf>,
    /// Learned weights.
    pub policy: PolicyFiles,
    /// What people did, to learn from before the first event: folders of runs, journals of sessions, traces, Maestro
    /// flows.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<String>")]
    pub demonstrations: Vec<Utf8PathBuf>,
}

impl Default for Settings {
    /// Ours. `docs/strategies/dinodroid.md` says where it leaves the paper, why, and what was measured.
    fn default() -> Self {
        Self {
            preset: Preset::Default,
            features: FeatureKind::ALL.to_vec(),
            encoding: Encoding::Buckets,
            epsilon: 0.2,
            warm_up: 20,
            explore: Explore::Any,
            margin: 1.0,
            bonus: 3.0,
            repeat_crash_penalty: 5.0,
            system_rate: 0.1,
            system_every: None,
            fill: Fill::Empty(0.5),
            states: Abstraction::Fixed,
            novelty_patience: 6,
            merge_numbers: true,
            generation_size: 512,
            restart: true,
            restart_per_page: false,
            learn: true,
            learning_rate: 1e-3,
            discount: 0.6,
            target: Target::Double,
            memory: 5_000,
            batch: 32,
            epochs: 2,
            by_reward: false,
            embedding: None,
            policy: PolicyFiles::default(),
            demonstrations: Vec::new(),
        }
    }
}

/// The paper: counts as they are, labels frozen in memory, the current sample and 4 from history, 20 epochs, epsilon .2
/// over all events, a random system event every 10, fields filled before every event. Discount and the first 20 random
/// events are the published code's; the paper is silent.
const PAPER: &str = r#"
encoding = "raw"
margin = 0.000001
bonus = 0.0
repeat-crash-penalty = 0.0
system-every = 10
fill = "always"
novelty-patience = 4294967295
merge-numbers = false
generation-size = 1000000000
restart-per-page = true
learning-rate = 0.0001
target = "frozen"
memory = 100000
batch = 5
epochs = 20
"#;

/// The published code: at most two samples of history that earned something, and exploring only among the events tried
/// least.
const PUBLISHED: &str = r#"
explore = "least-performed"
by-reward = true
"#;

impl Definition for Settings {
    const NAME: &'static str = "dinodroid";
    const SUMMARY: &'static str = "Deep Q-learning over histories and texts (DinoDroid, 2024).";
    const PAPER: &'static [&'static str] = &[PAPER];
    const PUBLISHED: &'static [&'static str] = &[PAPER, PUBLISHED];
    const EITHER: &'static [[&'static str; 2]] = &[["system-rate", "system-every"]];
    const RENAMED: &'static [(&'static str, &'static str)] = &[
        ("again", "repeat-crash-penalty"),
        ("barren", "novelty-patience"),
    ];
}

impl Settings {
    /// The features, in one order, each once: another order of a list is no other network.
    pub fn features(&self) -> impl Iterator<Item = FeatureKind> {
        let wanted = |kind: &FeatureKind| self.features.contains(kind);
        FeatureKind::ALL.into_iter().filter(wanted)
    }

    /// System events.
    pub fn system(&self) -> System {
        self.system_every
            .map_or(System::Listened(self.system_rate), System::Every)
    }

    /// Which pages and events are the same.
    pub fn limits(&self) -> Limits {
        Limits {
            novelty_patience: self.novelty_patience,
            restart: match (self.restart, self.restart_per_page) {
                (false, _) => Restart::Never,
                (true, true) => Restart::EachPage,
                (true, false) => Restart::Once,
            },
            numbers: if self.merge_numbers {
                Numbers::Merged
            } else {
                Numbers::Apart
            },
            ..Limits::default()
        }
    }
}
