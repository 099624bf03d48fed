//! Which policies are refused, and what a policy holds.

use super::*;
use crate::learn::policy_file::PolicyFile;
use crate::strategy::ddpg::{self, Ddpg};
use crate::strategy::definition::{Definition as _, Preset};
use crate::strategy::optimist::Optimist;
use crate::strategy::sac::{self, Sac};
use crate::strategy::td3::{self, Td3};
use serde_json::{Value, json};

#[test]
fn a_policy_takes_its_places_along_and_does_not_fit_another_strategy_or_other_strings() {
    let table = || {
        Box::new(QLearning::new(
            q_learning::Settings::preset(Preset::Paper)
                .unwrap()
                .parameters,
        ))
    };
    let mut first = Bed::new(0, 0, false);
    first.ares = Ares::new("q-learning", table(), Parameters::default(), "first");
    let page = first.page("A");
    for _ in 0..40 {
        first.decide(&page);
        first.outcome(&page, &alive(), &page);
    }
    let mut saved = Vec::new();
    first.ares.save(&mut saved).unwrap();
    let mut second = Ares::new("q-learning", table(), Parameters::default(), "second");
    second.load(&mut saved.as_slice()).unwrap();
    assert_eq!(
        (second.places.clone(), second.history.clone()),
        (
            first.ares.places.clone(),
            vec![Lesson {
                session: "first".into(),
                ..Lesson::default()
            }]
        )
    );
    let error_of = |mut ares: Ares| ares.load(&mut saved.as_slice()).unwrap_err().to_string();
    let other = Ares::new("ares-sac", table(), Parameters::default(), "x");
    assert!(error_of(other).contains("the policy's is q-learning"));
    let strings = Parameters {
        strings: vec!["x".into()],
        ..Parameters::default()
    };
    let other = Ares::new("q-learning", table(), strings, "x");
    assert!(error_of(other).contains("strings"));
}

/// A learner of this strategy, small.
fn learner(name: &str) -> Box<dyn Learner> {
    let mut rng = generator(1, "policy", name, 0);
    let hidden = [4, 4];
    match name {
        "ares-sac" => {
            let own = sac::Parameters {
                hidden,
                ..sac::Parameters::default()
            };
            Box::new(Sac::new(own, NUMBERS, &mut rng))
        }
        "ares-td3" => {
            let own = td3::Parameters {
                hidden,
                ..td3::Parameters::default()
            };
            Box::new(Td3::new(own, NUMBERS, &mut rng))
        }
        "ares-ddpg" => {
            let own = ddpg::Parameters {
                hidden,
                ..ddpg::Parameters::default()
            };
            Box::new(Ddpg::new(own, NUMBERS, &mut rng))
        }
        "q-learning" => Box::new(Optimist::new(q_learning::Parameters::default())),
        _ => Box::new(QLearning::new(
            q_learning::Settings::preset(Preset::Paper)
                .unwrap()
                .parameters,
        )),
    }
}

const ALL: [&str; 4] = ["q-learning", "ares-sac", "ares-td3", "ares-ddpg"];

fn first() -> Lesson {
    Lesson {
        session: "first".into(),
        content: "c0ffee".into(),
        ..Lesson::default()
    }
}

/// The policy of a session of so many events.
fn saved(name: &'static str, events: u32) -> Vec<u8> {
    let mut bed = Bed::new(0, 0, false);
    bed.ares = Ares::new(name, learner(name), Parameters::default(), "first").in_session(first());
    let (a, b) = (bed.page("A"), bed.page("B"));
    for _ in 0..events {
        bed.decide(&a);
        bed.outcome(&a, &alive(), &b);
    }
    let mut saved = Vec::new();
    bed.ares.save(&mut saved).unwrap();
    saved
}

/// The error for a policy that was changed so.
fn error_of(name: &'static str, change: impl FnOnce(&mut PolicyFile)) -> Option<String> {
    let mut file = PolicyFile::read(&mut saved(name, 20).as_slice(), name).unwrap();
    change(&mut file);
    let mut bytes = Vec::new();
    file.write(&mut bytes).unwrap();
    let mut ares = Ares::new(name, learner(name), Parameters::default(), "second");
    let read = ares.load(&mut bytes.as_slice());
    read.err().map(|error| error.to_string())
}

fn refused(name: &'static str, change: impl FnOnce(&mut PolicyFile), words: &str) {
    let said = error_of(name, change).unwrap_or_else(|| panic!("{name}: no `{words}`"));
    assert!(said.contains(words), "{name}: {said}");
}

fn about(file: &mut PolicyFile, key: &str, value: Value) {
    assert!(file.about.insert(key.into(), value).is_some());
}

#[test]
fn numbers_that_no_learning_leaves_are_refused() {
    for name in ALL {
        assert_eq!(error_of(name, |_| ()), None, "{name}");
        let spoil = |file: &mut PolicyFile| {
            let values = file.tensors.iter_mut().find(|(key, _)| *key != "order");
            values.unwrap().1.numbers[0] = 3e38;
        };
        refused(name, spoil, "beyond a million");
    }
    for heat in [vec![], vec![0.0; 2], vec![11.0], vec![-21.0]] {
        let spoil = |file: &mut PolicyFile| {
            file.tensors.insert("heat".into(), heat.into());
        };
        refused("ares-sac", spoil, "its `heat` is");
    }
}

#[test]
fn an_order_that_is_not_that_of_the_strings_is_refused() {
    for name in ["ares-sac", "ares-td3", "ares-ddpg"] {
        let order = |order: Vec<f32>| {
            move |file: &mut PolicyFile| {
                assert_eq!(file.tensors["order"].numbers.len(), STRINGS.len() + 1);
                file.tensors.insert("order".into(), order.into());
            }
        };
        refused(
            name,
            order(vec![0.0, 1.0]),
            "length of `order`: the policy's is 2, the suite's is 10",
        );
        let beyond = (1..=10_u8).map(f32::from).collect();
        refused(name, order(beyond), "one that does not exist");
        let halves = (0..10_u8).map(|n| f32::from(n) + 0.5).collect();
        refused(name, order(halves), "one that does not exist");
        refused(name, order(vec![0.0; 10]), "names one twice");
        // Where nothing was ever done there is none.
        assert_eq!(error_of(name, order(Vec::new())), None, "{name}");
    }
}

#[test]
fn places_that_would_be_given_out_twice_are_refused() {
    for name in ["ares-sac", "ares-td3", "ares-ddpg"] {
        refused(
            name,
            |b| about(b, "places", json!([])),
            "its list of places names 0",
        );
        let twice = json!(["a", "b", "c", "d", "a"]);
        refused(name, |b| about(b, "places", twice), "names \"a\" twice");
        let shorter = |file: &mut PolicyFile| {
            let critic = file.tensors.get_mut("critic1").unwrap();
            critic.numbers.truncate(critic.numbers.len() - 4);
            critic.shape = vec![critic.numbers.len()];
        };
        refused(name, shorter, "places, but a critic");
        let many: Vec<u32> = (0..=1 << 20).collect();
        let many: Vec<String> = many.iter().map(u32::to_string).collect();
        refused(name, |b| about(b, "places", json!(many)), "are allowed");
    }
}

#[test]
fn one_of_other_texts_or_of_the_other_table_is_refused() {
    for name in ALL {
        refused(
            name,
            |b| about(b, "choices", json!(9)),
            "number of texts to choose from: the policy's is 9",
        );
        // Policies of earlier tools do not say these.
        let older = |file: &mut PolicyFile| {
            for key in ["choices", "table"] {
                file.about.remove(key);
            }
        };
        assert_eq!(error_of(name, older), None, "{name}");
    }
    let plain = |file: &mut PolicyFile| about(file, "table", json!("by widget and string"));
    refused(
        "q-learning",
        plain,
        "table: the policy's is by widget and string",
    );
    let mut other = Ares::new("q-learning", learner("plain"), Parameters::default(), "x");
    let said = other
        .load(&mut saved("q-learning", 20).as_slice())
        .unwrap_err();
    assert!(said.to_string().contains("preset"), "{said}");
    let row = |file: &mut PolicyFile| {
        file.tensors.insert("7".into(), vec![0.0].into());
    };
    refused("q-learning", row, "`7` is not a row of a table");
}

/// One with too few events to learn from need not be done again, or with none, as of a member of a portfolio that had no
/// turn. It leaves a policy to start from.
#[test]
fn a_policy_says_which_sessions_on_which_apps_it_is_of_also_too_short_ones() {
    for name in ALL {
        for events in [0, 1, 20] {
            let bytes = saved(name, events);
            let file = PolicyFile::read(&mut bytes.as_slice(), name).unwrap();
            assert_eq!(file.history, [first()], "{name} {events}");
            let mut next = Ares::new(name, learner(name), Parameters::default(), "second");
            next.load(&mut bytes.as_slice()).unwrap();
        }
    }
}

/// Learns nothing but to run away.
struct Runaway;

impl Learner for Runaway {
    fn act(&mut self, _: &Scene<'_>, _: &mut Rng) -> crate::strategy::learner::Act {
        crate::strategy::learner::Act::default()
    }
    fn learn(&mut self, _: f32, _: &Scene<'_>, _: bool, _: &mut Rng) {}
    fn updates(&self) -> u64 {
        1
    }
    fn export(&self) -> Bundle {
        let mut bundle = Bundle::default();
        bundle.tensors.insert("actor".into(), vec![f32::NAN]);
        bundle
    }
    fn import(&mut self, _: &Bundle) -> Result<(), String> {
        Ok(())
    }
}

#[test]
fn what_ran_away_is_not_written() {
    let ares = Ares::new("ares-sac", Box::new(Runaway), Parameters::default(), "x");
    let mut bytes = Vec::new();
    let said = ares.save(&mut bytes).unwrap_err().to_string();
    assert!(said.contains("lower the strategy's"), "{said}");
    assert_eq!(bytes, Vec::<u8>::new());
}
