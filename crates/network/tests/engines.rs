//! What every engine must compute. With the feature `tch` all of it is held against libtorch, too.

use droidtest_network::{
    Engine, Lesson, Moments, Network, Rows, Sizes, Texts, Tower, first_limits, slots,
};
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

type Rng = ChaCha8Rng;

/// The engines of this build; a GPU's where there is one.
fn engines() -> Vec<Engine> {
    let all = ["rust", "torch:cpu", "torch:cuda:0"].map(|name| name.parse::<Engine>().unwrap());
    all.into_iter()
        .filter(|engine| engine.check().is_ok())
        .collect()
}

fn towers() -> Vec<Tower> {
    let vector = |name: &str, len| Tower::Vector {
        name: name.into(),
        len,
    };
    let words = Tower::Words {
        name: "w".into(),
        count: 4,
        dim: 2,
    };
    vec![vector("a", 3), words, vector("b", 2)]
}

fn weights(towers: &[Tower], rng: &mut Rng) -> Vec<f32> {
    let mut flat = Vec::new();
    for layer in first_limits(towers, Sizes::default()) {
        let weight = |_| (rng.random::<f32>() * 2.0 - 1.0) * layer.limit;
        flat.extend((0..layer.weights).map(weight));
        flat.extend((0..layer.biases).map(|_| 0.0));
    }
    flat
}

/// Texts of 0 to 4 words, one with a word that occurs twice.
fn texts(rng: &mut Rng) -> Texts {
    let mut texts = Texts::new(4, 2);
    for words in 0..5 {
        let mut matrix = vec![0.0; 8];
        matrix[..words * 2].fill_with(|| rng.random::<f32>() - 0.5);
        texts.push(&matrix);
    }
    texts.push(&[0.3, -0.2, 0.0, 0.0, 0.3, -0.2, 0.0, 0.0]);
    texts
}

fn rows(len: usize, rng: &mut Rng) -> Rows {
    Rows {
        len,
        dense: (0..len * 5).map(|_| rng.random::<f32>()).collect(),
        // One number that no text has.
        texts: (0..len).map(|_| rng.random_range(0..7)).collect(),
    }
}

/// What a step learns from, with half of the filters dropped.
struct Drawn {
    rows: Rows,
    wanted: Vec<f32>,
    masks: Vec<Vec<f32>>,
}

impl Drawn {
    fn new(len: usize, rng: &mut Rng) -> Self {
        let filters = Sizes::default().filters;
        let mask = |_| if rng.random() { 2.0 } else { 0.0 };
        let mask = (0..len * filters).map(mask).collect();
        Self {
            masks: vec![mask],
            wanted: (0..len).map(|_| rng.random::<f32>() * 10.0 - 5.0).collect(),
            rows: rows(len, rng),
        }
    }

    fn lesson<'a>(&'a self, texts: &'a Texts) -> Lesson<'a> {
        Lesson {
            rows: &self.rows,
            texts,
            wanted: &self.wanted,
            masks: &self.masks,
        }
    }
}

fn network(engine: Engine, flat: &[f32]) -> Box<dyn Network> {
    engine.network(&towers(), Sizes::default(), flat).unwrap()
}

/// The network's value of one row, computed with plain loops after the description.
fn by_hand(flat: &[f32], dense: &[f32], words: &[f32]) -> f32 {
    let at_of = |name: &str| -> usize {
        let all = slots(&towers(), Sizes::default());
        let before = all.iter().take_while(|slot| slot.name != name);
        before.map(droidtest_network::Slot::len).sum()
    };
    let layer = |name: &str, inputs: &[f32], outputs: usize| -> Vec<f32> {
        let weight = &flat[at_of(&format!("{name}.weight"))..];
        let bias = &flat[at_of(&format!("{name}.bias"))..];
        (0..outputs)
            .map(|o| {
                let row = &weight[o * inputs.len()..][..inputs.len()];
                bias[o] + row.iter().zip(inputs).map(|(w, x)| w * x).sum::<f32>()
            })
            .collect()
    };
    let tanh = |x: Vec<f32>| x.into_iter().map(f32::tanh).collect::<Vec<_>>();
    let mut joined = layer("a", &dense[..3], 10);
    // A filter sees 3 words of 2 numbers; the same weights at every place.
    let windows = (0..4_usize).map(|place| {
        let word = |k: usize| match (place + k).checked_sub(1) {
            Some(word) if word < 4 => [words[2 * word], words[2 * word + 1]],
            _ => [0.0; 2],
        };
        (0..3).flat_map(word).collect::<Vec<f32>>()
    });
    let convolved: Vec<Vec<f32>> = windows.map(|w| tanh(layer("w", &w, 20))).collect();
    joined.extend((0..20).map(|o| {
        let all = convolved.iter().map(|place| place[o]);
        all.fold(f32::NEG_INFINITY, f32::max)
    }));
    joined.extend(layer("b", &dense[3..], 10));
    let hidden = tanh(layer("hidden1", &joined, 50));
    let hidden = tanh(layer("hidden2", &hidden, 30));
    layer("value", &hidden, 1)[0]
}

#[test]
fn values_are_what_the_description_says() {
    let mut rng = Rng::seed_from_u64(3);
    let (texts, rows) = (texts(&mut rng), rows(9, &mut rng));
    let flat: Vec<f32> = weights(&towers(), &mut rng)
        .into_iter()
        .map(|weight| weight + 0.01)
        .collect();
    for engine in engines() {
        let network = network(engine, &flat);
        for _ in 0..2 {
            let values = network.values(&rows, &texts);
            for (ix, value) in values.iter().enumerate() {
                let words = texts.get(rows.texts[ix]).unwrap_or(&[0.0; 8]);
                let wanted = by_hand(&flat, &rows.dense[ix * 5..][..5], words);
                assert!(
                    (value - wanted).abs() < 1e-5,
                    "{engine}, {ix}: {value} {wanted}"
                );
            }
        }
        assert!(network.values(&Rows::default(), &texts).is_empty());
    }
}

#[test]
fn the_gradient_is_that_of_finite_differences() {
    let mut rng = Rng::seed_from_u64(5);
    let texts = texts(&mut rng);
    let drawn = Drawn::new(6, &mut rng);
    let flat = weights(&towers(), &mut rng);
    let error = |flat: &[f32], engine| network(engine, flat).gradient(&drawn.lesson(&texts)).0;
    for engine in engines() {
        let (_, gradient) = network(engine, &flat).gradient(&drawn.lesson(&texts));
        let scale = gradient.iter().fold(0.0_f32, |most, x| most.max(x.abs()));
        let mut wrong = 0;
        for ix in 0..flat.len() {
            let moved = |by: f32| {
                let mut flat = flat.clone();
                flat[ix] += by;
                f64::from(error(&flat, engine))
            };
            let slope = (moved(1e-2) - moved(-1e-2)) / 2e-2;
            let difference = (slope - f64::from(gradient[ix])).abs();
            // Where another window becomes the largest meanwhile, the two differ.
            wrong += usize::from(difference > 2e-2 * f64::from(scale).max(1.0));
        }
        assert!(
            wrong * 100 < flat.len(),
            "{engine}: {wrong} of {}",
            flat.len()
        );
    }
}

#[test]
fn a_copy_keeps_its_weights_until_it_follows() {
    let mut rng = Rng::seed_from_u64(7);
    let texts = texts(&mut rng);
    let drawn = Drawn::new(8, &mut rng);
    let flat = weights(&towers(), &mut rng);
    for engine in engines() {
        let mut network = network(engine, &flat);
        let mut copy = network.twin();
        let before = network.values(&drawn.rows, &texts);
        network.learn(&drawn.lesson(&texts), 1e-2);
        assert_eq!(copy.values(&drawn.rows, &texts), before, "{engine}");
        assert_ne!(network.values(&drawn.rows, &texts), before, "{engine}");
        copy.follow(&network.weights());
        let after = network.values(&drawn.rows, &texts);
        assert_eq!(copy.values(&drawn.rows, &texts), after, "{engine}");
    }
}

#[test]
fn learning_goes_on_from_weights_and_moments_bit_for_bit() {
    let mut rng = Rng::seed_from_u64(11);
    let texts = texts(&mut rng);
    let lessons: Vec<Drawn> = (0..20).map(|_| Drawn::new(5, &mut rng)).collect();
    let flat = weights(&towers(), &mut rng);
    for engine in engines() {
        let mut whole = network(engine, &flat);
        let mut part = network(engine, &flat);
        for (ix, drawn) in lessons.iter().enumerate() {
            if ix == 10 {
                let (weights, moments) = (part.weights(), part.moments());
                part = network(engine, &weights);
                part.set_moments(&moments);
                assert_eq!(part.moments(), moments, "{engine}");
            }
            let error = whole.learn(&drawn.lesson(&texts), 1e-2);
            assert_eq!(
                part.learn(&drawn.lesson(&texts), 1e-2).to_bits(),
                error.to_bits()
            );
        }
        assert_eq!(part.weights(), whole.weights(), "{engine}");
    }
}

/// What 200 steps end with has these bits on every machine.
#[test]
fn the_engine_in_rust_learns_the_same_bits_everywhere() {
    let mut rng = Rng::seed_from_u64(13);
    let texts = texts(&mut rng);
    let flat = weights(&towers(), &mut rng);
    let mut network = network(Engine::Rust, &flat);
    for _ in 0..200 {
        let drawn = Drawn::new(7, &mut rng);
        network.learn(&drawn.lesson(&texts), 1e-2);
    }
    let bits = network.weights().into_iter().map(f32::to_bits);
    let hash = bits.fold(0_u64, |hash, bits| {
        hash.wrapping_mul(0x100_0000_01b3) ^ u64::from(bits)
    });
    assert_eq!(hash, 0xaa16_8237_e403_8ae8, "{hash:#x}");
}

/// A weight that is no number makes every value none, so that whoever learns sees it.
#[test]
fn weights_that_are_no_numbers_are_not_hidden() {
    let mut rng = Rng::seed_from_u64(17);
    let (texts, rows) = (texts(&mut rng), rows(3, &mut rng));
    for name in ["w.bias", "w.weight", "a.weight", "hidden2.bias"] {
        let mut flat = weights(&towers(), &mut rng);
        let all = slots(&towers(), Sizes::default());
        let before = all.iter().take_while(|slot| slot.name != name);
        let at: usize = before.map(droidtest_network::Slot::len).sum();
        flat[at] = f32::NAN;
        let rows = Rows {
            texts: vec![4; 3],
            ..rows.clone()
        };
        for engine in engines() {
            let values = network(engine, &flat).values(&rows, &texts);
            assert!(
                values.iter().all(|value| value.is_nan()),
                "{engine}: {name}"
            );
        }
    }
}

#[test]
fn moments_of_another_network_and_too_few_weights_are_refused() {
    let refused = Engine::Rust.network(&towers(), Sizes::default(), &[0.0; 3]);
    assert!(refused.unwrap_err().contains("3 were given"));
    let flat = weights(&towers(), &mut Rng::seed_from_u64(1));
    let mut network = network(Engine::Rust, &flat);
    let others = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        network.set_moments(&Moments::default());
    }));
    others.unwrap_err();
}

/// Both engines go the same way: after each step of learning, values, error, weights and choices are the same.
#[test]
#[cfg(feature = "tch")]
fn both_engines_learn_the_same() {
    let mut rng = Rng::seed_from_u64(19);
    let texts = texts(&mut rng);
    let flat = weights(&towers(), &mut rng);
    let mut rust = network(Engine::Rust, &flat);
    let mut torch = network("torch:cpu".parse().unwrap(), &flat);
    for step in 0..300 {
        let drawn = Drawn::new(5, &mut rng);
        let (error, gradient) = rust.gradient(&drawn.lesson(&texts));
        let (wanted_error, wanted) = torch.gradient(&drawn.lesson(&texts));
        assert!((error - wanted_error).abs() < 1e-4, "{step}");
        for (ours, theirs) in gradient.iter().zip(&wanted) {
            assert!((ours - theirs).abs() < 1e-4, "{step}: {ours} {theirs}");
        }
        rust.learn(&drawn.lesson(&texts), 1e-3);
        // The steps would part slowly: each begins where the other's ended.
        torch.learn(&drawn.lesson(&texts), 1e-3);
        for (ours, theirs) in rust.weights().iter().zip(torch.weights()) {
            assert!((ours - theirs).abs() < 1e-5, "{step}: {ours} {theirs}");
        }
        torch.follow(&rust.weights());
        torch.set_moments(&rust.moments());
        let page = rows(20, &mut rng);
        let (ours, theirs) = (rust.values(&page, &texts), torch.values(&page, &texts));
        for (ours, theirs) in ours.iter().zip(&theirs) {
            assert!((ours - theirs).abs() < 1e-5, "{step}: {ours} {theirs}");
        }
    }
}

#[test]
fn dinodroids_network_has_its_29071_weights() {
    let vector = |name: &str| Tower::Vector {
        name: name.into(),
        len: 10,
    };
    let mut towers: Vec<_> = ["fcr", "fcd1", "fcd2", "fcd3"].map(vector).into();
    towers.push(Tower::Words {
        name: "txc".into(),
        count: 6,
        dim: 400,
    });
    let all = slots(&towers, Sizes::default());
    let count: usize = all.iter().map(droidtest_network::Slot::len).sum();
    assert_eq!(count, 29_071);
}
