//! A step with a widget in place of a gesture that led to the same page: a reader can follow it, and a replay on another
//! screen finds it.

use super::minimize::Current;
use super::replay::Gone;
use super::search::{Search, Steps, Tester};

/// Other steps between the same two pages that are looked at.
const OTHERS: usize = 6;

impl<T: Tester> Search<'_, T> {
    /// Replaces a gesture by a step with a widget that sessions have seen lead from the same page to the same next page,
    /// if it still leads to the finding. True: there was one.
    ///
    /// # Errors
    /// The tester's.
    pub(super) fn plainer(&mut self, current: &mut Current) -> Result<bool, T::Error> {
        self.gone = Gone::Ends;
        let sketches = self.sketches.places(&current.pages);
        let mut candidates: Vec<Steps> = Vec::new();
        for (graph, pages) in [
            (&self.graph, &current.pages),
            (self.sketches.graph(), &sketches),
        ] {
            let moves = current.steps.iter().zip(pages.windows(2)).enumerate();
            for (at, (_, pages)) in moves.filter(|(_, (step, _))| self.is_gesture(**step)) {
                let ways = graph.ways(pages[0], &graph.distances(pages[1]), 2, OTHERS);
                for other in ways.concat() {
                    let mut steps = current.steps.clone();
                    steps[at] = other;
                    if !self.is_gesture(other) && self.is_open(&steps) {
                        candidates.push(steps);
                    }
                }
            }
        }
        // Where the finding turns out to come only now and then, there must be something left to make sure of it.
        candidates.truncate(usize::try_from(self.left() / 2).unwrap_or(usize::MAX));
        let Some(won) = self.first(&candidates)? else {
            return Ok(false);
        };
        *current = Current::of(won);
        Ok(true)
    }

    fn is_gesture(&self, step: u32) -> bool {
        let kind = self.kinds.get(step as usize);
        kind.is_some_and(|kind| kind.gesture)
    }
}

#[cfg(test)]
mod tests {
    use super::super::kind::Kind;
    use super::super::search::{Limit, Verdict};
    use super::*;
    use crate::gui::PageId;
    use std::convert::Infallible;

    const DRAG: u32 = 0;
    const OPEN: u32 = 1;
    const HELP: u32 = 2;
    const SAVE: u32 = 3;

    /// A drag or a tap opens the form; a tap on the help opens one that looks the same. Saving fails in the first.
    struct Form;

    impl Tester for Form {
        type Error = Infallible;

        fn workers(&self) -> usize {
            1
        }

        fn test(&self, _: usize, steps: &[u32], _: Gone) -> Result<Verdict, Infallible> {
            let fails = matches!(steps, [DRAG | OPEN, SAVE]);
            Ok(Verdict {
                fails: fails.then_some(2),
                pages: (0..=steps.len() as u64).map(PageId).collect(),
                ..Verdict::default()
            })
        }
    }

    #[test]
    fn a_tap_that_leads_to_the_finding_too_takes_the_place_of_a_drag() {
        let kind = |gesture| Kind {
            family: 0,
            seldom: false,
            gesture,
        };
        let limit = Limit {
            replays: 100,
            until: None,
        };
        for (known, expected) in [
            (&[][..], [DRAG, SAVE]),
            (&[HELP], [DRAG, SAVE]),
            (&[HELP, OPEN], [OPEN, SAVE]),
        ] {
            let mut search = Search::new(&Form, limit);
            search.kinds = [true, false, false, false].map(kind).to_vec();
            for step in known {
                search.graph.see(PageId(0), *step, PageId(1), 1);
            }
            let Ok(found) = search.minimize(vec![DRAG, SAVE]);
            let found = found.unwrap();
            assert_eq!((&found.steps[..], found.minimal), (&expected[..], true));
        }
    }
}
