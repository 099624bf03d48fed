//! The settings of an adb device.

use crate::device::data::DeviceData;
use std::path::PathBuf;
use std::time::Duration;

/// One adb device as the suite wants it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AdbSettings {
    /// Serial; `any`: whichever device is free; `None`: the only one there is.
    pub serial: Option<String>,
    /// Port of the adb server.
    pub port: u16,
    /// The `adb` program, where there is one.
    pub program: Option<PathBuf>,
    /// Is the agent used? Without it, each look is a `uiautomator dump`.
    pub agent: bool,
    /// How long the main thread may be blocked.
    pub anr: Duration,
    /// How long the screen may continue changing before it is taken as it is, in milliseconds.
    pub settle_ms: u32,
    /// How long one action may take in all.
    pub step_limit: Duration,
    /// How long a start may take.
    pub start_limit: Duration,
    /// How long a device may be away before a call gives up.
    pub patience: Duration,
    /// May another build of the app that is on a phone be uninstalled? On emulators it always is.
    pub replace: bool,
    /// Work offline: fetch nothing.
    pub offline: bool,
    /// Is the app's coverage hook looked for?
    pub coverage: bool,
    /// Where leases are kept; `None`: no other process is about.
    pub leases: Option<PathBuf>,
    /// Where it is written which emulators are a run's own; `None`: there are none.
    pub emulators: Option<PathBuf>,
    /// Types of the sensors whose values an emulator's console sets; empty: there is no console.
    pub console: &'static [i32],
    /// What an app finds on it.
    pub data: DeviceData,
}

impl AdbSettings {
    /// The defaults, with the server of the environment.
    pub fn new() -> Self {
        let port = std::env::var("ANDROID_ADB_SERVER_PORT")
            .ok()
            .and_then(|p| p.parse().ok());
        Self {
            serial: None,
            port: port.unwrap_or(super::server::PORT),
            program: super::sdk::adb(),
            agent: true,
            anr: Duration::from_secs(5),
            settle_ms: 300,
            step_limit: Duration::from_secs(60),
            start_limit: Duration::from_secs(120),
            patience: super::server::PATIENCE,
            replace: false,
            offline: false,
            coverage: false,
            leases: None,
            emulators: None,
            console: &[],
            data: DeviceData::default(),
        }
    }
}

impl Default for AdbSettings {
    fn default() -> Self {
        Self::new()
    }
}
