//! The network of `dinodroid` by both engines side by side, over one session on a model (`cargo xtask engines`).
//!
//! Every page's values and every learning step are computed by both from the same weights; the engine in Rust decides.

use droidtest_network::{Comparison, Engine};
use std::time::Duration;

mod deep_session;

use deep_session::bed::Bed;

/// The most events of a page of this model; what follows a step's transitions has more.
const PAGE: usize = 40;
/// Events of the pages that are measured apart: as an app's.
const TWENTY: usize = 20;
/// Decisions on them.
const DECISIONS: usize = 2_000;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let at = args.iter().position(|arg| arg == "--events");
    let events = at.and_then(|at| args.get(at + 1)?.parse().ok());
    deep_session::run(Engine::Both, events.unwrap_or(10_000));
    let all = Comparison::take();
    println!(
        "{} batches valued, {} learning steps",
        all.values.len(),
        all.steps.len()
    );
    println!("largest difference of a value: {:e}", all.difference);
    println!(
        "largest difference of a weight after a step: {:e}",
        all.weights
    );
    let (others, behind): (Vec<_>, Vec<_>) = all.choices.iter().partition(|(len, _)| *len <= PAGE);
    println!(
        "pages on which another event has the largest value: {}",
        others.len()
    );
    for (len, apart) in &others {
        println!("  {len} events, {apart:e} apart");
    }
    println!(
        "the same over all events behind a step's transitions, of which none is chosen: {}",
        behind.len()
    );
    let (pages, others): (Vec<_>, Vec<_>) = all.values.iter().partition(|(len, _)| *len <= PAGE);
    for (what, batches) in [
        ("values of a page", pages),
        ("values behind transitions", others),
    ] {
        let events: usize = batches.iter().map(|(len, _)| len).sum();
        let mean = events / batches.len().max(1);
        let times: Vec<_> = batches.iter().map(|(_, times)| *times).collect();
        report(
            &format!("{what} ({}, {mean} events in the mean)", times.len()),
            &times,
        );
    }
    report("learning step", &all.steps);

    let mut bed = Bed::new(Engine::Both, TWENTY, 2, false);
    Comparison::take();
    for _ in 0..DECISIONS {
        bed.step();
    }
    let all = Comparison::take();
    let pages = all.values.iter().filter(|(len, _)| *len == TWENTY);
    let times: Vec<_> = pages.map(|(_, times)| *times).collect();
    report(
        &format!("values of a page of {TWENTY} events ({})", times.len()),
        &times,
    );
    println!("of them with another largest value: {}", all.choices.len());
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
