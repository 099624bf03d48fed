//! `dinodroid`: deep Q-learning over an event's history, its children's history and its text.
//!
//! Zhao, Harrison, Yu: "DinoDroid: Testing Android Apps Using Deep Q-Networks" (TOSEM 2024). [`algorithm`] reads beside
//! Algorithm 1 of the paper; it needs the tensor engine, the settings do not.

#[cfg(feature = "deep")]
pub mod algorithm;
#[cfg(feature = "deep")]
mod embedding;
#[cfg(feature = "deep")]
mod explain;
#[cfg(feature = "deep")]
mod make;
#[cfg(feature = "deep")]
mod policy;
#[cfg(feature = "deep")]
mod rehearse;
mod settings;
#[cfg(feature = "deep")]
mod system;

#[cfg(feature = "deep")]
pub use algorithm::DinoDroid;
pub use settings::{Explore, Fill, Settings, System, Target};
