//! Ways through the graph, over the moves seen so far.

use super::{EventId, Out, StateGraph, StateId};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// Partial ways looked at in one search for several of them.
const LOOKED_AT: usize = 4000;

/// How far states are from where a search started, and the way to each: the result and the scratch of
/// [`StateGraph::reach`].
#[derive(Clone, Debug, Default)]
pub struct Reach {
    /// In the order they were reached, the nearest first.
    found: Vec<Reached>,
    index: FxHashMap<StateId, usize>,
}

#[derive(Clone, Copy, Debug)]
struct Reached {
    state: StateId,
    distance: u32,
    /// The one before it, as an index, and the event that led from there.
    before: Option<(usize, EventId)>,
}

impl Reach {
    /// The states reached, with the least number of events to each; the nearest first.
    pub fn states(&self) -> impl Iterator<Item = (StateId, u32)> {
        self.found.iter().map(|found| (found.state, found.distance))
    }

    /// The least number of events to a state; `None`: it was not reached.
    pub fn distance(&self, to: StateId) -> Option<u32> {
        Some(self.found[*self.index.get(&to)?].distance)
    }

    /// The shortest way to a state: each state with the event that leads on from it. Empty for a state that the search
    /// started from; `None`: it was not reached.
    pub fn way(&self, to: StateId) -> Option<Vec<(StateId, EventId)>> {
        let mut at = *self.index.get(&to)?;
        let mut way = Vec::new();
        while let Some((before, event)) = self.found[at].before {
            way.push((self.found[before].state, event));
            at = before;
        }
        way.reverse();
        Some(way)
    }

    fn add(&mut self, state: StateId, distance: u32, before: Option<(usize, EventId)>) {
        if self.index.contains_key(&state) {
            return;
        }
        self.index.insert(state, self.found.len());
        self.found.push(Reached {
            state,
            distance,
            before,
        });
    }
}

/// The least number of events from each state to one, by state; `None`: no way is known.
#[derive(Clone, Debug, Default)]
pub struct Distances(Vec<Option<usize>>);

impl Distances {
    fn of(&self, state: StateId) -> Option<usize> {
        self.0.get(state.index()).copied().flatten()
    }
}

impl Out {
    /// How unreliably it leads there: nothing, or minus the logarithm of its share in thousandths.
    fn doubt(&self, times: u32) -> u32 {
        let all: u64 = self.to.iter().map(|(_, times)| u64::from(*times)).sum();
        // Small and positive: a share is within (0, 1].
        (all as f64 / f64::from(times)).ln().mul_add(1e3, 0.5) as u32
    }
}

impl StateGraph {
    /// The states that are reached from these ones, breadth first, and the shortest way to each; `most`: moves looked
    /// at, at most.
    pub fn reach(&self, from: impl IntoIterator<Item = StateId>, most: usize, reach: &mut Reach) {
        reach.found.clear();
        reach.index.clear();
        from.into_iter().for_each(|state| reach.add(state, 0, None));
        let (mut at, mut looked_at) = (0, 0);
        while let Some(&Reached {
            state, distance, ..
        }) = reach.found.get(at)
        {
            for out in self.outs(state) {
                for &(to, _) in &out.to {
                    if looked_at >= most {
                        return;
                    }
                    looked_at += 1;
                    reach.add(to, distance + 1, Some((at, out.event)));
                }
            }
            at += 1;
        }
    }

    /// The least number of events from each state to this one. Looks at the complete graph: for recordings.
    pub fn distances(&self, to: StateId) -> Distances {
        let mut back: Vec<Vec<StateId>> = vec![Vec::new(); self.size().0];
        for (from, _, to, _) in self.moves() {
            back[to.index()].push(from);
        }
        let mut distances = vec![None; back.len()];
        let mut queue = VecDeque::new();
        if let Some(distance) = distances.get_mut(to.index()) {
            *distance = Some(0);
            queue.push_back((to, 0));
        }
        while let Some((state, distance)) = queue.pop_front() {
            for from in &back[state.index()] {
                if distances[from.index()].is_none() {
                    distances[from.index()] = Some(distance + 1);
                    queue.push_back((*from, distance + 1));
                }
            }
        }
        Distances(distances)
    }

    /// Ways of fewer than `below` events to the state that `distances` lead to, at most so many: the shortest first,
    /// among equally long ones those that did so each time. No way visits a state twice.
    pub fn ways(
        &self,
        from: StateId,
        distances: &Distances,
        below: usize,
        most: usize,
    ) -> Vec<Vec<EventId>> {
        let mut found: Vec<Vec<EventId>> = Vec::new();
        let mut open = BinaryHeap::new();
        let mut number = 0_usize;
        if let Some(length) = distances.of(from) {
            // By the least length in all, the doubt, the order they were observed in.
            open.push(Reverse((length, 0_u32, number, vec![from], Vec::new())));
        }
        for _ in 0..LOOKED_AT {
            let Some(Reverse((length, doubt, _, states, events))) = open.pop() else {
                break;
            };
            if length >= below || found.len() >= most {
                break;
            }
            let state = *states.last().unwrap_or(&from);
            if distances.of(state) == Some(0) {
                if !found.contains(&events) {
                    found.push(events);
                }
                continue;
            }
            for out in self.outs(state) {
                for &(to, times) in &out.to {
                    let Some(left) = distances.of(to).filter(|_| !states.contains(&to)) else {
                        continue;
                    };
                    number += 1;
                    let (mut states, mut events) = (states.clone(), events.clone());
                    states.push(to);
                    events.push(out.event);
                    let (length, doubt) = (events.len() + left, doubt + out.doubt(times));
                    open.push(Reverse((length, doubt, number, states, events)));
                }
            }
        }
        found
    }
}
