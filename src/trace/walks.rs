//! The steps since the app was last started with cleared data, and those to each saved state.
//!
//! They are a tree: after a restored state the walk goes on from the steps that led to it, and each step is stored once,
//! however many saved states lie behind it.

use crate::outcome::run_event::SaveId;
use rustc_hash::FxHashMap;

/// Walks through an app, by steps of any kind.
#[derive(Clone, Debug)]
pub struct Walks<T> {
    /// Each step with the one before it.
    nodes: Vec<(Option<usize>, T)>,
    /// The steps of the current walk, as indices.
    path: Vec<usize>,
    /// The last step before each saved state; `None`: a fresh start.
    saved: FxHashMap<SaveId, Option<usize>>,
    /// Has [`Walks::mark`] been called? The steps before a mark are kept.
    is_marked: bool,
}

/// The end of a walk at some time, by which its steps are found later.
#[derive(Clone, Copy, Debug)]
pub struct Mark(Option<usize>);

impl<T> Default for Walks<T> {
    fn default() -> Self {
        Self {
            nodes: Vec::new(),
            path: Vec::new(),
            saved: FxHashMap::default(),
            is_marked: false,
        }
    }
}

impl<T> Walks<T> {
    /// The app was started with cleared data.
    pub fn start(&mut self) {
        self.path.clear();
        if self.saved.is_empty() && !self.is_marked {
            self.nodes.clear();
        }
    }

    /// A step was performed.
    pub fn push(&mut self, step: T) {
        self.nodes.push((self.path.last().copied(), step));
        self.path.push(self.nodes.len() - 1);
    }

    /// The state that the walk led to was saved.
    pub fn save(&mut self, id: SaveId) {
        self.saved.insert(id, self.path.last().copied());
    }

    /// The walk is the one to a saved state again; nothing changes if there is no such state.
    pub fn restore(&mut self, id: SaveId) {
        if let Some(path) = self.path_to(id) {
            self.path = path;
        }
    }

    /// Marks the end of the current walk. From now on all steps are kept in memory.
    pub fn mark(&mut self) -> Mark {
        self.is_marked = true;
        Mark(self.path.last().copied())
    }

    /// The steps from a fresh start to a mark.
    pub fn to_mark(&self, mark: Mark) -> impl Iterator<Item = &T> {
        let path = self.path_from_start(mark.0);
        path.into_iter().map(|at| &self.nodes[at].1)
    }

    /// The steps from a fresh start to a saved state; `None`: there is no such state.
    pub fn to(&self, id: SaveId) -> Option<impl Iterator<Item = &T>> {
        let path = self.path_to(id)?;
        Some(path.into_iter().map(|at| &self.nodes[at].1))
    }

    /// The steps of the current walk.
    pub fn steps(&self) -> impl ExactSizeIterator<Item = &T> {
        self.path.iter().map(|&at| &self.nodes[at].1)
    }

    /// The steps of the current walk behind the first `count`, at the cost of these steps alone.
    pub fn since(&self, count: usize) -> impl Iterator<Item = &T> {
        let path = self.path.get(count..).unwrap_or_default();
        path.iter().map(|&at| &self.nodes[at].1)
    }

    fn path_to(&self, id: SaveId) -> Option<Vec<usize>> {
        Some(self.path_from_start(*self.saved.get(&id)?))
    }

    fn path_from_start(&self, last: Option<usize>) -> Vec<usize> {
        let mut path: Vec<usize> = std::iter::successors(last, |&at| self.nodes[at].0).collect();
        path.reverse();
        path
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_walk_goes_on_from_a_saved_state_whatever_came_in_between() {
        let mut walks = Walks::default();
        let steps = |walks: &Walks<char>| walks.steps().collect::<String>();
        "ab".chars().for_each(|step| walks.push(step));
        walks.save(SaveId(0));
        walks.push('c');
        walks.save(SaveId(1));
        walks.restore(SaveId(0));
        walks.push('d');
        assert_eq!(steps(&walks), "abd");
        walks.start();
        walks.push('e');
        walks.restore(SaveId(1));
        assert_eq!(steps(&walks), "abc");
        walks.restore(SaveId(7));
        assert_eq!(steps(&walks), "abc");
        assert_eq!(walks.since(1).collect::<String>(), "bc");
        assert_eq!(walks.since(4).count(), 0);
        assert_eq!(walks.to(SaveId(0)).unwrap().collect::<String>(), "ab");
        assert!(walks.to(SaveId(7)).is_none());
    }

    #[test]
    fn a_mark_keeps_the_steps_to_it_over_fresh_starts() {
        let mut walks = Walks::default();
        walks.push('a');
        let first = walks.mark();
        walks.push('b');
        walks.start();
        let none = walks.mark();
        walks.push('c');
        let last = walks.mark();
        let steps = |mark| walks.to_mark(mark).collect::<String>();
        assert_eq!(
            [steps(first), steps(none), steps(last)],
            ["a", "", "c"].map(String::from)
        );
    }
}
