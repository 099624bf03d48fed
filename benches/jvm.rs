//! What the jvm device costs: start, ClearData, events per second, memory, and our share of an event.
//!
//! `cargo bench --bench jvm -- [APK] [--events N]`; without an APK the sample app is run. The parts must be
//! set up (`cargo droidtest setup`). Figures go to stdout as a table for `docs/performance.md`.

mod common;

use droidtest::apk::{Apk, system_events};
use droidtest::config::{Oracles, Screenshots};
use droidtest::device::jvm::cache::Cache;
use droidtest::device::jvm::{JvmDevice, JvmSettings};
use droidtest::device::progress::Watch;
use droidtest::device::{Device, Reset};
use droidtest::explore::{Budget, Counts, Pages, Recorder, Session, Settings, Stop};
use droidtest::outcome::folder::RunFolder;
use droidtest::outcome::run_event::SessionHeader;
use droidtest::outcome::{Finding, LogLine, RunEvent};
use droidtest::reward::Novelty;
use droidtest::run::observer::Silent;
use droidtest::run::record::SessionRecorder;
use droidtest::strategy::random::{self, Random};
use droidtest::util::{intern::Interner, seed};
use std::io;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The real recorder; also keeps each step's times and whether it had an effect.
struct Timed<'a> {
    inner: SessionRecorder<'a>,
    changed: bool,
    last: Duration,
    steps: Vec<(bool, Duration, Duration)>,
}

impl Recorder for Timed<'_> {
    fn event(&mut self, event: &RunEvent) -> io::Result<()> {
        if let RunEvent::Step(step) = event {
            self.changed = step.changed;
        }
        self.inner.event(event)
    }
    fn timing(&mut self, number: u64, at: Duration, waited: Duration) -> io::Result<()> {
        self.steps
            .push((self.changed, at.saturating_sub(self.last), waited));
        self.last = at;
        self.inner.timing(number, at, waited)
    }
    fn progress(&mut self, counts: &Counts) {
        self.inner.progress(counts);
    }
    fn finding(&mut self, finding: &Finding, pages: &Pages<'_>) -> io::Result<Option<PathBuf>> {
        self.inner.finding(finding, pages)
    }
    fn log(&mut self, number: u64, lines: &[LogLine]) {
        self.inner.log(number, lines);
    }
}

fn main() {
    let args: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| a != "--bench")
        .collect();
    let value = |name: &str| {
        args.iter()
            .position(|a| a == name)
            .and_then(|at| args.get(at + 1))
    };
    let events = value("--events")
        .and_then(|n| n.parse().ok())
        .unwrap_or(5000);
    let apk = common::apk(&args);
    let base = tempfile::tempdir().expect("a temporary folder");
    let run = RunFolder::at(base.path());
    let folder = run.session("bench");
    let recorder = SessionRecorder::create(folder.clone(), &[], Screenshots::None, &Silent, 0);
    let recorder = recorder.expect("a session folder");
    let settings = JvmSettings {
        offline: true,
        ..JvmSettings::new(base.path().join("device"), folder.logs())
    };
    let cache = Cache::locate().unwrap_or_else(|e| panic!("{e}"));
    let mut device = JvmDevice::new("jvm", settings, cache, Watch::silent());
    let app = common::app(&apk);
    let timed = |what: &str, work: &mut dyn FnMut()| {
        let started = Instant::now();
        work();
        println!("{what:<44} {:>9.2} s", started.elapsed().as_secs_f64());
    };
    println!(
        "{} ({} bytes), {events} events, `random`, seed 1",
        apk.manifest.package, apk.bytes
    );
    timed("install (translation cached after the first)", &mut || {
        device.install(&app).unwrap_or_else(|e| panic!("{e}"));
    });
    let mut interner = Interner::default();
    timed("process start to first page", &mut || {
        device
            .reset(Reset::ClearData)
            .unwrap_or_else(|e| panic!("{e}"));
        device
            .observe(&mut interner)
            .unwrap_or_else(|e| panic!("{e}"));
    });
    let mut clears: Vec<Duration> = (0..5)
        .map(|_| {
            let started = Instant::now();
            device
                .reset(Reset::ClearData)
                .unwrap_or_else(|e| panic!("{e}"));
            device
                .observe(&mut interner)
                .unwrap_or_else(|e| panic!("{e}"));
            started.elapsed()
        })
        .collect();
    println!(
        "{:<44} {:>9.2} s",
        "ClearData (median of 5)",
        median(&mut clears).as_secs_f64()
    );

    let mut recorder = Timed {
        inner: recorder,
        changed: false,
        last: Duration::ZERO,
        steps: Vec::new(),
    };
    let mut strategy = Random::new(random::Settings::default());
    let session = Session::new(
        Settings {
            budget: Budget {
                events: Some(events),
                ..Budget::default()
            },
            retries: 3,
            header: header(&apk),
            manifest_events: system_events(&apk.manifest),
            ..Settings::default()
        },
        &mut device,
        &mut strategy,
        droidtest::oracle::registry::make(&Oracles::default(), &Default::default()),
        Box::new(Novelty::default()),
        &mut recorder,
        seed::generator(1, "app", "random", 0),
    );
    let started = Instant::now();
    let end = session
        .run(&Stop::default())
        .unwrap_or_else(|e| panic!("{e}"));
    let total = started.elapsed();
    report(&recorder.steps, total);
    println!(
        "{:<44} {:>9.0} MB",
        "Java process, peak resident",
        peak_resident_mb()
    );
    println!("ended: {end:?}");
}

fn report(steps: &[(bool, Duration, Duration)], total: Duration) {
    let n = steps.len().max(1);
    println!(
        "{:<44} {:>9.1} /s",
        "events, resets and all",
        n as f64 / total.as_secs_f64()
    );
    let ms = |d: Duration| d.as_secs_f64() * 1e3;
    let line = |what: &str, mut times: Vec<Duration>| {
        if !times.is_empty() {
            let (n, half) = (times.len(), median(&mut times));
            println!(
                "{what:<44} {:>9.3} ms median, {:.3} ms p90 ({n})",
                ms(half),
                ms(times[n * 9 / 10])
            );
        }
    };
    line("an event", steps.iter().map(|s| s.1).collect());
    line(
        "an event that changes nothing",
        steps.iter().filter(|s| !s.0).map(|s| s.1).collect(),
    );
    line(
        "our own share (not waiting for the device)",
        steps.iter().map(|s| s.1.saturating_sub(s.2)).collect(),
    );
    for (name, part) in [("first", &steps[..n / 5]), ("last", &steps[n - n / 5..])] {
        let sum: Duration = part.iter().map(|s| s.1).sum();
        let per = ms(sum) / part.len().max(1) as f64;
        println!(
            "{:<44} {per:>9.3} ms mean",
            format!("an event, {name} fifth of the run")
        );
    }
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

fn header(apk: &Apk) -> SessionHeader {
    SessionHeader {
        version: 1,
        tool: env!("CARGO_PKG_VERSION").into(),
        session: "bench".into(),
        app: "app".into(),
        package: apk.manifest.package.clone(),
        content: apk.content.clone(),
        device: "jvm".into(),
        device_kind: "jvm".into(),
        strategy: "random".into(),
        seed: 1,
        activities_declared: apk.manifest.activity_names(),
        activities_reachable: Vec::new(),
        secrets: Vec::new(),
        scripts: Vec::new(),
        notes: Vec::new(),
        capability: None,
    }
}

/// The largest peak of resident memory among the processes that we started, and those that they did, where the system tells.
fn peak_resident_mb() -> f64 {
    let processes = std::fs::read_dir("/proc")
        .into_iter()
        .flatten()
        .filter_map(Result::ok);
    let statuses: Vec<String> = processes
        .filter_map(|p| std::fs::read_to_string(p.path().join("status")).ok())
        .collect();
    let number = |status: &str, name: &str| {
        let line = status.lines().find_map(|l| l.strip_prefix(name))?;
        line.split_whitespace().next()?.parse::<u64>().ok()
    };
    let mut ours = vec![u64::from(std::process::id())];
    let mut peak = 0;
    let mut at = 0;
    while let Some(&parent) = ours.get(at) {
        at += 1;
        for status in &statuses {
            if number(status, "PPid:") == Some(parent) {
                ours.extend(number(status, "Pid:"));
                peak = peak.max(number(status, "VmHWM:").unwrap_or(0));
            }
        }
    }
    peak as f64 / 1024.0
}
