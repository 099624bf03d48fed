//! The rig: a device that speaks adb's transport, so that the real `adb` server talks to it as to a phone.
//!
//! Behind it stands a `jvm` or `sim` device with a real app; before it, a shell that answers as Android's does, in
//! forms taken from the samples recorded on phones. It proves the wire (adb, the shell, files, logs, the agent's
//! socket, faults of all of these), not Android.

pub mod agent;
mod app;
pub mod bench;
pub mod commands;
pub mod console;
mod deaths;
pub mod files;
pub mod home;
pub mod keyboard;
pub mod log;
pub mod packet;
pub mod phone;
pub mod pipe;
mod reverse;
pub mod sdk;
pub mod server;
pub mod services;
pub mod shell;
pub mod sync;
pub mod transport;

pub use commands::exec_file;
pub use phone::{Behind, Config, Phone};
pub use pipe::lock as pipe_lock;
pub use server::{AdbServer, adb};
pub use transport::Rig;
