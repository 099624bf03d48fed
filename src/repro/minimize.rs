//! From a long path to a finding to a short one, of which no single step can be left out.
//!
//! Cuts that are likely to do much come first: the shortest known way to the last few steps, with what these need
//! of a long path before them (`tail.rs`), then the loops on the page graph, all at once, else subsets of them (state
//! may hide behind equal pages), then delta debugging down to single steps (ddmin: Zeller and Hildebrandt,
//! "Simplifying and isolating failure-inducing input", IEEE TSE 2002, section 3), then short cuts between any two
//! pages of what is left. Whatever is taken has led to the finding; so the result does, whatever the app hides.

use super::graph::loops;
use super::jump::Walk;
use super::rate::tries_at_first;
use super::replay::Gone;
use super::search::{Search, Steps, Tester, Verdict, Won};
use crate::graph::PageGraph;
use crate::gui::PageId;
use std::ops::Range;

/// Replays of the steps as they are, before they are given up.
const FIRST_TRIES: u32 = 5;
/// How deep loops inside loops are looked for.
const DEPTH: usize = 4;
/// Ways tried between the same two pages: what one of them wants may be hidden.
pub(super) const WAYS: usize = 3;
/// The same between two activities: what leads to the other from one of its pages is not on all of them.
const GUESSES: usize = 6;
/// How often candidates and results are tried whose replays tell nothing: the device failed, the app did not start.
const PATIENCE: usize = 3;
/// Short cuts tried at once of those that add steps; with more steps than this there are too many pairs.
const SHORT_CUTS: usize = 40;
/// Candidates of more steps than this are replayed without those whose widget is gone: what is left out of a long path
/// takes rows away that something touched later, and whatever still leads to the finding is worth having.
pub(super) const LONG: usize = 40;

/// The result of a search for fewer steps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fewest {
    /// The steps.
    pub steps: Steps,
    /// Can no single one be left out? Otherwise the limit was reached first, or replays failed that would tell.
    pub minimal: bool,
}

/// What becomes of candidates made of so many steps where a widget is gone.
pub(super) const fn gone(steps: usize) -> Gone {
    if steps > LONG {
        Gone::Skipped
    } else {
        Gone::Ends
    }
}

/// How many of so many replays show the finding, and how many tell whether it comes: one that tells nothing is done
/// again, [`PATIENCE`] times in all. `replay` is given the number of its round, from 0.
///
/// # Errors
/// Those of `replay`.
pub fn confirm<E>(
    rounds: u32,
    mut replay: impl FnMut(u32) -> Result<Verdict, E>,
) -> Result<(u64, u64), E> {
    let (mut reproduced, mut reported) = (0, 0);
    for round in 0..rounds {
        for _ in 0..PATIENCE {
            let verdict = replay(round)?;
            if verdict.tells() {
                reported += 1;
                reproduced += u64::from(verdict.fails.is_some());
                break;
            }
        }
    }
    Ok((reproduced, reported))
}

impl<T: Tester> Search<'_, T> {
    /// The fewest steps found; `None`: the finding did not come at all.
    ///
    /// # Errors
    /// The tester's.
    pub fn minimize(&mut self, steps: Steps) -> Result<Option<Fewest>, T::Error> {
        self.minimize_walk(steps, &[])
    }

    /// The same for a walk whose pages are known (the one before each step, and the last one): short paths made of it
    /// are tried before it is replayed as it is.
    ///
    /// # Errors
    /// The tester's.
    pub fn minimize_walk(
        &mut self,
        steps: Steps,
        pages: &[PageId],
    ) -> Result<Option<Fewest>, T::Error> {
        let jumped = self.jump(Walk {
            steps: &steps,
            pages,
        })?;
        let won = match jumped {
            Some(won) => won,
            None => {
                self.tries = FIRST_TRIES;
                self.gone = gone(steps.len());
                let Some(won) = self.first(&[steps])? else {
                    return Ok(None);
                };
                self.tries = tries_at_first(won.attempts);
                self.rate.note((1, u64::from(won.attempts)));
                won
            }
        };
        let mut current = Current::of(won);
        self.cut_seldom(&mut current)?;
        loop {
            let before = current.steps.len();
            self.tail(&mut current)?;
            let after = current.steps.len();
            if after <= LONG || after > before / 2 || self.exhausted {
                break;
            }
        }
        for depth in 0..DEPTH {
            self.cut_loops(&mut current, depth)?;
        }
        self.finish(current).map(Some)
    }

    /// Continues from steps that lead to the finding, when more has become known of its rate.
    ///
    /// # Errors
    /// The tester's.
    pub fn refine(&mut self, steps: Steps) -> Result<Fewest, T::Error> {
        self.tries = self.tries.max(self.rate.tries());
        let pages = Vec::new();
        self.finish(Current { steps, pages })
    }

    fn finish(&mut self, mut current: Current) -> Result<Fewest, T::Error> {
        loop {
            for _ in 0..PATIENCE {
                self.untold.clear();
                let every = (0..current.steps.len()).map(|at| at..at + 1).collect();
                // A candidate known to miss is not replayed again: another round only costs what is still unknown.
                self.ddmin(&mut current, every)?;
                if self.untold.is_empty() {
                    break;
                }
            }
            let minimal = !self.exhausted && self.untold.is_empty();
            if !minimal || !self.short_cut(&mut current)? && !self.plainer(&mut current)? {
                return Ok(Fewest {
                    steps: current.steps,
                    minimal,
                });
            }
        }
    }

    /// Leaves out steps that findings seldom want: all of them, else as many as can be.
    fn cut_seldom(&mut self, current: &mut Current) -> Result<(), T::Error> {
        let before = 0..current.steps.len().saturating_sub(1);
        let seldom = before.filter(|&at| self.is_seldom(current.steps[at]));
        let seldom = seldom.map(|at| at..at + 1).collect();
        self.cut(current, seldom)
    }

    /// Leaves out loops of this depth: all of them, else as many as can be.
    fn cut_loops(&mut self, current: &mut Current, depth: usize) -> Result<(), T::Error> {
        // The step that causes the finding is in no loop.
        let before = current.pages.len().min(current.steps.len());
        let mut places = current.pages[..before].to_vec();
        if before > LONG {
            places = self.sketches.places(&places);
        }
        self.cut(current, loops(&places, depth))
    }

    /// Leaves out these parts: all of them, else as many as can be.
    fn cut(&mut self, current: &mut Current, parts: Vec<Range<usize>>) -> Result<(), T::Error> {
        if parts.is_empty() {
            return Ok(());
        }
        let cut = current.at(&current.without(&parts));
        if let Some(won) = self.among(current, &[cut])? {
            *current = Current::of(won);
            return Ok(());
        }
        self.ddmin(current, parts)
    }

    /// Leaves out parts until none of them can be left out alone. Parts do not overlap and are in order;
    /// what is between them stays.
    fn ddmin(
        &mut self,
        current: &mut Current,
        mut parts: Vec<Range<usize>>,
    ) -> Result<(), T::Error> {
        let mut chunks = 2;
        while !parts.is_empty() && !self.exhausted {
            chunks = chunks.clamp(1, parts.len());
            let size = parts.len().div_ceil(chunks);
            let groups: Vec<_> = parts.chunks(size).collect();
            let kept: Vec<Vec<usize>> = groups.iter().map(|group| current.without(group)).collect();
            let candidates: Vec<Steps> = kept.iter().map(|kept| current.at(kept)).collect();
            match self.among(current, &candidates)? {
                Some(won) => {
                    let left: Vec<usize> = won.places.iter().map(|&at| kept[won.ix][at]).collect();
                    parts = rest(&parts, &left);
                    chunks = chunks.saturating_sub(1).max(2);
                    *current = Current::of(won);
                }
                None if size == 1 => break,
                None => chunks *= 2,
            }
        }
        Ok(())
    }

    /// The first of these candidates, made of the current steps, that leads to the finding.
    pub(super) fn among(
        &mut self,
        current: &Current,
        candidates: &[Steps],
    ) -> Result<Option<Won>, T::Error> {
        self.gone = gone(current.steps.len());
        self.first(candidates)
    }

    /// Stretches left out that start and end on one page (loops that the pages before the last cuts did not show), else
    /// in one activity (a list with one row more is another page); else a shorter path between two pages of what is
    /// left, or from one to the last step; else between two of its activities. True: there was one.
    fn short_cut(&mut self, current: &mut Current) -> Result<bool, T::Error> {
        let all = current.steps.len();
        if all > SHORT_CUTS || current.pages.len() < all {
            return Ok(false);
        }
        self.gone = Gone::Ends;
        let sketches = self.sketches.places(&current.pages);
        let activities = self.activities.places(&current.pages);
        let mut candidates = cuts(&current.pages, &current.steps);
        candidates.extend(cuts(&sketches, &current.steps));
        candidates.extend(cuts(&activities, &current.steps));
        candidates.retain(|steps| self.is_open(steps));
        for mut ways in [
            bypasses(&self.graph, &current.pages, &current.steps, WAYS),
            bypasses(self.sketches.graph(), &sketches, &current.steps, WAYS),
            bypasses(
                self.activities.graph(),
                &activities,
                &current.steps,
                GUESSES,
            ),
        ] {
            ways.retain(|steps| self.is_open(steps) && !candidates.contains(steps));
            ways.truncate(SHORT_CUTS);
            candidates.append(&mut ways);
        }
        // Where the finding turns out to come only now and then, there must be something left to make sure of it.
        candidates.truncate(usize::try_from(self.left() / 2).unwrap_or(usize::MAX));
        match self.first(&candidates)? {
            Some(won) => {
                *current = Current::of(won);
                Ok(true)
            }
            None => Ok(false),
        }
    }
}

/// The steps with a stretch of them changed for fewer that lead from its first page to its last one, the
/// shortest first.
fn bypasses(graph: &PageGraph, pages: &[PageId], steps: &[u32], most: usize) -> Vec<Steps> {
    let mut candidates: Vec<Steps> = Vec::new();
    for to in 1..steps.len() {
        let distances = graph.distances(pages[to]);
        for from in 0..to {
            for way in graph.ways(pages[from], &distances, to - from, most) {
                candidates.push([&steps[..from], &way, &steps[to..]].concat());
            }
        }
    }
    // A stable sort: among equally long ones the earliest cut goes first.
    candidates.sort_by_key(Vec::len);
    candidates
}

/// The steps without a stretch that starts and ends at the same of these `places`, the shortest first.
fn cuts(places: &[PageId], steps: &[u32]) -> Vec<Steps> {
    let mut candidates: Vec<Steps> = Vec::new();
    for to in 1..steps.len() {
        let from = (0..to).filter(|&from| places[from] == places[to]);
        candidates.extend(from.map(|from| [&steps[..from], &steps[to..]].concat()));
    }
    candidates.sort_by_key(Vec::len);
    candidates
}

/// What parts become when of all steps only these are left, by their places in order.
fn rest(parts: &[Range<usize>], left: &[usize]) -> Vec<Range<usize>> {
    let before = |at: usize| left.partition_point(|&place| place < at);
    let shifted = parts
        .iter()
        .map(|part| before(part.start)..before(part.end));
    shifted.filter(|part| !part.is_empty()).collect()
}

/// The shortest steps so far, and the page before each of them.
pub(super) struct Current {
    pub(super) steps: Steps,
    pub(super) pages: Vec<PageId>,
}

impl Current {
    pub(super) fn of(won: Won) -> Self {
        Self {
            steps: won.steps,
            pages: won.pages,
        }
    }

    /// The places of the steps outside these parts.
    fn without(&self, parts: &[Range<usize>]) -> Vec<usize> {
        let kept = |at: &usize| !parts.iter().any(|part| part.contains(at));
        (0..self.steps.len()).filter(kept).collect()
    }

    /// The steps at these places.
    fn at(&self, places: &[usize]) -> Steps {
        places.iter().map(|&at| self.steps[at]).collect()
    }
}

#[cfg(test)]
#[path = "chance_tests.rs"]
mod chance;
#[cfg(test)]
#[path = "minimize_tests.rs"]
mod tests;
