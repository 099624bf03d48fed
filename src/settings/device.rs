//! `[[device]]`: what the apps are explored on.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{App, AppSource, Confine, DeviceData, HumanDuration, Network, Orientation, Screen};

/// A device, or several alike.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(transform = close_device)]
pub struct Device {
    /// The device's name in reports and on the command line.
    #[schemars(schema_with = "super::name_schema")]
    pub name: String,
    /// How many of it may run at once. Default: 1; of a sim as many as there are jobs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32", range(min = 1, max = 64))]
    pub count: Option<u32>,
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
    /// A phone or a running emulator, reached through adb.
    Adb(AdbDevice),
    /// An emulator that the tool makes, starts and ends.
    Avd(AvdDevice),
}

/// The settings of an avd device.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct AvdDevice {
    /// The system image, as sdkmanager names it: what the emulator runs. Without one:
    /// `system-images;android-34;google_apis;x86_64`, but with `avd` none: that AVD has to be there.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", regex(pattern = IMAGE_PATTERN), extend("x-expects" = "a system image such as \"system-images;android-34;google_apis;x86_64\""))]
    pub image: Option<String>,
    /// The hardware profile, as `avdmanager list device` names it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1))]
    pub profile: Option<String>,
    /// An AVD of your own to use in place of one made for the suite; with it `count` is 1. Where there is none of
    /// that name, one is made if `image` says of what.
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
    /// How it draws: the emulator's `-gpu`.
    pub gpu: GpuMode,
    /// The locale, as a language tag.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", regex(pattern = LOCALE_PATTERN), extend("x-expects" = "a language tag such as \"en-US\""))]
    pub locale: Option<String>,
    /// May sdkmanager fetch a missing image, its licence accepted for you?
    pub install: bool,
    /// How long it may take to start.
    pub boot: HumanDuration,
    /// The adb server's port. Without one: ANDROID_ADB_SERVER_PORT, else 5037.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u16", range(min = 1))]
    pub port: Option<u16>,
    /// How the screen is read.
    pub hierarchy: HierarchySource,
    /// How long the device may be away before what is asked of it fails.
    pub patience: HumanDuration,
    /// What the owner of the device has on it.
    #[serde(skip_serializing_if = "DeviceData::is_empty")]
    pub data: DeviceData,
}

/// The image of a device that names none.
const IMAGE: &str = "system-images;android-34;google_apis;x86_64";
/// What a system image's name looks like.
const IMAGE_PATTERN: &str = r"^system-images;android-[A-Za-z0-9.-]+;[a-z0-9_-]+;[a-z0-9_-]+$";

impl AvdDevice {
    /// The system image to make an AVD of; `None`: it has to be there.
    pub fn image(&self) -> Option<&str> {
        let named = self.image.as_deref();
        named.or(self.avd.is_none().then_some(IMAGE))
    }
}

/// What draws an emulator's screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum GpuMode {
    /// The processor: the same on every machine.
    #[default]
    SwiftshaderIndirect,
    /// The machine's graphics card.
    Host,
    /// As the emulator likes.
    Auto,
    /// Nothing.
    Off,
}

impl GpuMode {
    /// As the emulator's command line spells it.
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
    /// Its serial, as `adb devices` prints it, or `any`: whichever device is free, and another when that one is
    /// lost. Without one: the only device that is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1))]
    pub serial: Option<String>,
    /// The adb server's port. Without one: ANDROID_ADB_SERVER_PORT, else 5037.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u16", range(min = 1))]
    pub port: Option<u16>,
    /// How the screen is read: by our agent (falling back to dumps, and saying so), or by dumps alone.
    pub hierarchy: HierarchySource,
    /// How long a device may be away (offline, server killed) before what is asked of it fails.
    pub patience: HumanDuration,
    /// May an app of the same name from another build be uninstalled from a phone, with all its data? On emulators
    /// it is.
    pub replace: bool,
    /// What the owner of the device has on it.
    #[serde(skip_serializing_if = "DeviceData::is_empty")]
    pub data: DeviceData,
}

/// What reads a device's screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum HierarchySource {
    /// Our agent, over one socket.
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
    /// The Android API level: 34, 35, or 36, which needs Java 21.
    #[schemars(range(min = 34, max = 36))]
    pub api: u8,
    /// The screen's size.
    pub screen: Screen,
    /// How the device is held at the start.
    pub orientation: Orientation,
    /// The locale, as a language tag.
    #[schemars(regex(pattern = LOCALE_PATTERN), extend("x-expects" = "a language tag such as \"en-US\""))]
    pub locale: String,
    /// The virtual time at which every process life of an app begins, in UTC.
    #[schemars(schema_with = "super::data::time")]
    pub start: String,
    /// The Java heap in MB.
    #[schemars(range(min = 256, max = 65536))]
    pub memory: u32,
    /// What the app's files may take in MB.
    #[schemars(range(min = 64, max = 65536))]
    pub disk: u32,
    /// What runs the pages of the app's web views.
    pub web: Web,
    /// What holds the app's process. `full`: what the app may not have does not exist for it (Linux).
    pub confine: Confine,
    /// What other apps on the device have and answer.
    #[serde(skip_serializing_if = "Outside::is_default")]
    pub outside: Outside,
    /// What the app reaches.
    pub network: Network,
    /// What the owner of the device has on it.
    #[serde(skip_serializing_if = "DeviceData::is_empty")]
    pub data: DeviceData,
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

/// What other apps on a device have and answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Outside {
    /// A phone in use: contacts, messages, calls, a calendar and files, where `data` says nothing, and apps that ask
    /// the user (pickers, camera, consents), whose answer the strategy chooses.
    #[default]
    Seeded,
    /// A new phone: only what `data` says, and every question to another app is cancelled.
    Empty,
}

impl Outside {
    #[allow(clippy::trivially_copy_pass_by_ref)] // serde's signature
    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// What runs the pages of web views.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Web {
    /// HtmlUnit: pages run the same on every machine.
    #[default]
    Auto,
    /// HtmlUnit: older JavaScript, no layout.
    Htmlunit,
    /// The Chromium that is installed on this machine: JavaScript of today, layout.
    Chromium,
    /// None: pages load, and show nothing.
    Off,
}

fn close_device(schema: &mut schemars::Schema) {
    super::close_tagged(schema, &[]);
}

impl Device {
    /// The name of the device's kind, as the suite writes it.
    pub fn kind_name(&self) -> &'static str {
        match self.kind {
            DeviceKind::Sim(_) => "sim",
            DeviceKind::Jvm(_) => "jvm",
            DeviceKind::Adb(_) => "adb",
            DeviceKind::Avd(_) => "avd",
        }
    }

    /// What an app is to find on it; a model finds nothing.
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

    /// What an app on it reaches, to be changed; other kinds than jvm do not say.
    pub fn network_mut(&mut self) -> Option<&mut Network> {
        match &mut self.kind {
            DeviceKind::Jvm(jvm) => Some(&mut jvm.network),
            _ => None,
        }
    }

    /// How many of it may run at once.
    pub const fn at_once(&self) -> u32 {
        match (self.count, &self.kind) {
            (Some(count), _) => count,
            // A model costs its thread, nothing else.
            (None, DeviceKind::Sim(_)) => u32::MAX,
            (None, _) => 1,
        }
    }

    /// Whether the device can run the app: a sim runs models, the others APKs.
    pub fn can_run(&self, app: &App) -> bool {
        let model = matches!(app.source, AppSource::Model(_));
        matches!(self.kind, DeviceKind::Sim(_)) == model
    }

    /// The devices of a suite that names none.
    pub fn defaults() -> Vec<Self> {
        let device = |name: &str, kind| Self {
            name: name.to_owned(),
            count: None,
            kind,
        };
        vec![
            device("jvm", DeviceKind::Jvm(JvmDevice::default())),
            device("sim", DeviceKind::Sim(SimDevice::default())),
        ]
    }
}
