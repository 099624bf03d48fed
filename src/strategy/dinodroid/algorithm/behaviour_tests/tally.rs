//! What the judged learners preferred, counted.

use crate::graph::generations::{BUCKETS, GENERATIONS};
use crate::learn::dqn;

/// Pages where a preference is possible, those where it was seen, and the share that chance would give.
#[derive(Clone, Copy, Default, Debug)]
pub struct Tally {
    pub pages: u32,
    preferred: u32,
    chance: f64,
}

impl Tally {
    pub fn note(&mut self, among: &[usize], values: &[f32], right: impl Fn(usize) -> bool) {
        let good = among.iter().filter(|&&ix| right(ix)).count();
        if good == 0 || good == among.len() {
            return;
        }
        let own: Vec<f32> = among.iter().map(|&ix| values[ix]).collect();
        let best = among[dqn::argmax(&own).unwrap()];
        self.pages += 1;
        self.preferred += u32::from(right(best));
        self.chance += good as f64 / among.len() as f64;
    }

    pub fn add(&mut self, other: &Self) {
        self.pages += other.pages;
        self.preferred += other.preferred;
        self.chance += other.chance;
    }

    pub fn share(&self) -> f64 {
        f64::from(self.preferred) / f64::from(self.pages)
    }

    pub fn by_chance(&self) -> f64 {
        self.chance / f64::from(self.pages)
    }
}

/// A mean under way.
#[derive(Clone, Copy, Default, Debug)]
pub struct Mean {
    sum: f64,
    count: u32,
}

impl Mean {
    pub fn note(&mut self, value: f32) {
        self.sum += f64::from(value);
        self.count += 1;
    }

    pub fn add(&mut self, other: &Self) {
        self.sum += other.sum;
        self.count += other.count;
    }

    pub fn value(self) -> f64 {
        self.sum / f64::from(self.count)
    }
}

/// Numbers of children never performed that values are asked for.
pub const FRESH: [u32; 3] = [0, 2, 6];

#[derive(Clone, Copy, Default, Debug)]
pub struct Tallies {
    pub unexecuted: Tally,
    pub children: Tally,
    pub ok: Tally,
    /// Values by how often the event was performed.
    pub by_count: [Mean; BUCKETS],
    /// Values of events performed before, by generation and by how many of its events never were ([`FRESH`]).
    pub by_fresh: [[Mean; 3]; GENERATIONS],
}

impl Tallies {
    pub fn add(&mut self, other: &Self) {
        self.unexecuted.add(&other.unexecuted);
        self.children.add(&other.children);
        self.ok.add(&other.ok);
        let means = self
            .by_count
            .iter_mut()
            .chain(self.by_fresh.as_flattened_mut());
        let others = other.by_count.iter().chain(other.by_fresh.as_flattened());
        means.zip(others).for_each(|(mean, other)| mean.add(other));
    }
}
