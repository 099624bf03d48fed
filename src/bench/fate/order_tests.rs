//! Who sees string indices only makes nothing of their order: with the credentials at other indices of the pool a
//! login wall is passed as fast. The same comparison finds out a strategy that does go by the order.

use super::course;
use crate::device::sim::{Model, Semantics};
use crate::explore::Stop;
use crate::learn::bundle::Bundle;
use crate::strategy::ddpg::{self, Ddpg};
use crate::strategy::definition::{Definition as _, Preset};
use crate::strategy::learner::{Act, Learner, Scene};
use crate::strategy::optimist::Optimist;
use crate::strategy::q_learning::{self, QLearning};
use crate::strategy::sac::{self, Sac};
use crate::strategy::td3::{self, Td3};
use crate::util::seed::{Rng, generator};
use rand::RngExt as _;

const WALL: &str = r#"{
  "global_vars": { "typed": "", "word": "" },
  "nodes": [
    { "node_id": "Wall", "transitions": [
      { "transition_id": 0, "type": "button", "guard": "typed == \"ada\" and word == \"open\"", "destination": "Home" },
      { "transition_id": 1, "type": "editText", "set": "typed = input_text", "destination": "Wall" },
      { "transition_id": 2, "type": "editText", "set": "word = input_text", "destination": "Wall" } ] },
    { "node_id": "Home", "transitions": [
      { "transition_id": 0, "type": "button", "destination": "Home" } ] } ]
}"#;

/// Where the two right strings are in a pool of eight: at both ends, in both orders, side by side and apart.
const PLACES: [[usize; 2]; 6] = [[0, 1], [7, 6], [3, 5], [6, 0], [1, 7], [4, 3]];
const STEPS: u64 = 200;

type Make = fn(&mut Rng) -> Box<dyn Learner>;

/// Mean and squared standard error of the area under the curve.
fn passed(model: &Model, place: [usize; 2], seeds: u64, make: Make) -> (f64, f64) {
    let mut pool = ["a", "b", "c", "d", "e", "f", "g", "h"];
    pool[place[0]] = "ada";
    pool[place[1]] = "open";
    let areas: Vec<f64> = (0..seeds)
        .map(|seed| {
            // Other draws for each place, else the same ones would be compared with themselves.
            let mut rng = generator(seed, &format!("{place:?}"), "wall", 0);
            let mut learner = make(&mut rng);
            let learned = course::learn(
                model,
                Semantics::Clean,
                &pool,
                STEPS,
                learner.as_mut(),
                &mut rng,
                &Stop::default(),
            );
            learned.expect("a walk").auc
        })
        .collect();
    let n = seeds as f64;
    let mean = areas.iter().sum::<f64>() / n;
    let variance = areas.iter().map(|a| (a - mean).powi(2)).sum::<f64>() / (n - 1.0);
    assert!(variance > 0.0, "no run passed the wall, or all did alike");
    (mean, variance / n)
}

/// What the two places of six that are furthest apart may be apart at random, in standard errors: one in 2000 of fifteen
/// pairs (two-sided, Bonferroni).
const CHANCE: f64 = 4.15;

/// How far the two places furthest apart are, in standard errors.
fn apart(seeds: u64, make: Make) -> f64 {
    let model = Model::parse(WALL, "wall.json", "wall").unwrap();
    let all = PLACES.map(|place| passed(&model, place, seeds, make));
    let mut most: f64 = 0.0;
    for (at, a) in all.iter().enumerate() {
        for b in &all[at + 1..] {
            most = most.max((a.0 - b.0).abs() / (a.1 + b.1).sqrt());
        }
    }
    most
}

/// Types the strings in their order most of the time: without chance there would be no spread to compare with.
#[derive(Default)]
struct Sweep(u32);

impl Learner for Sweep {
    fn act(&mut self, scene: &Scene<'_>, rng: &mut Rng) -> Act {
        if rng.random_bool(0.3) {
            return Act {
                widget: rng.random_range(0..scene.widgets),
                string: rng.random_range(0..scene.strings),
                second: false,
            };
        }
        self.0 += 1;
        let pair = self.0 / 3;
        Act {
            widget: (self.0 % 3).min(scene.widgets - 1),
            string: match self.0 % 3 {
                1 => pair % scene.strings,
                _ => pair / scene.strings % scene.strings,
            },
            second: false,
        }
    }

    fn learn(&mut self, _: f32, _: &Scene<'_>, _: bool, _: &mut Rng) {}

    fn updates(&self) -> u64 {
        0
    }

    fn export(&self) -> Bundle {
        Bundle::default()
    }

    fn import(&mut self, _: &Bundle) -> Result<(), String> {
        Ok(())
    }
}

#[test]
fn the_order_of_strings_teaches_a_table_nothing() {
    let plain: Make = |_| {
        Box::new(QLearning::new(
            q_learning::Settings::preset(Preset::Paper)
                .unwrap()
                .parameters,
        ))
    };
    let greedy: Make = |_| {
        Box::new(QLearning::new(q_learning::Parameters {
            epsilon: 0.02,
            ..q_learning::Settings::preset(Preset::Paper)
                .unwrap()
                .parameters
        }))
    };
    let hopeful: Make = |_| Box::new(Optimist::new(q_learning::Parameters::default()));
    for (name, make) in [("plain", plain), ("greedy", greedy), ("optimist", hopeful)] {
        let apart = apart(120, make);
        assert!(apart < CHANCE, "{name}: {apart} standard errors");
    }
}

#[test]
fn the_order_of_strings_teaches_an_actor_nothing() {
    const HIDDEN: [usize; 2] = [8, 8];
    let sac: Make = |rng| {
        let own = sac::Parameters {
            hidden: HIDDEN,
            batch: 16,
            ..sac::Settings::preset(Preset::Paper).unwrap().parameters
        };
        Box::new(Sac::new(own, 2, rng))
    };
    let td3: Make = |rng| {
        let own = td3::Parameters {
            hidden: HIDDEN,
            batch: 16,
            train_every: 10,
            updates: 2,
            ..td3::Settings::preset(Preset::Paper).unwrap().parameters
        };
        Box::new(Td3::new(own, 2, rng))
    };
    let ddpg: Make = |rng| {
        let own = ddpg::Parameters {
            hidden: HIDDEN,
            batch: 16,
            updates: 2,
            ..ddpg::Settings::preset(Preset::Paper).unwrap().parameters
        };
        Box::new(Ddpg::new(own, 2, rng))
    };
    let wide: Make = |rng| {
        let own = sac::Parameters {
            hidden: HIDDEN,
            batch: 16,
            ..sac::Parameters::default()
        };
        Box::new(Sac::new(own, 2, rng))
    };
    for (name, make) in [
        ("sac", sac),
        ("sac:default", wide),
        ("td3", td3),
        ("ddpg", ddpg),
    ] {
        let apart = apart(40, make);
        assert!(apart < CHANCE, "{name}: {apart} standard errors");
    }
}

/// The published table takes the first of equal values, and so do we with its preset: as the docs say, it goes by the
/// order, and the comparison must see that.
#[test]
fn the_published_table_that_takes_the_first_of_equals_is_found_out() {
    let first: Make = |_| {
        Box::new(QLearning::new(q_learning::Parameters {
            epsilon: 0.1,
            ..q_learning::Settings::preset(Preset::Published)
                .unwrap()
                .parameters
        }))
    };
    let apart = apart(150, first);
    assert!(apart > 5.0, "{apart}");
}

#[test]
fn a_strategy_that_goes_by_the_order_is_found_out() {
    let apart = apart(60, |_| Box::new(Sweep::default()));
    assert!(apart > 5.0, "{apart}");
}
