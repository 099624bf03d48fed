//! `dinodroid`: deep Q-learning over an event's history, its children's history and its text.
//!
//! Zhao, Harrison, Yu: "DinoDroid: Testing Android Apps Using Deep Q-Networks" (TOSEM 2024). [`algorithm`] reads beside
//! Algorithm 1 of the paper.

pub mod algorithm;
mod embedding;
mod explain;
mod make;
mod policy;
mod rehearse;
mod settings;
mod system;

pub use algorithm::DinoDroid;
pub use settings::{Explore, Fill, Settings, System, Target};
