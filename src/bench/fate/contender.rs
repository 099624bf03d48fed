//! Who runs: a strategy's name, with a preset behind a colon where it has several.

use super::FateError;
use crate::config::StrategyKind;
use crate::strategy::agent::Agent;
use crate::strategy::ares::settings;
use crate::strategy::ddpg::{self, Ddpg};
#[cfg(feature = "deep")]
use crate::strategy::dinodroid;
use crate::strategy::optimist::{self, Optimist};
use crate::strategy::q_learning::{self, QLearning};
use crate::strategy::sac::{self, Sac};
use crate::strategy::td3::{self, Td3};
use crate::util::seed::Rng;
use std::str::FromStr;

/// A strategy with its hyperparameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Contender {
    /// As the user wrote it: `NAME` or `NAME:PRESET`.
    pub name: String,
    /// What it is.
    pub kind: Kind,
}

/// What runs.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// FATE's random walk.
    Random,
    /// A table of values.
    QLearning(q_learning::Parameters),
    /// The same with hope and a memory of what it typed.
    Optimist(optimist::Parameters),
    /// Soft Actor-Critic.
    Sac(sac::Parameters),
    /// Twin Delayed DDPG.
    Td3(td3::Parameters),
    /// Deep Deterministic Policy Gradient.
    Ddpg(ddpg::Parameters),
    /// DinoDroid, on the sim device's pages.
    #[cfg(feature = "deep")]
    Dinodroid(Box<dinodroid::Parameters>),
}

/// Numbers of FATE's actions: widget and string.
const NUMBERS: usize = 2;

/// Names that are understood, for errors and help.
pub const NAMES: [&str; 6] = [
    "random",
    "q-learning[:paper|published|default]",
    "ares-sac[:paper|published|default]",
    "ares-td3[:paper|published|default]",
    "ares-ddpg[:paper|published|default]",
    "dinodroid[:default|paper|published]",
];

impl FromStr for Contender {
    type Err = FateError;

    fn from_str(text: &str) -> Result<Self, FateError> {
        let (name, preset) = match text.split_once(':') {
            Some((name, preset)) => (name, Some(preset)),
            None => (text, None),
        };
        let kind = match (name, preset) {
            ("random", None) => Kind::Random,
            ("q-learning", None | Some("paper")) => {
                Kind::QLearning(q_learning::Parameters::paper())
            }
            ("q-learning", Some("default")) => Kind::Optimist(optimist::Parameters::default()),
            ("q-learning", Some("published")) => {
                Kind::QLearning(q_learning::Parameters::published())
            }
            ("ares-sac", None | Some("paper")) => Kind::Sac(sac::Parameters::paper()),
            ("ares-sac", Some("published")) => Kind::Sac(sac::Parameters::published()),
            ("ares-sac", Some("default")) => Kind::Sac(sac::Parameters::default()),
            ("ares-td3", None | Some("paper")) => Kind::Td3(td3::Parameters::paper()),
            ("ares-td3", Some("published")) => Kind::Td3(td3::Parameters::published()),
            ("ares-td3", Some("default")) => Kind::Td3(td3::Parameters::default()),
            ("ares-ddpg", None | Some("paper")) => Kind::Ddpg(ddpg::Parameters::paper()),
            ("ares-ddpg", Some("published")) => Kind::Ddpg(ddpg::Parameters::published()),
            ("ares-ddpg", Some("default")) => Kind::Ddpg(ddpg::Parameters::default()),
            #[cfg(feature = "deep")]
            ("dinodroid", None | Some("default")) => Kind::Dinodroid(Box::default()),
            #[cfg(feature = "deep")]
            ("dinodroid", Some("paper")) => {
                Kind::Dinodroid(Box::new(dinodroid::Parameters::paper()))
            }
            #[cfg(feature = "deep")]
            ("dinodroid", Some("published")) => {
                Kind::Dinodroid(Box::new(dinodroid::Parameters::published()))
            }
            _ => {
                return Err(FateError::Contender(format!(
                    "`{text}` is not a strategy of `bench fate`; there are {}",
                    NAMES.join(", ")
                )));
            }
        };
        Ok(Self {
            name: text.to_owned(),
            kind,
        })
    }
}

impl Kind {
    /// What a suite's strategy is here; `None`: it has no parameters, or does not run on models' raw walks.
    pub fn of(kind: &StrategyKind) -> Option<Self> {
        Some(match kind {
            StrategyKind::Random(_) | StrategyKind::Monkey(_) => return None,
            StrategyKind::QLearning(own) => match settings::table(own) {
                settings::Table::Optimist(own) => Self::Optimist(own),
                settings::Table::Plain(own) => Self::QLearning(own),
            },
            StrategyKind::AresSac(own) => Self::Sac(settings::sac_parameters(own)),
            StrategyKind::AresTd3(own) => Self::Td3(settings::td3_parameters(own)),
            StrategyKind::AresDdpg(own) => Self::Ddpg(settings::ddpg_parameters(own)),
            #[cfg(feature = "deep")]
            StrategyKind::Dinodroid(own) => {
                Self::Dinodroid(Box::new(dinodroid::settings::parameters(own)))
            }
            #[cfg(not(feature = "deep"))]
            StrategyKind::Dinodroid(_) => return None,
        })
    }

    /// The strategy's name, without a preset.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::QLearning(_) | Self::Optimist(_) => "q-learning",
            Self::Sac(_) => "ares-sac",
            Self::Td3(_) => "ares-td3",
            Self::Ddpg(_) => "ares-ddpg",
            #[cfg(feature = "deep")]
            Self::Dinodroid(_) => "dinodroid",
        }
    }

    /// A fresh agent, of those that learn in the walk.
    ///
    /// # Errors
    /// It does not learn there.
    pub fn agent(&self, rng: &mut Rng) -> Result<Box<dyn Agent>, FateError> {
        match self {
            Self::QLearning(parameters) => Ok(Box::new(QLearning::new(*parameters))),
            Self::Optimist(parameters) => Ok(Box::new(Optimist::new(*parameters))),
            Self::Sac(parameters) => Ok(Box::new(Sac::new(*parameters, NUMBERS, rng))),
            Self::Td3(parameters) => Ok(Box::new(Td3::new(*parameters, NUMBERS, rng))),
            Self::Ddpg(parameters) => Ok(Box::new(Ddpg::new(*parameters, NUMBERS, rng))),
            other => Err(FateError::Contender(format!(
                "`{}` does not learn in the raw walk",
                other.name()
            ))),
        }
    }
}
