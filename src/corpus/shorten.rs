//! A trace without the steps that its goal does not need: loops first, then fragments of halved length (Zeller and
//! Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", 2002), each left out only if a replay still reaches
//! the goal. Steps that reach a part of the goal first are not tried.

use crate::gui::SketchId;
use rustc_hash::FxHashSet;

/// Loops tried without success before fragments are.
const LOOPS: usize = 6;

/// A replay of some steps of a trace.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Played {
    /// Was all of the goal reached?
    pub reached: bool,
    /// The places of the steps that were performed, up to the last one needed.
    pub kept: Vec<usize>,
    /// For each of them: does it reach a part of the goal first?
    pub needed: Vec<bool>,
    /// The sketch of the page before each of them, and after the last.
    pub sketches: Vec<SketchId>,
}

/// The places of the steps that are left. `whole`: a replay of all steps, which reached the goal; `play` replays some,
/// and gives nothing once the budget is used up.
///
/// # Errors
/// Those of `play`.
pub fn shorten<E>(
    whole: Played,
    mut play: impl FnMut(&[usize]) -> Result<Option<Played>, E>,
) -> Result<Vec<usize>, E> {
    let mut best = whole;
    let mut failed: FxHashSet<Vec<usize>> = FxHashSet::default();
    let mut next = Some(straight(&best));
    while let Some(candidate) = next.filter(|steps| steps.len() < best.kept.len()) {
        match play(&candidate)? {
            None => return Ok(best.kept),
            Some(played) if played.reached => best = played,
            Some(_) => drop(failed.insert(candidate)),
        }
        let fresh = |steps: &Vec<usize>| !failed.contains(steps);
        let tried = failed.len() >= LOOPS;
        next = loops(&best).into_iter().find(fresh).filter(|_| !tried);
    }
    let mut size = best.kept.len();
    while size > 0 {
        let mut end = best.kept.len();
        while end > 0 {
            let gap = best.needed[..end].iter().rev();
            let gap = gap.take_while(|needed| !**needed).take(size).count();
            if gap == 0 {
                end -= 1;
                continue;
            }
            let from = end - gap;
            let candidate = without(&best.kept, from, end);
            end = from;
            if failed.contains(&candidate) {
                continue;
            }
            match play(&candidate)? {
                None => return Ok(best.kept),
                Some(played) if played.reached => best = played,
                Some(_) => drop(failed.insert(candidate)),
            }
            end = end.min(best.kept.len());
        }
        size /= 2;
    }
    Ok(best.kept)
}

fn without(kept: &[usize], from: usize, to: usize) -> Vec<usize> {
    [&kept[..from], &kept[to..]].concat()
}

/// The farthest later position with a page like the one at this position, with no needed step between them.
fn end_of_loop(of: &Played, from: usize) -> usize {
    let free = of.needed[from..].iter().take_while(|needed| !**needed);
    let last = from + free.count();
    let alike = |to: &usize| of.sketches.get(*to) == of.sketches.get(from);
    (from..=last).rev().find(alike).unwrap_or(from)
}

/// The steps without all loops.
fn straight(of: &Played) -> Vec<usize> {
    let (mut steps, mut at) = (Vec::new(), 0);
    while at < of.kept.len() {
        let next = end_of_loop(of, at);
        if next == at {
            steps.push(of.kept[at]);
            at += 1;
        } else {
            at = next;
        }
    }
    steps
}

/// The steps without one loop, the longest first.
fn loops(of: &Played) -> Vec<Vec<usize>> {
    let all = (0..of.kept.len()).map(|from| (from, end_of_loop(of, from)));
    let mut all: Vec<_> = all.filter(|(from, to)| from < to).collect();
    all.sort_by_key(|(from, to)| std::cmp::Reverse(to - from));
    let candidates = all.into_iter().take(LOOPS);
    candidates
        .map(|(from, to)| without(&of.kept, from, to))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    /// An app in which step `n` leads to the page `n % 5`, and the goal is these steps, in order.
    fn played(steps: &[usize], goal: &[usize]) -> Played {
        let reached = goal.iter().all(|step| steps.contains(step));
        let last = goal
            .iter()
            .filter_map(|g| steps.iter().position(|s| s == g));
        let kept = steps[..last.max().map_or(0, |last| last + 1)].to_vec();
        let pages = kept.iter().map(|step| SketchId(*step as u64 % 5));
        let sketches = std::iter::once(SketchId(9)).chain(pages).collect();
        Played {
            reached,
            needed: kept.iter().map(|step| goal.contains(step)).collect(),
            kept,
            sketches,
        }
    }

    fn shortened(goal: &[usize], budget: usize) -> (Vec<usize>, usize) {
        let mut replays = 0;
        let all: Vec<_> = (0..60).collect();
        let kept = shorten::<Infallible>(played(&all, goal), |steps| {
            replays += 1;
            Ok((replays <= budget).then(|| played(steps, goal)))
        });
        (kept.unwrap(), replays)
    }

    #[test]
    fn only_the_steps_of_the_goal_are_left() {
        for goal in [&[3, 17, 41][..], &[59], &[0, 1], &[7, 12, 22, 32]] {
            let (kept, replays) = shortened(goal, usize::MAX);
            assert_eq!(kept, goal);
            assert!(replays < 200, "{replays}");
        }
        assert_eq!(shortened(&[], usize::MAX).0, Vec::<usize>::new());
    }

    #[test]
    fn a_budget_ends_it_with_what_reaches_the_goal() {
        let (kept, _) = shortened(&[3, 17, 41], 2);
        assert!([3, 17, 41].iter().all(|step| kept.contains(step)));
        assert_eq!(shortened(&[3, 17, 41], 0).0, (0..=41).collect::<Vec<_>>());
    }
}
