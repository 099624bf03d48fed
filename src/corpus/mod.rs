//! A corpus: traces that a team keeps because together they reach much of its apps.
//!
//! A trace is one file that `replay` reads, in a folder for its app. What it is worth is measured by replays: the probes,
//! transitions and findings that it reaches each time.

pub mod cover;
pub mod folder;
pub mod index;
pub mod journal;
pub mod shorten;
pub mod worth;

pub use folder::{CorpusError, Entry};
pub use worth::{Gain, Worth};
