//! The network of `dinodroid` by both engines side by side, over one session on a model (`cargo xtask engines`).
//!
//! Every page's values and every learning step are computed by both from the same weights; the engine in Rust decides.

use droidtest::config::Oracles;
use droidtest::device::sim::{Model, Semantics, SimDevice};
use droidtest::explore::text::TextGenerator;
use droidtest::explore::{Budget, Session, Settings, Stop};
use droidtest::feature::txc::Vectors;
use droidtest::reward::Novelty;
use droidtest::strategy::dinodroid::{self, DinoDroid};
use droidtest::util::seed;
use droidtest_network::{Comparison, Engine};
use std::sync::Arc;
use std::time::Duration;

mod nowhere;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let at = args.iter().position(|arg| arg == "--events");
    let events = at.and_then(|at| args.get(at + 1)?.parse().ok());
    session(events.unwrap_or(10_000));
    let all = Comparison::take();
    println!(
        "{} pages valued, {} learning steps",
        all.decisions,
        all.steps.len()
    );
    println!("largest difference of a value: {:e}", all.difference);
    println!(
        "largest difference of a weight after a step: {:e}",
        all.weights
    );
    println!("other event with the largest value: {}", all.choices);
    report("values of a page", &all.values);
    report("learning step", &all.steps);
}

/// Medians, and the ratio of both engines in this one run.
fn report(what: &str, times: &[[Duration; 2]]) {
    let median = |engine: usize| {
        let mut all: Vec<_> = times.iter().map(|both| both[engine]).collect();
        all.sort_unstable();
        all.get(all.len() / 2).copied().unwrap_or_default()
    };
    let (rust, torch) = (median(0), median(1));
    let ratio = rust.as_secs_f64() / torch.as_secs_f64();
    println!("{what}: rust {rust:.1?}, libtorch {torch:.1?}, ratio {ratio:.2}");
}

fn session(events: u64) {
    let model = Arc::new(Model::builtin("shop").expect("a built-in model"));
    let mut device = SimDevice::new("sim", Semantics::Clean, 0);
    device.install_model(Arc::clone(&model));
    let settings = dinodroid::Settings::default();
    let mut strategy = DinoDroid::new(settings, Engine::Both, &Vectors::Shipped);
    let mut recorder = nowhere::Nowhere;
    let settings = Settings {
        budget: Budget {
            events: Some(events),
            ..Budget::default()
        },
        texts: TextGenerator::from_pool(model.strings.clone()),
        ..Settings::default()
    };
    let session = Session::new(
        settings,
        &mut device,
        &mut strategy,
        droidtest::oracle::registry::make(&Oracles::default(), &Default::default()),
        Box::new(Novelty::default()),
        &mut recorder,
        seed::generator(1, "shop", "dinodroid", 0),
    );
    session.run(&Stop::default()).expect("a session");
}
