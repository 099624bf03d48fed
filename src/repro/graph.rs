//! The pages met by replays and the steps that led from one to another: where loops and short cuts are.

use super::search::Steps;
use crate::gui::PageId;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::ops::Range;

/// Pages and moves between them, in the order they were met.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    moves: FxHashMap<PageId, Vec<(u32, PageId)>>,
}

impl Graph {
    /// Takes in a replay: the page before each step, and the last one.
    pub fn add(&mut self, steps: &[u32], pages: &[PageId]) {
        for (step, pair) in steps.iter().zip(pages.windows(2)) {
            if pair[0] == pair[1] {
                continue;
            }
            let moves = self.moves.entry(pair[0]).or_default();
            if !moves.iter().any(|(_, to)| *to == pair[1]) {
                moves.push((*step, pair[1]));
            }
        }
    }

    /// The fewest steps from one page to each that can be reached: breadth first.
    pub fn paths(&self, from: PageId) -> FxHashMap<PageId, Steps> {
        let mut paths: FxHashMap<PageId, Steps> = FxHashMap::default();
        paths.insert(from, Vec::new());
        let mut queue = VecDeque::from([from]);
        while let Some(page) = queue.pop_front() {
            for &(step, to) in self.moves.get(&page).into_iter().flatten() {
                if !paths.contains_key(&to) {
                    let mut path = paths[&page].clone();
                    path.push(step);
                    paths.insert(to, path);
                    queue.push_back(to);
                }
            }
        }
        paths
    }
}

/// The loops of a walk, `pages` before each of its steps: stretches that end on the page they began on.
///
/// At depth 0 they are the outermost; deeper ones lie inside those of the depth before, or are their rounds
/// where one comes by its page several times. They do not overlap.
pub fn loops(pages: &[PageId], depth: usize) -> Vec<Range<usize>> {
    let outer = outermost(pages, 0..pages.len());
    (0..depth).fold(outer, |loops, _| {
        loops.into_iter().flat_map(|l| inside(pages, l)).collect()
    })
}

fn outermost(pages: &[PageId], within: Range<usize>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = within.start;
    while at < within.end {
        let last = (at..within.end)
            .rev()
            .find(|&i| pages[i] == pages[at])
            .unwrap_or(at);
        if last > at {
            found.push(at..last);
        }
        at = last + 1;
    }
    found
}

fn inside(pages: &[PageId], outer: Range<usize>) -> Vec<Range<usize>> {
    let mut ends: Vec<usize> = outer
        .clone()
        .filter(|&i| pages[i] == pages[outer.start])
        .collect();
    ends.push(outer.end);
    if ends.len() > 2 {
        return ends.windows(2).map(|pair| pair[0]..pair[1]).collect();
    }
    outermost(pages, outer.start + 1..outer.end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pages(names: &str) -> Vec<PageId> {
        names.bytes().map(|b| PageId(u64::from(b))).collect()
    }

    #[test]
    fn outer_loops_first_then_their_rounds_then_what_is_inside() {
        let walk = pages("abcbcbadd");
        assert_eq!(loops(&walk, 0), [0..6, 7..8]);
        let (inner, one) = (loops(&walk, 1), 1..5);
        assert_eq!(inner, std::slice::from_ref(&one));
        assert_eq!(loops(&walk, 2), [1..3, 3..5]);
        assert!(loops(&walk, 3).is_empty());
        assert!(loops(&pages("abc"), 0).is_empty());
    }

    #[test]
    fn the_fewest_steps_are_found_across_replays() {
        let mut graph = Graph::default();
        graph.add(&[0, 1, 2, 3], &pages("abacd"));
        graph.add(&[9], &pages("ad"));
        let paths = graph.paths(PageId(u64::from(b'a')));
        let to = |name: u8| paths.get(&PageId(u64::from(name))).cloned();
        assert_eq!(to(b'd'), Some(vec![9]));
        assert_eq!(to(b'c'), Some(vec![2]));
        assert_eq!(to(b'a'), Some(vec![]));
        assert_eq!(to(b'x'), None);
    }
}
