//! The actor-critics on problems whose answer is known, and what they must not make anything of.

use super::ddpg::{self, Ddpg};
use super::learner::{Learner, Scene};
use super::sac::{self, Sac};
use super::td3::{self, Td3};
use crate::strategy::definition::{Definition as _, Preset};
use crate::util::seed::{Rng, generator};

/// Settings under which a small problem is learned in a few hundred updates.
fn learners(rng: &mut Rng) -> Vec<(&'static str, Box<dyn Learner>)> {
    let hidden = [24, 24];
    let sac = sac::Parameters {
        hidden,
        learning_rate: 3e-3,
        tau: 0.02,
        discount: 0.9,
        train_every: 2,
        target_update: 1,
        ..sac::Settings::preset(Preset::Paper).unwrap().parameters
    };
    let td3 = td3::Parameters {
        hidden,
        learning_rate: 3e-3,
        tau: 0.02,
        discount: 0.9,
        batch: 64,
        random_exploration: 0.3,
        train_every: 2,
        updates: 1,
        ..td3::Settings::preset(Preset::Paper).unwrap().parameters
    };
    let ddpg = ddpg::Parameters {
        hidden,
        policy_learning_rate: Some(2e-3),
        learning_rate: 4e-3,
        tau: 0.02,
        discount: 0.9,
        batch: 64,
        random_exploration: 0.3,
        noise: 0.05,
        train_every: 2,
        updates: 1,
        ..ddpg::Settings::preset(Preset::Paper).unwrap().parameters
    };
    vec![
        ("sac", Box::new(Sac::new(sac, 2, rng)) as Box<dyn Learner>),
        ("td3", Box::new(Td3::new(td3, 2, rng))),
        ("ddpg", Box::new(Ddpg::new(ddpg, 2, rng))),
    ]
}

fn scene(bits: &[u32], widgets: u32) -> Scene<'_> {
    Scene {
        key: u64::from(bits.first().copied().unwrap_or(0)),
        bits,
        visited: &[],
        widgets,
        strings: 1,
        beyond: false,
        rows: 0,
        fields: &[],
    }
}

#[test]
fn what_the_episode_has_been_at_is_seen_where_the_settings_say_so() {
    let mut rng = generator(2, "visited", "", 0);
    for visited in [false, true] {
        let sac = sac::Parameters {
            visited,
            ..sac::Settings::preset(Preset::Paper).unwrap().parameters
        };
        let td3 = td3::Parameters {
            visited,
            ..td3::Settings::preset(Preset::Paper).unwrap().parameters
        };
        let ddpg = ddpg::Parameters {
            visited,
            ..ddpg::Settings::preset(Preset::Paper).unwrap().parameters
        };
        let learners: [Box<dyn Learner>; 3] = [
            Box::new(Sac::new(sac, 2, &mut rng)),
            Box::new(Td3::new(td3, 2, &mut rng)),
            Box::new(Ddpg::new(ddpg, 2, &mut rng)),
        ];
        for mut learner in learners {
            assert_eq!(learner.sees_visited(), visited);
            let seen = Scene {
                visited: &[400],
                ..scene(&[0], 3)
            };
            learner.act(&seen, &mut rng);
            learner.learn(1.0, &seen, false, &mut rng);
            // The network knows the place only where it was seen.
            let known = learner.export().tensors["actor"].len() > 400 * 64;
            assert_eq!(known, visited);
        }
    }
}

#[test]
fn the_best_arm_of_a_bandit_is_found() {
    let mut rng = generator(2, "bandit", "", 0);
    for (name, mut learner) in learners(&mut rng) {
        let mut late = Vec::new();
        for step in 0..1600 {
            let act = learner.act(&scene(&[0], 9), &mut rng);
            let apart = act.widget.abs_diff(7) as f32;
            learner.learn(1.0 - apart / 4.0, &scene(&[0], 9), true, &mut rng);
            if step >= 1300 {
                late.push(act.widget);
            }
        }
        // Those that explore at random do so in 3 of 10 steps.
        let near = late.iter().filter(|w| w.abs_diff(7) <= 1).count();
        assert!(
            near * 100 > late.len() * 65,
            "{name}: {near} of {}",
            late.len()
        );
    }
}

/// A mass on a track of 9 places that is pushed left, not at all or right, and pays the less the farther it is from
/// the middle: the best policy pushes it there and holds it, whatever the start.
#[test]
fn a_mass_is_pushed_to_the_middle_and_held_there() {
    let mut rng = generator(1, "track", "", 0);
    for (name, mut learner) in learners(&mut rng) {
        let (mut place, mut paid, mut held) = (0_u32, 0, 0);
        for step in 0..4000_u32 {
            if step % 20 == 0 {
                place = (step / 20 * 4) % 9;
            }
            let bits = [place];
            let act = learner.act(&scene(&bits, 3), &mut rng);
            place = match act.widget {
                0 => place.saturating_sub(1),
                1 => place,
                _ => (place + 1).min(8),
            };
            let apart = place.abs_diff(4);
            learner.learn(-(apart as f32) / 4.0, &scene(&[place], 3), false, &mut rng);
            if step >= 3000 && step % 20 >= 6 {
                paid += 1;
                held += u32::from(apart <= 1);
            }
        }
        assert!(held * 100 > paid * 70, "{name}: {held} of {paid}");
    }
}

#[test]
fn what_was_learned_is_saved_and_loaded_and_anothers_refused() {
    let mut rng = generator(1, "saved", "", 0);
    let mut all = Vec::new();
    for (name, mut learner) in learners(&mut rng) {
        for _ in 0..300 {
            learner.act(&scene(&[3, 4], 9), &mut rng);
            learner.learn(1.0, &scene(&[3, 4], 9), false, &mut rng);
        }
        learner.learn(f32::NAN, &scene(&[3], 9), false, &mut rng);
        let saved = learner.export();
        assert!(learner.updates() > 50, "{name}");
        assert!(
            saved.tensors.values().flatten().all(|x| x.is_finite()),
            "{name}"
        );
        all.push((name, saved));
    }
    for (name, mut learner) in learners(&mut rng) {
        for (whose, saved) in &all {
            // TD3 reads SAC's critics, but not its policy, which has twice the outputs.
            assert_eq!(
                learner.import(saved).is_ok(),
                whose == &name || (name, *whose) == ("ddpg", "td3"),
                "{name} {whose}"
            );
        }
        let own = all.iter().find(|(whose, _)| *whose == name).unwrap();
        learner.import(&own.1).unwrap();
        assert_eq!(learner.export(), own.1, "{name}");
    }
}

#[test]
fn a_scene_without_widgets_is_no_reason_to_panic() {
    let mut rng = generator(1, "empty", "", 0);
    for (_, mut learner) in learners(&mut rng) {
        for _ in 0..50 {
            let act = learner.act(&scene(&[], 0), &mut rng);
            assert_eq!(act.widget, 0);
            learner.learn(0.0, &scene(&[70_000], 0), false, &mut rng);
        }
    }
}
