//! What the actor-critics keep in memory: what was seen, done, earned and seen then.

use super::memory::Memory;
use super::mlp::Batch;
use crate::util::seed::Rng;
use std::sync::Arc;

/// One step.
#[derive(Clone, Debug)]
pub struct Transition {
    /// Places that were on.
    pub bits: Arc<[u32]>,
    /// The action, each number in -1 to 1.
    pub action: [f32; 3],
    /// Its reward.
    pub reward: f32,
    /// Places that were on after it.
    pub next: Arc<[u32]>,
    /// Does nothing follow?
    pub terminal: bool,
}

/// The last so many steps.
#[derive(Clone, Debug)]
pub struct Steps(Memory<Transition>);

/// Steps drawn for one update, as networks read them.
#[derive(Debug)]
pub struct Drawn<'a> {
    /// What was seen, without the actions.
    pub before: Batch<'a>,
    /// What was seen with what was done.
    pub done: Batch<'a>,
    /// What was seen then.
    pub after: Batch<'a>,
    /// Rewards.
    pub rewards: Vec<f32>,
    /// 1 where something follows, else 0.
    pub follows: Vec<f32>,
}

impl Drawn<'_> {
    /// What a critic is to say of each step: its scaled reward and, where something follows, `gamma` times the value
    /// of that row.
    pub fn wanted(&self, scale: f32, gamma: f32, value: impl Fn(usize) -> f32) -> Vec<f32> {
        let steps = self.rewards.iter().zip(&self.follows).enumerate();
        steps
            .map(|(row, (reward, follows))| reward * scale + gamma * follows * value(row))
            .collect()
    }
}

impl Steps {
    /// Room for `capacity` steps, at least one.
    pub const fn new(capacity: usize) -> Self {
        Self(Memory::new(capacity))
    }

    /// Keeps a step; the oldest is forgotten where there is no room. A reward that is no number is not kept.
    pub fn push(&mut self, seen: Transition) {
        if seen.reward.is_finite() {
            self.0.push(seen);
        }
    }

    /// How many are kept.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// So many steps, each drawn evenly; `numbers` of each action count. `None` while there is none.
    pub fn draw(&self, count: usize, numbers: usize, rng: &mut Rng) -> Option<Drawn<'_>> {
        if self.is_empty() {
            return None;
        }
        let mut drawn = Drawn {
            before: Batch::default(),
            done: Batch::default(),
            after: Batch::default(),
            rewards: Vec::with_capacity(count),
            follows: Vec::with_capacity(count),
        };
        let mut actions = Vec::with_capacity(count * numbers);
        for _ in 0..count {
            let seen = self.0.any(rng)?;
            drawn.before.push(&seen.bits);
            actions.extend_from_slice(&seen.action[..numbers]);
            drawn.after.push(&seen.next);
            drawn.rewards.push(seen.reward);
            drawn.follows.push(if seen.terminal { 0.0 } else { 1.0 });
        }
        drawn.done = drawn.before.with(actions);
        Some(drawn)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::seed::generator;

    #[test]
    fn the_oldest_are_forgotten_and_the_rest_drawn_evenly() {
        let mut steps = Steps::new(10);
        let mut rng = generator(1, "", "", 0);
        assert!(steps.draw(4, 2, &mut rng).is_none());
        for n in 0..25_u8 {
            steps.push(Transition {
                bits: [u32::from(n)].into(),
                action: [f32::from(n), 0.0, 0.0],
                reward: if n == 24 { f32::NAN } else { f32::from(n) },
                next: [].into(),
                terminal: n % 2 == 0,
            });
        }
        assert_eq!(steps.len(), 10);
        let drawn = steps.draw(5000, 2, &mut rng).unwrap();
        for n in 14..24_u8 {
            let times = drawn.rewards.iter().filter(|&&r| r == f32::from(n)).count();
            assert!((400..600).contains(&times), "{n}: {times}");
        }
        assert_eq!(drawn.done.dense.len(), 10_000);
        for (row, reward) in drawn.rewards.iter().enumerate() {
            assert_eq!(drawn.done.dense[row * 2], *reward);
            assert_eq!(drawn.follows[row], f32::from(*reward % 2.0 != 0.0));
        }
    }
}
