//! The settings of `dinodroid`: a preset, and what differs from it.

use camino::Utf8PathBuf;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Where the settings that are left out come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Preset {
    /// Ours: what measurement showed to be better.
    #[default]
    Default,
    /// What the paper says.
    Paper,
    /// What the paper's published code does.
    Published,
}

/// What the network is told of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DinodroidFeature {
    /// How often it was performed.
    Fcr,
    /// How often the events behind it were, for three generations.
    Fcd,
    /// What it says.
    Txc,
}

/// What is explored when chance says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Explored {
    /// Any event of the page.
    Any,
    /// One of those performed least.
    LeastPerformed,
}

/// How counts become numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Encoding {
    /// As they are.
    Raw,
    /// A place for each small count, logarithms of numbers of events.
    Buckets,
}

/// Where the values that are learned from come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum QTarget {
    /// Computed when the event was performed, never renewed.
    Frozen,
    /// The best of the following page, by a copy of the network that follows it.
    Copy,
    /// The same, chosen by the network and valued by its copy.
    Double,
}

/// Learned weights: where they come from and whether they are kept.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct PolicyFiles {
    /// Start from this policy. Default: the one that ships with the tool, where preset, features, encoding and
    /// embedding are the default ones it was trained with.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub load: Option<Utf8PathBuf>,
    /// Start with nothing learned where no policy is named.
    pub fresh: bool,
    /// Keep what was learned in the session's folder, as `policy.safetensors`.
    pub save: bool,
}

/// The settings of `dinodroid`. What is left out is the preset's.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Dinodroid {
    /// Where the settings that are left out come from.
    pub preset: Preset,
    /// What the network is told of an event. Default: all.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<DinodroidFeature>", length(min = 1))]
    pub features: Option<Vec<DinodroidFeature>>,
    /// How counts become numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Encoding")]
    pub encoding: Option<Encoding>,
    /// The chance of an event that is not the best one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 0.0, max = 1.0))]
    pub epsilon: Option<f64>,
    /// Events chosen by chance at the beginning, unless a policy is loaded.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64")]
    pub warm_up: Option<u64>,
    /// What is explored when chance says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Explored")]
    pub explore: Option<Explored>,
    /// The chance of a system event that the app listens to.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 0.0, max = 1.0))]
    pub system_rate: Option<f64>,
    /// A system event of any kind every so many events of its own (filling fields is part of one), in place of `system-rate`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64", range(min = 1))]
    pub system_every: Option<u64>,
    /// Events worth as much as the best one but for this are chosen among by how seldom they were performed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 0.0, max = 1_000_000.0))]
    pub margin: Option<f64>,
    /// Added to the reward of an event performed for the `n`th time, divided by the root of `n`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 0.0, max = 1_000_000.0))]
    pub bonus: Option<f64>,
    /// Taken from the reward of an event that ends the app by a crash met before.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 0.0, max = 1_000_000.0))]
    pub again: Option<f64>,
    /// The chance that a page's empty text fields are filled when it is come to.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 0.0, max = 1.0))]
    pub fill: Option<f64>,
    /// Where so many texts in a row (rows of a list) had nothing new behind them, further ones count as one event.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32", range(min = 1))]
    pub barren: Option<u32>,
    /// Is starting the app anew an event of every page?
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "bool")]
    pub restart: Option<bool>,
    /// Does it learn, or only use what its policy knows?
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "bool")]
    pub learn: Option<bool>,
    /// Adam's learning rate.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 0.0, max = 1.0))]
    pub learning_rate: Option<f64>,
    /// What the future counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 0.0, max = 1.0))]
    pub discount: Option<f64>,
    /// Where the values that are learned from come from.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "QTarget")]
    pub target: Option<QTarget>,
    /// Steps kept in memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64", range(min = 1))]
    pub memory: Option<u64>,
    /// Steps learned from at each event.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64", range(min = 1, max = 4096))]
    pub batch: Option<u64>,
    /// How often they are gone over.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64", range(min = 1, max = 1000))]
    pub epochs: Option<u64>,
    /// Word vectors: word2vec, GloVe or finalfusion. Default: those that come with the tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub embedding: Option<Utf8PathBuf>,
    /// Learned weights.
    pub policy: PolicyFiles,
}
