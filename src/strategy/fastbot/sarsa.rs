//! What Fastbot learns beside its model: n-step SARSA (Fastbot2, section III-C), and Double SARSA (Fastbot3; van Hasselt,
//! "Double Q-learning", 2010, and Ganger et al., "Double Sarsa and Double Expected Sarsa", 2016).

use crate::graph::EventId;
use crate::util::seed::Rng;
use rand::RngExt as _;
use std::collections::VecDeque;

/// Updates after which the learning rate falls by a fifth of its first value, as in the published code.
const SLOWER: [u64; 4] = [20_000, 50_000, 100_000, 250_000];

/// How it learns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parameters {
    /// Steps of a return: n.
    pub steps: usize,
    /// Learning rate at first: α.
    pub rate: f32,
    /// Discount factor: γ.
    pub discount: f32,
    /// Two tables, and an update of every event of the window.
    pub double: bool,
}

/// The values of events, and the last steps.
#[derive(Debug)]
pub(super) struct Sarsa {
    parameters: Parameters,
    /// Q by event; without `double` only the first table is used.
    tables: [Vec<f32>; 2],
    /// The last n events, each with the reward that followed it.
    window: VecDeque<(EventId, f32)>,
    updates: u64,
}

impl Sarsa {
    pub fn new(parameters: Parameters) -> Self {
        Self {
            parameters,
            tables: [Vec::new(), Vec::new()],
            window: VecDeque::with_capacity(parameters.steps),
            updates: 0,
        }
    }

    /// The table that the next event is chosen by: a coin decides between two.
    pub fn table(&self, rng: &mut Rng) -> usize {
        usize::from(self.parameters.double && rng.random())
    }

    /// Q of an event.
    pub fn value(&self, table: usize, event: EventId) -> f32 {
        let value = self.tables[table].get(event.index());
        value.copied().unwrap_or(0.0)
    }

    /// `last` was performed and earned `reward`; `next` was chosen behind it. Updates Q of the window's oldest event
    /// (SARSA), or of each (Double SARSA, whose returns end with the other table's value of `next`).
    pub fn learn(&mut self, last: EventId, reward: f32, next: EventId, rng: &mut Rng) {
        let Parameters {
            steps,
            discount,
            double,
            ..
        } = self.parameters;
        self.window.push_back((last, reward));
        let updated = if double { self.window.len() } else { 1 };
        for oldest in 0..updated {
            let table = self.table(rng);
            let other = if double { 1 - table } else { table };
            // G = r1 + γ r2 + ... + γ^n Q(next)
            let rewards = self.window.range(oldest..).rev();
            let total = rewards.fold(self.value(other, next), |later, (_, reward)| {
                reward + discount * later
            });
            self.approach(table, self.window[oldest].0, total);
        }
        if self.window.len() == steps {
            self.window.pop_front();
        }
        self.updates += 1;
    }

    /// Q(e) += α (G - Q(e))
    fn approach(&mut self, table: usize, event: EventId, total: f32) {
        let slower = SLOWER.iter().filter(|after| self.updates > **after);
        // Half of it at least: .25 of .5 in the published code.
        let part = (1.0 - 0.2 * slower.count() as f32).max(0.5);
        let values = &mut self.tables[table];
        let known = values.len().max(event.index() + 1);
        values.resize(known, 0.0);
        let value = &mut values[event.index()];
        *value += part * self.parameters.rate * (total - *value);
    }

    /// What follows is no result of the last events.
    pub fn forget(&mut self) {
        self.window.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::seed::generator;

    fn sarsa(steps: usize, double: bool) -> Sarsa {
        Sarsa::new(Parameters {
            steps,
            rate: 0.25,
            discount: 0.8,
            double,
        })
    }

    /// Events 0, 1, 2, 3 in a ring; only the last earns something: Q(e) = γ^(3 - e) / (1 - γ^4).
    #[test]
    fn a_chain_gets_the_values_of_its_discounted_reward() {
        for (steps, double) in [(1, false), (3, false), (5, false), (1, true), (5, true)] {
            let mut sarsa = sarsa(steps, double);
            let mut rng = generator(1, "chain", "fastbot", 0);
            for step in 0..4_000 {
                let event = step % 4;
                let reward = if event == 3 { 1.0 } else { 0.0 };
                sarsa.learn(EventId(event), reward, EventId((event + 1) % 4), &mut rng);
            }
            for event in 0..4_u8 {
                let known = 0.8_f32.powi(3 - i32::from(event)) / (1.0 - 0.8_f32.powi(4));
                for table in 0..=usize::from(double) {
                    let value = sarsa.value(table, EventId(event.into()));
                    assert!(
                        (value - known).abs() < 1e-3,
                        "{steps} {double} {event}: {value} {known}"
                    );
                }
            }
        }
    }

    #[test]
    fn one_step_is_the_rule_of_the_paper_to_the_digit() {
        let mut sarsa = sarsa(2, false);
        let mut rng = generator(1, "step", "fastbot", 0);
        sarsa.learn(EventId(0), 1.0, EventId(1), &mut rng);
        assert_eq!(sarsa.value(0, EventId(0)), 0.25);
        // G = 1 + .8 * 2 + .64 * 0
        sarsa.learn(EventId(1), 2.0, EventId(2), &mut rng);
        assert_eq!(sarsa.value(0, EventId(0)), 0.25 + 0.25 * (2.6 - 0.25));
        assert_eq!(sarsa.value(0, EventId(1)), 0.0);
        sarsa.forget();
        sarsa.learn(EventId(5), 0.0, EventId(0), &mut rng);
        assert_eq!(sarsa.value(0, EventId(1)), 0.0);
    }

    #[test]
    fn the_learning_rate_falls_to_its_half() {
        let mut sarsa = sarsa(1, false);
        let mut rates = Vec::new();
        for updates in [20_000, 20_001, 100_001, 1_000_000] {
            sarsa.updates = updates;
            sarsa.tables[0].clear();
            sarsa.approach(0, EventId(0), 1.0);
            rates.push(sarsa.value(0, EventId(0)));
        }
        assert_eq!(rates, [0.25, 0.2, 0.125, 0.125]);
    }
}
