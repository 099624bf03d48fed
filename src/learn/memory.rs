//! Replay memory: what was tried before, to learn from again.

use super::layout::Rows;
use crate::util::seed::Rng;
use rand::RngExt as _;

/// One step: the event performed, what it earned, and what could be done after it.
#[derive(Clone, PartialEq, Debug)]
pub struct Transition {
    /// The event's features before it was performed: one row.
    pub row: Rows,
    /// Its reward.
    pub reward: f32,
    /// The events of the page after it; `None`: the app ended there, nothing follows.
    pub next: Option<Rows>,
    /// The value computed when it was performed: `reward + gamma * max Q(next)`, clipped.
    pub label: f32,
}

/// The last so many transitions.
#[derive(Clone, Debug)]
pub struct Memory {
    ring: Vec<Transition>,
    capacity: usize,
    /// Where the newest lies.
    newest: usize,
}

impl Memory {
    /// An empty memory for `capacity` transitions, at least one.
    pub const fn new(capacity: usize) -> Self {
        Self {
            ring: Vec::new(),
            capacity: if capacity == 0 { 1 } else { capacity },
            newest: 0,
        }
    }

    /// Keeps a transition; the oldest is forgotten where there is no room.
    pub fn push(&mut self, transition: Transition) {
        if self.ring.len() < self.capacity {
            self.newest = self.ring.len();
            self.ring.push(transition);
        } else {
            self.newest = (self.newest + 1) % self.capacity;
            self.ring[self.newest] = transition;
        }
    }

    /// How many are kept.
    pub fn len(&self) -> usize {
        self.ring.len()
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.ring.is_empty()
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.ring.clear();
        self.newest = 0;
    }

    /// The newest and up to `count - 1` others, drawn evenly and without repetition.
    pub fn sample(&self, count: usize, rng: &mut Rng) -> Vec<&Transition> {
        // All but the newest, without listing them: a place at or behind its own stands for the next one.
        let others = draw(
            self.ring.len().saturating_sub(1),
            count.saturating_sub(1),
            rng,
        );
        let past = |ix: usize| ix + usize::from(ix >= self.newest);
        self.with_newest(others.into_iter().map(past).collect())
    }

    /// As DinoDroid's published code does: the newest, up to two that earned something, and the rest of
    /// `count` from those that did not.
    pub fn sample_by_reward(&self, count: usize, rng: &mut Rng) -> Vec<&Transition> {
        let (paid, not): (Vec<usize>, Vec<usize>) =
            self.others().partition(|&ix| self.ring[ix].reward > 0.0);
        let mut of = |from: &[usize], count| -> Vec<usize> {
            let places = draw(from.len(), count, rng);
            places.into_iter().map(|place| from[place]).collect()
        };
        let mut chosen = of(&paid, 2.min(count.saturating_sub(1)));
        let rest = count.saturating_sub(1 + chosen.len());
        chosen.extend(of(&not, rest));
        self.with_newest(chosen)
    }

    fn others(&self) -> impl Iterator<Item = usize> {
        let newest = self.newest;
        (0..self.ring.len()).filter(move |&ix| ix != newest)
    }

    fn with_newest(&self, others: Vec<usize>) -> Vec<&Transition> {
        let newest = self.ring.get(self.newest);
        newest
            .into_iter()
            .chain(others.into_iter().map(|ix| &self.ring[ix]))
            .collect()
    }
}

/// Up to `count` places below `len`, each at most once (Floyd's algorithm: cost by `count`, not by `len`).
fn draw(len: usize, count: usize, rng: &mut Rng) -> Vec<usize> {
    let count = count.min(len);
    let mut chosen: Vec<usize> = Vec::with_capacity(count);
    for last in len - count..len {
        let place = rng.random_range(0..=last);
        chosen.push(if chosen.contains(&place) { last } else { place });
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::seed::generator;

    fn filled(capacity: usize, rewards: impl IntoIterator<Item = f32>) -> Memory {
        let mut memory = Memory::new(capacity);
        for (ix, reward) in rewards.into_iter().enumerate() {
            memory.push(Transition {
                row: Rows::default(),
                reward,
                next: None,
                label: ix as f32,
            });
        }
        memory
    }

    fn labels(sample: &[&Transition]) -> Vec<f32> {
        sample.iter().map(|t| t.label).collect()
    }

    #[test]
    fn the_newest_is_always_there_and_nothing_twice() {
        let memory = filled(8, (0..20).map(|_| -2.0));
        let mut rng = generator(1, "", "", 0);
        for _ in 0..50 {
            let mut seen = labels(&memory.sample(5, &mut rng));
            assert_eq!(seen[0], 19.0);
            assert!(seen.iter().all(|&label| label >= 12.0), "{seen:?}");
            seen.sort_by(f32::total_cmp);
            seen.dedup();
            assert_eq!(seen.len(), 5);
        }
        assert_eq!(memory.sample(100, &mut rng).len(), 8);
        assert!(Memory::new(3).sample(5, &mut rng).is_empty());
    }

    #[test]
    fn by_reward_takes_two_that_paid_and_fills_up_with_those_that_did_not() {
        let memory = filled(100, [5.0, -2.0, 5.0, -2.0, 5.0, -2.0, -2.0, -2.0]);
        let mut rng = generator(1, "", "", 0);
        for _ in 0..20 {
            let sample = memory.sample_by_reward(5, &mut rng);
            let paid = sample.iter().filter(|t| t.reward > 0.0).count();
            assert_eq!((sample.len(), paid), (5, 2));
        }
    }

    #[test]
    fn every_transition_is_drawn_about_equally_often() {
        let memory = filled(20, (0..20).map(|_| -2.0));
        let mut rng = generator(2, "", "", 0);
        let mut counts = [0; 20];
        for _ in 0..4_000 {
            for label in labels(&memory.sample(6, &mut rng)) {
                counts[label as usize] += 1;
            }
        }
        // 4,000 x 5 / 19 of each but the newest.
        assert!(
            counts[..19].iter().all(|n| (900..1_210).contains(n)),
            "{counts:?}"
        );
    }
}
