//! A trace without the steps that its goal does not need: loops first, then fragments of halved length (Zeller and
//! Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", 2002), each kept out only if a replay still reaches
//! the goal.

use crate::gui::SketchId;

/// A replay of some steps of a trace.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Played {
    /// Was all of the goal reached?
    pub reached: bool,
    /// The places of the steps that were performed, up to the last one needed.
    pub kept: Vec<usize>,
    /// The sketch of the page before each of them, and after the last.
    pub sketches: Vec<SketchId>,
}

/// The places of the steps that are left. `whole`: a replay of all steps, which reached the goal; `play` replays some,
/// and says nothing once the budget is used up.
///
/// # Errors
/// Those of `play`.
pub fn shorten<E>(
    whole: Played,
    mut play: impl FnMut(&[usize]) -> Result<Option<Played>, E>,
) -> Result<Vec<usize>, E> {
    let mut best = whole;
    // The longest loop first; one that is needed is not tried again.
    let mut needed: Vec<(usize, usize)> = Vec::new();
    while let Some((from, to)) = longest_loop(&best, &needed) {
        let without = without(&best.kept, from, to);
        match play(&without)? {
            None => return Ok(best.kept),
            Some(played) if played.reached => best = played,
            Some(_) => needed.push((best.kept[from], best.kept[to - 1])),
        }
    }
    let mut size = best.kept.len() / 2;
    while size > 0 {
        let mut end = best.kept.len();
        while end > 0 {
            let from = end.saturating_sub(size);
            match play(&without(&best.kept, from, end))? {
                None => return Ok(best.kept),
                Some(played) if played.reached => {
                    best = played;
                    end = from.min(best.kept.len());
                }
                Some(_) => end = from,
            }
        }
        size /= 2;
    }
    Ok(best.kept)
}

fn without(kept: &[usize], from: usize, to: usize) -> Vec<usize> {
    [&kept[..from], &kept[to..]].concat()
}

/// The longest run of at least two steps that ends on a page like the one it started on, by the steps' positions.
fn longest_loop(of: &Played, needed: &[(usize, usize)]) -> Option<(usize, usize)> {
    let count = of.kept.len().min(of.sketches.len().saturating_sub(1));
    let pairs = (0..count).flat_map(|from| (from + 2..=count).map(move |to| (from, to)));
    let is_loop = |(from, to): &(usize, usize)| {
        of.sketches[*from] == of.sketches[*to]
            && !needed.contains(&(of.kept[*from], of.kept[*to - 1]))
    };
    pairs.filter(is_loop).max_by_key(|(from, to)| to - from)
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
