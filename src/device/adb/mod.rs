//! The `adb` device: emulators and phones.
//!
//! Everything goes through the adb server's protocol ([`server`] says why): shell, files, log, and the one
//! socket of our agent, which reads all windows in one message and injects input. Where the agent cannot start,
//! `uiautomator dump` and `input` are in ([`dump`], [`input`]), and the report states that.

mod agent;
pub mod agent_jar;
mod boot;
mod by_shell;
mod commands;
pub mod connection;
mod coverage;
mod device;
mod dropbox;
pub mod dump;
pub mod error;
mod evidence;
pub mod handle;
pub mod input;
mod keyboard;
pub mod lease;
mod listens;
mod log_lines;
mod native_words;
mod package;
pub mod quote;
mod restore;
mod screen;
pub mod sdk;
pub mod server;
mod settings;
mod spare;
mod stored;
mod sync;
pub mod user;
pub mod watch_log;

pub use boot::wait as wait_for_boot;
pub use device::AdbDevice;
pub use settings::AdbSettings;
pub use spare::SpareDevice;

use super::Caps;

/// What a device behind adb can do.
pub const CAPS: Caps = Caps {
    snapshots: false,
    coverage: false,
    rotation: true,
    system_events: true,
    screenshots: true,
    virtual_time: false,
    // Known once there is a device.
    network: false,
};
