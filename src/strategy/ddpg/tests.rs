//! What the critic is told, by hand.

use super::*;
use crate::util::seed::generator;

#[test]
fn what_follows_counts_unless_nothing_does() {
    let mut rng = generator(1, "ddpg", "", 0);
    let parameters = Parameters {
        hidden: [2, 2],
        gamma: 0.9,
        reward_scale: 0.5,
        ..Parameters::paper()
    };
    let mut agent = Ddpg::new(parameters, 2, &mut rng);
    // A target that says 4 of everything: only the last bias is not 0.
    agent.target.weights_mut().fill(0.0);
    agent.target.weights_mut()[2] = 4.0;
    for terminal in [false, true] {
        agent.memory.push(Seen {
            bits: [].into(),
            action: [0.0; 3],
            reward: 10.0,
            next: [].into(),
            terminal,
        });
    }
    let drawn = agent.memory.draw(64, 2, &mut rng).unwrap();
    let wanted = agent.wanted(&drawn);
    assert!(drawn.follows.contains(&0.0) && drawn.follows.contains(&1.0));
    for (wanted, follows) in wanted.iter().zip(&drawn.follows) {
        // 10 x .5 + .9 x 4, or 10 x .5 where the app died.
        let by_hand = if *follows > 0.0 { 8.6 } else { 5.0 };
        assert!((wanted - by_hand).abs() < 1e-5, "{wanted}");
    }
}

#[test]
fn targets_move_by_their_share_at_every_update() {
    let mut rng = generator(2, "ddpg", "", 0);
    let parameters = Parameters {
        hidden: [8, 8],
        tau: 0.25,
        ..Parameters::paper()
    };
    let mut agent = Ddpg::new(parameters, 2, &mut rng);
    agent.memory.push(Seen {
        bits: [].into(),
        action: [0.3, -0.2, 0.0],
        reward: 1.0,
        next: [].into(),
        terminal: false,
    });
    let first = agent.target.clone();
    let first_actor = agent.target_actor.clone();
    agent.update(&mut rng);
    let pairs = first.weights().iter().zip(agent.critic.net.weights());
    for ((old, new), target) in pairs.zip(agent.target.weights()) {
        assert!((target - (old + 0.25 * (new - old))).abs() < 1e-6);
    }
    assert_ne!(first, agent.target);
    let pairs = first_actor.weights().iter().zip(agent.actor.net.weights());
    for ((old, new), target) in pairs.zip(agent.target_actor.weights()) {
        assert!((target - (old + 0.25 * (new - old))).abs() < 1e-6);
    }
    assert_ne!(first_actor, agent.target_actor);
}
