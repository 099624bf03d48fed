//! The settings of a jvm device.

use super::parts::DEFAULT_SDK;
use super::translate::Calls;
use crate::device::data::DeviceData;
pub use crate::settings::Confine;
use crate::util::redact::Redactor;
use std::path::PathBuf;
use std::time::Duration;

/// How the device is held at the start.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Orientation {
    /// Upright.
    #[default]
    Portrait,
    /// On its side.
    Landscape,
}

/// What other apps on the device have and answer.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Outside {
    /// A phone in use: its providers hold rows, and pickers and the camera ask and answer.
    #[default]
    Seeded,
    /// A new phone: nothing is on it, and whoever asks another app hears that the user came back.
    Empty,
}

/// What the app reaches.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub enum Network {
    /// Nothing.
    #[default]
    Off,
    /// The network of this machine.
    Open,
    /// The answers of an archive: a HAR file or a folder of stubs.
    Replay(PathBuf),
}

/// What runs the pages of web views.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Web {
    /// HtmlUnit, in the Java process.
    #[default]
    HtmlUnit,
    /// This machine's Chromium, a process beside it.
    Chromium,
    /// Nothing: pages load and show nothing.
    Off,
}

/// One jvm device as the suite wants it.
#[derive(Clone, PartialEq, Debug)]
pub struct JvmSettings {
    /// Android API level, one of [`SDKS`](super::parts::SDKS).
    pub sdk: u32,
    /// Screen in dp, the shorter side first.
    pub screen_dp: (u32, u32),
    /// Dots per inch.
    pub density: u32,
    /// Language tag such as `en-US`.
    pub locale: String,
    /// How it is held.
    pub orientation: Orientation,
    /// The Java heap's limit in MB. The process takes about 500 MB more.
    pub memory_mb: u32,
    /// What the device's folder may hold, in MB.
    pub disk_mb: u32,
    /// What the app reaches.
    pub network: Network,
    /// What runs the pages of web views.
    pub web: Web,
    /// Seed of the app's own random numbers.
    pub seed: u64,
    /// The virtual time at which every process life begins, in milliseconds since 1970.
    pub start_ms: i64,
    /// How long the main thread may be blocked by the app.
    pub anr: Duration,
    /// Virtual time let pass after each action, in milliseconds.
    pub settle_ms: u32,
    /// How long one action may take in all.
    pub step_limit: Duration,
    /// How long a start may take, the process's included.
    pub start_limit: Duration,
    /// The device's own folder: made when missing, emptied at install, removed at the end.
    /// Nothing else may be in it.
    pub work: PathBuf,
    /// Where the process's output and crash reports are kept.
    pub logs: PathBuf,
    /// Fetch nothing.
    pub offline: bool,
    /// What holds its process.
    pub confine: Confine,
    /// What becomes of calls that would leave the device; by default what fits `confine`. The benchmark of the walls changes
    /// one without the other.
    pub calls: Option<Calls>,
    /// What other apps have and answer.
    pub outside: Outside,
    /// What an app finds on it.
    pub data: DeviceData,
    /// Secrets that are in no log and no report of a process.
    pub secrets: Redactor,
}

impl JvmSettings {
    /// The default device, with its folders.
    pub fn new(work: impl Into<PathBuf>, logs: impl Into<PathBuf>) -> Self {
        Self {
            sdk: DEFAULT_SDK,
            // A phone; at 160 dpi its pictures stay small.
            screen_dp: (411, 891),
            density: 160,
            locale: "en-US".to_owned(),
            orientation: Orientation::default(),
            memory_mb: 1024,
            disk_mb: 1024,
            network: Network::default(),
            web: Web::default(),
            seed: 1,
            // 2026-01-05T09:00:00Z
            start_ms: 1_767_603_600_000,
            anr: Duration::from_secs(5),
            settle_ms: 300,
            step_limit: Duration::from_secs(60),
            start_limit: Duration::from_secs(120),
            work: work.into(),
            logs: logs.into(),
            offline: false,
            confine: Confine::default(),
            calls: None,
            outside: Outside::default(),
            data: DeviceData::default(),
            secrets: Redactor::default(),
        }
    }

    /// What the device's folder may hold, in bytes.
    pub fn disk(&self) -> u64 {
        u64::from(self.disk_mb) << 20
    }

    /// Robolectric's resource qualifiers, in Android's order.
    pub fn qualifiers(&self) -> String {
        let (short, long) = self.screen_dp;
        let (short, long) = (short.min(long), short.max(long));
        let (width, height, held) = match self.orientation {
            Orientation::Portrait => (short, long, "port"),
            Orientation::Landscape => (long, short, "land"),
        };
        let size = match (short, long) {
            (720.., 960..) => "xlarge",
            (480.., 640..) => "large",
            (320.., 470..) => "normal",
            _ => "small",
        };
        // Android's own rule: long from about 5:3 on.
        let shape = if long * 3 / 5 + 1 >= short {
            "long"
        } else {
            "notlong"
        };
        let density = match self.density {
            120 => "ldpi".to_owned(),
            160 => "mdpi".to_owned(),
            213 => "tvdpi".to_owned(),
            240 => "hdpi".to_owned(),
            320 => "xhdpi".to_owned(),
            480 => "xxhdpi".to_owned(),
            640 => "xxxhdpi".to_owned(),
            other => format!("{other}dpi"),
        };
        format!(
            "{}-w{width}dp-h{height}dp-{size}-{shape}-notround-{held}-notnight-{density}-keyshidden-nonav",
            locale(&self.locale)
        )
    }
}

/// `en-US` is `en-rUS` among qualifiers; with a script it is `b+zh+Hant+TW`.
fn locale(tag: &str) -> String {
    let parts: Vec<_> = tag.split('-').collect();
    match parts[..] {
        [language] => language.to_owned(),
        [language, region] if region.len() == 2 => format!("{language}-r{region}"),
        _ => format!("b+{}", parts.join("+")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn qualifiers_follow_screen_orientation_density_and_locale() {
        let mut settings = JvmSettings::new("w", "l");
        assert_eq!(
            settings.qualifiers(),
            "en-rUS-w411dp-h891dp-normal-long-notround-port-notnight-mdpi-keyshidden-nonav"
        );
        settings.orientation = Orientation::Landscape;
        settings.screen_dp = (800, 1280);
        settings.density = 560;
        settings.locale = "zh-Hant-TW".to_owned();
        assert_eq!(
            settings.qualifiers(),
            "b+zh+Hant+TW-w1280dp-h800dp-xlarge-notlong-notround-land-notnight-560dpi-keyshidden-nonav"
        );
        settings.locale = "de".to_owned();
        assert!(settings.qualifiers().starts_with("de-w1280dp"));
    }
}
