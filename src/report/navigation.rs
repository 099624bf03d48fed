//! The state graph of an app's activities: each is a state, and whatever leads from one to another is one event.

use crate::graph::ways::Reach;
use crate::graph::{Bounds, EventId, StateGraph, StateId};
use rustc_hash::FxHashMap;

/// All that leads from one activity to another.
const ANY: EventId = EventId(0);

/// The activities, numbered in the order they are added, and the moves between them.
#[derive(Debug)]
pub struct Navigation {
    numbers: FxHashMap<String, usize>,
    graph: StateGraph,
}

impl Default for Navigation {
    fn default() -> Self {
        Self {
            numbers: FxHashMap::default(),
            graph: StateGraph::new(Bounds::NONE),
        }
    }
}

impl Navigation {
    /// The number of an activity, if it was added.
    pub fn get(&self, name: &str) -> Option<usize> {
        self.numbers.get(name).copied()
    }

    /// Adds an activity, and gives its number.
    pub fn add(&mut self, name: &str) -> usize {
        let next = self.numbers.len();
        *self.numbers.entry(name.to_owned()).or_insert(next)
    }

    /// So often one activity followed the other.
    pub fn moved(&mut self, from: usize, to: usize, times: u64) {
        let times = u32::try_from(times).unwrap_or(u32::MAX);
        self.graph
            .see(StateId::at(from), ANY, StateId::at(to), times);
    }

    /// A start of the app led to this activity.
    pub fn started(&mut self, to: usize) {
        self.graph.started(StateId::at(to));
    }

    /// The moves, sorted: from, to, how often.
    pub fn moves(&self) -> Vec<(usize, usize, u64)> {
        let moves = self.graph.moves();
        let moves = moves.map(|(from, _, to, times)| (from.index(), to.index(), u64::from(times)));
        let mut moves: Vec<_> = moves.collect();
        moves.sort_unstable();
        moves
    }

    /// Where starts of the app led, in the order of first sight.
    pub fn entries(&self) -> Vec<usize> {
        let starts = self.graph.starts().iter();
        starts.map(|(to, _)| to.index()).collect()
    }

    /// The fewest moves from these activities to each of the first `count`; an activity that no move leads to is one
    /// move from the start.
    pub fn depths(&self, entries: &[usize], count: usize) -> Vec<usize> {
        let mut depths = vec![None; count];
        let mut reach = Reach::default();
        let mut from: Vec<StateId> = entries.iter().copied().map(StateId::at).collect();
        let mut first = 0;
        loop {
            self.graph.reach(from, usize::MAX, &mut reach);
            for (state, distance) in reach.states() {
                if let Some(depth) = depths.get_mut(state.index()) {
                    depth.get_or_insert(first + distance as usize);
                }
            }
            match depths.iter().position(Option::is_none) {
                Some(unreached) => (from, first) = (vec![StateId::at(unreached)], 1),
                None => return depths.into_iter().flatten().collect(),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_move_leads_to_is_one_move_from_the_start() {
        let mut navigation = Navigation::default();
        let all = ["Main", "List", "Editor", "Orphan", "Child"];
        assert_eq!(all.map(|name| navigation.add(name)), [0, 1, 2, 3, 4]);
        assert_eq!((navigation.add("List"), navigation.get("None")), (1, None));
        for (from, to) in [(0, 1), (1, 2), (2, 0), (3, 4), (4, 2), (0, 1)] {
            navigation.moved(from, to, 2);
        }
        navigation.started(0);
        assert_eq!(navigation.depths(&navigation.entries(), 5), [0, 1, 2, 1, 2]);
        assert_eq!(
            navigation.moves(),
            [(0, 1, 4), (1, 2, 2), (2, 0, 2), (3, 4, 2), (4, 2, 2)]
        );
    }
}
