//! What the jvm device offers, against what an app needs. `docs/capability.md` lists the rules.

use super::{Needs, Role};
use crate::outcome::capability::{Capability, Support};

/// The API level of the jvm device.
const SDK: u32 = 34;
/// Shared libraries that are there: Android's own, which newer versions leave to `uses-library`.
const LIBRARIES: [&str; 4] = [
    "org.apache.http.legacy",
    "android.test.base",
    "android.test.mock",
    "android.test.runner",
];
/// Hardware that is not there, or does nothing, and what an app finds in its place.
const HARDWARE: [(&str, &str); 7] = [
    ("android.hardware.nfc", "NFC is missing"),
    ("android.hardware.bluetooth_le", "Bluetooth LE is missing"),
    ("android.hardware.usb.host", "USB host mode is missing"),
    (
        "android.hardware.microphone",
        "the microphone hears nothing",
    ),
    ("android.hardware.type.watch", "it is made for a watch"),
    (
        "android.hardware.type.television",
        "it is made for a television",
    ),
    ("android.hardware.type.automotive", "it is made for a car"),
];

impl Needs {
    /// How far the jvm device carries the app.
    pub fn on_jvm(&self) -> Capability {
        let mut gaps = Vec::new();
        let mut gap = |support, why: String| gaps.push((support, why));
        if !self.launcher {
            let why = "it has no activity that the home screen can start";
            gap(Support::UseAnEmulator, why.to_owned());
        }
        if let Some(level) = self.min_sdk.filter(|level| *level > SDK) {
            let why = format!("it is for API level {level} and up, the device is {SDK}");
            gap(Support::UseAnEmulator, why);
        }
        if let Some(name) = &self.preview {
            let why =
                format!("it is for {name}, a preview of Android, the device is API level {SDK}");
            gap(Support::UseAnEmulator, why);
        }
        for engine in &self.engines {
            let why = format!("drawn by {}, in native code", engine.name());
            gap(Support::UseAnEmulator, why);
        }
        for library in self.native.iter().filter(|l| l.named) {
            let name = &library.name;
            match library.role {
                Role::Storage => gap(
                    Support::UseAnEmulator,
                    format!("its data are kept by the native {name}"),
                ),
                Role::Part => gap(Support::Limited, format!("the native library {name}")),
                Role::Replaced | Role::Engine(_) => {}
            }
        }
        if self.loads_libraries && self.native.is_empty() {
            let why = "it loads a native library that is not in the APK";
            gap(Support::Limited, why.to_owned());
        }
        for library in &self.libraries {
            if !LIBRARIES.contains(&library.as_str()) {
                let why = format!("the shared library {library} is missing");
                gap(Support::Limited, why);
            }
        }
        if self.splits_required {
            let why = "it is a base APK whose splits are missing";
            gap(Support::Limited, why.to_owned());
        }
        if self.web_view {
            let why = "web pages run without layout and without modern JavaScript (web = \"chromium\" has both)";
            gap(Support::Limited, why.to_owned());
        }
        if self.open_gl {
            // With a single activity, and no Compose in it, the surface is most likely all there is to see.
            let only = self.activities == 1 && !self.compose;
            let support = if only {
                Support::UseAnEmulator
            } else {
                Support::Limited
            };
            gap(support, "OpenGL draws nothing".to_owned());
        }
        if self.render_script {
            gap(Support::Limited, "RenderScript computes nothing".to_owned());
        }
        if !self.play_services.is_empty() {
            let parts = self.play_services.join(", ");
            let why = format!("Play services are missing ({parts})");
            gap(Support::Limited, why);
        }
        if self.camera {
            gap(
                Support::Limited,
                "the camera gives one grey picture".to_owned(),
            );
        }
        for (feature, why) in HARDWARE {
            if self.features.iter().any(|needed| needed == feature) {
                gap(Support::Limited, why.to_owned());
            }
        }
        Capability::from_gaps(gaps)
    }
}
