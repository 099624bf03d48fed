//! The transitions that the base's events made, for Algorithm 3.
//!
//! The session's state graph has the moves of events of a page only. A base such as `monkey` sends touches at points and
//! raw keys, which are none.

use crate::graph::StateId;
use rustc_hash::FxHashMap;

/// Transitions kept from one state, at most.
const FROM: usize = 64;
/// Transitions looked at for one selection, at most. A state beyond them counts as one without transitions.
const LOOKED_AT: usize = 1 << 14;

/// The states that each state led to, each once.
#[derive(Clone, Debug, Default)]
pub(super) struct Transitions {
    to: Vec<Vec<StateId>>,
}

impl Transitions {
    /// An event led from a state to another one.
    pub(super) fn add(&mut self, from: StateId, to: StateId) {
        let known = self.to.len().max(from.index() + 1);
        self.to.resize_with(known, Vec::new);
        let all = &mut self.to[from.index()];
        if all.len() < FROM && !all.contains(&to) {
            all.push(to);
        }
    }

    fn from(&self, state: StateId) -> &[StateId] {
        self.to.get(state.index()).map_or(&[], Vec::as_slice)
    }
}

/// The sums over all paths, found once for each state and length.
pub(super) struct Paths<'a, F> {
    transitions: &'a Transitions,
    fitness: F,
    /// By state and length: the number of its paths, and the sum of the fitness of all states on them.
    known: FxHashMap<(StateId, u32), (f64, f64)>,
    left: usize,
}

impl<'a, F: Fn(StateId) -> f64> Paths<'a, F> {
    pub(super) fn new(transitions: &'a Transitions, fitness: F) -> Self {
        Self {
            transitions,
            fitness,
            known: FxHashMap::default(),
            left: LOOKED_AT,
        }
    }

    /// The average fitness over all paths of so many transitions from a state; where there is none, over the longest.
    pub(super) fn mean(&mut self, state: StateId, most: u32) -> f64 {
        let longest = (0..=most).rev().find_map(|length| {
            let (count, sum) = self.sums(state, length);
            (count > 0.0).then(|| sum / (count * f64::from(length + 1)))
        });
        longest.unwrap_or_default()
    }

    fn sums(&mut self, state: StateId, length: u32) -> (f64, f64) {
        let own = (self.fitness)(state);
        if length == 0 {
            return (1.0, own);
        }
        if let Some(sums) = self.known.get(&(state, length)) {
            return *sums;
        }
        let mut all = (0.0, 0.0);
        for &to in self.transitions.from(state) {
            if self.left == 0 {
                break;
            }
            self.left -= 1;
            let (count, sum) = self.sums(to, length - 1);
            all = (all.0 + count, count.mul_add(own, all.1 + sum));
        }
        self.known.insert((state, length), all);
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_is_over_the_longest_paths() {
        let f = |state: StateId| 0.9_f64.powi(state.0 as i32);
        let mut known = Transitions::default();
        let near = |state, expected: f64, known: &Transitions| {
            let found = Paths::new(known, f).mean(StateId(state), 3);
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        };
        let average =
            |path: &[u32]| path.iter().map(|s| f(StateId(*s))).sum::<f64>() / path.len() as f64;
        near(0, f(StateId(0)), &known);
        for (from, to) in [(0, 1), (1, 2), (0, 3), (0, 1)] {
            known.add(StateId(from), StateId(to));
        }
        // 0-1-2 is the longest path, shorter than k.
        near(0, average(&[0, 1, 2]), &known);
        for (from, to) in [(2, 4), (3, 4), (4, 0)] {
            known.add(StateId(from), StateId(to));
        }
        let both = f64::midpoint(average(&[0, 1, 2, 4]), average(&[0, 3, 4, 0]));
        near(0, both, &known);
    }

    /// With 20 ways a state has 8,000 paths of three transitions; each counts the same.
    #[test]
    fn every_path_counts_among_many() {
        let mut known = Transitions::default();
        for child in 1..=20 {
            known.add(StateId(0), StateId(child));
            for next in 0..20 {
                known.add(StateId(child), StateId(100 + 20 * child + next));
            }
        }
        // Only what lies behind the first way is worth anything.
        let first = |state: StateId| f64::from(u8::from((120..140).contains(&state.0)));
        let found = Paths::new(&known, first).mean(StateId(0), 3);
        assert!((found - 1.0 / 20.0 / 3.0).abs() < 1e-12, "{found}");
    }
}
