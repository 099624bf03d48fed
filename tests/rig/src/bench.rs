//! A rig with a separate server, as tests want it.

use crate::phone::{Config, Phone};
use crate::server::AdbServer;
use crate::transport::Rig;
use droidtest::apk::Apk;
use droidtest::device::adb::{AdbDevice, AdbSettings};
use droidtest::device::progress::Watch;
use droidtest::device::{App, Device, Observation};
use droidtest::gui::EventKind;
use droidtest::util::intern::Interner;
use std::path::PathBuf;
use std::time::Duration;

/// The sample app.
///
/// # Panics
/// It is gone from the tree.
pub fn notes() -> App {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../apps/notes/notes.apk");
    let apk = Apk::open(&file).expect("the sample app");
    App {
        name: "notes".into(),
        package: apk.manifest.package,
        file: Some(file),
        content: apk.content,
        classes: Vec::new(),
        counted: droidtest::apk::Counted::default(),
        grant_permissions: true,
        before: Vec::new(),
        after: Vec::new(),
    }
}

/// A device on a server, both the test's own.
#[derive(Debug)]
pub struct Bench {
    /// The device.
    pub rig: Rig,
    /// The server.
    pub server: AdbServer,
}

impl Bench {
    /// Starts both and connects them.
    ///
    /// # Panics
    /// They do not start.
    pub fn new(config: Config) -> Self {
        let server = AdbServer::start();
        let rig = Rig::start(Phone::new(config), 0).expect("a port");
        server.connect(&rig.serial());
        Self { rig, server }
    }

    /// Settings that lead to it.
    pub fn settings(&self, agent: bool) -> AdbSettings {
        AdbSettings {
            serial: Some(self.rig.serial()),
            port: self.server.port,
            agent,
            step_limit: Duration::from_secs(20),
            start_limit: Duration::from_secs(60),
            ..AdbSettings::new()
        }
    }

    /// The tool's device on it, with the sample app.
    ///
    /// # Panics
    /// The app cannot be installed.
    pub fn device(&self, agent: bool) -> AdbDevice {
        let mut device = AdbDevice::new("rig", self.settings(agent), Watch::silent());
        device.install(&notes()).expect("the app is installed");
        device
    }
}

/// A walk that presses what there is, in turn.
#[derive(Debug, Default)]
pub struct Walk {
    /// Texts behind the pages.
    pub interner: Interner,
    turn: usize,
}

impl Walk {
    /// The next input on this page: its clicks in turn, back where there are none.
    pub fn next(&mut self, seen: &Observation) -> droidtest::device::Action {
        let page = seen.page();
        let clicks: Vec<u32> = page
            .events
            .iter()
            .filter(|e| e.kind == EventKind::Click)
            .filter_map(|e| e.widget)
            .collect();
        self.turn += 1;
        match clicks.get(self.turn * 7 % clicks.len().max(1)) {
            Some(n) => droidtest::device::Action::Click { n: *n },
            None => droidtest::device::Action::Key {
                code: droidtest::device::key::BACK,
            },
        }
    }
}

/// Leaves no room on the device.
pub fn fill_storage(rig: &Rig) {
    crate::pipe::lock(&rig.phone.files).room = 0;
}
