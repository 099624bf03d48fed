//! The pages observed by replays and the steps that led from one to another: to find loops and shortcuts.

use super::search::Steps;
use crate::gui::PageId;
use crate::util::hash::of_bytes;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::ops::Range;

/// Partial paths looked at in one search; state hides behind equal pages, so that a graph can lie anyway.
const LOOKED_AT: usize = 4000;

/// Pages and moves between them, in the order they were observed.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    pages: FxHashMap<PageId, Vec<Known>>,
}

/// The known results of a step on a page.
#[derive(Clone, Debug)]
struct Known {
    step: u32,
    /// Where it led, and how often; the same page is included.
    to: Vec<(PageId, u32)>,
}

impl Known {
    /// How reliably it leads there: nothing, or minus the logarithm of its share in thousandths.
    fn doubt(&self, times: u32) -> u32 {
        let all: u32 = self.to.iter().map(|(_, times)| times).sum();
        // Small and positive: a share is within (0, 1].
        (f64::from(all) / f64::from(times)).ln().mul_add(1e3, 0.5) as u32
    }
}

impl Graph {
    /// Adds a replay: the page before each step, and the last one.
    pub fn add(&mut self, steps: &[u32], pages: &[PageId]) {
        for (step, pair) in steps.iter().zip(pages.windows(2)) {
            self.see(pair[0], *step, pair[1], 1);
        }
    }

    /// A step on a page led there so often.
    pub fn see(&mut self, from: PageId, step: u32, to: PageId, times: u32) {
        let known = self.pages.entry(from).or_default();
        let at = known.iter().position(|known| known.step == step);
        let at = at.unwrap_or_else(|| {
            let to = Vec::new();
            known.push(Known { step, to });
            known.len() - 1
        });
        let to_list = &mut known[at].to;
        match to_list.iter_mut().find(|(page, _)| *page == to) {
            Some((_, seen)) => *seen += times,
            None => to_list.push((to, times)),
        }
    }

    /// The minimum number of steps from each page to this one, for pages with a path.
    pub fn distances(&self, to: PageId) -> FxHashMap<PageId, usize> {
        let mut back: FxHashMap<PageId, Vec<PageId>> = FxHashMap::default();
        for (from, known) in &self.pages {
            for (page, _) in known.iter().flat_map(|known| &known.to) {
                back.entry(*page).or_default().push(*from);
            }
        }
        let mut distances = FxHashMap::default();
        distances.insert(to, 0);
        let mut queue = VecDeque::from([to]);
        while let Some(page) = queue.pop_front() {
            let distance = distances[&page] + 1;
            for from in back.get(&page).into_iter().flatten() {
                if !distances.contains_key(from) {
                    distances.insert(*from, distance);
                    queue.push_back(*from);
                }
            }
        }
        distances
    }

    /// Paths of fewer than `below` steps to the page that `distances` lead to, at most so many: the shortest
    /// first, among equally long ones those that did so each time. No path visits a page twice.
    pub fn ways(
        &self,
        from: PageId,
        distances: &FxHashMap<PageId, usize>,
        below: usize,
        most: usize,
    ) -> Vec<Steps> {
        let mut found: Vec<Steps> = Vec::new();
        let mut open = BinaryHeap::new();
        let mut number = 0_usize;
        if let Some(&length) = distances.get(&from) {
            // By the least length in all, the doubt, the order they were observed in.
            open.push(Reverse((length, 0_u32, number, vec![from], Steps::new())));
        }
        for _ in 0..LOOKED_AT {
            let Some(Reverse((length, doubt, _, pages, steps))) = open.pop() else {
                break;
            };
            if length >= below || found.len() >= most {
                break;
            }
            let page = *pages.last().unwrap_or(&from);
            if distances.get(&page) == Some(&0) {
                if !found.contains(&steps) {
                    found.push(steps);
                }
                continue;
            }
            for known in self.pages.get(&page).into_iter().flatten() {
                for &(to, times) in &known.to {
                    let Some(left) = distances.get(&to).filter(|_| !pages.contains(&to)) else {
                        continue;
                    };
                    number += 1;
                    let (mut pages, mut steps) = (pages.clone(), steps.clone());
                    pages.push(to);
                    steps.push(known.step);
                    let (length, doubt) = (steps.len() + left, doubt + known.doubt(times));
                    open.push(Reverse((length, doubt, number, pages, steps)));
                }
            }
        }
        found
    }
}

/// The same between places that are coarser than pages, such as sketches and activities: a page with one row more in
/// its list is another page, and yet what leads out of the one may lead out of the other.
#[derive(Clone, Debug, Default)]
pub struct Coarse {
    of: FxHashMap<PageId, PageId>,
    graph: Graph,
    /// By two places and a kind of step: the step that stands for all of them. The first one is the likeliest to be
    /// there after a fresh start.
    first: FxHashMap<(PageId, PageId, u64), u32>,
}

impl Coarse {
    /// The page is this place; what is known of it already stays.
    pub fn add(&mut self, page: PageId, place: PageId) {
        self.of.entry(page).or_insert(place);
    }

    /// The page shows this activity.
    pub fn add_activity(&mut self, page: PageId, activity: &str) {
        self.add(page, PageId(of_bytes(activity.as_bytes())));
    }

    /// A step of this family on a page led to another so often; nothing, where a place is not known.
    pub fn see(&mut self, from: PageId, (step, family): (u32, u64), to: PageId, times: u32) {
        if let (Some(&from), Some(&to)) = (self.of.get(&from), self.of.get(&to)) {
            let step = *self.first.entry((from, to, family)).or_insert(step);
            self.graph.see(from, step, to, times);
        }
    }

    /// The pages' places; a page not known is a separate place.
    pub fn places(&self, pages: &[PageId]) -> Vec<PageId> {
        let place = |page: &PageId| *self.of.get(page).unwrap_or(page);
        pages.iter().map(place).collect()
    }

    /// The moves between them.
    pub const fn graph(&self) -> &Graph {
        &self.graph
    }
}

/// The loops of a walk, `pages` before each of its steps: stretches that end on the page they started on.
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
    fn the_shortest_and_surest_ways_are_found_across_replays() {
        let mut graph = Graph::default();
        graph.add(&[0, 1, 2, 3], &pages("abacd"));
        graph.add(&[9], &pages("ad"));
        let page = |name: u8| PageId(u64::from(name));
        let ways =
            |graph: &Graph, to, below| graph.ways(page(b'a'), &graph.distances(page(to)), below, 3);
        assert_eq!(ways(&graph, b'd', 9), [vec![9], vec![2, 3]]);
        assert_eq!(ways(&graph, b'd', 2), [vec![9]]);
        assert_eq!(ways(&graph, b'a', 9), [Steps::new()]);
        assert!(ways(&graph, b'x', 9).is_empty());
        // A step that has led elsewhere goes behind one that has not.
        graph.add(&[9], &pages("aa"));
        graph.add(&[7], &pages("ad"));
        assert_eq!(ways(&graph, b'd', 9), [vec![7], vec![9], vec![2, 3]]);
    }

    #[test]
    fn what_leads_out_of_one_page_is_tried_on_another_of_its_activity() {
        let mut activities = Coarse::default();
        let page = |name: u8| PageId(u64::from(name));
        for (name, activity) in [(b'l', "List"), (b'm', "List"), (b'd', "Detail")] {
            activities.add_activity(page(name), activity);
        }
        activities.see(page(b'l'), (4, 0), page(b'd'), 1);
        // Another step of the kind adds no other path.
        activities.see(page(b'm'), (5, 0), page(b'd'), 1);
        let (places, graph) = (activities.places(&pages("mdx")), activities.graph());
        let ways = |to: usize| graph.ways(places[0], &graph.distances(places[to]), 9, 3);
        assert_eq!(ways(1), [vec![4]]);
        assert_eq!(places[2], page(b'x'));
        assert!(ways(2).is_empty());
    }
}
