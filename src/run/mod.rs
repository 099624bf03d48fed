//! A run: its plan, what it needs, and the sessions that carry it out.

pub mod begin;
pub mod budget;
pub mod cast;
pub mod coverage;
mod data;
pub mod devices;
mod discreet;
pub mod execute;
pub mod failed;
pub mod inputs;
mod learning;
pub mod minimize;
pub mod plan;
pub mod pool;
pub mod prepare;
pub mod record;
mod resume;
pub mod stage;
#[cfg(test)]
mod toy_tests;
pub mod train;
pub mod watch;
pub mod whole;

pub use execute::{Options, Outcome, RunError, execute};
pub use inputs::Inputs;
pub use plan::Plan;
pub use resume::of_a_bench;
pub use watch::Watch;
