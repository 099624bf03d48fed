//! `ares-td3`: Twin Delayed DDPG.
//!
//! Fujimoto, van Hoof, Meger: "Addressing Function Approximation Error in Actor-Critic Methods" (2018, arXiv
//! 1802.09477): two critics whose lower value counts, a policy that learns at every second update, noise on the
//! target's actions. Hyperparameters after ARES (Romdhana et al., 2022).

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
    /// Adam's learning rate, of all networks.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub learning_rate: f32,
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
    /// The number of uniformly random events at the start, before learning begins.
    pub learning_starts: u64,
    /// The number of updates from one update of the policy and the target networks to the next.
    #[schemars(range(min = 1))]
    pub policy_delay: u64,
    /// The standard deviation of the noise on the policy's actions (-1 to 1).
    #[schemars(range(min = 0.0, max = 2.0))]
    pub action_noise: f32,
    /// The standard deviation of the noise on the target policy's actions, and its limit.
    #[schemars(inner(range(min = 0.0, max = 2.0)))]
    pub target_noise: [f32; 2],
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

impl Default for Parameters {
    /// Ours: the paper's with a tenth of the updates (one a step) and rewards of about 1.
    fn default() -> Self {
        Self {
            hidden: [64, 64],
            learning_rate: 3e-4,
            discount: 0.99,
            tau: 0.005,
            memory: 50_000,
            batch: 128,
            learning_starts: 100,
            policy_delay: 2,
            action_noise: 0.1,
            target_noise: [0.2, 0.5],
            random_exploration: 0.8,
            train_every: 10,
            updates: 10,
            reward_scale: 1e-3,
            visited: false,
        }
    }
}

/// ARES's evaluation: learning rate 3e-4, 100 updates every 10 steps, random exploration .8.
const PAPER: &str = "
updates = 100
action-noise = 0.0
reward-scale = 1.0
";

/// FATE's published code: 100 updates every 100 steps, learning from the first step on, no exploration but the
/// policy's own changes.
const PUBLISHED: &str = "
learning-starts = 0
random-exploration = 0.0
train-every = 100
";

/// The settings of `ares-td3`.
pub type Settings = ares::Settings<Parameters>;

impl ares::Algorithm for Parameters {
    const NAME: &'static str = "ares-td3";
    const SUMMARY: &'static str = "Twin Delayed DDPG (ARES, 2022).";
    const PAPER: &'static [&'static str] = &[PAPER];
    const PUBLISHED: &'static [&'static str] = &[PAPER, PUBLISHED];

    fn learner(self, numbers: usize, rng: &mut Rng) -> Box<dyn Learner> {
        Box::new(Td3::new(self, numbers, rng))
    }
}

/// The learner.
#[derive(Debug)]
pub struct Td3 {
    parameters: Parameters,
    body: Body,
    actor: Approximator,
    critics: [Approximator; 2],
    target_actor: Mlp,
    targets: [Mlp; 2],
    memory: Steps,
    steps: u64,
    updates: u64,
}

impl Td3 {
    /// A fresh learner; actions have so many numbers.
    pub fn new(parameters: Parameters, numbers: usize, rng: &mut Rng) -> Self {
        let shape = |dense, outputs| Shape {
            dense,
            hidden: parameters.hidden,
            outputs,
        };
        let mut critic =
            || Approximator::new(shape(numbers, 1), 3e-3, parameters.learning_rate, rng);
        let critics = [critic(), critic()];
        let actor = Approximator::new(shape(0, numbers), 3e-3, parameters.learning_rate, rng);
        Self {
            targets: [critics[0].net.clone(), critics[1].net.clone()],
            target_actor: actor.net.clone(),
            critics,
            actor,
            body: Body::new(numbers, parameters.visited),
            memory: Steps::new(parameters.memory),
            steps: 0,
            updates: 0,
            parameters,
        }
    }

    /// What the critics are to say: the reward, and the lower target's value of what the target's policy would do then,
    /// a little blurred.
    fn wanted(&self, drawn: &Drawn<'_>, rng: &mut Rng) -> Vec<f32> {
        let parameters = self.parameters;
        let [deviation, limit] = parameters.target_noise;
        let following: Vec<f32> = self
            .target_actor
            .forward(&drawn.after)
            .out
            .iter()
            .map(|raw| {
                let noise = (normal(rng) * deviation).clamp(-limit, limit);
                (raw.tanh() + noise).clamp(-1.0, 1.0)
            })
            .collect();
        let after = drawn.after.with(following);
        let values = [0, 1].map(|ix| self.targets[ix].forward(&after).out);
        drawn.wanted(parameters.reward_scale, parameters.discount, |row| {
            values[0][[row, 0]].min(values[1][[row, 0]])
        })
    }

    fn update(&mut self, rng: &mut Rng) {
        let parameters = self.parameters;
        let n = self.body.numbers;
        let Some(drawn) = self.memory.draw(parameters.batch, n, rng) else {
            return;
        };
        let wanted = self.wanted(&drawn, rng);
        for critic in &mut self.critics {
            critic.regress(&drawn.done, &wanted);
        }
        self.updates += 1;
        if !self.updates.is_multiple_of(parameters.policy_delay.max(1)) {
            return;
        }
        // Policy: up the first critic's slope.
        let pass = self.actor.net.forward(&drawn.before);
        let actions: Vec<f32> = pass.out.iter().map(|raw| raw.tanh()).collect();
        let before = drawn.before.with(actions.clone());
        let (_, slopes) = self.critics[0].slopes(&before);
        let share = 1.0 / drawn.rewards.len() as f32;
        let mut by_out = Array2::zeros(pass.out.raw_dim());
        for ((by, slope), action) in by_out.iter_mut().zip(slopes).zip(actions) {
            *by = -slope * (1.0 - action * action) * share;
        }
        self.actor.step(&drawn.before, &pass, &by_out);
        self.target_actor.track(&self.actor.net, parameters.tau);
        for (target, critic) in self.targets.iter_mut().zip(&self.critics) {
            target.track(&critic.net, parameters.tau);
        }
    }
}

impl Learner for Td3 {
    fn act(&mut self, scene: &Scene<'_>, rng: &mut Rng) -> Act {
        let bits = self.body.see(scene);
        self.actor.net.grow(&bits, rng);
        for critic in &mut self.critics {
            critic.net.grow(&bits, rng);
        }
        let chance = self.parameters.random_exploration;
        let early = self.steps < self.parameters.learning_starts;
        let raw = if early || chance > 0.0 && rng.random::<f64>() < chance {
            self.body.any(scene, rng)
        } else {
            let batch = Batch::from_iter([&*bits]);
            let mut raw = [0.0; 3];
            for (number, out) in raw.iter_mut().zip(&self.actor.net.forward(&batch).out) {
                let noise = self.parameters.action_noise;
                let noise = if noise > 0.0 {
                    normal(rng) * noise
                } else {
                    0.0
                };
                *number = (out.tanh() + noise).clamp(-1.0, 1.0);
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
        if self.steps > self.parameters.learning_starts
            && self
                .steps
                .is_multiple_of(self.parameters.train_every.max(1))
        {
            for _ in 0..self.parameters.updates {
                self.update(rng);
            }
        }
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
        self.critics[0].export("critic1", &mut bundle);
        self.critics[1].export("critic2", &mut bundle);
        bundle
    }

    fn import(&mut self, learned: &Bundle) -> Result<(), String> {
        self.body.import(learned)?;
        self.actor.import("actor", learned)?;
        self.critics[0].import("critic1", learned)?;
        self.critics[1].import("critic2", learned)?;
        meet_alike(&self.actor, &self.critics)?;
        self.targets = [0, 1].map(|ix| self.critics[ix].net.clone());
        self.target_actor = self.actor.net.clone();
        self.steps = self.parameters.learning_starts;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
