//! A run: its plan, and the sessions that carry it out.

pub mod plan;

pub use plan::Plan;
