//! The last steps of a long path, and what they need of all that came before.
//!
//! Most of a long path only leads from page to page, for which the page graph knows shorter ones. What is hidden (a
//! setting switched on, a row added) is found from the end, one need after the other, as in QuickXplain (Junker,
//! "QuickXplain: preferred explanations and relaxations for over-constrained problems", AAAI 2004): the fewest last
//! steps that still lead to the finding start with one that is needed; it is kept, and the search restarts behind
//! it. So a need costs a number of replays that grows with the logarithm of the steps, where delta debugging takes
//! rounds over all of them as soon as two needs lie apart.

use super::minimize::{Current, LONG, WAYS, gone};
use super::replay::Gone;
use super::search::{Search, Steps, Tester, Won};

/// Behind so many steps per second way would cost more than it is likely to give.
const LONG_TAIL: usize = 32;
/// Requirements are separated down to so many steps; delta debugging handles the rest.
const NEAR: usize = 8;
/// Or to this share of the last steps: each of them is performed each time.
const SHARE: usize = 16;
/// Rounds in a row that leave nothing out, after which most of what is left is taken to be needed.
const IDLE: usize = 2;

impl<T: Tester> Search<'_, T> {
    /// The last steps behind the shortest paths to where they start: one, two, four and so on. Of a long path, what these
    /// need is kept and the same done behind it, until the way is short or nothing more can be left out so.
    ///
    /// # Errors
    /// The tester's.
    pub(super) fn tail(&mut self, current: &mut Current) -> Result<(), T::Error> {
        let (mut head, mut idle) = (0, 0);
        loop {
            let all = current.steps.len();
            let left = all - head;
            let lengths = std::iter::successors(Some(1), |last| Some(last * 2));
            let lengths: Vec<usize> = lengths.take_while(|last| *last < left).collect();
            let behind = |last: &usize| {
                let candidates = self.behind(current, head, *last).into_iter();
                candidates
                    .map(|candidate| (*last, candidate))
                    .collect::<Vec<_>>()
            };
            let (of, candidates): (Vec<_>, Vec<_>) = lengths.iter().flat_map(behind).unzip();
            // So many last steps do not lead to the finding, and so many do.
            let (mut few, mut enough) = (lengths.last().copied().unwrap_or(0), left);
            if let Some(won) = self.among(current, &candidates)? {
                let last = of[won.ix];
                let whole = candidates[won.ix].len();
                (head, few, enough) = won.parts(head, whole - last / 2, whole - last);
                *current = Current::of(won);
            }
            while enough - few > NEAR.max(enough / SHARE)
                && current.steps.len() > LONG
                && !self.exhausted
            {
                let middle = usize::midpoint(few, enough);
                let candidates = self.behind(current, head, middle);
                match self.among(current, &candidates)? {
                    Some(won) => {
                        let whole = candidates[won.ix].len();
                        (head, few, enough) = won.parts(head, whole - few, whole - middle);
                        *current = Current::of(won);
                    }
                    None => few = middle,
                }
            }
            head = current.steps.len() - few;
            idle = if current.steps.len() < all {
                0
            } else {
                idle + 1
            };
            if few == 0 || idle == IDLE || current.steps.len() <= LONG || self.exhausted {
                return Ok(());
            }
        }
    }

    /// So many first and so many last steps with the shortest paths between them, where there are shorter ones than now.
    fn behind(&self, current: &Current, head: usize, last: usize) -> Vec<Steps> {
        let Current { steps, pages } = current;
        let from = steps.len() - last;
        let (Some(&start), Some(&page)) = (pages.get(head), pages.get(from)) else {
            return Vec::new();
        };
        // Later rounds have the same last steps.
        let first = head == 0 && last <= LONG_TAIL;
        let most = if first { WAYS } else { 1 };
        let distances = self.graph.distances(page);
        let mut ways = self.graph.ways(start, &distances, from - head, most);
        if ways.len() < most {
            // Where the pages offer too little, pages of the same make.
            let places = self.sketches.places(&[start, page]);
            let graph = self.sketches.graph();
            let distances = graph.distances(places[1]);
            let like = graph.ways(places[0], &distances, from - head, most);
            let new: Vec<Steps> = like.into_iter().filter(|way| !ways.contains(way)).collect();
            ways.extend(new.into_iter().take(most - ways.len()));
        }
        if ways.is_empty() && gone(steps.len()) == Gone::Skipped {
            ways.push(Steps::new());
        }
        let joined = |way: &Steps| [&steps[..head], way, &steps[from..]].concat();
        ways.iter().map(joined).collect()
    }
}

impl Won {
    /// How many steps were performed of the first `head` of the candidate, and of those from these two places on.
    fn parts(&self, head: usize, few: usize, enough: usize) -> (usize, usize, usize) {
        let before = |place: usize| self.places.partition_point(|&at| at < place);
        let all = self.places.len();
        (before(head), all - before(few), all - before(enough))
    }
}
