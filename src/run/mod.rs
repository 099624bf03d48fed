//! A run: its plan, its inputs and its sessions.

pub mod budget;
pub mod coverage;
mod data;
pub mod devices;
mod error;
pub mod execute;
pub mod failed;
pub mod gate;
mod identity;
pub mod inputs;
mod learning;
pub mod merge;
pub mod merged_apk;
pub mod minimize;
pub mod observer;
pub mod partition;
pub mod plan;
pub mod pool;
pub mod prepare;
pub mod record;
mod redacting_observer;
pub mod replay_devices;
mod resume;
pub mod run_header;
#[cfg(test)]
mod toy_tests;
pub mod trace_targets;
pub mod train;

pub use error::RunError;
pub use execute::{Options, Outcome, execute};
pub use inputs::Inputs;
pub use observer::Observer;
pub use plan::Plan;
pub use resume::{of_a_bench, resumed};
