//! The table on problems whose answer is known.

use super::*;
use crate::strategy::definition::{Definition as _, Preset};
use crate::util::seed::generator;
use proptest::prelude::*;

fn scene(key: u64, widgets: u32) -> Scene<'static> {
    Scene {
        key,
        bits: &[],
        visited: &[],
        widgets,
        strings: 1,
        beyond: false,
        rows: 0,
        fields: &[],
    }
}

#[test]
fn the_best_arm_of_a_bandit_gets_its_mean_as_value() {
    let mut learner = QLearning::new(Parameters {
        alpha: 0.05,
        epsilon: 0.3,
        ..Settings::preset(Preset::Paper).unwrap().parameters
    });
    let mut rng = generator(1, "bandit", "q-learning", 0);
    for _ in 0..5000 {
        let act = learner.act(&scene(0, 3), &mut rng);
        let noise = rng.random::<f32>() - 0.5;
        let reward = [1.0, 3.0, 2.0][act.widget as usize] + noise;
        learner.learn(reward, &scene(0, 3), true, &mut rng);
    }
    let value = |widget| {
        let act = Act {
            widget,
            ..Act::default()
        };
        learner.value(0, act, 1).unwrap()
    };
    assert!((value(1) - 3.0).abs() < 0.2, "{}", value(1));
    assert!(value(1) > value(2) && value(2) > value(0));
}

#[test]
fn values_along_a_chain_are_discounted_by_distance() {
    // Five places in a row; the right end pays 1 and ends the episode. Optimal value of `right`: gamma^distance.
    let mut learner = QLearning::new(Settings::preset(Preset::Paper).unwrap().parameters);
    let mut rng = generator(1, "chain", "q-learning", 0);
    let mut at = 0_u64;
    for _ in 0..20_000 {
        let act = learner.act(&scene(at, 2), &mut rng);
        let next = if act.widget == 1 {
            at + 1
        } else {
            at.saturating_sub(1)
        };
        let done = next == 5;
        learner.learn(
            f32::from(u8::from(done)),
            &scene(next.min(4), 2),
            done,
            &mut rng,
        );
        at = if done { 0 } else { next };
    }
    let right = Act {
        widget: 1,
        ..Act::default()
    };
    for place in 0..5_u64 {
        let wanted = 0.9_f32.powi(4 - i32::try_from(place).unwrap());
        let value = learner.value(place, right, 1).unwrap();
        assert!(
            (value - wanted).abs() < 0.01,
            "{place}: {value} is not {wanted}"
        );
    }
}

#[test]
fn what_was_learned_is_saved_and_loaded() {
    let mut learner = QLearning::new(Settings::preset(Preset::Paper).unwrap().parameters);
    let mut rng = generator(1, "bandit", "q-learning", 0);
    for n in 0..500_u16 {
        learner.act(&scene(u64::from(n % 7), 3), &mut rng);
        learner.learn(f32::from(n), &scene(1, 3), false, &mut rng);
    }
    learner.learn(f32::NAN, &scene(1, 3), false, &mut rng);
    let saved = learner.export();
    assert_eq!(saved.tensors.len(), 7);
    let mut other = QLearning::new(Settings::preset(Preset::Paper).unwrap().parameters);
    other.import(&saved).unwrap();
    assert_eq!(saved, other.export());
    let mut foreign = Bundle::default();
    foreign.tensors.insert("actor".into(), vec![1.0]);
    assert!(other.import(&foreign).is_err());
}

proptest! {
    #[test]
    fn the_best_values_are_known_after_any_changes(changes in proptest::collection::vec((0..9_usize, -3..3_i8), 0..200)) {
        let mut row = Row::default();
        row.grow(9);
        for (action, value) in changes {
            row.set(action, f32::from(value));
            let best = row.values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let mut tied = row.tied.clone();
            tied.sort_unstable();
            let wanted: Vec<u32> = (0..9).filter(|&a| row.values[a as usize] == best).collect();
            prop_assert_eq!(row.best, best);
            prop_assert_eq!(tied, wanted);
        }
    }
}

/// What a row was before it was made faster: each action ranked by itself.
fn one_by_one(values: &[f32]) -> Row {
    let mut row = Row::default();
    for value in values {
        row.place.push(NOWHERE);
        row.values.push(*value);
        row.rank(row.values.len() - 1);
    }
    row
}

#[test]
fn a_row_filled_at_once_is_the_one_filled_one_by_one() {
    for actions in [0, 1, 7, 16, 17, 500] {
        let mut row = Row::default();
        row.grow(actions);
        assert_eq!(row, one_by_one(&vec![0.0; actions]));
        row.grow(actions + 3);
        assert_eq!(row, one_by_one(&vec![0.0; actions + 3]));
    }
}

proptest! {
    /// The order among equals is what chance picks from: it must be the same as before, to the bit of a zero's sign.
    #[test]
    fn the_best_looked_for_at_once_are_those_found_one_by_one(
        values in proptest::collection::vec((-2..3_i8, any::<bool>()), 1..120)
    ) {
        let sign = |(value, minus): &(i8, bool)| if *minus && *value == 0 { -0.0 } else { f32::from(*value) };
        let values: Vec<f32> = values.iter().map(sign).collect();
        let wanted = one_by_one(&values);
        let mut row = Row {
            place: vec![NOWHERE; values.len()],
            values,
            ..Row::default()
        };
        row.find_best();
        prop_assert_eq!(row.best.to_bits(), wanted.best.to_bits());
        prop_assert_eq!(row, wanted);
    }
}

/// Numbers of the table as it was ranked one by one, recorded before it was made faster.
#[test]
fn the_published_presets_walk_is_the_one_it_was() {
    let model = crate::device::sim::Model::builtin("shop").unwrap();
    let strings: Vec<String> = (0..81).map(|n| format!("{n}")).collect();
    let pool: Vec<&str> = strings.iter().map(String::as_str).collect();
    let walked = [
        Settings::preset(Preset::Published).unwrap().parameters,
        Settings::preset(Preset::Paper).unwrap().parameters,
    ]
    .map(|parameters| {
        let mut rng = generator(1, "shop", "q-learning", 0);
        let mut learner = QLearning::new(parameters);
        let semantics = crate::device::sim::Semantics::FateCompat;
        let mut walk = crate::device::sim::Walk::new(&model, semantics, &pool, 1);
        let mut hash = 0_u64;
        for _ in 0..4000 {
            let at = scene(u64::from(walk.state().0.node), walk.widgets());
            let at = Scene {
                strings: walk.strings(),
                beyond: true,
                ..at
            };
            let act = learner.act(&at, &mut rng);
            hash =
                crate::util::hash::mix(hash, u64::from(act.widget) << 32 | u64::from(act.string));
            let step = walk.step(act.widget, act.string).unwrap();
            let next = scene(u64::from(walk.state().0.node), walk.widgets());
            let next = Scene {
                strings: walk.strings(),
                ..next
            };
            learner.learn(step.reward, &next, !walk.alive(), &mut rng);
            if step.done {
                walk.reset();
            }
        }
        hash
    });
    assert_eq!(
        walked,
        [1_108_667_359_126_845_231, 12_645_583_404_785_552_254]
    );
}

/// An episode that is cut off by its limit is learned as any step: what could follow counts. Where the app died nothing
/// does.
#[test]
fn what_follows_counts_unless_nothing_does() {
    for (terminal, by_hand) in [(false, 0.628 * (-1.0 + 0.9 * 2.0)), (true, -0.628)] {
        let mut rng = generator(1, "", "", 0);
        let parameters = Parameters {
            epsilon: 0.0,
            ..Settings::preset(Preset::Paper).unwrap().parameters
        };
        let mut learner = QLearning::new(parameters);
        let mut known = Bundle::default();
        known
            .tensors
            .insert(format!("{:016x}", 7), vec![0.5, 2.0, 1.0]);
        learner.import(&known).unwrap();
        let act = learner.act(&scene(1, 2), &mut rng);
        learner.learn(-1.0, &scene(7, 3), terminal, &mut rng);
        let value = learner.value(1, act, 1).unwrap();
        assert!((value - by_hand).abs() < 1e-6, "{value} is not {by_hand}");
    }
}
