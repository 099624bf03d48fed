//! `ares-sac`: Soft Actor-Critic with automatic entropy.
//!
//! Haarnoja et al.: "Soft Actor-Critic Algorithms and Applications" (2018, arXiv 1812.05905): two critics, a policy
//! squashed by tanh, a temperature that keeps the policy's entropy at a target. Hyperparameters after ARES
//! (Romdhana et al., 2022). ARES's own code keeps actions as whole numbers in its memory, so that they are learned
//! as -1, 0 or 1: here they are kept as they are.

use super::actor::{Approximator, Body, meet_alike, normal};
use super::ares;
use super::learner::{Act, Learner, Scene};
use crate::learn::bundle::Bundle;
use crate::learn::descent::Adam;
use crate::learn::mlp::{Batch, Mlp, Pass, Shape};
use crate::learn::steps::{Drawn, Steps, Transition};
use crate::util::seed::Rng;
use ndarray::Array2;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Every hyperparameter.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", default)]
pub struct Parameters {
    /// The numbers of units of the two hidden layers.
    #[schemars(inner(range(min = 1, max = 1024)))]
    pub hidden: [usize; 2],
    /// Adam's learning rate, of all networks and the temperature.
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
    /// The number of updates from one move of the target networks to the next.
    #[schemars(range(min = 1))]
    pub target_update: u64,
    /// The target entropy, in nats, of each number of an action; a squashed normal distribution has at most 0.68.
    #[schemars(range(min = -20.0, max = 0.68))]
    pub entropy: f32,
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
    /// Ours: the paper's, but a tenth of its rewards, and a state that shows what they depend on. The temperature moves
    /// at the networks' rate, hardly at all in a run: beside values of 1000 it counts for nothing, and the policy soon
    /// goes only where it has been paid; beside values of 10 what it costs to stay counts for nothing.
    fn default() -> Self {
        Self {
            hidden: [64, 64],
            learning_rate: 3e-4,
            discount: 0.99,
            tau: 0.005,
            memory: 50_000,
            batch: 64,
            learning_starts: 100,
            target_update: 10,
            entropy: -1.0,
            random_exploration: 0.0,
            train_every: 5,
            updates: 1,
            reward_scale: 0.1,
            visited: true,
        }
    }
}

/// ARES's evaluation: learning rate 3e-4, training every 5 steps, targets every 10 updates; entropy -1 a number is
/// the usual automatic target.
const PAPER: &str = "
reward-scale = 1.0
visited = false
";

/// FATE's published code: learning rate 1e-3, training at every step, targets at every update.
const PUBLISHED: &str = "
learning-rate = 0.001
train-every = 1
target-update = 1
";

/// The settings of `ares-sac`.
pub type Settings = ares::Settings<Parameters>;

impl ares::Algorithm for Parameters {
    const NAME: &'static str = "ares-sac";
    const SUMMARY: &'static str = "Soft Actor-Critic (ARES, 2022).";
    const PAPER: &'static [&'static str] = &[PAPER];
    const PUBLISHED: &'static [&'static str] = &[PAPER, PUBLISHED];

    fn learner(self, numbers: usize, rng: &mut Rng) -> Box<dyn Learner> {
        Box::new(Sac::new(self, numbers, rng))
    }
}

/// The policy's logarithm of its deviation is kept between these.
const DEVIATION: (f32, f32) = (-20.0, 2.0);

/// So is the logarithm of the temperature.
const HEAT: (f32, f32) = (-20.0, 10.0);

/// The learner.
#[derive(Debug)]
pub struct Sac {
    parameters: Parameters,
    body: Body,
    actor: Approximator,
    critics: [Approximator; 2],
    targets: [Mlp; 2],
    /// Logarithm of the temperature, with its optimiser.
    heat: f32,
    heat_adam: Adam,
    memory: Steps,
    steps: u64,
    updates: u64,
}

/// Actions drawn from the policy.
struct Sample {
    pass: Pass,
    /// Row by row.
    actions: Vec<f32>,
    noise: Vec<f32>,
    /// Of each row: the logarithm of the action's density.
    density: Vec<f32>,
}

impl Sac {
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
        Self {
            targets: [critics[0].net.clone(), critics[1].net.clone()],
            critics,
            actor: Approximator::new(shape(0, 2 * numbers), 3e-3, parameters.learning_rate, rng),
            body: Body::new(numbers, parameters.visited),
            heat: 0.0,
            heat_adam: Adam::new(parameters.learning_rate),
            memory: Steps::new(parameters.memory),
            steps: 0,
            updates: 0,
            parameters,
        }
    }

    fn sample(&self, batch: &Batch<'_>, rng: &mut Rng) -> Sample {
        let pass = self.actor.net.forward(batch);
        let n = self.body.numbers;
        let rows = batch.len();
        let mut sample = Sample {
            pass,
            actions: Vec::with_capacity(rows * n),
            noise: Vec::with_capacity(rows * n),
            density: vec![0.0; rows],
        };
        for row in 0..rows {
            for number in 0..n {
                let mean = sample.pass.out[[row, number]];
                let log = sample.pass.out[[row, n + number]].clamp(DEVIATION.0, DEVIATION.1);
                let noise = normal(rng);
                let action = (mean + log.exp() * noise).tanh();
                sample.density[row] -= noise * noise / 2.0 + log + 0.918_938_5;
                sample.density[row] -= (1.0 - action * action + 1e-6).ln();
                sample.actions.push(action);
                sample.noise.push(noise);
            }
        }
        sample
    }

    /// What the critics are to say: the reward, and the softly best of what follows by the lower of the two targets.
    fn wanted(&self, drawn: &Drawn<'_>, rng: &mut Rng) -> Vec<f32> {
        let (parameters, heat) = (self.parameters, self.heat.exp());
        let following = self.sample(&drawn.after, rng);
        let after = drawn.after.with(following.actions);
        let values = [0, 1].map(|ix| self.targets[ix].forward(&after).out);
        drawn.wanted(parameters.reward_scale, parameters.discount, |row| {
            let value = values[0][[row, 0]].min(values[1][[row, 0]]);
            value - heat * following.density[row]
        })
    }

    fn update(&mut self, rng: &mut Rng) {
        let parameters = self.parameters;
        let n = self.body.numbers;
        let Some(drawn) = self.memory.draw(parameters.batch, n, rng) else {
            return;
        };
        let heat = self.heat.exp();
        let wanted = self.wanted(&drawn, rng);
        for critic in &mut self.critics {
            critic.regress(&drawn.done, &wanted);
        }
        // Policy: dense where the critics' lower value is high, as wide as the temperature makes worth while.
        let own = self.sample(&drawn.before, rng);
        let before = drawn.before.with(own.actions.clone());
        let (first, by_first) = self.critics[0].slopes(&before);
        let (second, by_second) = self.critics[1].slopes(&before);
        let mut by_out = Array2::zeros(own.pass.out.raw_dim());
        let share = 1.0 / own.density.len() as f32;
        for row in 0..own.density.len() {
            let lower = if first[row] <= second[row] {
                &by_first
            } else {
                &by_second
            };
            for number in 0..n {
                let at = row * n + number;
                let action = own.actions[at];
                let slope = heat * 2.0 * action - lower[at] * (1.0 - action * action);
                by_out[[row, number]] = slope * share;
                let raw = own.pass.out[[row, n + number]];
                if (DEVIATION.0..=DEVIATION.1).contains(&raw) {
                    let by_log = slope * raw.exp() * own.noise[at] - heat;
                    by_out[[row, n + number]] = by_log * share;
                }
            }
        }
        self.actor.step(&drawn.before, &own.pass, &by_out);
        // Temperature: up while the policy is narrower than wanted.
        let target = parameters.entropy * n as f32;
        let density = own.density.iter().sum::<f32>() * share;
        let mut heat = [self.heat];
        self.heat_adam.step(&mut heat, &[-(density + target)]);
        self.heat = heat[0].clamp(HEAT.0, HEAT.1);
        self.updates += 1;
        if self.updates.is_multiple_of(parameters.target_update.max(1)) {
            for (target, critic) in self.targets.iter_mut().zip(&self.critics) {
                target.track(&critic.net, parameters.tau);
            }
        }
    }
}

impl Learner for Sac {
    fn act(&mut self, scene: &Scene<'_>, rng: &mut Rng) -> Act {
        use rand::RngExt as _;
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
            let drawn = self.sample(&batch, rng);
            let mut raw = [0.0; 3];
            raw[..self.body.numbers].copy_from_slice(&drawn.actions);
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
        bundle.tensors.insert("heat".into(), vec![self.heat]);
        bundle
    }

    fn import(&mut self, learned: &Bundle) -> Result<(), String> {
        self.body.import(learned)?;
        self.actor.import("actor", learned)?;
        self.critics[0].import("critic1", learned)?;
        self.critics[1].import("critic2", learned)?;
        meet_alike(&self.actor, &self.critics)?;
        self.targets = [0, 1].map(|ix| self.critics[ix].net.clone());
        self.heat = match learned.tensor("heat")? {
            [heat] if (HEAT.0..=HEAT.1).contains(heat) => *heat,
            other => {
                return Err(format!(
                    "its `heat` is {other:.3?} instead of one number from {} to {}",
                    HEAT.0, HEAT.1
                ));
            }
        };
        // It knows enough to begin with.
        self.steps = self.parameters.learning_starts;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
