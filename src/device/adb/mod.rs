//! The `adb` device: emulators and phones.

pub mod connection;
pub mod error;
pub mod handle;
pub mod quote;
pub mod server;
mod sync;
pub mod watch_log;
