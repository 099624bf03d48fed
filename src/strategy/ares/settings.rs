//! From the suite's settings to agents on devices.

use super::{Ares, NUMBERS, Parameters};
use crate::config::{self, Preset};
use crate::strategy::agent::Agent;
use crate::strategy::ddpg::{self, Ddpg};
use crate::strategy::optimist::{self, Optimist};
use crate::strategy::q_learning::{self, QLearning};
use crate::strategy::registry::Setting;
use crate::strategy::sac::{self, Sac};
use crate::strategy::td3::{self, Td3};
use crate::strategy::{Strategy as _, StrategyError};
use crate::util::seed;
use std::fs::File;

/// `q-learning` as the suite wants it, its policy loaded.
///
/// # Errors
/// The policy cannot be read or does not fit.
pub fn q_learning(
    settings: &config::QLearning,
    setting: &Setting<'_>,
) -> Result<Ares, StrategyError> {
    let agent: Box<dyn Agent> = match table(settings) {
        Table::Optimist(own) => Box::new(Optimist::new(own)),
        Table::Plain(own) => Box::new(QLearning::new(own)),
    };
    let frame = frame(settings.episode, settings.strings.as_ref(), setting);
    around("q-learning", agent, frame, &settings.policy, setting)
}

/// Which of the two tables.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Table {
    /// Ours.
    Optimist(optimist::Parameters),
    /// The papers'.
    Plain(q_learning::Parameters),
}

/// The preset with the suite's own settings over it.
pub fn table(settings: &config::QLearning) -> Table {
    if settings.preset == Preset::Default {
        let mut own = optimist::Parameters::default();
        own.alpha = settings.alpha.map_or(own.alpha, narrow);
        own.gamma = settings.discount.map_or(own.gamma, narrow);
        own.epsilon = settings.epsilon.unwrap_or(own.epsilon);
        return Table::Optimist(own);
    }
    let mut own = if settings.preset == Preset::Paper {
        q_learning::Parameters::paper()
    } else {
        q_learning::Parameters::published()
    };
    own.alpha = settings.alpha.map_or(own.alpha, narrow);
    own.gamma = settings.discount.map_or(own.gamma, narrow);
    own.epsilon = settings.epsilon.unwrap_or(own.epsilon);
    Table::Plain(own)
}

/// `ares-sac` as the suite wants it, its policy loaded.
///
/// # Errors
/// The policy cannot be read or does not fit.
pub fn sac(settings: &config::Ares, setting: &Setting<'_>) -> Result<Ares, StrategyError> {
    let own = sac_parameters(settings);
    let agent = Box::new(Sac::new(own, NUMBERS, &mut first_weights(setting)));
    let frame = frame(settings.episode, settings.strings.as_ref(), setting);
    around("ares-sac", agent, frame, &settings.policy, setting)
}

/// The preset with the suite's own settings over it.
pub fn sac_parameters(settings: &config::Ares) -> sac::Parameters {
    let mut own = match settings.preset {
        Preset::Default => sac::Parameters::default(),
        Preset::Paper => sac::Parameters::paper(),
        Preset::Published => sac::Parameters::published(),
    };
    own.rate = settings.learning_rate.map_or(own.rate, narrow);
    own.gamma = settings.discount.map_or(own.gamma, narrow);
    own.buffer = settings.memory.map_or(own.buffer, count);
    own.batch = settings.batch.map_or(own.batch, count);
    own.train_freq = settings.train_every.unwrap_or(own.train_freq);
    own.gradient_steps = settings.updates.unwrap_or(own.gradient_steps);
    own.random_exploration = settings
        .random_exploration
        .unwrap_or(own.random_exploration);
    own.tau = settings.tau.map_or(own.tau, narrow);
    own.target_update = settings.target_update.unwrap_or(own.target_update);
    own.entropy = settings.entropy.map_or(own.entropy, narrow);
    own.reward_scale = settings.reward_scale.map_or(own.reward_scale, narrow);
    own.visited = settings.visited.unwrap_or(own.visited);
    own
}

/// `ares-td3` as the suite wants it, its policy loaded.
///
/// # Errors
/// The policy cannot be read or does not fit.
pub fn td3(settings: &config::Ares, setting: &Setting<'_>) -> Result<Ares, StrategyError> {
    let own = td3_parameters(settings);
    let agent = Box::new(Td3::new(own, NUMBERS, &mut first_weights(setting)));
    let frame = frame(settings.episode, settings.strings.as_ref(), setting);
    around("ares-td3", agent, frame, &settings.policy, setting)
}

/// The preset with the suite's own settings over it.
pub fn td3_parameters(settings: &config::Ares) -> td3::Parameters {
    let mut own = match settings.preset {
        Preset::Default => td3::Parameters::default(),
        Preset::Paper => td3::Parameters::paper(),
        Preset::Published => td3::Parameters::published(),
    };
    own.rate = settings.learning_rate.map_or(own.rate, narrow);
    own.gamma = settings.discount.map_or(own.gamma, narrow);
    own.buffer = settings.memory.map_or(own.buffer, count);
    own.batch = settings.batch.map_or(own.batch, count);
    own.train_freq = settings.train_every.unwrap_or(own.train_freq);
    own.gradient_steps = settings.updates.unwrap_or(own.gradient_steps);
    own.random_exploration = settings
        .random_exploration
        .unwrap_or(own.random_exploration);
    own.tau = settings.tau.map_or(own.tau, narrow);
    own.policy_delay = settings.policy_delay.unwrap_or(own.policy_delay);
    own.reward_scale = settings.reward_scale.map_or(own.reward_scale, narrow);
    own.visited = settings.visited.unwrap_or(own.visited);
    own
}

/// `ares-ddpg` as the suite wants it, its policy loaded.
///
/// # Errors
/// The policy cannot be read or does not fit.
pub fn ddpg(settings: &config::Ares, setting: &Setting<'_>) -> Result<Ares, StrategyError> {
    let own = ddpg_parameters(settings);
    let agent = Box::new(Ddpg::new(own, NUMBERS, &mut first_weights(setting)));
    let frame = frame(settings.episode, settings.strings.as_ref(), setting);
    around("ares-ddpg", agent, frame, &settings.policy, setting)
}

/// The preset with the suite's own settings over it.
pub fn ddpg_parameters(settings: &config::Ares) -> ddpg::Parameters {
    let mut own = match settings.preset {
        Preset::Default => ddpg::Parameters::default(),
        Preset::Paper => ddpg::Parameters::paper(),
        Preset::Published => ddpg::Parameters::published(),
    };
    if let Some(rate) = settings.learning_rate.map(narrow) {
        (own.critic_rate, own.actor_rate) = (rate, rate / 10.0);
    }
    own.gamma = settings.discount.map_or(own.gamma, narrow);
    own.buffer = settings.memory.map_or(own.buffer, count);
    own.batch = settings.batch.map_or(own.batch, count);
    own.noise = settings.noise.map_or(own.noise, narrow);
    own.rollout = settings.train_every.unwrap_or(own.rollout);
    own.train_steps = settings.updates.unwrap_or(own.train_steps);
    own.random_exploration = settings
        .random_exploration
        .unwrap_or(own.random_exploration);
    own.tau = settings.tau.map_or(own.tau, narrow);
    own.reward_scale = settings.reward_scale.map_or(own.reward_scale, narrow);
    own.visited = settings.visited.unwrap_or(own.visited);
    own
}

/// Strings: the suite's, else the model's (which are all there is to type), else ours.
fn frame(episode: Option<u32>, strings: Option<&Vec<String>>, setting: &Setting<'_>) -> Parameters {
    let usual = Parameters::default();
    let pool = setting.pool.filter(|_| strings.is_none());
    Parameters {
        episode: episode.unwrap_or(usual.episode),
        generator: pool.is_none(),
        strings: pool
            .map(<[String]>::to_vec)
            .or_else(|| strings.cloned())
            .unwrap_or(usual.strings),
    }
}

fn around(
    name: &'static str,
    agent: Box<dyn Agent>,
    frame: Parameters,
    policy: &config::PolicyFiles,
    setting: &Setting<'_>,
) -> Result<Ares, StrategyError> {
    let mut strategy = Ares::new(name, agent, frame, setting.session).on(setting.content);
    if let Some(path) = &policy.load {
        let path = (setting.on_disk)(path);
        let refused = |e: StrategyError| StrategyError::Policy(format!("{path}: {e}"));
        let mut file = File::open(&path).map_err(|e| refused(e.into()))?;
        strategy.load(&mut file).map_err(refused)?;
    }
    Ok(strategy)
}

/// Networks are there before the session's own generator is: their first weights have one by the session's name.
fn first_weights(setting: &Setting<'_>) -> seed::Rng {
    seed::generator(setting.seed, setting.package, "first weights", 0)
}

#[allow(clippy::cast_possible_truncation)] // shares and rates
const fn narrow(number: f64) -> f32 {
    number as f32
}

fn count(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_paper_searched_can_be_set_and_what_is_not_set_is_the_presets() {
        let all = config::Ares {
            preset: Preset::Paper,
            tau: Some(0.5),
            target_update: Some(3),
            entropy: Some(-0.25),
            policy_delay: Some(4),
            noise: Some(0.75),
            visited: Some(true),
            ..config::Ares::default()
        };
        let sac = sac::Parameters {
            tau: 0.5,
            target_update: 3,
            entropy: -0.25,
            visited: true,
            ..sac::Parameters::paper()
        };
        let td3 = td3::Parameters {
            tau: 0.5,
            policy_delay: 4,
            visited: true,
            ..td3::Parameters::paper()
        };
        let ddpg = ddpg::Parameters {
            tau: 0.5,
            noise: 0.75,
            visited: true,
            ..ddpg::Parameters::paper()
        };
        assert_eq!(sac_parameters(&all), sac);
        assert_eq!(td3_parameters(&all), td3);
        assert_eq!(ddpg_parameters(&all), ddpg);
        for preset in [Preset::Default, Preset::Paper, Preset::Published] {
            let bare = config::Ares {
                preset,
                ..config::Ares::default()
            };
            let (sac, td3, ddpg) = match preset {
                Preset::Default => Default::default(),
                Preset::Paper => (
                    sac::Parameters::paper(),
                    td3::Parameters::paper(),
                    ddpg::Parameters::paper(),
                ),
                Preset::Published => (
                    sac::Parameters::published(),
                    td3::Parameters::published(),
                    ddpg::Parameters::published(),
                ),
            };
            assert_eq!(sac_parameters(&bare), sac);
            assert_eq!(td3_parameters(&bare), td3);
            assert_eq!(ddpg_parameters(&bare), ddpg);
        }
    }
}
