//! `ares-ddpg`: Deep Deterministic Policy Gradient.
//!
//! Lillicrap et al.: "Continuous control with deep reinforcement learning" (2016, arXiv 1509.02971), with ARES's
//! hyperparameters and its random exploration (Romdhana et al., 2022).

use super::actor::{Approximator, Body, meet_alike, normal};
use super::ares;
use super::learner::{Act, Learner, Scene};
use crate::learn::bundle::Bundle;
use crate::learn::mlp::{Batch, Mlp, Shape};
use crate::learn::steps::{Drawn, Steps, Transition};
use crate::util::seed::Rng;
use ndarray::Array2;
use rand::RngExt as _;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Every hyperparameter.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", default)]
pub struct Parameters {
    /// The numbers of units of the two hidden layers.
    #[schemars(inner(range(min = 1, max = 1024)))]
    pub hidden: [usize; 2],
    /// Adam's learning rate of the critic.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub learning_rate: f32,
    /// Adam's learning rate of the policy. Default: a tenth of the critic's.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f32", range(min = 0.0, max = 1.0))]
    pub policy_learning_rate: Option<f32>,
    /// The discount factor: the weight of future rewards.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub discount: f32,
    /// The share by which an update moves the target networks towards the learned ones; 1: they are copied.
    #[schemars(range(min = 0.000001, max = 1.0))]
    pub tau: f32,
    /// The number of steps to keep in memory.
    #[schemars(range(min = 1))]
    pub memory: usize,
    /// The number of steps to learn from in an update.
    #[schemars(range(min = 1, max = 4096))]
    pub batch: usize,
    /// How far the noise on the policy's actions (-1 to 1) moves in a step; 0: no noise.
    #[schemars(range(min = 0.0, max = 2.0))]
    pub noise: f32,
    /// The chance of a uniformly random action.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub random_exploration: f64,
    /// The number of events from one round of updates to the next.
    #[schemars(range(min = 1))]
    pub train_every: u64,
    /// The number of updates in a round.
    #[schemars(range(min = 0, max = 10_000))]
    pub updates: u64,
    /// The factor that rewards are multiplied by.
    #[schemars(range(min = 0.0, max = 1_000_000.0))]
    pub reward_scale: f32,
    /// Whether the state shows which activities the episode has visited. New ones are rewarded.
    pub visited: bool,
}

/// The critic's learning rate in the papers.
const RATE: f32 = 1e-3;

impl Default for Parameters {
    /// Ours: the paper's with a round every 10 steps and rewards of about 1.
    fn default() -> Self {
        Self {
            hidden: [64, 64],
            learning_rate: RATE,
            policy_learning_rate: None,
            discount: 0.99,
            tau: 0.001,
            memory: 50_000,
            batch: 128,
            noise: 0.3,
            random_exploration: 0.7,
            train_every: 10,
            updates: 10,
            reward_scale: 1e-3,
            visited: false,
        }
    }
}

impl Parameters {
    /// Adam's learning rate of the policy.
    fn policy_rate(&self) -> f32 {
        let tenth = if self.learning_rate == RATE {
            // The papers' number; the division gives the one next to it.
            1e-4
        } else {
            self.learning_rate / 10.0
        };
        self.policy_learning_rate.unwrap_or(tenth)
    }
}

/// ARES's evaluation: policy 1e-4, critic 1e-3, 10 updates every 100 steps, random exploration .7. Its code leaves out
/// the noise that Lillicrap has (section 7, .2); .3 is what FATE's models like best.
const PAPER: &str = "
train-every = 100
reward-scale = 1.0
";

/// FATE's published code: 25 updates a round, random exploration .8, no noise.
const PUBLISHED: &str = "
random-exploration = 0.8
noise = 0.0
updates = 25
";

/// The settings of `ares-ddpg`.
pub type Settings = ares::Settings<Parameters>;

impl ares::Algorithm for Parameters {
    const NAME: &'static str = "ares-ddpg";
    const SUMMARY: &'static str = "Deep Deterministic Policy Gradient (ARES, 2022).";
    const PAPER: &'static [&'static str] = &[PAPER];
    const PUBLISHED: &'static [&'static str] = &[PAPER, PUBLISHED];

    fn learner(self, numbers: usize, rng: &mut Rng) -> Box<dyn Learner> {
        Box::new(Ddpg::new(self, numbers, rng))
    }
}

/// How much of the noise is lost in a step (Ornstein and Uhlenbeck's process, theta, as Lillicrap's).
const FADING: f32 = 0.15;

/// The learner.
#[derive(Debug)]
pub struct Ddpg {
    parameters: Parameters,
    body: Body,
    actor: Approximator,
    critic: Approximator,
    target_actor: Mlp,
    target: Mlp,
    memory: Steps,
    /// The noise on the policy's actions, which goes on from one of them to the next.
    noise: [f32; 3],
    steps: u64,
    updates: u64,
}

impl Ddpg {
    /// A fresh learner; actions have so many numbers.
    pub fn new(parameters: Parameters, numbers: usize, rng: &mut Rng) -> Self {
        let shape = |dense, outputs| Shape {
            dense,
            hidden: parameters.hidden,
            outputs,
        };
        let actor = Approximator::new(shape(0, numbers), 3e-3, parameters.policy_rate(), rng);
        let critic = Approximator::new(shape(numbers, 1), 3e-3, parameters.learning_rate, rng);
        Self {
            target: critic.net.clone(),
            target_actor: actor.net.clone(),
            critic,
            actor,
            body: Body::new(numbers, parameters.visited),
            memory: Steps::new(parameters.memory),
            noise: [0.0; 3],
            steps: 0,
            updates: 0,
            parameters,
        }
    }

    /// What the critic is to say: the reward, and the target's value of what the target's policy would do then.
    fn wanted(&self, drawn: &Drawn<'_>) -> Vec<f32> {
        let parameters = self.parameters;
        let following = self.target_actor.forward(&drawn.after).out;
        let following = following.iter().map(|raw| raw.tanh()).collect();
        let after = drawn.after.with(following);
        let values = self.target.forward(&after).out;
        drawn.wanted(parameters.reward_scale, parameters.discount, |row| {
            values[[row, 0]]
        })
    }

    /// The policy's action, without noise.
    fn best(&self, bits: &[u32]) -> [f32; 3] {
        let batch = Batch::from_iter([bits]);
        let mut raw = [0.0; 3];
        for (number, out) in raw.iter_mut().zip(&self.actor.net.forward(&batch).out) {
            *number = out.tanh();
        }
        raw
    }

    fn update(&mut self, rng: &mut Rng) {
        let parameters = self.parameters;
        let n = self.body.numbers;
        let Some(drawn) = self.memory.draw(parameters.batch, n, rng) else {
            return;
        };
        let wanted = self.wanted(&drawn);
        self.critic.regress(&drawn.done, &wanted);
        // Policy: up the critic's slope.
        let pass = self.actor.net.forward(&drawn.before);
        let actions: Vec<f32> = pass.out.iter().map(|raw| raw.tanh()).collect();
        let before = drawn.before.with(actions.clone());
        let (_, slopes) = self.critic.slopes(&before);
        let share = 1.0 / drawn.rewards.len() as f32;
        let mut by_out = Array2::zeros(pass.out.raw_dim());
        for ((by, slope), action) in by_out.iter_mut().zip(slopes).zip(actions) {
            *by = -slope * (1.0 - action * action) * share;
        }
        self.actor.step(&drawn.before, &pass, &by_out);
        self.target_actor.track(&self.actor.net, parameters.tau);
        self.target.track(&self.critic.net, parameters.tau);
        self.updates += 1;
    }
}

impl Learner for Ddpg {
    fn act(&mut self, scene: &Scene<'_>, rng: &mut Rng) -> Act {
        let bits = self.body.see(scene);
        self.actor.net.grow(&bits, rng);
        self.critic.net.grow(&bits, rng);
        let chance = self.parameters.random_exploration;
        let raw = if chance > 0.0 && rng.random::<f64>() < chance {
            self.body.any(scene, rng)
        } else {
            let mut raw = self.best(&bits);
            let numbers = self.body.numbers;
            for (number, noise) in raw.iter_mut().zip(&mut self.noise).take(numbers) {
                if self.parameters.noise > 0.0 {
                    *noise += self.parameters.noise * normal(rng) - FADING * *noise;
                    *number = (*number + *noise).clamp(-1.0, 1.0);
                }
            }
            raw
        };
        self.steps += 1;
        self.body.choose(bits, raw, scene, rng)
    }

    fn learn(&mut self, reward: f32, next: &Scene<'_>, terminal: bool, rng: &mut Rng) {
        let Some((bits, action)) = self.body.take() else {
            return;
        };
        let next = self.body.see(next);
        self.memory.push(Transition {
            bits,
            action,
            reward,
            next,
            terminal,
        });
        if self
            .steps
            .is_multiple_of(self.parameters.train_every.max(1))
        {
            for _ in 0..self.parameters.updates {
                self.update(rng);
            }
        }
    }

    /// The noise begins anew.
    fn begin(&mut self) {
        self.noise = [0.0; 3];
    }

    fn sees_visited(&self) -> bool {
        self.body.visited
    }

    fn places(&self) -> usize {
        self.actor.net.places()
    }

    fn updates(&self) -> u64 {
        self.updates
    }

    fn export(&self) -> Bundle {
        let mut bundle = Bundle::default();
        self.body.export(&mut bundle);
        self.actor.export("actor", &mut bundle);
        self.critic.export("critic1", &mut bundle);
        bundle
    }

    fn import(&mut self, learned: &Bundle) -> Result<(), String> {
        self.body.import(learned)?;
        self.actor.import("actor", learned)?;
        self.critic.import("critic1", learned)?;
        meet_alike(&self.actor, std::slice::from_ref(&self.critic))?;
        self.target = self.critic.net.clone();
        self.target_actor = self.actor.net.clone();
        Ok(())
    }
}

#[cfg(test)]
mod tests;
