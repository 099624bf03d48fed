//! Short paths to a finding, tried before its long path is replayed at all.
//!
//! A session comes by the same places repeatedly, and most of its steps have nothing to do with the finding. The
//! journal tells the page before each step, so candidates can be made without a replay: from the start by the shortest
//! ways on the graph of coarse pages to the last one, two, four ... steps; the walk itself with its loops left out,
//! from the end back, which keeps what was done last on each page; and, for what is hidden, each kind of loop once. All of them together cost less than one replay of a long path.

use super::minimize::{LONG, WAYS};
use super::replay::Gone;
use super::search::{Search, Steps, Tester, Won};
use crate::gui::PageId;
use rustc_hash::FxHashMap;
use std::time::Instant;

/// The last steps kept unchanged, at most.
const LAST: usize = 32;
/// Fewer steps are replayed as they are: that costs no more, and says more.
const SHORT: usize = 12;
/// Loops of one kind that are kept: one, or so many, where a finding wants things done several times.
const SAME: [usize; 2] = [1, 3];

/// So often the last step is tried in a row.
const AGAIN: [usize; 2] = [2, 3];

/// A walk that ended with the finding, by a session's journal.
#[derive(Clone, Copy, Debug)]
pub struct Walk<'w> {
    /// Its steps.
    pub steps: &'w [u32],
    /// The page before each of them, and the last one.
    pub pages: &'w [PageId],
}

impl<T: Tester> Search<'_, T> {
    /// The first short path made from this walk that leads to the finding; none of them may.
    ///
    /// # Errors
    /// The tester's.
    pub fn jump(&mut self, walk: Walk<'_>) -> Result<Option<Won>, T::Error> {
        let all = walk.steps.len();
        if all < SHORT || walk.pages.len() <= all {
            return Ok(None);
        }
        self.tries = 1;
        // What is cut out of a walk takes rows away that later steps touch.
        self.gone = Gone::Skipped;
        let places = self.sketches.places(walk.pages);
        let mut candidates = self.short_ways(walk.steps, &places);
        candidates.extend(self.skeletons(walk.steps, &places));
        candidates.retain(|steps| steps.len() < all.div_ceil(2));
        // The cheapest first; among equally long ones those of the fewest last steps.
        candidates.sort_by_key(Vec::len);
        candidates.dedup();
        // Two thirds of the means are left for the walk itself.
        candidates.truncate(usize::try_from(self.left() / 3).unwrap_or(usize::MAX));
        let until = self.until();
        let now = Instant::now();
        self.end_at(until.map(|until| now + until.saturating_duration_since(now) / 3));
        let won = self.first(&candidates);
        self.end_at(until);
        won
    }

    /// From the first page to the last steps.
    fn short_ways(&self, steps: &[u32], places: &[PageId]) -> Vec<Steps> {
        let all = steps.len();
        let graph = self.sketches.graph();
        let mut found = Vec::new();
        let lengths = std::iter::successors(Some(1), |last| Some(last * 2));
        for last in lengths.take_while(|&last| last < all && last <= LAST) {
            let from = all - last;
            let own = last_exits(places, from);
            let own: Steps = own.iter().map(|&at| steps[at]).collect();
            let distances = graph.distances(places[from]);
            let known = graph.ways(places[0], &distances, LONG, WAYS);
            for way in std::iter::once(own).chain(known) {
                if last == 1 {
                    // What must be done several times was done before, on another visit.
                    let again =
                        AGAIN.map(|times| [&way[..], &steps[from..].repeat(times)].concat());
                    found.extend(again);
                }
                let whole = [&way[..], &steps[from..]].concat();
                let bare = self.without_seldom(&whole);
                if bare.len() < whole.len() {
                    found.push(bare);
                }
                found.push(whole);
            }
        }
        found
    }

    /// Every kind of loop of the walk, a few times each, on the path to the last step.
    fn skeletons(&self, steps: &[u32], places: &[PageId]) -> Vec<Steps> {
        let mut found = Vec::new();
        for same in SAME {
            let family = |at: usize| self.family(steps[at]);
            let kept = skeleton(places, steps.len() - 1, same, family);
            let whole: Steps = kept.into_iter().map(|at| steps[at]).collect();
            let whole = [&whole[..], &steps[steps.len() - 1..]].concat();
            found.push(self.without_seldom(&whole));
            found.push(whole);
        }
        found
    }

    /// The steps without those that findings seldom want; the last one stays.
    pub(super) fn without_seldom(&self, steps: &[u32]) -> Steps {
        let last = steps.len().saturating_sub(1);
        let kept = |&(at, step): &(usize, &u32)| at == last || !self.is_seldom(*step);
        steps
            .iter()
            .enumerate()
            .filter(kept)
            .map(|(_, step)| *step)
            .collect()
    }

    /// Is it a step that findings seldom want?
    pub(super) fn is_seldom(&self, step: u32) -> bool {
        self.kinds
            .get(step as usize)
            .is_some_and(|kind| kind.seldom)
    }

    pub(super) fn family(&self, step: u32) -> u64 {
        let known = self.kinds.get(step as usize);
        known.map_or_else(|| u64::from(step), |kind| kind.family)
    }
}

/// The steps that lead from the first place to the one before step `to`, each of them the last with which the walk left
/// its place.
fn last_exits(places: &[PageId], to: usize) -> Vec<usize> {
    let mut exits: FxHashMap<PageId, usize> = FxHashMap::default();
    for (at, place) in places[..to].iter().enumerate() {
        exits.insert(*place, at);
    }
    let (mut way, mut at) = (Vec::new(), 0);
    while at < to && places[at] != places[to] {
        // The walk came by here, so it has left.
        let last = exits.get(&places[at]).copied().unwrap_or(at);
        way.push(last);
        at = last + 1;
    }
    way
}

/// The steps before this one with as few loops as it takes to have each kind of them so many times: what changes
/// hidden state (a switch, a row more) often leads back to where it was done. A loop is a way that comes by no place
/// twice and ends where it started; loops that hang on it are its own. Two of one kind come by the same places with steps
/// of the same families.
fn skeleton(
    places: &[PageId],
    to: usize,
    same: usize,
    family: impl Fn(usize) -> u64,
) -> Vec<usize> {
    /// A place of the way so far, what was done there before it was left, and the step that left it.
    struct Level {
        kept: Vec<usize>,
        exit: usize,
    }
    let mut way: Vec<Level> = Vec::new();
    let mut height: FxHashMap<PageId, usize> = FxHashMap::default();
    let mut seen: FxHashMap<Vec<(PageId, u64)>, usize> = FxHashMap::default();
    let mut kept = Vec::new();
    for at in 0..to {
        height.insert(places[at], way.len());
        way.push(Level {
            kept: std::mem::take(&mut kept),
            exit: at,
        });
        let Some(&base) = height.get(&places[at + 1]) else {
            continue;
        };
        // A loop ends here: it hangs on the place it started at, or is left out.
        let mut round = way.split_off(base);
        for level in &round {
            height.remove(&places[level.exit]);
        }
        kept = round
            .first_mut()
            .map(|first| std::mem::take(&mut first.kept))
            .unwrap_or_default();
        let kind = |level: &Level| (places[level.exit], family(level.exit));
        let times = seen.entry(round.iter().map(kind).collect()).or_default();
        *times += 1;
        if *times <= same || round.iter().any(|level| !level.kept.is_empty()) {
            kept.extend(round.into_iter().flat_map(Level::steps));
        }
    }
    impl Level {
        fn steps(self) -> impl Iterator<Item = usize> {
            self.kept.into_iter().chain(std::iter::once(self.exit))
        }
    }
    let mut all: Vec<usize> = way.into_iter().flat_map(Level::steps).collect();
    all.append(&mut kept);
    all
}

#[cfg(test)]
#[path = "jump_tests.rs"]
mod tests;
