//! Replay memory: what was tried before, to learn from again.

use crate::util::seed::Rng;
use rand::RngExt as _;

/// The last so many of something: replay memory of all that learns from what it tried before.
#[derive(Clone, Debug)]
pub struct Memory<T> {
    ring: Vec<T>,
    capacity: usize,
    /// The place of the newest.
    newest: usize,
}

impl<T> Memory<T> {
    /// An empty memory for `capacity` of them, at least one.
    pub const fn new(capacity: usize) -> Self {
        Self {
            ring: Vec::new(),
            capacity: if capacity == 0 { 1 } else { capacity },
            newest: 0,
        }
    }

    /// Keeps one more; the oldest is forgotten where there is no room.
    pub fn push(&mut self, one: T) {
        if self.ring.len() < self.capacity {
            self.newest = self.ring.len();
            self.ring.push(one);
        } else {
            self.newest = (self.newest + 1) % self.capacity;
            self.ring[self.newest] = one;
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

    /// One, drawn evenly; `None` where there is none.
    pub fn any(&self, rng: &mut Rng) -> Option<&T> {
        match self.ring.len() {
            0 => None,
            kept => self.ring.get(rng.random_range(0..kept)),
        }
    }

    /// The newest and up to `count - 1` others, drawn evenly and without repetition.
    pub fn sample(&self, count: usize, rng: &mut Rng) -> Vec<&T> {
        // All but the newest, without listing them: a place at or behind its own stands for the next one.
        let others = draw(
            self.ring.len().saturating_sub(1),
            count.saturating_sub(1),
            rng,
        );
        let past = |ix: usize| ix + usize::from(ix >= self.newest);
        self.with_newest(others.into_iter().map(past).collect())
    }

    /// The newest, up to two that earned something, and the rest of `count` from those that did not (DinoDroid's
    /// published code).
    pub fn sample_by_reward(
        &self,
        count: usize,
        earned: impl Fn(&T) -> bool,
        rng: &mut Rng,
    ) -> Vec<&T> {
        let (paid, not): (Vec<usize>, Vec<usize>) =
            self.others().partition(|&ix| earned(&self.ring[ix]));
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

    fn with_newest(&self, others: Vec<usize>) -> Vec<&T> {
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

    fn filled(capacity: usize, count: u32) -> Memory<u32> {
        let mut memory = Memory::new(capacity);
        (0..count).for_each(|one| memory.push(one));
        memory
    }

    #[test]
    fn the_newest_is_always_there_and_nothing_twice() {
        let memory = filled(8, 20);
        let mut rng = generator(1, "", "", 0);
        for _ in 0..50 {
            let mut seen = memory.sample(5, &mut rng);
            assert_eq!(*seen[0], 19);
            assert!(seen.iter().all(|&&one| one >= 12), "{seen:?}");
            seen.sort_unstable();
            seen.dedup();
            assert_eq!(seen.len(), 5);
        }
        assert_eq!(memory.sample(100, &mut rng).len(), 8);
        assert!(Memory::<u32>::new(3).sample(5, &mut rng).is_empty());
        assert!(Memory::<u32>::new(3).any(&mut rng).is_none());
    }

    #[test]
    fn by_reward_takes_two_that_paid_and_fills_up_with_those_that_did_not() {
        let memory = filled(100, 8);
        let paid = |one: &u32| [0, 2, 4].contains(one);
        let mut rng = generator(1, "", "", 0);
        for _ in 0..20 {
            let sample = memory.sample_by_reward(5, paid, &mut rng);
            let count = sample.iter().filter(|&&one| paid(one)).count();
            assert_eq!((sample.len(), count), (5, 2));
        }
    }

    #[test]
    fn each_is_drawn_about_equally_often() {
        let memory = filled(20, 20);
        let mut rng = generator(2, "", "", 0);
        let (mut sampled, mut any) = ([0; 20], [0; 20]);
        for _ in 0..4_000 {
            for one in memory.sample(6, &mut rng) {
                sampled[*one as usize] += 1;
            }
            any[*memory.any(&mut rng).unwrap() as usize] += 1;
        }
        // 4,000 x 5 / 19 of each but the newest, and 4,000 / 20.
        let even =
            |counts: &[u32], range: std::ops::Range<u32>| counts.iter().all(|n| range.contains(n));
        assert!(even(&sampled[..19], 900..1_210), "{sampled:?}");
        assert!(even(&any, 130..280), "{any:?}");
    }
}
