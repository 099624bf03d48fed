//! Findings made useful: replayed, minimized to the fewest steps that still lead there, confirmed.

pub mod act;
pub mod graph;
mod jump;
mod kind;
pub mod minimize;
mod plain;
pub mod questions;
pub mod rate;
pub mod replay;
pub mod replay_pool;
pub mod script;
pub mod search;
pub mod spare;
mod tail;
pub mod task;

pub use replay::{End, Guess, Judges, Replay, Runner};
pub use script::Script;
pub use spare::Spare;
pub use task::{Means, Minimized};
