//! Entropy, temperature and targets, by hand.

use super::*;
use crate::strategy::definition::{Definition as _, Preset};
use crate::util::seed::generator;

/// Entropy in nats of the tanh of a standard normal number, integrated numerically: what each number of a fresh policy
/// has, whose outputs are all near 0.
const FRESH: f32 = 0.6698;

fn step(terminal: bool) -> Transition {
    Transition {
        bits: [].into(),
        action: [0.3, -0.2, 0.0],
        reward: 10.0,
        next: [].into(),
        terminal,
    }
}

fn learner(parameters: Parameters, rng: &mut Rng) -> Sac {
    let parameters = Parameters {
        hidden: [2, 2],
        discount: 0.9,
        reward_scale: 0.5,
        ..parameters
    };
    let mut learner = Sac::new(parameters, 2, rng);
    learner.memory.push(step(false));
    learner
}

#[test]
fn a_fresh_policy_is_as_wide_as_reckoned() {
    let mut rng = generator(1, "sac", "", 0);
    let mut learner = learner(
        Settings::preset(Preset::Paper).unwrap().parameters,
        &mut rng,
    );
    learner.actor.net.weights_mut().fill(0.0);
    let drawn = learner.memory.draw(20_000, 2, &mut rng).unwrap();
    let density = learner.sample(&drawn.before, &mut rng).density;
    let entropy = -density.iter().sum::<f32>() / density.len() as f32;
    assert!((entropy - 2.0 * FRESH).abs() < 0.02, "{entropy}");
}

/// Where the temperature goes in one update, in its learning rates; `log`: the policy's logarithm of its deviation.
fn heated(entropy: f32, log: f32) -> f32 {
    let mut rng = generator(2, "sac", "", 0);
    let parameters = Parameters {
        entropy,
        batch: 20_000,
        ..Settings::preset(Preset::Paper).unwrap().parameters
    };
    let mut learner = learner(parameters, &mut rng);
    learner.actor.net.weights_mut().fill(0.0);
    // The last two of four outputs' biases, behind 2 x 4 weights.
    learner.actor.net.weights_mut()[10..12].fill(log);
    learner.update(&mut rng);
    learner.heat / parameters.learning_rate
}

#[test]
fn the_temperature_rises_while_the_policy_is_narrower_than_wanted_and_else_falls() {
    // Adam's first step is one learning rate, whatever the slope. A fresh policy's entropy is .67 a number.
    for (entropy, direction) in [(0.68, 1.0), (0.65, -1.0), (-1.0, -1.0)] {
        let heat = heated(entropy, 0.0);
        assert!((heat - direction).abs() < 1e-3, "{entropy}: {heat}");
    }
    // With a deviation of e^-3 tanh is nearly the identity, and the entropy a normal's: 1.419 - 3 = -1.58.
    for (entropy, direction) in [(-1.0, 1.0), (-1.55, 1.0), (-1.61, -1.0)] {
        let heat = heated(entropy, -3.0);
        assert!((heat - direction).abs() < 1e-3, "{entropy}: {heat}");
    }
}

/// Haarnoja et al. (2018), appendix D: minus the number of an action's dimensions.
#[test]
fn the_target_is_minus_one_a_number() {
    for parameters in [
        Settings::preset(Preset::Paper).unwrap().parameters,
        Settings::preset(Preset::Published).unwrap().parameters,
        Parameters::default(),
    ] {
        assert_eq!(parameters.entropy, -1.0);
    }
    let ours = Parameters::default();
    assert_eq!((ours.reward_scale, ours.visited), (0.1, true));
}

#[test]
fn what_follows_counts_softly_by_the_lower_target_unless_nothing_does() {
    let mut rng = generator(3, "sac", "", 0);
    let mut learner = learner(
        Settings::preset(Preset::Paper).unwrap().parameters,
        &mut rng,
    );
    learner.memory.push(step(true));
    learner.actor.net.weights_mut().fill(0.0);
    for (target, value) in learner.targets.iter_mut().zip([4.0, 3.0]) {
        target.weights_mut().fill(0.0);
        target.weights_mut()[2] = value;
    }
    learner.heat = 0.5_f32.ln();
    let drawn = learner.memory.draw(40_000, 2, &mut rng).unwrap();
    let wanted = learner.wanted(&drawn, &mut rng);
    let of = |follows: f32| -> Vec<f32> {
        let all = wanted.iter().zip(&drawn.follows);
        all.filter(|(_, f)| **f == follows)
            .map(|(w, _)| *w)
            .collect()
    };
    // 10 x .5 where the app died; else .9 x (3 + .5 x the entropy of two numbers) more, on average.
    assert!(of(0.0).iter().all(|wanted| (wanted - 5.0).abs() < 1e-5));
    let follows = of(1.0);
    let mean = follows.iter().sum::<f32>() / follows.len() as f32;
    let by_hand = 5.0 + 0.9 * (3.0 + 0.5 * 2.0 * FRESH);
    assert!((mean - by_hand).abs() < 0.02, "{mean} is not {by_hand}");
}

#[test]
fn targets_wait_for_their_turn_and_move_by_their_share() {
    let mut rng = generator(4, "sac", "", 0);
    let parameters = Parameters {
        target_update: 3,
        tau: 0.25,
        ..Settings::preset(Preset::Paper).unwrap().parameters
    };
    let mut learner = learner(parameters, &mut rng);
    let first = learner.targets.clone();
    learner.update(&mut rng);
    learner.update(&mut rng);
    assert_eq!(learner.targets, first);
    learner.update(&mut rng);
    for ix in [0, 1] {
        let pairs = first[ix]
            .weights()
            .iter()
            .zip(learner.critics[ix].net.weights());
        for ((old, new), target) in pairs.zip(learner.targets[ix].weights()) {
            assert!((target - (old + 0.25 * (new - old))).abs() < 1e-6);
        }
    }
}
