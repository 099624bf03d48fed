//! A complete session on one of the devices, with its journal on the disk.

use crate::device::Devices;
use droidtest::config::{Oracles, Screenshots};
use droidtest::device::Device as _;
use droidtest::device::adb::{AdbDevice, AdbSettings};
use droidtest::device::progress::Watch;
use droidtest::device::sim::Model;
use droidtest::explore::text::TextGenerator;
use droidtest::explore::{Budget, Counts, Session, Settings, Stop};
use droidtest::outcome::folder::RunFolder;
use droidtest::outcome::run_event::SessionHeader;
use droidtest::reward::Novelty;
use droidtest::run::observer::Observer;
use droidtest::run::record::SessionRecorder;
use droidtest::strategy::random::{self, Random};
use droidtest::util::seed;
use droidtest_rig::bench::notes;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Watches nothing.
pub struct Quiet;
impl Observer for Quiet {}

/// This process's resident memory at some numbers of events.
pub struct Resident {
    marks: Vec<u64>,
    seen: Mutex<Vec<(u64, u64)>>,
}

impl Resident {
    /// To be read at these numbers of events.
    pub fn at(marks: &[u64]) -> Self {
        Self {
            marks: marks.to_vec(),
            seen: Mutex::default(),
        }
    }

    /// Events and bytes.
    pub fn seen(&self) -> Vec<(u64, u64)> {
        self.seen.lock().expect("nobody failed").clone()
    }
}

impl Observer for Resident {
    fn counts(&self, _session: usize, counts: &Counts) {
        if self.marks.contains(&counts.events) {
            let mut seen = self.seen.lock().expect("nobody failed");
            if seen
                .last()
                .is_none_or(|(events, _)| *events != counts.events)
            {
                seen.push((counts.events, resident()));
            }
        }
    }
}

/// Linux tells it in pages of 4 KB.
fn resident() -> u64 {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = text.split(' ').nth(1).and_then(|n| n.parse::<u64>().ok());
    pages.unwrap_or(0) * 4096
}

/// What a session took.
pub struct Done {
    /// From its first event to its last, restarts after crashes included.
    pub time: Duration,
}

/// Explores so many events with the random strategy.
pub fn run(
    devices: &Devices,
    at: usize,
    events: u64,
    number: u64,
    observer: &dyn Observer,
) -> Done {
    let settings = AdbSettings {
        serial: Some(devices.serials[at].clone()),
        port: devices.server.port,
        ..AdbSettings::new()
    };
    let app = notes();
    let mut device = AdbDevice::new("rig", settings, Watch::silent());
    device.install(&app).expect("the app is installed");
    let folder = tempfile::tempdir().expect("a folder");
    let folder = RunFolder::at(folder.path()).session("bench");
    let recorder = SessionRecorder::create(folder, &[], Screenshots::None, observer, 0);
    let mut recorder = recorder.expect("a session folder");
    let mut strategy = Random::new(random::Settings { system_rate: 0.0 });
    let strings = Model::builtin("notes").expect("a built-in model").strings;
    let session = Session::new(
        Settings {
            budget: Budget {
                events: Some(events),
                ..Budget::default()
            },
            retries: 3,
            header: SessionHeader {
                version: 1,
                tool: env!("CARGO_PKG_VERSION").into(),
                session: "bench".into(),
                app: app.name.clone(),
                package: app.package.clone(),
                device: "rig".into(),
                device_kind: "adb".into(),
                strategy: "random".into(),
                seed: number,
                ..SessionHeader::default()
            },
            texts: TextGenerator::from_pool(strings),
            ..Settings::default()
        },
        &mut device,
        &mut strategy,
        droidtest::oracle::registry::make(&Oracles::default(), &Default::default()),
        Box::new(Novelty::default()),
        &mut recorder,
        seed::generator(number, "notes", "random", 0),
    );
    let started = Instant::now();
    session.run(&Stop::default()).expect("a session");
    Done {
        time: started.elapsed(),
    }
}
