use super::adam::Adam;
use super::dqn::{Dqn, Parameters, Replay, Target};
use super::engine::TorchDevice;
use super::layout::{Rows, Texts, Tower};
use super::network::{Network, Sizes};
use super::policy::{Header, Policy};
use super::policy_file::{Lesson, PolicyError};
use crate::util::seed::{Rng, generator};
use rand::RngExt as _;
use std::collections::BTreeMap;
use tch::Device;

fn towers() -> Vec<Tower> {
    let vector = |name: &str, len| Tower::Vector {
        name: name.into(),
        len,
    };
    vec![
        vector("a", 3),
        Tower::Words {
            name: "w".into(),
            count: 4,
            dim: 2,
        },
        vector("b", 2),
    ]
}

fn some_rows(len: usize, rng: &mut Rng) -> (Rows, Texts) {
    let mut texts = Texts::new(4, 2);
    for _ in 0..3 {
        let matrix: Vec<f32> = (0..8).map(|_| rng.random::<f32>() - 0.5).collect();
        texts.push(&matrix);
    }
    let rows = Rows {
        len,
        dense: (0..len * 5).map(|_| rng.random::<f32>()).collect(),
        texts: (0..len).map(|_| rng.random_range(0..3)).collect(),
    };
    (rows, texts)
}

fn parameters() -> Parameters {
    Parameters {
        sizes: Sizes::default(),
        rate: 1e-2,
        gamma: 0.6,
        clip: (-15.0, 30.0),
        dropout: 0.5,
        target: Target::Copy {
            every: 5,
            double: true,
        },
        replay: Replay {
            capacity: 50,
            batch: 8,
            epochs: 2,
            by_reward: false,
        },
        device: TorchDevice::Cpu,
    }
}

/// The network's value of one row, computed with plain loops after the description.
fn by_hand(network: &Network, dense: &[f32], words: &[f32]) -> f32 {
    let flat = network.weights();
    let mut at = 0;
    let mut layer = |inputs: &[f32], outputs: usize| -> Vec<f32> {
        let weight = &flat[at..at + inputs.len() * outputs];
        let bias = &flat[at + inputs.len() * outputs..][..outputs];
        at += (inputs.len() + 1) * outputs;
        (0..outputs)
            .map(|o| {
                let row = &weight[o * inputs.len()..][..inputs.len()];
                bias[o] + row.iter().zip(inputs).map(|(w, x)| w * x).sum::<f32>()
            })
            .collect()
    };
    let mut joined = layer(&dense[..3], 10);
    // A filter sees 3 words of 2 numbers; the same weights at every place.
    let windows: Vec<Vec<f32>> = (0..4_usize)
        .map(|place| {
            let seen = (0..3).flat_map(|k| match (place + k).checked_sub(1) {
                Some(word) if word < 4 => [words[2 * word], words[2 * word + 1]],
                _ => [0.0; 2],
            });
            seen.collect()
        })
        .collect();
    let convolved: Vec<Vec<f32>> = {
        let weight = flat[at_of(network, "w.weight")..].to_vec();
        let bias = flat[at_of(network, "w.bias")..].to_vec();
        windows
            .iter()
            .map(|seen| {
                (0..20)
                    .map(|o| {
                        let row = &weight[o * 6..][..6];
                        let sum = row.iter().zip(seen).map(|(w, x)| w * x).sum::<f32>();
                        (bias[o] + sum).tanh()
                    })
                    .collect()
            })
            .collect()
    };
    let _ = layer(&windows[0], 20);
    joined.extend((0..20).map(|o| {
        let all = convolved.iter().map(|place| place[o]);
        all.fold(f32::NEG_INFINITY, f32::max)
    }));
    joined.extend(layer(&dense[3..], 10));
    let tanh = |x: Vec<f32>| x.into_iter().map(f32::tanh).collect::<Vec<_>>();
    let hidden = tanh(layer(&joined, 50));
    let hidden = tanh(layer(&hidden, 30));
    layer(&hidden, 1)[0]
}

fn at_of(network: &Network, name: &str) -> usize {
    Network::places(network.towers(), Sizes::default())
        .iter()
        .take_while(|place| place.name != name)
        .map(super::network::Slot::len)
        .sum()
}

#[test]
fn the_network_computes_what_its_description_says() {
    let mut rng = generator(1, "", "", 0);
    let network = Network::new(&towers(), Sizes::default(), Device::Cpu, &mut rng);
    let (rows, texts) = some_rows(5, &mut rng);
    for (ix, value) in network.values(&rows, &texts).into_iter().enumerate() {
        let words = texts.get(rows.texts[ix]).unwrap();
        let expected = by_hand(&network, &rows.dense[ix * 5..][..5], words);
        assert!((value - expected).abs() < 1e-4, "{value} {expected}");
    }
    assert!(network.values(&Rows::default(), &texts).is_empty());
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
    let places = Network::places(&towers, Sizes::default());
    let count: usize = places.iter().map(super::network::Slot::len).sum();
    assert_eq!(count, 29_071);
}

#[test]
fn adams_first_step_goes_the_rates_length_and_the_state_goes_on_where_it_stopped() {
    let mut rng = generator(3, "", "", 0);
    let (rows, texts) = some_rows(6, &mut rng);
    let mut network = Network::new(&towers(), Sizes::default(), Device::Cpu, &mut rng);
    let before = network.weights();
    let mut adam = Adam::new(&mut network, 0.01);
    let descend = |network: &mut Network, adam: &mut Adam| {
        let loss = network
            .forward(&rows, &texts, None)
            .square()
            .mean(tch::Kind::Float);
        adam.step(network, &loss);
        f32::try_from(&loss).unwrap()
    };
    let first = descend(&mut network, &mut adam);
    // Bias correction makes the first step `rate` long wherever there is a gradient at all.
    let moved: Vec<f32> = network
        .weights()
        .iter()
        .zip(&before)
        .map(|(a, b)| (a - b).abs())
        .collect();
    assert!(moved.iter().all(|d| *d < 0.010_01));
    assert!(moved.iter().filter(|d| **d > 0.009).count() > moved.len() / 2);
    let mut last = f32::MAX;
    for _ in 0..50 {
        last = descend(&mut network, &mut adam);
    }
    assert!(last < first / 10.0, "{first} {last}");
    let (steps, mean, square) = adam.state();
    assert_eq!(steps, 51);
    let mut twin = network.twin();
    let mut resumed = Adam::new(&mut twin, 0.01);
    resumed.restore(steps, &mean, &square);
    descend(&mut network, &mut adam);
    descend(&mut twin, &mut resumed);
    assert_eq!(network.weights(), twin.weights());
}

/// Losses of a learner fed with made-up steps.
fn losses(seed: u64) -> Vec<u32> {
    losses_on(TorchDevice::Cpu, seed)
}

fn losses_on(device: TorchDevice, seed: u64) -> Vec<u32> {
    let mut rng = generator(seed, "", "", 0);
    let (rows, texts) = some_rows(40, &mut rng);
    let parameters = Parameters {
        device,
        ..parameters()
    };
    let mut learner = Dqn::new(&towers(), parameters, &mut rng).unwrap();
    (0..60)
        .map(|step| {
            let values = learner.values(&rows, &texts);
            let next = (step % 7 != 0).then_some((&rows, values.as_slice()));
            learner.remember(
                rows.row(step % 40),
                if step % 3 == 0 { 5.0 } else { -2.0 },
                next,
            );
            learner.learn(&texts, &mut rng).unwrap().to_bits()
        })
        .collect()
}

#[test]
fn two_runs_have_the_same_losses_bit_for_bit_alone_and_beside_others() {
    let alone = losses(7);
    assert_eq!(losses(7), alone);
    assert_ne!(losses(8), alone);
    std::thread::scope(|scope| {
        let many: Vec<_> = (0..4)
            .map(|n| scope.spawn(move || losses(7 + n % 2)))
            .collect();
        for (n, thread) in many.into_iter().enumerate() {
            assert_eq!(thread.join().unwrap() == alone, n % 2 == 0);
        }
    });
}

#[test]
#[ignore = "needs a GPU, and a libtorch that has CUDA"]
fn a_gpu_learns_what_the_processor_learns_and_twice_the_same() {
    let gpu = losses_on(TorchDevice::Cuda(0), 7);
    for _ in 0..5 {
        assert_eq!(losses_on(TorchDevice::Cuda(0), 7), gpu);
    }
    assert_eq!(TorchDevice::Auto.resolve(), Ok(Device::Cuda(0)));
    // Sums in another order: what is learned parts slowly.
    for (here, there) in losses(7).into_iter().zip(gpu).take(20) {
        let (here, there) = (f32::from_bits(here), f32::from_bits(there));
        assert!((here - there).abs() <= 1e-2 * here.abs(), "{here} {there}");
    }
}

#[test]
fn it_learns_which_rows_pay_and_what_follows_them() {
    let mut rng = generator(5, "", "", 0);
    let mut learner = Dqn::new(
        &[Tower::Vector {
            name: "a".into(),
            len: 3,
        }],
        Parameters {
            dropout: 0.0,
            ..parameters()
        },
        &mut rng,
    )
    .unwrap();
    let texts = Texts::new(0, 0);
    let row = |ix: usize| Rows {
        len: 1,
        dense: (0..3).map(|n| f32::from(u8::from(n == ix))).collect(),
        texts: Vec::new(),
    };
    let mut page = row(1);
    page.append(&row(2));
    // Row 0 pays nothing but leads to a page where row 1 pays 5 and ends; row 2 costs 2 and ends.
    for _ in 0..200 {
        let values = learner.values(&page, &texts);
        learner.remember(row(0), 0.0, Some((&page, &values)));
        learner.learn(&texts, &mut rng);
        learner.remember(row(1), 5.0, None);
        learner.learn(&texts, &mut rng);
        learner.remember(row(2), -2.0, None);
        learner.learn(&texts, &mut rng);
    }
    let values: Vec<f32> = (0..3)
        .flat_map(|ix| learner.values(&row(ix), &texts))
        .collect();
    for (value, expected) in values.iter().zip([0.6 * 5.0, 5.0, -2.0]) {
        assert!((value - expected).abs() < 0.3, "{values:?}");
    }
}

fn policy() -> Policy {
    let mut rng = generator(1, "", "", 0);
    let mut network = Network::new(&towers(), Sizes::default(), Device::Cpu, &mut rng);
    let (steps, mean, square) = Adam::new(&mut network, 0.1).state();
    Policy {
        header: Header {
            encoding: "buckets".into(),
            towers: towers(),
            sizes: Sizes::default(),
            basis: BTreeMap::from([("w".into(), "abc".into())]),
            steps,
        },
        history: vec![Lesson {
            session: "example-jvm-dinodroid-7".into(),
            package: "org.example".into(),
            content: "00".into(),
            seed: 7,
            steps: 12,
        }],
        weights: network.weights(),
        mean,
        square,
    }
}

fn written(policy: &Policy) -> Vec<u8> {
    let mut bytes = Vec::new();
    policy.write(&mut bytes).unwrap();
    bytes
}

#[test]
fn a_policy_is_read_as_it_was_written_and_written_the_same_again() {
    let policy = policy();
    let bytes = written(&policy);
    let read = Policy::read(&mut bytes.as_slice()).unwrap();
    assert_eq!(read, policy);
    assert_eq!(written(&read), bytes);
    read.fits(&policy.header).unwrap();
}

#[test]
fn a_policy_that_is_cut_or_damaged_is_refused() {
    let policy = policy();
    let bytes = written(&policy);
    for cut in [0, 7, 8, 100, bytes.len() / 2, bytes.len() - 1] {
        let read = Policy::read(&mut &bytes[..cut]);
        assert!(matches!(read, Err(PolicyError::Damaged(_))), "{cut}");
    }
    let mut spoilt = policy.clone();
    spoilt.weights[3] = f32::NAN;
    let said = spoilt.write(&mut Vec::new()).unwrap_err();
    assert!(said.to_string().contains("not finite"), "{said}");
    // Layers of other sizes than the tensors' own.
    let mut text = bytes;
    let from = br#"\"hidden\":[50,30]"#;
    let at = text.windows(from.len()).position(|w| w == from).unwrap();
    text[at..at + from.len()].copy_from_slice(br#"\"hidden\":[99,30]"#);
    assert!(matches!(
        Policy::read(&mut text.as_slice()),
        Err(PolicyError::Damaged(_))
    ));
}

#[test]
fn a_policy_of_another_network_is_refused_with_all_that_differs() {
    let policy = policy();
    let mut wanted = policy.header.clone();
    wanted.towers.pop();
    wanted.encoding = "raw".into();
    wanted.basis.clear();
    let said = policy.fits(&wanted).unwrap_err().to_string();
    for part in ["inputs", "b (2)", "encoding", "raw", "embedding", "abc"] {
        assert!(said.contains(part), "{part}: {said}");
    }
}
