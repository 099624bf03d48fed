//! `[faults]`: what goes wrong around an app while it is explored.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Preset, StrategyKind};

/// What goes wrong around an app (low memory, the end of its process in the background, a revoked permission, another
/// language or screen, no room, the next day): on the jvm device, in place of an event of the strategy, and named in
/// traces as such.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Faults {
    /// Which share of the events are faults; 0: none. `monkey`, the presets `paper` and `published` and `bench` have
    /// none at any rate: they are compared with what others measured.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub rate: f64,
}

impl Default for Faults {
    fn default() -> Self {
        Self { rate: 0.01 }
    }
}

impl Faults {
    /// The share of a session's events, 0 to 1.
    pub fn rate_of(self, strategy: &StrategyKind, bench: bool) -> f64 {
        let own = match strategy {
            StrategyKind::Random(_) => true,
            StrategyKind::Monkey(_) => false,
            StrategyKind::Dinodroid(settings) => settings.preset == Preset::Default,
            StrategyKind::QLearning(settings) => settings.preset == Preset::Default,
            StrategyKind::AresSac(settings)
            | StrategyKind::AresTd3(settings)
            | StrategyKind::AresDdpg(settings) => settings.preset == Preset::Default,
        };
        if own && !bench { self.rate } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Ares, Dinodroid, Monkey, QLearning, Random};
    use super::*;

    #[test]
    fn what_is_compared_with_others_has_no_faults() {
        let faults = Faults { rate: 0.5 };
        let preset = Preset::Published;
        for none in [
            StrategyKind::Monkey(Monkey::default()),
            StrategyKind::Dinodroid(Dinodroid {
                preset: Preset::Paper,
                ..Dinodroid::default()
            }),
            StrategyKind::QLearning(QLearning {
                preset,
                ..QLearning::default()
            }),
            StrategyKind::AresTd3(Ares {
                preset,
                ..Ares::default()
            }),
        ] {
            assert_eq!(faults.rate_of(&none, false), 0.0, "{none:?}");
        }
        for some in [
            StrategyKind::Random(Random::default()),
            StrategyKind::Dinodroid(Dinodroid::default()),
            StrategyKind::AresSac(Ares::default()),
        ] {
            assert_eq!(faults.rate_of(&some, false), 0.5);
            assert_eq!(faults.rate_of(&some, true), 0.0);
            assert_eq!(Faults::default().rate_of(&some, false), 0.01);
        }
    }
}
