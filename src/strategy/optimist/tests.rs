//! The optimist on problems whose answer is known.

use super::*;
use crate::util::seed::generator;

const FIELDS: [bool; 3] = [false, true, true];

/// A login: a button and two fields.
fn login(strings: u32) -> Scene<'static> {
    Scene {
        key: 1,
        bits: &[],
        visited: &[],
        widgets: 3,
        strings,
        beyond: true,
        rows: 4,
        fields: &FIELDS,
    }
}

fn inside() -> Scene<'static> {
    Scene {
        key: 2,
        widgets: 1,
        ..login(5)
    }
}

/// Steps until both fields hold these strings and the button is pressed.
fn steps_to_enter(learner: &mut Optimist, wanted: [u32; 2], strings: u32, rng: &mut Rng) -> u32 {
    let mut fields = [u32::MAX; 2];
    for step in 1..10_000 {
        let act = learner.act(&login(strings), rng);
        assert!(act.widget < 3 && act.string < strings);
        if act.widget > 0 {
            fields[act.widget as usize - 1] = act.string;
        } else if fields == wanted {
            learner.learn(1000.0, &inside(), false, rng);
            return step;
        }
        learner.learn(-1.0, &login(strings), false, rng);
    }
    panic!("never entered");
}

#[test]
fn every_pair_of_strings_is_tried_once_before_any_is_tried_twice() {
    // 36 pairs, each a string typed and the button; now and then a detour where all neighbours are known.
    for seed in 0..20 {
        let mut rng = generator(seed, "login", "optimist", 0);
        let mut learner = Optimist::new(Parameters {
            epsilon: 0.0,
            ..Parameters::default()
        });
        let steps = steps_to_enter(&mut learner, [1, 4], 5, &mut rng);
        assert!(steps <= 110, "seed {seed}: {steps}");
    }
}

#[test]
fn which_strings_are_the_right_ones_makes_no_difference() {
    let mean = |wanted| {
        let all = (0..200).map(|seed| {
            let mut rng = generator(seed, "login", "optimist", 0);
            let mut learner = Optimist::new(Parameters::default());
            f64::from(steps_to_enter(&mut learner, wanted, 8, &mut rng))
        });
        all.sum::<f64>() / 200.0
    };
    let means = [[0, 0], [7, 7], [0, 7], [3, 4]].map(mean);
    // 64 pairs: a mean of about 64 +- 40 steps, so 3 of its standard error for each pair.
    let (low, high) = (
        means.iter().copied().fold(f64::MAX, f64::min),
        means.iter().copied().fold(0.0, f64::max),
    );
    assert!(high - low < 20.0, "{means:?}");
}

#[test]
fn a_way_that_was_found_is_taken_again_at_once_where_the_fields_stay_and_typed_anew_where_they_do_not()
 {
    let mut rng = generator(3, "login", "optimist", 0);
    let mut learner = Optimist::new(Parameters {
        epsilon: 0.0,
        ..Parameters::default()
    });
    steps_to_enter(&mut learner, [1, 4], 5, &mut rng);
    learner.begin();
    // The app kept what was typed: the first press leads in.
    let act = learner.act(&login(5), &mut rng);
    assert_eq!(act.widget, 0);
    learner.learn(0.0, &inside(), false, &mut rng);
    learner.act(&inside(), &mut rng);
    learner.learn(-1.0, &inside(), false, &mut rng);
    // The app forgot it: one press in vain, then both fields, then the button.
    learner.begin();
    let steps = steps_to_enter(&mut learner, [1, 4], 5, &mut rng);
    assert!(steps <= 4, "{steps}");
}

#[test]
fn what_was_learned_is_saved_and_loaded() {
    let mut rng = generator(3, "login", "optimist", 0);
    let mut learner = Optimist::new(Parameters::default());
    steps_to_enter(&mut learner, [1, 4], 5, &mut rng);
    let saved = learner.export();
    let mut other = Optimist::new(Parameters::default());
    other.import(&saved).unwrap();
    assert_eq!(other.states.len(), learner.states.len());
    assert_eq!(saved, other.export());
}
