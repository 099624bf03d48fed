use super::dqn::{Dqn, Parameters, Replay, Target};
use super::policy::{Header, Policy};
use super::policy_file::{Lesson, PolicyError};
use crate::util::seed::{Rng, generator};
use droidtest_network::{Engine, Rows, Sizes, Texts, Tower};
use rand::RngExt as _;
use std::collections::BTreeMap;

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
        engine: Engine::Rust,
    }
}

/// Losses of a learner fed with made-up steps.
fn losses(seed: u64) -> Vec<u32> {
    let mut rng = generator(seed, "", "", 0);
    let (rows, texts) = some_rows(40, &mut rng);
    let mut learner = Dqn::new(&towers(), parameters(), &mut rng).unwrap();
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
    let learner = Dqn::new(&towers(), parameters(), &mut rng).unwrap();
    let moments = learner.moments();
    Policy {
        header: Header {
            encoding: "buckets".into(),
            towers: towers(),
            sizes: Sizes::default(),
            basis: BTreeMap::from([("w".into(), "abc".into())]),
            steps: moments.steps,
        },
        history: vec![Lesson {
            session: "example-jvm-dinodroid-7".into(),
            package: "org.example".into(),
            content: "00".into(),
            seed: 7,
            steps: 12,
        }],
        weights: learner.weights(),
        mean: moments.mean,
        square: moments.square,
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
