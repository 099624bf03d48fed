//! `[[device]]`: what the apps are explored on.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{App, AppSource, Orientation, Screen};

/// Kinds of device that are planned: named in errors, not accepted.
const NOT_YET: &[&str] = &["avd", "adb"];

/// A device, or several alike.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(transform = close_device)]
pub struct Device {
    /// The device's name in reports and on the command line.
    #[schemars(schema_with = "super::name_schema")]
    pub name: String,
    /// How many of it may run at once.
    #[serde(default = "one")]
    #[schemars(range(min = 1, max = 64))]
    pub count: u32,
    /// What it is, with the settings of that kind.
    #[serde(flatten)]
    pub kind: DeviceKind,
}

/// The kinds of device.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum DeviceKind {
    /// A FATE model, run in process.
    Sim(SimDevice),
    /// A real APK in a Java process, with no emulator.
    Jvm(JvmDevice),
}

/// The settings of a sim device.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct SimDevice {
    /// What a reset leaves behind.
    pub semantics: SimSemantics,
    /// The texts that can be typed into the model, in place of the model's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<String>", length(min = 1))]
    pub strings: Option<Vec<String>>,
}

/// What a reset of a model leaves behind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SimSemantics {
    /// Nothing.
    #[default]
    Clean,
    /// What FATE's own implementation leaves, for comparison with its figures.
    FateCompat,
}

/// The settings of a jvm device.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct JvmDevice {
    /// The Android API level.
    #[schemars(range(min = 26, max = 35))]
    pub api: u8,
    /// The screen's size.
    pub screen: Screen,
    /// How the device is held at the start.
    pub orientation: Orientation,
    /// The locale, as a language tag.
    #[schemars(regex(pattern = LOCALE_PATTERN), extend("x-expects" = "a language tag such as \"en-US\""))]
    pub locale: String,
    /// The Java heap in MB.
    #[schemars(range(min = 256, max = 65536))]
    pub memory: u32,
    /// Whether the app may reach the network.
    pub network: Network,
}

/// What a locale looks like: a language, perhaps a script, perhaps a region.
const LOCALE_PATTERN: &str = "^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$";

impl Default for JvmDevice {
    fn default() -> Self {
        Self {
            api: 34,
            screen: Screen::default(),
            orientation: Orientation::default(),
            locale: "en-US".to_owned(),
            memory: 1024,
            network: Network::default(),
        }
    }
}

/// What an app may reach. Nothing, unless the suite says so.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Network {
    /// Let the app reach the network. It runs on your own machine.
    pub allow: bool,
}

fn one() -> u32 {
    1
}

fn close_device(schema: &mut schemars::Schema) {
    super::close_tagged(schema, NOT_YET);
}

impl Device {
    /// The name of the device's kind, as the suite writes it.
    pub fn kind_name(&self) -> &'static str {
        match self.kind {
            DeviceKind::Sim(_) => "sim",
            DeviceKind::Jvm(_) => "jvm",
        }
    }

    /// Whether the device can run the app: a sim runs models, the others APKs.
    pub fn can_run(&self, app: &App) -> bool {
        match (&self.kind, &app.source) {
            (DeviceKind::Sim(_), AppSource::Model(_)) | (DeviceKind::Jvm(_), AppSource::Apk(_)) => {
                true
            }
            (DeviceKind::Sim(_), AppSource::Apk(_)) | (DeviceKind::Jvm(_), AppSource::Model(_)) => {
                false
            }
        }
    }

    /// The devices of a suite that names none.
    pub fn defaults() -> Vec<Self> {
        let device = |name: &str, kind| Self {
            name: name.to_owned(),
            count: 1,
            kind,
        };
        vec![
            device("jvm", DeviceKind::Jvm(JvmDevice::default())),
            device("sim", DeviceKind::Sim(SimDevice::default())),
        ]
    }
}
