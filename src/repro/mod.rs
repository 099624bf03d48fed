//! Findings made useful: replayed, cut down to the fewest steps that still lead there, confirmed.

pub mod act;
pub mod find;
pub mod replay;

pub use replay::{End, Judges, Replay, Runner};
