//! An app with one activity, whose pages differ each time in what its lists hold, walked through at random.

use super::super::kind::Kind;
use super::super::minimize::Fewest;
use super::super::search::{Limit, Verdict};
use super::*;
use crate::gui::SketchId;
use crate::util::hash::mix;
use crate::util::seed::{Rng, generator};
use rand::RngExt as _;
use std::convert::Infallible;
use std::sync::atomic::{AtomicU64, Ordering};

/// Buttons that lead from place to place, as (from, family, to). The last ones are rotations and a timer.
const BUTTONS: [(u64, u64, u64); 11] = [
    (0, 0, 1),
    (1, 1, 2),
    (2, 2, 1),
    (1, 3, 0),
    (2, 4, 0),
    (0, 5, 3),
    (3, 6, 3), // the switch
    (3, 7, 0),
    (0, 8, 0), // one row more
    (1, 9, 1), // seldom
    (0, 10, 0),
];
const SWITCH: u64 = 6;
const ROW: u64 = 8;
const SELDOM: [u64; 2] = [9, 10];
/// The crash: this button, which is in the dialog.
const CRASH: (u64, u64) = (2, 11);

/// What the crash wants next to its button.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Wants {
    Nothing,
    /// The switch was touched at some time.
    Switch,
    /// So many rows were added.
    Rows(u64),
}

/// Step `s` presses the button `buttons[s]`.
struct Shop {
    buttons: Vec<u64>,
    wants: Wants,
    carried: AtomicU64,
}

impl Shop {
    /// A walk that ends with the crash.
    fn walk(wants: Wants, length: usize, rng: &mut Rng) -> Self {
        let mut shop = Self {
            buttons: Vec::new(),
            wants,
            carried: AtomicU64::new(0),
        };
        let (mut place, mut rows, mut switched) = (0, 0, false);
        loop {
            let ready = match wants {
                Wants::Nothing => true,
                Wants::Switch => switched,
                Wants::Rows(of) => rows >= of,
            };
            if shop.buttons.len() >= length && ready && place == CRASH.0 {
                shop.buttons.push(CRASH.1);
                return shop;
            }
            let here: Vec<_> = BUTTONS.iter().filter(|button| button.0 == place).collect();
            let mut chosen = here[rng.random_range(0..here.len())];
            if chosen.1 == SWITCH && switched {
                chosen = here[here.len() - 1];
            }
            switched |= chosen.1 == SWITCH;
            rows += u64::from(chosen.1 == ROW);
            place = chosen.2;
            shop.buttons.push(chosen.1);
        }
    }

    fn replay(&self, steps: &[u32], gone: Gone) -> Verdict {
        let (mut place, mut rows, mut switched) = (0, 0, false);
        let mut verdict = Verdict::default();
        let note = |verdict: &mut Verdict, at: u64, place: u64, rows: u64| {
            // Each page is another one: it tells how many rows there are, and what was done last.
            verdict.pages.push(PageId(mix(mix(place, rows), at)));
            verdict.sketches.push(SketchId(place));
        };
        note(&mut verdict, 0, 0, 0);
        for (at, step) in steps.iter().enumerate() {
            let button = self.buttons[*step as usize];
            if (place, button) == CRASH {
                let fails = match self.wants {
                    Wants::Nothing => true,
                    Wants::Switch => switched,
                    Wants::Rows(of) => rows >= of,
                };
                note(&mut verdict, at as u64, place, rows);
                if fails {
                    verdict.fails = Some(at + 1);
                    break;
                }
                continue;
            }
            let pressed = BUTTONS
                .iter()
                .find(|known| (known.0, known.1) == (place, button));
            let Some(pressed) = pressed else {
                if gone == Gone::Ends {
                    verdict.diverged = Some(at + 1);
                    break;
                }
                verdict.skipped.push(at);
                continue;
            };
            rows += u64::from(button == ROW);
            switched |= button == SWITCH;
            place = pressed.2;
            note(&mut verdict, *step as u64 % 7, place, rows);
        }
        self.carried
            .fetch_add(verdict.pages.len() as u64 - 1, Ordering::Relaxed);
        verdict
    }

    /// The fewest steps it takes.
    fn least(&self) -> usize {
        3 + match self.wants {
            Wants::Nothing => 0,
            Wants::Switch => 3,
            Wants::Rows(of) => of as usize,
        }
    }
}

impl Tester for Shop {
    type Error = Infallible;

    fn workers(&self) -> usize {
        1
    }

    fn test(&self, _: usize, steps: &[u32], gone: Gone) -> Result<Verdict, Infallible> {
        Ok(self.replay(steps, gone))
    }
}

/// What comes of the walk, with or without what a journal reports about it, and the steps and replays it took.
fn minimized(shop: &Shop, reported: bool) -> (Option<Fewest>, u64, u64) {
    let all: Steps = (0..shop.buttons.len() as u32).collect();
    let walk = shop.replay(&all, Gone::Ends);
    let mut search = Search::new(
        shop,
        Limit {
            replays: 200,
            until: None,
        },
    );
    let kind = |button: &u64| Kind {
        family: *button,
        seldom: SELDOM.contains(button),
        gesture: false,
    };
    search.kinds = shop.buttons.iter().map(kind).collect();
    if reported {
        search.graph.add(&all, &walk.pages);
        for (page, sketch) in walk.pages.iter().zip(&walk.sketches) {
            search.sketches.add(*page, PageId(sketch.0));
        }
        for (step, pair) in all.iter().zip(walk.pages.windows(2)) {
            let family = shop.buttons[*step as usize];
            search.sketches.see(pair[0], (*step, family), pair[1], 1);
        }
    }
    shop.carried.store(0, Ordering::Relaxed);
    let pages: &[PageId] = if reported { &walk.pages } else { &[] };
    let Ok(fewest) = search.minimize_walk(all, pages);
    assert_eq!(search.carried, shop.carried.load(Ordering::Relaxed));
    (fewest, search.carried, search.spent)
}

#[test]
fn walks_through_pages_that_differ_each_time_come_out_with_the_fewest_steps() {
    let mut sums = [0; 2];
    for seed in 0..40 {
        let mut rng = generator(seed, "shop", "minimize", 0);
        let wants = match seed % 4 {
            0 | 1 => Wants::Nothing,
            2 => Wants::Switch,
            _ => Wants::Rows(2),
        };
        let shop = Shop::walk(wants, 600, &mut rng);
        for reported in [true, false] {
            let (fewest, carried, spent) = minimized(&shop, reported);
            let fewest = fewest.expect("the walk leads to it");
            assert!(fewest.minimal, "{seed} {wants:?}: {spent} replays");
            assert_eq!(fewest.steps.len(), shop.least(), "{seed} {wants:?}");
            sums[usize::from(reported)] += carried;
            if reported && wants == Wants::Nothing {
                assert!(carried < 100, "{seed}: {carried} steps in {spent} replays");
            }
        }
    }
    // Without the journal's pages the complete walk is replayed first, and its parts.
    assert!(sums[1] * 3 < sums[0] * 2, "{sums:?}");
}

#[test]
fn the_last_exits_make_a_way_without_loops() {
    let places: Vec<PageId> = [0, 1, 0, 2, 1, 3, 1, 2].map(PageId).to_vec();
    // From 0 it was last left for 2, from 2 for 1, and 1 is where the last step starts.
    assert_eq!(last_exits(&places, 6), [2, 3]);
    assert_eq!(last_exits(&places, 2), Vec::<usize>::new());
    let kept = |same| skeleton(&places, 7, same, |_| 0);
    // Of the two loops between 1 and its neighbours each is of another kind; so is the one from 0.
    assert_eq!(kept(1), [0, 1, 2, 3, 4, 5, 6]);
    let again: Vec<PageId> = [0, 1, 1, 1, 0, 2].map(PageId).to_vec();
    assert_eq!(skeleton(&again, 5, 1, |_| 0), [0, 1, 3, 4]);
    assert_eq!(skeleton(&again, 5, 2, |_| 0), [0, 1, 2, 3, 4]);
    // Another button is another kind.
    assert_eq!(skeleton(&again, 5, 1, |at| at as u64), [0, 1, 2, 3, 4]);
}
