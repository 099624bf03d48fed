//! What is learned and loaded again: word vectors, policies.

use super::suites::in_file;
use crate::Target;
use droidtest::embed::Embedding;
use droidtest::learn::event_model::EventModel;
use droidtest::strategy::Strategy;
use droidtest::strategy::ares::{Ares, NUMBERS, Parameters};
use droidtest::strategy::learner::{Learner, Scene};
use droidtest::strategy::optimist::Optimist;
use droidtest::strategy::q_learning;
use droidtest::strategy::sac::{self, Sac};
use droidtest::util::seed::generator;
use std::path::Path;

pub fn targets() -> Vec<Target> {
    let words = Embedding::from_rows(
        ["save", "delete", "note", "ä", "sign"],
        4,
        (0..20_u8).map(|n| f32::from(n) / 7.0 - 1.0).collect(),
    );
    let written = |write: &dyn Fn(&mut Vec<u8>) -> std::io::Result<()>| {
        let mut bytes = Vec::new();
        write(&mut bytes).expect("memory takes it");
        vec![bytes]
    };
    let mut targets = vec![
        Target {
            name: "word2vec",
            corpus: written(&|to| words.write_word2vec(to)),
            words: &["5 4\n", "99999999999 4\n", " ", "\n", "nan "],
            run: in_file("words.bin", embedding),
        },
        Target {
            name: "vectors-text",
            corpus: written(&|to| words.write_text(to)),
            words: &["5 4\n", "1e39", "nan", "inf", " ", "\n", "-0"],
            run: in_file("words.vec", embedding),
        },
        Target {
            name: "vectors-compact",
            corpus: written(&|to| words.write_compact(to)),
            words: &["droidtest-words ", "\n", "\0\0\0\0"],
            run: in_file("words.dt", embedding),
        },
        Target {
            name: "vectors-finalfusion",
            corpus: [1, 3, 8].map(finalfusion).to_vec(),
            words: &["FiFu", "\0\0\0\0", "\u{1}\0\0\0", "\u{a}\0\0\0"],
            run: in_file("words.fifu", embedding),
        },
        Target {
            name: "event-model",
            corpus: vec![event_model().to_bytes().expect("it can be written")],
            words: &[
                "\"version\":1",
                "\"events\":{",
                "[0,[[0,1]]]",
                "\n",
                "4294967295",
            ],
            run: Box::new(|bytes| EventModel::from_bytes(bytes, "app").is_ok()),
        },
        Target {
            name: "policy-table",
            corpus: saved(&table(true)),
            words: POLICY,
            run: Box::new(|bytes| table(false).load(&mut &*bytes).is_ok()),
        },
        Target {
            name: "policy-actor",
            corpus: saved(&actor(true)),
            words: POLICY,
            run: Box::new(|bytes| actor(false).load(&mut &*bytes).is_ok()),
        },
    ];
    targets.extend(deep());
    targets
}

fn event_model() -> EventModel {
    let mut model = EventModel::new("app");
    model.count(1, "Main", "Main", 7);
    model.count(1, "Main", "Detail", 2);
    model.count(2, "Detail", "", 1);
    model
}

const POLICY: &[&str] = &[
    "\"dtype\":\"F32\"",
    "\"shape\":[",
    "\"data_offsets\":[",
    "__metadata__",
    "[]",
    "\0\0\u{80}\u{7f}",
];

/// Three words and their rows in finalfusion's form, padded as `finalfusion` 0.18 does; `vocabulary` is its kind:
/// plain words (1), buckets of n-grams (3), explicit n-grams (8).
fn finalfusion(vocabulary: u32) -> Vec<u8> {
    let mut words = 3_u64.to_le_bytes().to_vec();
    // How n-grams are found.
    words.extend(vec![
        1;
        match vocabulary {
            3 => 12,
            8 => 16,
            _ => 0,
        }
    ]);
    for word in ["save", "ä", "delete"] {
        words.extend(u32::try_from(word.len()).unwrap_or(0).to_le_bytes());
        words.extend(word.as_bytes());
    }
    let mut out = b"FiFu".to_vec();
    for number in [0, 2, vocabulary, 2, vocabulary] {
        out.extend(u32::to_le_bytes(number));
    }
    out.extend((words.len() as u64).to_le_bytes());
    out.extend(words);
    out.extend(2_u32.to_le_bytes());
    let padding = 4 - (out.len() + 8 + 16) % 4;
    out.extend((16 + padding as u64 + 24).to_le_bytes());
    out.extend(3_u64.to_le_bytes());
    out.extend(2_u32.to_le_bytes());
    out.extend(10_u32.to_le_bytes());
    out.extend(vec![0; padding]);
    out.extend(
        [1.0_f32, 0.5, -1.0, 0.25, 0.0, -2.0]
            .iter()
            .flat_map(|x| x.to_le_bytes()),
    );
    out
}

fn embedding(file: &Path) -> bool {
    let Ok(read) = Embedding::open(file) else {
        return false;
    };
    let mut out = vec![0.0; read.dim()];
    for word in ["save", "nothing", ""] {
        let _ = read.vector(word, &mut out);
    }
    let _ = read.nearest("save", 3);
    let _ = read.hash();
    true
}

fn saved(strategy: &dyn Strategy) -> Vec<Vec<u8>> {
    let mut bytes = Vec::new();
    strategy.save(&mut bytes).expect("memory takes it");
    vec![bytes]
}

/// Something learned: a login with two fields, never passed.
fn taught(mut learner: Box<dyn Learner>) -> Box<dyn Learner> {
    let mut rng = generator(1, "fuzz", "taught", 0);
    let scene = Scene {
        key: 7,
        // The places that a number stands for are the strategy's, which has encountered none.
        bits: &[],
        visited: &[],
        widgets: 3,
        strings: 10,
        beyond: false,
        rows: 4,
        fields: &[false, true, true],
    };
    for _ in 0..200 {
        learner.act(&scene, &mut rng);
        learner.learn(-1.0, &scene, false, &mut rng);
    }
    learner
}

fn around(name: &'static str, learner: Box<dyn Learner>) -> Ares {
    Ares::new(name, learner, Parameters::default(), "fuzz")
}

fn table(learned: bool) -> Ares {
    let learner: Box<dyn Learner> = Box::new(Optimist::new(q_learning::Parameters::default()));
    around(
        "q-learning",
        if learned { taught(learner) } else { learner },
    )
}

fn actor(learned: bool) -> Ares {
    let small = sac::Parameters {
        hidden: [4, 4],
        ..sac::Parameters::default()
    };
    let mut rng = generator(1, "fuzz", "sac", 0);
    let learner: Box<dyn Learner> = Box::new(Sac::new(small, NUMBERS, &mut rng));
    around("ares-sac", if learned { taught(learner) } else { learner })
}

fn deep() -> Vec<Target> {
    use droidtest::learn::policy::Policy;
    vec![Target {
        name: "policy-dinodroid",
        corpus: vec![
            include_bytes!("../../../../src/strategy/dinodroid/policy.safetensors").to_vec(),
        ],
        words: POLICY,
        run: Box::new(|bytes| Policy::read(&mut &*bytes).is_ok()),
    }]
}
