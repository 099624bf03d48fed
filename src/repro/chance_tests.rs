//! Results for intermittent findings, and for failing devices.

use super::super::search::{Search, Steps, Tester};
use super::tests::{App, MUCH, Needs};
use super::*;
use crate::util::seed::generator;
use std::convert::Infallible;
use std::sync::Mutex;

/// Of results reported with a probability: the mean of the reported values, and the share that holds. Nobody tells the
/// search the true rate: it goes by five confirmations, as a run does.
fn told_and_held<T: Tester<Error = Infallible>>(
    apps: impl Iterator<Item = (T, Steps)>,
    is_minimal: impl Fn(&T, &[u32]) -> bool,
) -> (f64, f64) {
    let (mut reported, mut held, mut all) = (0.0, 0_u32, 0_u32);
    for (app, given) in apps {
        let mut search = Search::new(&app, MUCH);
        let Ok(first) = search.minimize(given);
        let Some(mut fewest) = first else { continue };
        let confirmed = |steps: &Steps| {
            let Ok(confirmed) = confirm(5, |_| app.test(0, steps, Gone::Ends));
            confirmed
        };
        search.rate.note(confirmed(&fewest.steps));
        if search.rate.tries() > search.tries {
            let Ok(shorter) = search.refine(fewest.steps.clone());
            if shorter.steps != fewest.steps {
                search.rate.note(confirmed(&shorter.steps));
            }
            fewest = shorter;
        }
        // What never missed is reported as one-minimal, without a probability.
        if search.rate.missed > 0 {
            reported += search.rate.minimal(fewest.steps.len(), search.tries);
            held += u32::from(is_minimal(&app, &fewest.steps));
            all += 1;
        }
    }
    assert!(all > 100, "{all}");
    (reported / f64::from(all), f64::from(held) / f64::from(all))
}

#[test]
fn the_chance_told_of_flaky_findings_is_no_higher_than_what_holds() {
    for rate in [0.9, 0.8, 0.6] {
        let app = |seed| App::new(seed, 40, rate);
        let apps = (0..1500).map(|seed| (app(seed), app(seed).offered()));
        let (reported, held) = told_and_held(apps, App::is_minimal);
        assert!(
            reported > 0.5 && reported <= held + 0.02,
            "{rate}: reported {reported}, held {held}"
        );
    }
}

/// As many as can be are left to be found out one by one, so that a probability reported too high would show.
#[test]
fn nor_is_it_where_next_to_nothing_can_be_left_out_otherwise() {
    let needed = [2, 6];
    for rate in [0.9, 0.8, 0.5, 0.2] {
        let apps = (0..1200).map(|seed| {
            let mut app = Needs::new(&needed, rate);
            app.chance = Mutex::new(generator(seed, "chance", "minimize", 0));
            (app, (0..8).collect())
        });
        let (reported, held) = told_and_held(apps, |_, steps| steps == needed);
        assert!(
            reported > 0.5 && reported <= held + 0.02,
            "{rate}: reported {reported}, held {held}"
        );
    }
}

#[test]
fn what_comes_each_time_is_confirmed_as_such_by_devices_that_often_fail() {
    let (mut reported, mut asked) = (0, 0);
    for seed in 0..600 {
        let mut app = App::new(seed, 40, 1.0);
        let steps = app.offered();
        if !app.fails(&steps) {
            continue;
        }
        app.mute = 0.5;
        let Ok((reproduced, of)) = confirm(5, |_| app.test(0, &steps, Gone::Ends));
        assert!(reproduced == of && of <= 5, "{reproduced} of {of}");
        reported += of;
        asked += 5;
        app.mute = 1.0;
        assert_eq!(confirm(5, |_| app.test(0, &steps, Gone::Ends)), Ok((0, 0)));
    }
    // Seven in eight at random; half of them if none was done again.
    assert!(
        asked > 100 && reported * 5 > asked * 4,
        "{reported} of {asked}"
    );
}

/// Then more is left out of a replay than it was to try, of what was to be kept too.
#[test]
fn widgets_that_come_late_make_no_result_wrong() {
    for seed in 0..12 {
        let needed = [seed, 300 + seed, 590];
        let mut app = Needs::new(&needed, 1.0);
        app.late = 0.2;
        let mut search = Search::new(&app, MUCH);
        let Ok(fewest) = search.minimize((0..600).collect());
        assert!(fewest.is_none_or(|fewest| fewest.steps == needed), "{seed}");
    }
}
