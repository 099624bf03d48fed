//! A run: its plan, what it needs, and the sessions that carry it out.

pub mod inputs;
pub mod plan;

pub use inputs::Inputs;
pub use plan::Plan;
