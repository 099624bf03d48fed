//! An event's children, generation by generation (DinoDroid, section III-C).

use super::marks::Marks;
use super::{EventId, StateGraph};

/// Buckets of a histogram of how often events were performed, see [`Scale`].
pub const BUCKETS: usize = 10;
/// Generations of children looked at.
pub const GENERATIONS: usize = 3;
/// Moves and events looked at in one walk, at most. (On a real app, bookcatalogue, the largest walk of 400 events looked
/// at 663 of them, so that this limits no ordinary session.)
pub const LOOKED_AT: usize = 65_536;
/// How many events of a generation were performed how often.
pub type Histogram = [u32; BUCKETS];

/// Which counts share a bucket.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Scale {
    /// 0, 1, ... 8, and 9 or more (the paper).
    Counts,
    /// 0, 1, 2, 3, and growing steps behind, so that a long run still tells what was neglected.
    #[default]
    Growing,
}

impl Scale {
    /// The bucket of an event performed so many times.
    pub fn bucket(self, count: u32) -> usize {
        const LAST: [u32; BUCKETS - 1] = [0, 1, 2, 3, 5, 8, 14, 29, 99];
        match self {
            Self::Counts => (count as usize).min(BUCKETS - 1),
            Self::Growing => LAST.partition_point(|&last| last < count),
        }
    }
}

/// How far a walk goes, and its scratch.
#[derive(Clone, Debug)]
pub struct Walk {
    scale: Scale,
    /// Events counted in one generation at most.
    size: usize,
    looked_at: usize,
    states: Marks,
    events: Marks,
}

impl Walk {
    /// `size`: events counted in one generation at most; `scale`: how counts become buckets.
    pub fn new(size: usize, scale: Scale) -> Self {
        Self {
            scale,
            size,
            looked_at: 0,
            states: Marks::default(),
            events: Marks::default(),
        }
    }

    /// Moves and events that the last walk looked at, [`LOOKED_AT`] at most.
    pub const fn looked_at(&self) -> usize {
        self.looked_at
    }

    /// One more; false: it was the last that may be looked at.
    fn look(&mut self) -> bool {
        self.looked_at += 1;
        self.looked_at < LOOKED_AT
    }
}

impl StateGraph {
    /// How often the events of each generation behind this one were chosen. Breadth first over the moves that the
    /// strategy has made so far; an event counts in the first generation that it is observed in, and only once.
    pub fn generations(&self, event: EventId, walk: &mut Walk) -> [Histogram; GENERATIONS] {
        let mut all = [[0; BUCKETS]; GENERATIONS];
        walk.looked_at = 0;
        walk.states.clear();
        walk.events.clear();
        walk.events.mark(event.index());
        let mut parents = vec![event];
        for histogram in &mut all {
            let mut children = Vec::new();
            'generation: for parent in parents {
                for state in self.leads(parent) {
                    if !walk.look() {
                        return all;
                    }
                    if !walk.states.mark(state.index()) {
                        continue;
                    }
                    for &child in self.events(*state) {
                        if !walk.look() {
                            return all;
                        }
                        if walk.events.has(child.index()) {
                            continue;
                        }
                        if children.len() >= walk.size {
                            break 'generation;
                        }
                        walk.events.mark(child.index());
                        histogram[walk.scale.bucket(self.count(child))] += 1;
                        children.push(child);
                    }
                }
            }
            parents = children;
        }
        all
    }
}
