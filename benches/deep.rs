//! What deep learning costs: a decision, a learning step, and complete sessions of growing length.

use divan::Bencher;
use divan::counter::ItemsCount;
use droidtest::graph::generations::{Scale, Walk};
use droidtest::graph::{By, EventId, Move, Sighting, StateGraph, StateId};
use droidtest_network::Engine;

mod deep_session;

use deep_session::bed::Bed;

/// Features, values and the choice, nothing learned.
#[divan::bench(args = [20, 200, 5_000])]
fn decision(bencher: Bencher<'_, '_>, events: usize) {
    let mut bed = Bed::new(Engine::Rust, events, 2, false);
    bencher.bench_local(|| bed.step());
}

/// A decision on a page of 20 events with its learning step at the defaults, which go over what they drew twice, and
/// with more and fewer such epochs.
#[divan::bench(args = [1, 2, 4, 8])]
fn decision_and_learning(bencher: Bencher<'_, '_>, epochs: usize) {
    let mut bed = Bed::new(Engine::Rust, 20, epochs, true);
    bencher.bench_local(|| bed.step());
}

/// The children of an event for three generations, in graphs whose states have nearly all events in common: what is
/// looked at has a bound.
#[divan::bench(args = [1_000_u32, 100_000])]
fn generations(bencher: Bencher<'_, '_>, states: u32) {
    let mut graph = StateGraph::default();
    for state in 0..states {
        let events = (0..64).map(|n| EventId((state + n) % 2_000)).collect();
        let state = StateId(state);
        graph.sighted(&Sighting { state, events });
    }
    for n in 0..400_000_u32 {
        graph.note(Move {
            from: StateId(n % 7),
            event: EventId(n % 2_000),
            to: Some(StateId(n.wrapping_mul(2_654_435_761) % states)),
            by: By::Strategy,
        });
    }
    let mut walk = Walk::new(usize::MAX, Scale::Counts);
    bencher.bench_local(|| graph.generations(EventId(0), &mut walk));
}

/// A complete session on a model: an event must not cost more in a longer run.
#[divan::bench(args = [1_000_u64, 10_000], sample_count = 3, sample_size = 1)]
fn session(bencher: Bencher<'_, '_>, events: u64) {
    measured(bencher, events);
}

/// The same, once and long, some five minutes: `-- --ignored`. It also prints the program's peak memory.
#[divan::bench(args = [100_000_u64], sample_count = 1, sample_size = 1, ignore)]
fn long_session(bencher: Bencher<'_, '_>, events: u64) {
    measured(bencher, events);
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    for line in status.lines().filter(|line| line.starts_with("VmHWM")) {
        eprintln!("\npeak memory after {events} events: {line}");
    }
}

fn measured(bencher: Bencher<'_, '_>, events: u64) {
    bencher
        .counter(ItemsCount::new(events))
        .bench_local(|| deep_session::run(Engine::Rust, events));
}

fn main() {
    divan::main();
}
