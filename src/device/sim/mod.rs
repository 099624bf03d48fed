//! The `sim` device: FATE models of apps, run in process.
//!
//! A model is a graph of activities whose buttons and text fields change a few globals and lead on
//! (`docs/models.md`). [`SimDevice`] shows it as any device shows an app.

mod builtin;
mod device;
mod evidence;
pub mod expr;
pub mod fault;
mod json;
pub mod model;
mod read;
mod screen;
mod watch;

pub use builtin::BUILTIN;
pub use device::SimDevice;
pub use fault::ModelError;
pub use model::{Model, Semantics};
