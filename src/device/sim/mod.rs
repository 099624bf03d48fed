//! The `sim` device: FATE models of apps, run in process.
//!
//! A model is a graph of activities whose buttons and text fields change a few globals and lead on
//! (`docs/models.md`). [`SimDevice`] shows it as any device shows an app; [`Walk`] is the same model in the
//! published simulator's terms, for many millions of steps per second.

pub mod app;
pub mod augment;
mod builtin;
pub mod curve;
mod device;
pub mod draw;
mod evidence;
pub mod expr;
pub mod fault;
pub mod generate;
mod json;
pub mod model;
mod read;
mod screen;
pub mod walk;
mod watch;
mod write;

pub use builtin::BUILTIN;
pub use device::SimDevice;
pub use fault::ModelError;
pub use model::{Model, Semantics};
pub use walk::Walk;
