//! The settings of `q-learning` and of the ARES family: a preset, and what differs from it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{PolicyFiles, Preset};

/// The settings of `q-learning`. What is left out is the preset's; `default` remembers what it typed and hopes for
/// the best of what it never tried, `paper` and `published` are the plain table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct QLearning {
    /// Where the settings that are left out come from.
    pub preset: Preset,
    /// How far a value moves towards what was seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 0.0, max = 1.0))]
    pub alpha: Option<f64>,
    /// What the future counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 0.0, max = 1.0))]
    pub discount: Option<f64>,
    /// The chance of an action drawn evenly.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 0.0, max = 1.0))]
    pub epsilon: Option<f64>,
    /// Events of an episode, after which the app starts fresh. Usually 250.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32", range(min = 1))]
    pub episode: Option<u32>,
    /// What can be typed, beside what the text generator knows. Default: a
    /// few strings of ours; for models the model's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<String>", length(min = 1))]
    pub strings: Option<Vec<String>>,
    /// Learned values.
    pub policy: PolicyFiles,
}

/// The settings of `ares-sac`, `ares-td3` and `ares-ddpg`. What is left out is
/// the preset's.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Ares {
    /// Where the settings that are left out come from.
    pub preset: Preset,
    /// Adam's learning rate (of `ares-ddpg`: the critic's; the policy's is a tenth).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 0.0, max = 1.0))]
    pub learning_rate: Option<f64>,
    /// What the future counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 0.0, max = 1.0))]
    pub discount: Option<f64>,
    /// Steps kept in memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64", range(min = 1))]
    pub memory: Option<u64>,
    /// Steps learned from in an update.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64", range(min = 1, max = 4096))]
    pub batch: Option<u64>,
    /// A round of updates every so many events.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64", range(min = 1))]
    pub train_every: Option<u64>,
    /// Updates of a round.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64", range(min = 0, max = 10_000))]
    pub updates: Option<u64>,
    /// The chance of an action drawn evenly.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 0.0, max = 1.0))]
    pub random_exploration: Option<f64>,
    /// Of `ares-ddpg`: how far the noise on the policy's own actions (-1 to 1)
    /// is moved in a step; 0 is no noise.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 0.0, max = 2.0))]
    pub noise: Option<f64>,
    /// The share of the way that target networks move when they move; 1 copies.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 0.000001, max = 1.0))]
    pub tau: Option<f64>,
    /// Of `ares-sac`: target networks move every so many updates.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64", range(min = 1))]
    pub target_update: Option<u64>,
    /// Of `ares-sac`: the entropy, in nats, that each of an action's numbers
    /// is kept at; a squashed normal distribution has
    /// 0.68 at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = -20.0, max = 0.68))]
    pub entropy: Option<f64>,
    /// Of `ares-td3`: the policy and the target networks learn at every so
    /// manieth update.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64", range(min = 1))]
    pub policy_delay: Option<u64>,
    /// What rewards are multiplied with.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 0.0, max = 1_000_000.0))]
    pub reward_scale: Option<f64>,
    /// Does the state show which activities the episode has been at? New ones
    /// are what is paid for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "bool")]
    pub visited: Option<bool>,
    /// Events of an episode, after which the app starts fresh. Usually 250.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32", range(min = 1))]
    pub episode: Option<u32>,
    /// What can be typed, beside what the text generator knows. Default: a
    /// few strings of ours; for models the model's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<String>", length(min = 1))]
    pub strings: Option<Vec<String>>,
    /// Learned weights.
    pub policy: PolicyFiles,
}

impl Ares {
    /// Keys that are set though only another strategy has what they set, and that strategy. `kind`: the strategy's
    /// name.
    pub fn foreign(&self, kind: &str) -> Vec<(&'static str, &'static str)> {
        [
            ("noise", "ares-ddpg", self.noise.is_some()),
            ("target-update", "ares-sac", self.target_update.is_some()),
            ("entropy", "ares-sac", self.entropy.is_some()),
            ("policy-delay", "ares-td3", self.policy_delay.is_some()),
        ]
        .into_iter()
        .filter(|(_, whose, set)| *set && *whose != kind)
        .map(|(key, whose, _)| (key, whose))
        .collect()
    }
}
