//! What the walls around an app cost: the same app, the same rewritten calls and the same events, with the walls of
//! `confine = "full"` and with none, in turns.
//!
//! `cargo bench --bench walls -- [APK] [--events N] [--rounds N]`; without an APK the sample app is run. The parts must be set
//! up (`cargo droidtest setup`).

mod common;

use droidtest::apk::Apk;
use droidtest::device::jvm::cache::Cache;
use droidtest::device::jvm::translate::Calls;
use droidtest::device::jvm::{Confine, JvmDevice, JvmSettings};
use droidtest::device::progress::Watch;
use droidtest::device::{Action, Device, Reset};
use droidtest::util::intern::Interner;
use std::time::{Duration, Instant};

/// What one round took.
struct Round {
    start: Duration,
    events: Duration,
}

fn main() {
    let args: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| a != "--bench")
        .collect();
    let number = |name: &str, otherwise: usize| {
        let at = args.iter().position(|a| a == name);
        at.and_then(|at| args.get(at + 1)?.parse().ok())
            .unwrap_or(otherwise)
    };
    let (events, rounds) = (number("--events", 1000), number("--rounds", 11));
    let apk = common::apk(&args);
    println!("{}, {events} events, {rounds} rounds", apk.manifest.package);
    // The first of each makes what is cached.
    round(&apk, Confine::Off, 10);
    round(&apk, Confine::Full, 10);
    let (mut off, mut full) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        off.push(round(&apk, Confine::Off, events));
        full.push(round(&apk, Confine::Full, events));
    }
    let starts =
        |all: &[Round]| -> Vec<f64> { all.iter().map(|round| round.start.as_secs_f64()).collect() };
    let rates = |all: &[Round]| -> Vec<f64> {
        all.iter()
            .map(|round| events as f64 / round.events.as_secs_f64())
            .collect()
    };
    let (without, with) = (starts(&off), starts(&full));
    let more = paired(&without, &with, |a, b| (b - a) * 1e3);
    println!(
        "to the first page  none {:.3} s, full {:.3} s: {more:+.0} ms",
        median(&without),
        median(&with)
    );
    let (without, with) = (rates(&off), rates(&full));
    let more = paired(&without, &with, |a, b| (b / a - 1.0) * 100.0);
    println!(
        "events a second    none {:.1}, full {:.1}: {more:+.1} %",
        median(&without),
        median(&with)
    );
}

/// The median of what each pair of neighbours differs by.
fn paired(a: &[f64], b: &[f64], difference: fn(f64, f64) -> f64) -> f64 {
    let differences: Vec<f64> = a.iter().zip(b).map(|(&a, &b)| difference(a, b)).collect();
    median(&differences)
}

fn median(all: &[f64]) -> f64 {
    let mut all = all.to_vec();
    all.sort_by(f64::total_cmp);
    all.get(all.len() / 2).copied().unwrap_or_default()
}

fn round(apk: &Apk, confine: Confine, events: usize) -> Round {
    let base = tempfile::tempdir().expect("a temporary folder");
    let settings = JvmSettings {
        offline: true,
        confine,
        calls: Some(Calls::Confined),
        ..JvmSettings::new(base.path().join("device"), base.path().join("logs"))
    };
    let cache = Cache::locate().unwrap_or_else(|e| panic!("{e}"));
    let mut device = JvmDevice::new("jvm", settings, cache, Watch::silent());
    let app = common::app(apk);
    device.install(&app).unwrap_or_else(|e| panic!("{e}"));
    let mut interner = Interner::default();
    let clock = Instant::now();
    let mut now = look(&mut device, &mut interner, Some(Reset::ClearData));
    let start = clock.elapsed();
    let clock = Instant::now();
    for event in 0..events {
        if !now.0 {
            now = look(&mut device, &mut interner, Some(Reset::Relaunch));
            continue;
        }
        let action = match now.1 {
            0 => Action::Launch,
            widgets => Action::Click {
                n: (event * 7 % widgets) as u32,
            },
        };
        // A widget may be off the screen: refused alike with and without walls.
        let _ = device.perform(&action);
        now = look(&mut device, &mut interner, None);
    }
    Round {
        start,
        events: clock.elapsed(),
    }
}

/// Whether the app lives, and how many widgets it shows.
fn look(device: &mut JvmDevice, interner: &mut Interner, reset: Option<Reset>) -> (bool, usize) {
    let done = reset.map_or(Ok(()), |how| device.reset(how));
    done.unwrap_or_else(|e| panic!("{e}"));
    let seen = device.observe(interner).unwrap_or_else(|e| panic!("{e}"));
    (seen.alive, seen.page().widgets.len())
}
