//! What learning costs in FATE's raw walk: steps with their learning, single updates of the networks, and (`costs`
//! as the only argument) what a step's time goes into. `DROIDTEST_FATE_MODELS` names a folder with FATE's models.

#[path = "fate/costs.rs"]
mod costs;

use divan::Bencher;
use divan::counter::ItemsCount;
use droidtest::bench::fate::course;
use droidtest::device::sim::{Model, Semantics};
use droidtest::explore::Stop;
use droidtest::strategy::ddpg::{self, Ddpg};
use droidtest::strategy::definition::{Definition as _, Preset};
use droidtest::strategy::learner::{Learner, Scene};
use droidtest::strategy::optimist::Optimist;
use droidtest::strategy::q_learning::{self, QLearning};
use droidtest::strategy::sac::{self, Sac};
use droidtest::strategy::td3::{self, Td3};
use droidtest::util::seed::{self, Rng};

fn main() {
    if std::env::args().any(|arg| arg == "costs") {
        costs::print();
    } else {
        divan::main();
    }
}

/// Steps of an iteration.
const STEPS: u64 = 100_000;

fn walk(bencher: Bencher<'_, '_>, steps: u64, learner: fn(&mut Rng) -> Box<dyn Learner>) {
    let model = Model::builtin("shop").expect("a built-in model");
    let pool: Vec<&str> = model.strings.iter().map(String::as_str).collect();
    let mut rng = seed::generator(1, "shop", "bench", 0);
    bencher.counter(ItemsCount::new(steps)).bench_local(|| {
        let mut learner = learner(&mut rng);
        let learner = learner.as_mut();
        let (semantics, stop) = (Semantics::FateCompat, Stop::default());
        course::learn(&model, semantics, &pool, steps, learner, &mut rng, &stop).expect("a walk")
    });
}

#[divan::bench(sample_count = 10, sample_size = 1)]
fn random(bencher: Bencher<'_, '_>) {
    let model = Model::builtin("shop").expect("a built-in model");
    let pool: Vec<&str> = model.strings.iter().map(String::as_str).collect();
    let mut rng = seed::generator(1, "shop", "bench", 0);
    bencher
        .counter(ItemsCount::new(10 * STEPS))
        .bench_local(|| {
            let (semantics, stop) = (Semantics::FateCompat, Stop::default());
            course::random(&model, semantics, &pool, 10 * STEPS, &mut rng, &stop).expect("a walk")
        });
}

#[divan::bench(sample_count = 10, sample_size = 1)]
fn q_learning(bencher: Bencher<'_, '_>) {
    walk(bencher, 10 * STEPS, |_| {
        Box::new(QLearning::new(
            q_learning::Settings::preset(Preset::Paper)
                .unwrap()
                .parameters,
        ))
    });
}

#[divan::bench(sample_count = 10, sample_size = 1)]
fn q_learning_default(bencher: Bencher<'_, '_>) {
    walk(bencher, STEPS, |_| {
        Box::new(Optimist::new(q_learning::Parameters::default()))
    });
}

/// The paper's settings, 4000 steps as in FATE.
#[divan::bench(sample_count = 3, sample_size = 1)]
fn ares_sac(bencher: Bencher<'_, '_>) {
    walk(bencher, 4000, |rng| {
        Box::new(Sac::new(
            sac::Settings::preset(Preset::Paper).unwrap().parameters,
            2,
            rng,
        ))
    });
}

#[divan::bench(sample_count = 3, sample_size = 1)]
fn ares_td3(bencher: Bencher<'_, '_>) {
    walk(bencher, 4000, |rng| {
        Box::new(Td3::new(
            td3::Settings::preset(Preset::Paper).unwrap().parameters,
            2,
            rng,
        ))
    });
}

#[divan::bench(sample_count = 3, sample_size = 1)]
fn ares_ddpg(bencher: Bencher<'_, '_>) {
    walk(bencher, 4000, |rng| {
        Box::new(Ddpg::new(
            ddpg::Settings::preset(Preset::Paper).unwrap().parameters,
            2,
            rng,
        ))
    });
}

/// One step with one update in it: SAC learning at every step.
#[divan::bench]
fn sac_update(bencher: Bencher<'_, '_>) {
    let mut rng = seed::generator(1, "update", "bench", 0);
    let parameters = sac::Settings::preset(Preset::Published).unwrap().parameters;
    let mut learner = Sac::new(parameters, 2, &mut rng);
    let bits = [3, 17, 18, 19, 20, 21];
    let scene = Scene {
        key: 0,
        bits: &bits,
        visited: &[],
        widgets: 5,
        strings: 21,
        beyond: true,
        rows: 6,
        fields: &[],
    };
    let mut step = |rng: &mut Rng| {
        learner.act(&scene, rng);
        learner.learn(-1.0, &scene, false, rng);
    };
    for _ in 0..300 {
        step(&mut rng);
    }
    bencher.bench_local(|| step(&mut rng));
}
