//! A run: its plan, its inputs and its sessions.

pub mod both;
pub mod budget;
mod changed;
pub mod corpus;
pub mod coverage;
mod data;
pub mod demonstration;
pub mod devices;
pub mod execute;
pub mod failed;
pub mod gate;
mod identity;
pub mod inputs;
mod learning;
pub mod local_files;
pub mod merge;
pub mod merged_apk;
pub mod minimize;
pub mod observer;
mod options;
pub mod partition;
pub mod plan;
pub mod pool;
pub mod prepare;
pub mod record;
mod redacting_observer;
pub mod replay_devices;
mod resume;
mod reuse;
pub mod run_header;
pub mod screen;
pub mod slots;
mod total;
#[cfg(test)]
mod toy_tests;
pub mod trace_targets;
pub mod train;

pub use execute::execute;
pub use inputs::Inputs;
pub use observer::Observer;
pub use options::{Options, Outcome, RunError};
pub use plan::Plan;
pub use resume::{of_a_bench, resumed};
pub use slots::Slots;
