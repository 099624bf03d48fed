//! What every layer may lean on: text cleaning, seeds, hashing, interning, children with deadlines.

pub mod cache_folder;
pub mod cpu_time;
pub mod hash;
pub mod intern;
pub mod libtorch;
pub mod lock;
pub mod process;
pub mod sandbox_plan;
pub mod seed;
pub mod sha256;
pub mod text;
