//! `[[device]]`: the devices to explore apps on.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{App, AppSource, Confine, DeviceData, HumanDuration, Network, Orientation, Screen};

/// A device, or several equal ones.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(transform = close_device)]
pub struct Device {
    /// The device's name in reports and on the command line.
    #[schemars(schema_with = "super::name_schema")]
    pub name: String,
    /// The most instances to run at once. Default: the number of jobs for a sim device; the same for a jvm device, as far
    /// as the memory allows; 1 for others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32", range(min = 1, max = 64))]
    pub count: Option<u32>,
    /// The kind of device, with its settings.
    #[serde(flatten)]
    pub kind: DeviceKind,
}

/// The kinds of device.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum DeviceKind {
    /// Runs a FATE model in process.
    Sim(SimDevice),
    /// A real APK in a Java process, with no emulator.
    Jvm(JvmDevice),
    /// A phone or a running emulator, reached through adb.
    Adb(AdbDevice),
    /// An emulator that the tool creates, starts and ends.
    Avd(AvdDevice),
}

/// The settings of an avd device.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct AvdDevice {
    /// The system image of the emulator, by its sdkmanager name. Default:
    /// `system-images;android-34;google_apis;x86_64`; none with `avd`, which must exist then.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", regex(pattern = IMAGE_PATTERN), extend("x-expects" = "a system image such as \"system-images;android-34;google_apis;x86_64\""))]
    pub image: Option<String>,
    /// The hardware profile, by its name in `avdmanager list device`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1))]
    pub profile: Option<String>,
    /// An existing AVD to use instead of one created for the suite; requires `count = 1`. If it does not exist, it is
    /// created if `image` is set.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", regex(pattern = r"^[A-Za-z0-9._-]+$"), extend("x-expects" = "the name of an AVD: letters, digits, `.`, `_` and `-`"))]
    pub avd: Option<String>,
    /// The emulator's memory in MB.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32", range(min = 512, max = 65536))]
    pub ram: Option<u32>,
    /// The emulator's disk for data in MB.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32", range(min = 512, max = 1048576))]
    pub disk: Option<u32>,
    /// The emulator's renderer (`-gpu`).
    pub gpu: GpuMode,
    /// The locale, as a language tag.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", regex(pattern = LOCALE_PATTERN), extend("x-expects" = "a language tag such as \"en-US\""))]
    pub locale: Option<String>,
    /// Whether sdkmanager may download a missing image and accept its licence for you.
    pub install: bool,
    /// The time limit for its start.
    pub boot: HumanDuration,
    /// The adb server's port. Default: ANDROID_ADB_SERVER_PORT, else 5037.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u16", range(min = 1))]
    pub port: Option<u16>,
    /// The method to read the screen.
    pub hierarchy: HierarchySource,
    /// How long the device may be offline before requests fail.
    pub patience: HumanDuration,
    /// The user's data on the device.
    #[serde(skip_serializing_if = "DeviceData::is_empty")]
    pub data: DeviceData,
}

/// The default image.
const IMAGE: &str = "system-images;android-34;google_apis;x86_64";
/// The pattern of a system image's name.
const IMAGE_PATTERN: &str = r"^system-images;android-[A-Za-z0-9.-]+;[a-z0-9_-]+;[a-z0-9_-]+$";

impl AvdDevice {
    /// The system image to create an AVD from; `None`: the AVD must exist.
    pub fn image(&self) -> Option<&str> {
        let named = self.image.as_deref();
        named.or(self.avd.is_none().then_some(IMAGE))
    }
}

/// The renderer of an emulator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum GpuMode {
    /// Software rendering: the same on every machine.
    #[default]
    SwiftshaderIndirect,
    /// The machine's GPU.
    Host,
    /// The emulator's choice.
    Auto,
    /// No rendering.
    Off,
}

impl GpuMode {
    /// The spelling on the emulator's command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::SwiftshaderIndirect => "swiftshader_indirect",
            Self::Host => "host",
            Self::Auto => "auto",
            Self::Off => "off",
        }
    }
}

impl Default for AvdDevice {
    fn default() -> Self {
        Self {
            image: None,
            profile: None,
            avd: None,
            ram: None,
            disk: None,
            gpu: GpuMode::default(),
            locale: None,
            install: false,
            boot: HumanDuration(std::time::Duration::from_secs(300)),
            port: None,
            hierarchy: HierarchySource::default(),
            patience: HumanDuration(std::time::Duration::from_secs(20)),
            data: DeviceData::default(),
        }
    }
}

/// The settings of an adb device.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct AdbDevice {
    /// Its serial, as `adb devices` prints it, or `any`: any free device, and another one if it is lost. Default: the
    /// only connected device.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1))]
    pub serial: Option<String>,
    /// The adb server's port. Default: ANDROID_ADB_SERVER_PORT, else 5037.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u16", range(min = 1))]
    pub port: Option<u16>,
    /// The method to read the screen: the agent (with a notice if it falls back to dumps), or dumps only.
    pub hierarchy: HierarchySource,
    /// How long a device may be unavailable (offline, server killed) before requests fail.
    pub patience: HumanDuration,
    /// Whether to uninstall an app of the same package from another build, with all its data, from a phone. Emulators
    /// always do.
    pub replace: bool,
    /// The user's data on the device.
    #[serde(skip_serializing_if = "DeviceData::is_empty")]
    pub data: DeviceData,
}

/// The method to read a device's screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum HierarchySource {
    /// The agent, over one socket.
    #[default]
    Agent,
    /// `uiautomator dump` and `input`.
    Dump,
}

impl Default for AdbDevice {
    fn default() -> Self {
        Self {
            serial: None,
            port: None,
            hierarchy: HierarchySource::default(),
            patience: HumanDuration(std::time::Duration::from_secs(20)),
            replace: false,
            data: DeviceData::default(),
        }
    }
}

/// The settings of a sim device.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct SimDevice {
    /// The state that a reset keeps.
    pub semantics: SimSemantics,
    /// The texts to type into the model; replaces the model's texts.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<String>", length(min = 1))]
    pub strings: Option<Vec<String>>,
}

/// The state that a reset of a model keeps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SimSemantics {
    /// Nothing.
    #[default]
    Clean,
    /// The state that FATE's implementation keeps, for comparison with its figures.
    FateCompat,
}

/// The settings of a jvm device.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct JvmDevice {
    /// The Android API level: 34, 35, or 36, which needs Java 21.
    #[schemars(range(min = 34, max = 36))]
    pub api: u8,
    /// The screen's size.
    pub screen: Screen,
    /// The device's orientation at the start.
    pub orientation: Orientation,
    /// The locale, as a language tag.
    #[schemars(regex(pattern = LOCALE_PATTERN), extend("x-expects" = "a language tag such as \"en-US\""))]
    pub locale: String,
    /// The virtual time at the start of each process of an app, in UTC.
    #[schemars(schema_with = "super::data::time")]
    pub start: String,
    /// The Java heap in MB.
    #[schemars(range(min = 256, max = 65536))]
    pub memory: u32,
    /// The limit on the app's files in MB.
    #[schemars(range(min = 64, max = 65536))]
    pub disk: u32,
    /// The engine of the app's web views.
    pub web: Web,
    /// The confinement of the app's process. `full`: forbidden resources do not exist for the app (Linux).
    pub confine: Confine,
    /// The data and answers of other apps on the device.
    #[serde(skip_serializing_if = "Outside::is_default")]
    pub outside: Outside,
    /// The network that the app can use.
    pub network: Network,
    /// The user's data on the device.
    #[serde(skip_serializing_if = "DeviceData::is_empty")]
    pub data: DeviceData,
}

/// The pattern of a locale: a language, an optional script, an optional region.
const LOCALE_PATTERN: &str = "^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$";

impl Default for JvmDevice {
    fn default() -> Self {
        Self {
            api: 34,
            screen: Screen::default(),
            orientation: Orientation::default(),
            locale: "en-US".to_owned(),
            start: "2026-01-05T09:00:00Z".to_owned(),
            memory: 1024,
            disk: 1024,
            web: Web::default(),
            confine: Confine::default(),
            outside: Outside::default(),
            network: Network::default(),
            data: DeviceData::default(),
        }
    }
}

/// The data and answers of other apps on a device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Outside {
    /// A phone in use: contacts, messages, calls, a calendar and files where `data` has none, and apps that ask the
    /// user (pickers, camera, consents); the strategy chooses the answers.
    #[default]
    Seeded,
    /// A new phone: only the contents of `data`; every request to another app is cancelled.
    Empty,
}

impl Outside {
    #[allow(clippy::trivially_copy_pass_by_ref)] // serde's signature
    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// The engine of web views.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Web {
    /// HtmlUnit: pages run the same on every machine.
    #[default]
    Auto,
    /// HtmlUnit: older JavaScript, no layout.
    Htmlunit,
    /// The Chromium that is installed on this machine: modern JavaScript, layout.
    Chromium,
    /// No engine: pages load, but show nothing.
    Off,
}

fn close_device(schema: &mut schemars::Schema) {
    super::close_tagged(schema);
}

impl Device {
    /// The name of the device's kind in the suite.
    pub fn kind_name(&self) -> &'static str {
        match self.kind {
            DeviceKind::Sim(_) => "sim",
            DeviceKind::Jvm(_) => "jvm",
            DeviceKind::Adb(_) => "adb",
            DeviceKind::Avd(_) => "avd",
        }
    }

    /// The user's data on it; none for a model.
    pub fn data(&self) -> Option<&DeviceData> {
        match &self.kind {
            DeviceKind::Sim(_) => None,
            DeviceKind::Jvm(jvm) => Some(&jvm.data),
            DeviceKind::Adb(adb) => Some(&adb.data),
            DeviceKind::Avd(avd) => Some(&avd.data),
        }
    }

    /// The same, to be changed.
    pub fn data_mut(&mut self) -> Option<&mut DeviceData> {
        match &mut self.kind {
            DeviceKind::Sim(_) => None,
            DeviceKind::Jvm(jvm) => Some(&mut jvm.data),
            DeviceKind::Adb(adb) => Some(&mut adb.data),
            DeviceKind::Avd(avd) => Some(&mut avd.data),
        }
    }

    /// The network of apps on it, mutable; jvm devices only.
    pub fn network_mut(&mut self) -> Option<&mut Network> {
        match &mut self.kind {
            DeviceKind::Jvm(jvm) => Some(&mut jvm.network),
            _ => None,
        }
    }

    /// Whether the device can run the app: a sim runs models, the others APKs.
    pub fn can_run(&self, app: &App) -> bool {
        let model = matches!(app.source, AppSource::Model(_));
        matches!(self.kind, DeviceKind::Sim(_)) == model
    }

    /// The devices of a suite that has none: a jvm and a sim device, and an adb device if `adb` is selected.
    pub fn defaults(selected: Option<&[String]>) -> Vec<Self> {
        let device = |name: &str, kind| Self {
            name: name.to_owned(),
            count: None,
            kind,
        };
        let mut all = vec![
            device("jvm", DeviceKind::Jvm(JvmDevice::default())),
            device("sim", DeviceKind::Sim(SimDevice::default())),
        ];
        if selected.is_some_and(|names| names.iter().any(|name| name == "adb")) {
            all.push(device("adb", DeviceKind::Adb(AdbDevice::default())));
        }
        all
    }
}
