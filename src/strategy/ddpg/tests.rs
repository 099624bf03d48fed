//! The target of the critic, by hand.

use super::*;
use crate::strategy::definition::{Definition as _, Preset};
use crate::util::seed::generator;

#[test]
fn what_follows_counts_unless_nothing_does() {
    let mut rng = generator(1, "ddpg", "", 0);
    let parameters = Parameters {
        hidden: [2, 2],
        discount: 0.9,
        reward_scale: 0.5,
        ..Settings::preset(Preset::Paper).unwrap().parameters
    };
    let mut learner = Ddpg::new(parameters, 2, &mut rng);
    // A target that says 4 of everything: only the last bias is not 0.
    learner.target.weights_mut().fill(0.0);
    learner.target.weights_mut()[2] = 4.0;
    for terminal in [false, true] {
        learner.memory.push(Transition {
            bits: [].into(),
            action: [0.0; 3],
            reward: 10.0,
            next: [].into(),
            terminal,
        });
    }
    let drawn = learner.memory.draw(64, 2, &mut rng).unwrap();
    let wanted = learner.wanted(&drawn);
    assert!(drawn.follows.contains(&0.0) && drawn.follows.contains(&1.0));
    for (wanted, follows) in wanted.iter().zip(&drawn.follows) {
        // 10 x .5 + .9 x 4, or 10 x .5 where the app died.
        let by_hand = if *follows > 0.0 { 8.6 } else { 5.0 };
        assert!((wanted - by_hand).abs() < 1e-5, "{wanted}");
    }
}

#[test]
fn the_policys_rate_is_a_tenth_of_the_critics_unless_it_is_set() {
    for (toml, rate) in [
        ("", 1e-4),
        ("preset = \"published\"", 1e-4),
        ("learning-rate = 0.05", 0.05 / 10.0),
        ("learning-rate = 0.05\npolicy-learning-rate = 0.25", 0.25),
    ] {
        let parameters = Settings::read(toml).unwrap().parameters;
        assert_eq!(parameters.policy_rate(), rate, "{toml}");
    }
}

#[test]
fn targets_move_by_their_share_at_every_update() {
    let mut rng = generator(2, "ddpg", "", 0);
    let parameters = Parameters {
        hidden: [8, 8],
        tau: 0.25,
        ..Settings::preset(Preset::Paper).unwrap().parameters
    };
    let mut learner = Ddpg::new(parameters, 2, &mut rng);
    learner.memory.push(Transition {
        bits: [].into(),
        action: [0.3, -0.2, 0.0],
        reward: 1.0,
        next: [].into(),
        terminal: false,
    });
    let first = learner.target.clone();
    let first_actor = learner.target_actor.clone();
    learner.update(&mut rng);
    let pairs = first.weights().iter().zip(learner.critic.net.weights());
    for ((old, new), target) in pairs.zip(learner.target.weights()) {
        assert!((target - (old + 0.25 * (new - old))).abs() < 1e-6);
    }
    assert_ne!(first, learner.target);
    let pairs = first_actor
        .weights()
        .iter()
        .zip(learner.actor.net.weights());
    for ((old, new), target) in pairs.zip(learner.target_actor.weights()) {
        assert!((target - (old + 0.25 * (new - old))).abs() < 1e-6);
    }
    assert_ne!(first_actor, learner.target_actor);
}

#[test]
fn noise_on_the_policys_actions_goes_on_from_step_to_step_and_fades() {
    let mut rng = generator(3, "ddpg", "", 0);
    let parameters = Parameters {
        random_exploration: 0.0,
        noise: 0.1,
        hidden: [8, 8],
        ..Settings::preset(Preset::Paper).unwrap().parameters
    };
    let mut learner = Ddpg::new(parameters, 2, &mut rng);
    let scene = Scene {
        key: 0,
        bits: &[0],
        visited: &[],
        widgets: 1000,
        strings: 1,
        beyond: false,
        rows: 0,
        fields: &[],
    };
    let mut drawn = Vec::new();
    for _ in 0..20_000 {
        learner.act(&scene, &mut rng);
        let (_, action) = learner.body.take().unwrap();
        assert_eq!(
            action[0],
            (learner.best(&[0])[0] + learner.noise[0]).clamp(-1.0, 1.0)
        );
        drawn.push(learner.noise[0]);
    }
    let mean = |numbers: &mut dyn Iterator<Item = f32>| numbers.sum::<f32>() / 20_000.0;
    let square = mean(&mut drawn.iter().map(|x| x * x));
    let next = mean(&mut drawn.windows(2).map(|pair| pair[0] * pair[1]));
    // .1 over the root of 1 - .85^2; each is .85 of the one before, and something new.
    assert!((square.sqrt() - 0.19).abs() < 0.01, "{square}");
    assert!((next / square - 0.85).abs() < 0.02, "{}", next / square);

    assert_eq!(learner.noise[2], 0.0);
    learner.begin();
    assert_eq!(learner.noise, [0.0; 3]);
    learner.parameters.noise = 0.0;
    learner.act(&scene, &mut rng);
    let (_, action) = learner.body.take().unwrap();
    assert_eq!(action[0], learner.best(&[0])[0]);
}
