//! The settings of a jvm device.

use super::parts::DEFAULT_SDK;
use super::translate::Calls;
use crate::device::data::DeviceData;
pub use crate::settings::Confine;
use crate::util::redact::Redactor;
use std::path::PathBuf;
use std::time::Duration;

/// The device's orientation at the start.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Orientation {
    /// Portrait orientation.
    #[default]
    Portrait,
    /// Landscape orientation.
    Landscape,
}

/// The data and answers of other apps on the device.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Outside {
    /// A phone in use: its providers have rows, and pickers and the camera ask and answer.
    #[default]
    Seeded,
    /// A new phone without data; every request to another app is cancelled.
    Empty,
}

/// The network that the app can use.
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

/// The engine of web views.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Web {
    /// HtmlUnit, in the Java process.
    #[default]
    HtmlUnit,
    /// This machine's Chromium, a separate process.
    Chromium,
    /// No engine: pages load, but show nothing.
    Off,
}

/// The settings of one jvm device.
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
    /// Its orientation.
    pub orientation: Orientation,
    /// The Java heap's limit in MB. The process takes about 500 MB more.
    pub memory_mb: u32,
    /// The limit on the device's folder in MB.
    pub disk_mb: u32,
    /// The network that the app can use.
    pub network: Network,
    /// The engine of web views.
    pub web: Web,
    /// Seed of the app's random numbers.
    pub seed: u64,
    /// The virtual time at the start of each process, in milliseconds since 1970.
    pub start_ms: i64,
    /// The longest time that the app may block the main thread.
    pub anr: Duration,
    /// Virtual time after each action, in milliseconds.
    pub settle_ms: u32,
    /// Time limit of one action.
    pub step_limit: Duration,
    /// Time limit of a start, including the process's.
    pub start_limit: Duration,
    /// The device's folder: created if missing, emptied at install, removed at the end. It must contain nothing else.
    pub work: PathBuf,
    /// The folder of the process's output and crash reports.
    pub logs: PathBuf,
    /// Do not download.
    pub offline: bool,
    /// The confinement of its process.
    pub confine: Confine,
    /// The treatment of calls that would leave the device; by default as `confine` requires. A benchmark changes one
    /// without the other.
    pub calls: Option<Calls>,
    /// The data and answers of other apps.
    pub outside: Outside,
    /// The user's data on it.
    pub data: DeviceData,
    /// Secrets to redact in logs and reports of a process.
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

    /// The limit on the device's folder in bytes.
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
