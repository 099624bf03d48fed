//! The walk's rules, its sameness with the device, and the figures of the original code.

use super::*;
use crate::device::sim::expr::Literal;
use crate::device::sim::{BUILTIN, SimDevice, curve};
use crate::device::{Action, Device, Reset};
use crate::util::intern::Interner;
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;

const GATE: &str = r#"{"global_vars": [{"name": "word", "value": ""}], "nodes": [
  {"node_id": "in", "transitions": [
    {"transition_id": 0, "type": "button", "guard": "word == 'go'", "set": null, "destination": "out"},
    {"transition_id": 1, "type": "editText", "guard": null, "set": "word = input_text", "destination": "in"}]},
  {"node_id": "out", "transitions": [
    {"transition_id": 0, "type": "button", "guard": null, "set": null, "destination": "out"},
    {"transition_id": 1, "type": "button", "guard": null, "set": null, "destination": "in"}]}]}"#;

fn model(text: &str) -> Model {
    Model::parse(text, "m.json", "m").unwrap()
}

#[test]
fn rewards_are_the_published_ones() {
    let model = model(GATE);
    let mut walk = Walk::new(&model, Semantics::FateCompat, &["no", "go"], 0);
    let mut reward = |widget, string| walk.step(widget, string).unwrap().reward;
    assert_eq!(reward(0, 0), -1.0, "the guard is false");
    assert_eq!(reward(1, 0), -1.0, "typing leads nowhere");
    assert_eq!(reward(2, 0), -30.0, "there is no such widget");
    assert_eq!(reward(1, 2), -30.0, "there is no such string");
    assert_eq!(reward(1, 1), -1.0);
    assert_eq!(reward(0, 9), 1000.0, "a button takes no string");
    assert_eq!(
        reward(0, 0),
        0.0,
        "staying costs nothing after the first change"
    );
    assert_eq!(reward(1, 0), 0.0, "back to a seen one");
    assert_eq!(reward(1, 0), 0.0, "still nothing");
}

#[test]
fn an_episode_is_300_valid_steps_and_globals_outlive_it_in_compat() {
    for (semantics, reward) in [
        (Semantics::FateCompat, REWARD_NEW),
        (Semantics::Clean, REWARD_SAME),
    ] {
        let model = model(GATE);
        let mut walk = Walk::new(&model, semantics, &["go"], 0);
        for i in 1..=300 {
            assert!(!walk.step(9, 0).unwrap().done);
            assert_eq!(walk.step(1, 0).unwrap().done, i == 300);
        }
        walk.reset();
        let step = walk.step(0, 0).unwrap();
        assert_eq!(step.reward, reward);
    }
}

#[test]
fn the_observation_is_one_hot_then_the_widgets_of_the_node() {
    let model = model(GATE);
    let mut walk = Walk::new(&model, Semantics::FateCompat, &["go"], 0);
    let mut seen = vec![0.5; walk.observation_len()];
    walk.observe(&mut seen);
    assert_eq!(seen, [1.0, 0.0, 1.0, 1.0, 0.0, 0.0]);
    walk.step(1, 0).unwrap();
    walk.step(0, 0).unwrap();
    walk.observe(&mut seen);
    assert_eq!(seen, [0.0, 1.0, 0.0, 0.0, 1.0, 1.0]);
}

/// Walks both with the same choices and compares them at every step.
fn same_way(
    model: Model,
    semantics: Semantics,
    pool: &[&str],
    choices: impl Iterator<Item = (u32, u32)>,
) {
    let model = Arc::new(model);
    let mut walk = Walk::new(&model, semantics, pool, 5);
    let mut device = SimDevice::new("sim", semantics, 5);
    device.install_model(model.clone());
    device.reset(Reset::ClearData).unwrap();
    let mut interner = Interner::default();
    let mut covered = BTreeSet::new();
    covered.extend(device.observe(&mut interner).unwrap().visited);
    for (widget, string) in choices {
        let node = walk.state().0.node;
        let step = walk.step(widget, string);
        let mut died = false;
        if let Some(ix) = model.widget(node, widget) {
            let n = crate::device::sim::screen::before_widgets(&model, node) + widget;
            let action = match (
                model.widgets[ix as usize].editable,
                pool.get(string as usize),
            ) {
                (false, _) => Some(Action::Click { n }),
                (true, Some(text)) => Some(Action::Text {
                    n,
                    s: (*text).to_owned(),
                    ime: false,
                }),
                (true, None) => None,
            };
            let performed = action.map_or(Ok(()), |action| device.perform(&action));
            assert_eq!(performed.is_err(), step.is_err());
            let seen = device.observe(&mut interner).unwrap();
            assert_eq!(interner.get(seen.page().activity).is_empty(), !seen.alive);
            died = !seen.alive;
            covered.extend(seen.visited);
        }
        let standing = |(state, texts): (&State, &Texts)| {
            let globals: Vec<Literal> = state.globals.iter().map(|v| v.literal(texts)).collect();
            (state.node, globals)
        };
        assert_eq!(standing(walk.state()), standing(device.state().unwrap()));
        let Ok(step) = step else { continue };
        assert_eq!(step.activities as usize, covered.len());
        assert!(step.done || !died);
        if step.done {
            walk.reset();
            device.reset(Reset::ClearData).unwrap();
            covered.extend(device.observe(&mut interner).unwrap().visited);
        }
    }
}

#[test]
fn walk_and_device_go_the_same_way_through_the_built_in_models() {
    for (name, _) in BUILTIN {
        for semantics in [Semantics::Clean, Semantics::FateCompat] {
            let model = Model::builtin(name).unwrap();
            let pool = model.strings.clone();
            let pool: Vec<&str> = pool.iter().map(String::as_str).collect();
            let mut dice = Dice::new(3);
            let choices = (0..20_000).map(|_| dice.pair(9, 8));
            same_way(model, semantics, &pool, choices);
        }
    }
}

fn any_model() -> impl Strategy<Value = String> {
    let guard = proptest::sample::select(vec![
        "null",
        "\"n > 1\"",
        "\"s == 'x' or b\"",
        "\"(n == 2) & b\"",
        "\"not b\"",
        "\"n + s\"",
        "\"s < 'y'\"",
    ]);
    let set = proptest::sample::select(vec![
        "null",
        "\"n = n + 1\"",
        "\"b = not b\\nn = 0\"",
        "\"s = s + 'x'\"",
        "\"s = ''\"",
        "\"n = 7 // n\"",
    ]);
    let typed = proptest::sample::select(vec![
        "\"s = input_text\"",
        "\"s = input_text + s\"",
        "\"b = input_text == 'x'\"",
        "null",
    ]);
    let extra = proptest::sample::select(vec![
        "",
        "",
        "",
        "\"active\": false,",
        "\"nondeterministic\": true,",
        "\"exit\": true,",
        "\"crash\": {\"exception\": \"E\"},",
        "\"anr_ms\": 9000,",
    ]);
    let transition = (any::<bool>(), guard, set, typed, extra, 0..5_u32, 0..4_u32);
    let node = proptest::collection::vec(transition, 0..5);
    let back = proptest::sample::select(vec!["nowhere", "history"]);
    (proptest::collection::vec(node, 1..5), back).prop_map(|(nodes, back)| {
        let mut text = format!("{{\"meta\": {{\"back\": \"{back}\"}}, \"global_vars\": {{\"n\": 1, \"s\": \"\", \"b\": false}}, \"nodes\": [");
        for (i, node) in nodes.iter().enumerate() {
            let comma = if i > 0 { "," } else { "" };
            let _ = write!(text, "{comma}{{\"node_id\": \"{i}\", \"transitions\": [");
            for (j, (edit, guard, set, typed, extra, to, id)) in node.iter().enumerate() {
                let comma = if j > 0 { "," } else { "" };
                let kind = if *edit { "editText" } else { "button" };
                let set = if *edit { typed } else { set };
                // Nondeterministic ones share ids where their kinds agree.
                let id = if extra.contains("nondet") { format!("{kind}{}", id % 2) } else { j.to_string() };
                let to = *to as usize % nodes.len();
                let _ = write!(text, "{comma}{{\"transition_id\": \"{id}\", \"type\": \"{kind}\", {extra} \"guard\": {guard}, \"set\": {set}, \"destination\": \"{to}\"}}");
            }
            text.push_str("]}");
        }
        text + "]}"
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn walk_and_device_go_the_same_way_through_any_model(text in any_model(), compat in any::<bool>(), seed in any::<u64>()) {
        let semantics = if compat { Semantics::FateCompat } else { Semantics::Clean };
        let mut dice = Dice::new(seed);
        let choices = (0..400).map(|_| dice.pair(6, 4));
        same_way(model(&text), semantics, &["x", "y", ""], choices);
    }
}

/// The mean area under random's curve over a thousand walks, next to what the original code gave.
///
/// The published models are not ours to ship: name their folder in `DROIDTEST_FATE_MODELS` to run this.
#[test]
fn random_walks_have_the_areas_of_the_original_code() {
    let Some(folder) = std::env::var_os("DROIDTEST_FATE_MODELS") else {
        crate::skip::skip("DROIDTEST_FATE_MODELS does not name the folder of the published models");
        return;
    };
    let folder = std::path::Path::new(&folder);
    let strings = std::fs::read_to_string(folder.join("strings.json")).expect("strings.json");
    let strings: serde_json::Value = serde_json::from_str(&strings).expect("JSON");
    let strings: Vec<&str> = strings["pool"]
        .as_array()
        .expect("a pool")
        .iter()
        .filter_map(|s| s.as_str())
        .collect();
    // Model, strings, and the original code's mean, standard deviation (0: not known) and number of seeds.
    let cases = [
        ("player", 20, 88603.0, 0.0, 60.0),
        ("social", 20, 20321.0, 12240.0, 200.0),
        ("social", 40, 9176.0, 10012.0, 200.0),
        ("social", 80, 6075.0, 6968.0, 200.0),
        ("social_mod_5", 20, 12807.0, 11568.0, 200.0),
        ("bank", 20, 24617.0, 15868.0, 200.0),
        ("bank", 40, 10442.0, 12567.0, 200.0),
        ("bank", 80, 6628.0, 8961.0, 200.0),
        ("bank_mod_5", 20, 15080.0, 14815.0, 200.0),
        ("market_place", 20, 19474.0, 7719.0, 200.0),
        ("market_place", 40, 17295.0, 5291.0, 200.0),
        ("market_place", 80, 16195.0, 2532.0, 200.0),
        ("market_place_mod_5", 20, 19925.0, 8207.0, 200.0),
    ];
    for (name, limit, original, deviation, seeds) in cases {
        let model =
            Model::load(&folder.join(format!("{name}.json"))).unwrap_or_else(|e| panic!("{e}"));
        let areas: Vec<f64> = (0..1000_u64)
            .map(|seed| {
                // A limit of 20 reaches 21 strings.
                let mut walk = Walk::new(&model, Semantics::FateCompat, &strings[..=limit], 0);
                let mut points = Vec::with_capacity(4000);
                let mut dice = Dice::new(seed << 32);
                walk.random(&mut dice, 4000, |s| points.push(f64::from(s.activities)))
                    .expect("a walk");
                curve::auc(&points)
            })
            .collect();
        let count = areas.len() as f64;
        let mean = areas.iter().sum::<f64>() / count;
        let own = (areas.iter().map(|a| (a - mean).powi(2)).sum::<f64>() / count).sqrt();
        let deviation = if deviation > 0.0 { deviation } else { own };
        let error = (deviation * deviation / seeds + own * own / count).sqrt();
        eprintln!(
            "{name} {limit}: {mean:.0} ± {own:.0}, original {original:.0} ± {deviation:.0}: {:+.1} standard errors",
            (mean - original) / error
        );
        assert!(
            (mean - original).abs() < 4.0 * error,
            "{name} {limit}: {mean} is not {original}"
        );
    }
}
