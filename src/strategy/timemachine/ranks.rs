//! States in the order of how often they were visited, kept in constant time for each visit.

use crate::graph::StateId;

/// The order.
#[derive(Clone, Debug, Default)]
pub(super) struct Ranks {
    /// The states, the most visited first.
    order: Vec<StateId>,
    /// By state: its place in `order`, and its visits.
    states: Vec<(usize, usize)>,
    /// By number of visits: the first place of a state with so many or fewer.
    first: Vec<usize>,
}

impl Ranks {
    /// One more visit.
    pub(super) fn visited(&mut self, state: StateId) {
        for index in self.states.len()..=state.index() {
            self.states.push((self.order.len(), 0));
            self.order.push(StateId::at(index));
        }
        let (place, visits) = self.states[state.index()];
        // It changes places with the first of its equals, which moves those up by one.
        self.first.resize(self.first.len().max(visits + 1), 0);
        let first = self.first[visits];
        let other = self.order[first];
        self.order.swap(first, place);
        self.states[other.index()].0 = place;
        self.states[state.index()] = (first, visits + 1);
        self.first[visits] += 1;
    }

    /// How many states come before this one; equally often visited ones in any order.
    pub(super) fn of(&self, state: StateId) -> usize {
        let known = self.states.get(state.index());
        known.map_or(usize::MAX, |(place, _)| *place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::seed::generator;
    use rand::RngExt as _;

    #[test]
    fn the_order_is_that_of_sorting_after_every_visit() {
        let (mut ranks, mut visits) = (Ranks::default(), [0; 12]);
        let mut rng = generator(1, "", "", 0);
        for _ in 0..2000 {
            let at = rng
                .random_range(0..visits.len())
                .min(rng.random_range(0..visits.len()));
            ranks.visited(StateId::at(at));
            visits[at] += 1;
            let ordered: Vec<usize> = ranks.order.iter().map(|s| visits[s.index()]).collect();
            assert!(ordered.is_sorted_by(|a, b| a >= b), "{ordered:?}");
            let known = 0..ranks.order.len();
            assert!(
                known
                    .into_iter()
                    .all(|place| ranks.of(ranks.order[place]) == place)
            );
        }
    }
}
