//! The loops of a walk over pages, and places that are coarser than pages: to find shortcuts.

use crate::graph::PageGraph;
use crate::gui::PageId;
use crate::util::hash::of_bytes;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// A [`PageGraph`] of places that are coarser than pages, such as sketches and activities: a page with one row more in
/// its list is another page, and yet what leads out of the one may lead out of the other.
#[derive(Clone, Debug, Default)]
pub struct Coarse {
    of: FxHashMap<PageId, PageId>,
    graph: PageGraph,
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
    pub const fn graph(&self) -> &PageGraph {
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
