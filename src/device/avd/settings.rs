//! The settings of an avd device.

use crate::device::adb::AdbSettings;
use std::path::PathBuf;
use std::time::Duration;

/// One emulator as the suite wants it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AvdSettings {
    /// The AVD's name; `None`: one of our own, named after what it is.
    pub avd: Option<String>,
    /// System image, as sdkmanager names it; empty with an AVD that exists.
    pub image: String,
    /// Hardware profile, as `avdmanager list device` names it.
    pub profile: Option<String>,
    /// Memory in MB.
    pub ram: Option<u32>,
    /// Disk for data in MB.
    pub disk: Option<u32>,
    /// `-gpu` of the emulator.
    pub gpu: String,
    /// Language tag.
    pub locale: Option<String>,
    /// May sdkmanager fetch the image?
    pub install: bool,
    /// How long starting may take.
    pub boot: Duration,
    /// Where the emulators' output is kept.
    pub logs: PathBuf,
    /// Where it is written what we started.
    pub locks: PathBuf,
    /// How the device is spoken to once it runs.
    pub adb: AdbSettings,
}

impl AvdSettings {
    /// The AVD's name for the emulator with this number.
    pub fn name(&self, number: u32) -> String {
        if let Some(name) = &self.avd {
            return name.clone();
        }
        let what = format!(
            "{}|{:?}|{:?}|{:?}",
            self.image, self.profile, self.ram, self.disk
        );
        let hash = crate::util::hash::of_bytes(what.as_bytes());
        format!("droidtest-{:08x}-{number}", hash >> 32)
    }
}
