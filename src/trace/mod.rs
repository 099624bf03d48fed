//! Traces: the steps that lead to a finding, as a file that a person can read, edit and replay on any device.
//!
//! Widgets are named by what a user sees of them, with the tree's path and the place on the screen as
//! fallback; places are fractions of the screen, so that a trace fits every screen size.

pub mod error;
pub mod find;
pub mod format;
#[cfg(test)]
mod format_tests;
pub mod maestro;
pub mod moves;
pub mod name;
mod provoked;
mod raw;
pub mod read;
pub mod record;
mod session_traces;
mod step;
pub mod walks;
pub mod words;
pub mod write;

pub use error::TraceError;
pub use format::{
    AppRef, Deed, DeviceRef, Expected, Gesture, Spot, Step, TRACE_VERSION, Target, Trace, Typed,
};
pub use moves::{Move, Moves};
pub use provoked::provoked_by;
pub use raw::RawStep;
pub use read::{load, read};
pub use session_traces::SessionTraces;
pub use step::Fault;
pub use walks::Walks;
pub use write::write;
