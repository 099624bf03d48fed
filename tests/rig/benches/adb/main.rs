//! What the way through adb costs: our share of an event, events per second, devices side by side, memory, a flood
//! in the log. `cargo xtask rig --bench [PART...]`; each figure is a median of five, docs/performance.md has ours.
//!
//! The stock adb server carries everything. Devices are rigs in a separate process, except where their share of an
//! event must be known.

mod device;
mod flood;
mod round_trip;
mod session;

use std::process::ExitCode;
use std::time::Duration;

/// Repetitions of which the median is given.
const TIMES: usize = 5;

fn main() -> ExitCode {
    // `cargo bench` adds a flag.
    let args: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| a != "--bench")
        .collect();
    if args.first().is_some_and(|a| a == device::FLAG) {
        return device::serve(&args[1..]);
    }
    let parts: [(&str, fn()); 5] = [
        ("overhead", overhead),
        ("rate", rate),
        ("together", together),
        ("flood", flood),
        ("memory", memory),
    ];
    if let Some(unknown) = args
        .iter()
        .find(|a| parts.iter().all(|(name, _)| name != a))
    {
        eprintln!("no part {unknown:?}: overhead, rate, together, flood, memory");
        return ExitCode::FAILURE;
    }
    for (name, part) in parts {
        if args.is_empty() || args.iter().any(|a| a == name) {
            part();
        }
    }
    ExitCode::SUCCESS
}

/// The middle one.
fn median(mut of: Vec<f64>) -> f64 {
    of.sort_by(f64::total_cmp);
    of.get(of.len() / 2).copied().unwrap_or(f64::NAN)
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn list(of: &[f64], digits: usize) -> String {
    let texts: Vec<_> = of.iter().map(|n| format!("{n:.digits$}")).collect();
    texts.join(" ")
}

/// An event through [`droidtest::device::adb::AdbDevice`] next to a bare exchange of as many bytes on the same way.
fn overhead() {
    let runs: Vec<_> = (0..TIMES).map(|_| round_trip::measure(500)).collect();
    let of = |pick: fn(&round_trip::Shares) -> f64| median(runs.iter().map(pick).collect());
    println!("overhead: an event, medians of {TIMES} x 500 (ms)");
    println!("  whole                     {:.3}", of(|s| s.whole));
    println!("  of it the device's        {:.3}", of(|s| s.device));
    println!("  a bare round trip         {:.3}", of(|s| s.bare));
    println!(
        "  left for us, event by event {:.3}  (aim 3)",
        of(|s| s.ours)
    );
    println!(
        "  left for us, of the medians {:.3}",
        of(|s| s.whole) - of(|s| s.device) - of(|s| s.bare)
    );
    println!("  page's bytes              {:.0}", of(|s| s.bytes));
}

/// Whole sessions with a journal on one device.
fn rate() {
    let devices = device::Devices::start(1, Duration::ZERO);
    let rates: Vec<_> = (0..TIMES)
        .map(|n| {
            let done = session::run(&devices, 0, 2_000, n as u64, &session::Quiet);
            2_000.0 / done.time.as_secs_f64()
        })
        .collect();
    println!(
        "rate: events/s of sessions of 2000 events, model `notes`: {}; median {:.0}  (aim 100)",
        list(&rates, 0),
        median(rates.clone())
    );
}

/// One device and eight, each event of which takes the device 50 ms.
fn together() {
    const DEVICES: usize = 8;
    const EVENTS: u64 = 150;
    let devices = device::Devices::start(DEVICES, Duration::from_millis(50));
    let mut ratios = Vec::new();
    let (mut alone, mut all) = (Vec::new(), Vec::new());
    for n in 0..TIMES as u64 {
        let one = session::run(&devices, 0, EVENTS, n, &session::Quiet).time;
        let started = std::time::Instant::now();
        std::thread::scope(|scope| {
            for at in 0..DEVICES {
                let devices = &devices;
                scope.spawn(move || session::run(devices, at, EVENTS, n, &session::Quiet));
            }
        });
        let eight = started.elapsed();
        let rate = |count: usize, time: Duration| count as f64 * EVENTS as f64 / time.as_secs_f64();
        alone.push(rate(1, one));
        all.push(rate(DEVICES, eight));
        ratios.push(rate(DEVICES, eight) / rate(1, one));
    }
    println!(
        "together: events/s of one device {}, of eight {}; {} times as many, median {:.2}  (aim 6)",
        list(&alone, 1),
        list(&all, 1),
        list(&ratios, 2),
        median(ratios.clone())
    );
}

/// Ten megabytes of log a second.
fn flood() {
    for _ in 0..TIMES {
        let reported = flood::measure(Duration::from_secs(6));
        println!(
            "flood: {:.1} MB/s for {:.1} s; {} of {} crashes reported, {:.0} ms and {:.0} ms after they were written",
            reported.bytes as f64 / 1e6 / reported.time.as_secs_f64(),
            reported.time.as_secs_f64(),
            reported.late.len(),
            flood::CRASHES,
            reported.late.first().copied().map_or(f64::NAN, ms),
            reported.late.last().copied().map_or(f64::NAN, ms),
        );
    }
}

/// Our own resident memory over one session.
fn memory() {
    const MARKS: [u64; 4] = [1_000, 10_000, 50_000, 100_000];
    let devices = device::Devices::start(1, Duration::ZERO);
    let marks = session::Resident::at(&MARKS);
    let done = session::run(&devices, 0, 100_000, 1, &marks);
    for (events, bytes) in marks.seen() {
        println!(
            "memory: {events} events, {:.1} MB resident",
            bytes as f64 / 1e6
        );
    }
    println!(
        "memory: 100000 events took {:.0} s ({:.0} a second)",
        done.time.as_secs_f64(),
        1e5 / done.time.as_secs_f64()
    );
}
