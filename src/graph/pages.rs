//! A state graph whose states are pages, and whose events are the numbers of steps of whatever kind.

use super::ways::Distances;
use super::{Bounds, EventId, StateGraph, StateId};
use crate::gui::PageId;
use rustc_hash::FxHashMap;

/// A state graph of pages: each is a state, and the steps are its events, by their numbers.
#[derive(Clone, Debug)]
pub struct PageGraph {
    states: FxHashMap<PageId, StateId>,
    graph: StateGraph,
}

impl Default for PageGraph {
    fn default() -> Self {
        Self::new(Bounds::NONE)
    }
}

impl PageGraph {
    /// An empty graph.
    pub fn new(bounds: Bounds) -> Self {
        Self {
            states: FxHashMap::default(),
            graph: StateGraph::new(bounds),
        }
    }

    /// Adds a replay: the page before each step, and the last one.
    pub fn add(&mut self, steps: &[u32], pages: &[PageId]) {
        for (step, pair) in steps.iter().zip(pages.windows(2)) {
            self.see(pair[0], *step, pair[1], 1);
        }
    }

    /// A step on a page led there so often; the same page is included.
    pub fn see(&mut self, from: PageId, step: u32, to: PageId, times: u32) {
        let [from, to] = [from, to].map(|page| {
            let next = StateId::at(self.states.len());
            *self.states.entry(page).or_insert(next)
        });
        self.graph.see(from, EventId(step), to, times);
    }

    /// The minimum number of steps from each page to this one.
    pub fn distances(&self, to: PageId) -> Distances {
        let known = self.states.get(&to);
        known.map_or_else(Distances::default, |to| self.graph.distances(*to))
    }

    /// Paths of fewer than `below` steps to the page that `distances` lead to, at most so many: the shortest
    /// first, among equally long ones those that did so each time. No path visits a page twice. State hides behind equal
    /// pages, so that they can lie.
    pub fn ways(
        &self,
        from: PageId,
        distances: &Distances,
        below: usize,
        most: usize,
    ) -> Vec<Vec<u32>> {
        let known = self.states.get(&from);
        let ways = known.map_or_else(Vec::new, |from| {
            self.graph.ways(*from, distances, below, most)
        });
        let steps = |way: Vec<EventId>| way.into_iter().map(|event| event.0).collect();
        ways.into_iter().map(steps).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pages(names: &str) -> Vec<PageId> {
        names.bytes().map(|b| PageId(u64::from(b))).collect()
    }

    #[test]
    fn the_shortest_and_surest_ways_are_found_across_replays() {
        let mut graph = PageGraph::default();
        graph.add(&[0, 1, 2, 3], &pages("abacd"));
        graph.add(&[9], &pages("ad"));
        let page = |name: u8| PageId(u64::from(name));
        let ways = |graph: &PageGraph, to, below| {
            graph.ways(page(b'a'), &graph.distances(page(to)), below, 3)
        };
        assert_eq!(ways(&graph, b'd', 9), [vec![9], vec![2, 3]]);
        assert_eq!(ways(&graph, b'd', 2), [vec![9]]);
        assert_eq!(ways(&graph, b'a', 9), [Vec::<u32>::new()]);
        assert!(ways(&graph, b'x', 9).is_empty());
        // A step that has led elsewhere goes behind one that has not.
        graph.add(&[9], &pages("aa"));
        graph.add(&[7], &pages("ad"));
        assert_eq!(ways(&graph, b'd', 9), [vec![7], vec![9], vec![2, 3]]);
    }
}
