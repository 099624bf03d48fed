//! `[[strategy]]`: who decides what to do next.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Ares, Dinodroid, HumanDuration, PolicyFiles, QLearning};

/// Strategies that are planned: named in errors, not accepted.
const NOT_YET: &[&str] = &["fastbot", "timemachine"];

/// A strategy with its settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(transform = close_strategy)]
pub struct Strategy {
    /// The strategy's name in reports and on the command line. Default: its
    /// kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "super::name_schema")]
    pub name: Option<String>,
    /// Which strategy, with its settings.
    #[serde(flatten)]
    pub kind: StrategyKind,
}

/// The strategies.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum StrategyKind {
    /// Uniform over the events that the page offers.
    Random(Random),
    /// Raw coordinates and keys, in the proportions of Android's Monkey.
    Monkey(Monkey),
    /// Deep Q-learning over histories and texts (`DinoDroid`, 2024).
    Dinodroid(Dinodroid),
    /// A table of values (ARES, 2022; with the preset `default` our own).
    QLearning(QLearning),
    /// Soft Actor-Critic (ARES, 2022).
    AresSac(Ares),
    /// Twin Delayed DDPG (ARES, 2022).
    AresTd3(Ares),
    /// Deep Deterministic Policy Gradient (ARES, 2022).
    AresDdpg(Ares),
}

impl StrategyKind {
    /// The policy's files, of strategies that learn.
    pub const fn policy(&self) -> Option<&PolicyFiles> {
        match self {
            Self::Random(_) | Self::Monkey(_) => None,
            Self::Dinodroid(settings) => Some(&settings.policy),
            Self::QLearning(settings) => Some(&settings.policy),
            Self::AresSac(settings) | Self::AresTd3(settings) | Self::AresDdpg(settings) => {
                Some(&settings.policy)
            }
        }
    }

    /// The same, to be changed.
    pub const fn policy_mut(&mut self) -> Option<&mut PolicyFiles> {
        match self {
            Self::Random(_) | Self::Monkey(_) => None,
            Self::Dinodroid(settings) => Some(&mut settings.policy),
            Self::QLearning(settings) => Some(&mut settings.policy),
            Self::AresSac(settings) | Self::AresTd3(settings) | Self::AresDdpg(settings) => {
                Some(&mut settings.policy)
            }
        }
    }
}

/// The settings of `random`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Random {
    /// The share of events that are system events the app listens for
    /// (rotation, broadcasts, going to the background and back).
    #[schemars(range(min = 0.0, max = 1.0))]
    pub system_rate: f64,
}

impl Default for Random {
    fn default() -> Self {
        Self { system_rate: 0.05 }
    }
}

/// The settings of `monkey`: its `--pct-*` options, in percent.
///
/// As in Monkey, those that the suite sets are kept and the others share what
/// is left in their usual proportions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Monkey {
    /// Down and up at one place. Usually 15.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 0.0, max = 100.0))]
    pub pct_touch: Option<f64>,
    /// Down, some moves, and up. Usually 10.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 0.0, max = 100.0))]
    pub pct_motion: Option<f64>,
    /// Random moves of a trackball, sometimes with a click. Usually 15.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 0.0, max = 100.0))]
    pub pct_trackball: Option<f64>,
    /// The arrow keys. Usually 25.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 0.0, max = 100.0))]
    pub pct_nav: Option<f64>,
    /// The centre and menu keys. Usually 15.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 0.0, max = 100.0))]
    pub pct_majornav: Option<f64>,
    /// Home, back, call, volume. Usually 2.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 0.0, max = 100.0))]
    pub pct_syskeys: Option<f64>,
    /// Starting the app's activities. Usually 2.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 0.0, max = 100.0))]
    pub pct_appswitch: Option<f64>,
    /// Opening and closing a keyboard. Usually 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 0.0, max = 100.0))]
    pub pct_flip: Option<f64>,
    /// Two fingers. Usually 2.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 0.0, max = 100.0))]
    pub pct_pinchzoom: Option<f64>,
    /// Any other key. Usually 13.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 0.0, max = 100.0))]
    pub pct_anyevent: Option<f64>,
    /// A pause after every event.
    pub throttle: HumanDuration,
}

/// Monkey's proportions with every share known, in percent, 100 in all.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct MonkeyMix {
    pub touch: f64,
    pub motion: f64,
    pub trackball: f64,
    pub nav: f64,
    pub majornav: f64,
    pub syskeys: f64,
    pub appswitch: f64,
    pub flip: f64,
    pub pinchzoom: f64,
    pub anyevent: f64,
}

impl Monkey {
    fn shares(&self) -> [(Option<f64>, f64); 10] {
        [
            (self.pct_touch, 15.0),
            (self.pct_motion, 10.0),
            (self.pct_trackball, 15.0),
            (self.pct_nav, 25.0),
            (self.pct_majornav, 15.0),
            (self.pct_syskeys, 2.0),
            (self.pct_appswitch, 2.0),
            (self.pct_flip, 1.0),
            (self.pct_pinchzoom, 2.0),
            (self.pct_anyevent, 13.0),
        ]
    }

    /// What is wrong with the shares together, if anything: they exceed 100
    /// percent, or all are set and do not make 100.
    pub fn share_error(&self) -> Option<String> {
        let shares = self.shares();
        let sum: f64 = shares.iter().filter_map(|(set, _)| *set).sum();
        let all_set = shares.iter().all(|(set, _)| set.is_some());
        if sum > 100.0 + 1e-6 {
            Some(format!("the shares add up to {sum} percent, more than 100"))
        } else if all_set && sum < 100.0 - 1e-6 {
            Some(format!(
                "every share is set and they add up to {sum} percent, not 100"
            ))
        } else {
            None
        }
    }

    /// The shares as Monkey computes them: set ones kept, the rest scaled to
    /// fill up to 100.
    pub fn mix(&self) -> MonkeyMix {
        let shares = self.shares();
        let set: f64 = shares.iter().filter_map(|(set, _)| *set).sum();
        let usual: f64 = shares
            .iter()
            .filter(|(set, _)| set.is_none())
            .map(|(_, usual)| usual)
            .sum();
        let scale = if usual > 0.0 {
            (100.0 - set).max(0.0) / usual
        } else {
            0.0
        };
        let [
            touch,
            motion,
            trackball,
            nav,
            majornav,
            syskeys,
            appswitch,
            flip,
            pinchzoom,
            anyevent,
        ] = shares.map(|(set, usual)| set.unwrap_or(usual * scale));
        MonkeyMix {
            touch,
            motion,
            trackball,
            nav,
            majornav,
            syskeys,
            appswitch,
            flip,
            pinchzoom,
            anyevent,
        }
    }
}

fn close_strategy(schema: &mut schemars::Schema) {
    super::close_tagged(schema, NOT_YET);
}

impl Strategy {
    /// The name: the suite's, or the kind's.
    pub fn name(&self) -> &str {
        self.name.as_deref().unwrap_or(self.kind_name())
    }

    /// The name of the strategy's kind, as the suite writes it.
    pub fn kind_name(&self) -> &'static str {
        match self.kind {
            StrategyKind::Random(_) => "random",
            StrategyKind::Monkey(_) => "monkey",
            StrategyKind::Dinodroid(_) => "dinodroid",
            StrategyKind::QLearning(_) => "q-learning",
            StrategyKind::AresSac(_) => "ares-sac",
            StrategyKind::AresTd3(_) => "ares-td3",
            StrategyKind::AresDdpg(_) => "ares-ddpg",
        }
    }

    /// Keys that this strategy has nothing for, each with the strategy whose they are.
    pub fn foreign(&self) -> Vec<(&'static str, &'static str)> {
        match &self.kind {
            StrategyKind::AresSac(own)
            | StrategyKind::AresTd3(own)
            | StrategyKind::AresDdpg(own) => own.foreign(self.kind_name()),
            _ => Vec::new(),
        }
    }

    /// The strategies of a suite that names none: `dinodroid`, or `random` in a build without a tensor engine.
    pub fn defaults() -> Vec<Self> {
        let kind = if cfg!(feature = "deep") {
            StrategyKind::Dinodroid(Dinodroid::default())
        } else {
            StrategyKind::Random(Random::default())
        };
        vec![Self { name: None, kind }]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_that_are_set_stay_and_the_others_fill_up() {
        let mix = Monkey::default().mix();
        assert_eq!((mix.touch, mix.nav, mix.anyevent), (15.0, 25.0, 13.0));

        let monkey = Monkey {
            pct_touch: Some(57.5),
            ..Monkey::default()
        };
        let mix = monkey.mix();
        assert_eq!(mix.touch, 57.5);
        assert!((mix.nav - 12.5).abs() < 1e-9);
        assert_eq!(monkey.share_error(), None);
    }

    #[test]
    fn shares_above_100_are_an_error() {
        let monkey = Monkey {
            pct_touch: Some(60.0),
            pct_nav: Some(60.0),
            ..Monkey::default()
        };
        assert!(monkey.share_error().unwrap().contains("120 percent"));
    }
}
