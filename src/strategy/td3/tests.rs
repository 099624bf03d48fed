//! The targets of the critics and when the policy learns, by hand.

use super::*;
use crate::strategy::definition::{Definition as _, Preset};
use crate::util::seed::generator;

const HIDDEN: [usize; 2] = [2, 2];

fn step(terminal: bool) -> Transition {
    Transition {
        bits: [].into(),
        action: [0.3, -0.2, 0.0],
        reward: 10.0,
        next: [].into(),
        terminal,
    }
}

fn learner(parameters: Parameters, rng: &mut Rng) -> Td3 {
    let parameters = Parameters {
        discount: 0.9,
        reward_scale: 0.5,
        ..parameters
    };
    Td3::new(parameters, 2, rng)
}

/// A critic that says this of everything: only its last bias is not 0.
fn says(critic: &mut Mlp, value: f32) {
    critic.weights_mut().fill(0.0);
    critic.weights_mut()[2] = value;
}

#[test]
fn what_follows_counts_by_the_lower_target_unless_nothing_does() {
    let mut rng = generator(1, "td3", "", 0);
    let parameters = Parameters {
        hidden: HIDDEN,
        ..Settings::preset(Preset::Paper).unwrap().parameters
    };
    let mut learner = learner(parameters, &mut rng);
    says(&mut learner.targets[0], 4.0);
    says(&mut learner.targets[1], 3.0);
    learner.memory.push(step(false));
    learner.memory.push(step(true));
    let drawn = learner.memory.draw(64, 2, &mut rng).unwrap();
    assert!(drawn.follows.contains(&0.0) && drawn.follows.contains(&1.0));
    for (wanted, follows) in learner.wanted(&drawn, &mut rng).iter().zip(&drawn.follows) {
        // 10 x .5 + .9 x 3, or 10 x .5 where the app died.
        let by_hand = if *follows > 0.0 { 7.7 } else { 5.0 };
        assert!((wanted - by_hand).abs() < 1e-5, "{wanted}");
    }
}

/// Targets that say 1 + the action's first number; the target's policy does `tanh(bias)`. Gives what is wanted, less the
/// reward, as values of the blurred action.
fn blurred(bias: f32, rng: &mut Rng) -> Vec<f32> {
    let parameters = Parameters {
        hidden: HIDDEN,
        ..Settings::preset(Preset::Paper).unwrap().parameters
    };
    assert_eq!(parameters.target_noise, [0.2, 0.5]);
    let mut learner = learner(parameters, rng);
    for target in &mut learner.targets {
        says(target, 0.0);
        // Third layer, second layer, the number's weight in the first layer and its bias: one unit each.
        for ix in [0, 3, 9, 13] {
            target.weights_mut()[ix] = 1.0;
        }
    }
    learner.target_actor.weights_mut().fill(0.0);
    learner.target_actor.weights_mut()[4] = bias;
    learner.memory.push(step(false));
    let drawn = learner.memory.draw(20_000, 2, rng).unwrap();
    let wanted = learner.wanted(&drawn, rng);
    wanted.iter().map(|x| (x - 5.0) / 0.9 - 1.0).collect()
}

#[test]
fn the_targets_action_is_blurred_and_the_blur_clipped() {
    let mut rng = generator(2, "td3", "", 0);
    let noise = blurred(0.0, &mut rng);
    let mean = noise.iter().sum::<f32>() / noise.len() as f32;
    let square = noise.iter().map(|x| x * x).sum::<f32>() / noise.len() as f32;
    // Deviation .2 cut off at 2.5 of it: .1967.
    assert!(mean.abs() < 0.006, "{mean}");
    assert!((square.sqrt() - 0.1967).abs() < 0.005, "{}", square.sqrt());
    let clipped = noise.iter().filter(|x| (x.abs() - 0.5).abs() < 1e-4);
    // 1.24 % of a normal's draws are beyond 2.5 deviations.
    let share = clipped.count() as f32 / noise.len() as f32;
    assert!((share - 0.0124).abs() < 0.004, "{share}");
    assert!(noise.iter().all(|x| x.abs() < 0.5 + 1e-4));
}

#[test]
fn the_blurred_action_stays_in_its_range() {
    let mut rng = generator(3, "td3", "", 0);
    let actions = blurred(20.0, &mut rng);
    assert!(
        actions
            .iter()
            .all(|x| (0.5 - 1e-4..=1.0 + 1e-4).contains(x))
    );
    // Half of the noise is upwards.
    let at_the_end = actions.iter().filter(|x| **x > 1.0 - 1e-4).count();
    assert!((9_500..10_500).contains(&at_the_end), "{at_the_end}");
}

#[test]
fn policy_and_targets_wait_for_their_turn_and_targets_move_by_their_share() {
    let mut rng = generator(4, "td3", "", 0);
    let parameters = Parameters {
        hidden: [8, 8],
        policy_delay: 3,
        tau: 0.25,
        ..Settings::preset(Preset::Paper).unwrap().parameters
    };
    let mut learner = learner(parameters, &mut rng);
    learner.memory.push(step(false));
    let first = (
        learner.actor.net.clone(),
        learner.target_actor.clone(),
        learner.targets.clone(),
    );
    let mut critic = learner.critics[0].net.clone();
    for update in 1..=2 {
        learner.update(&mut rng);
        assert_ne!(learner.critics[0].net, critic, "{update}");
        critic = learner.critics[0].net.clone();
        assert_eq!(learner.actor.net, first.0, "{update}");
        assert_eq!(learner.target_actor, first.1, "{update}");
        assert_eq!(learner.targets, first.2, "{update}");
    }
    learner.update(&mut rng);
    assert_ne!(learner.actor.net, first.0);
    let moved = |old: &Mlp, new: &Mlp, target: &Mlp| {
        let pairs = old.weights().iter().zip(new.weights());
        for ((old, new), target) in pairs.zip(target.weights()) {
            assert!((target - (old + 0.25 * (new - old))).abs() < 1e-6);
        }
    };
    moved(&first.1, &learner.actor.net, &learner.target_actor);
    for ix in [0, 1] {
        moved(&first.2[ix], &learner.critics[ix].net, &learner.targets[ix]);
    }
}

#[test]
fn the_papers_policy_learns_at_every_second_update() {
    for parameters in [
        Settings::preset(Preset::Paper).unwrap().parameters,
        Settings::preset(Preset::Published).unwrap().parameters,
        Parameters::default(),
    ] {
        assert_eq!((parameters.policy_delay, parameters.tau), (2, 0.005));
    }
}
