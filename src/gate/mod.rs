//! The gate: compares a run with a baseline of known findings and decides whether it fails.

mod baseline;
mod judge;
mod limits;
mod update;

pub use baseline::{Baseline, BaselineError, Coverage, Entry, VERSION};
pub use judge::judge;
pub use update::{UpdateError, Updated, update};
