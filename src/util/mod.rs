//! What every layer may lean on: text cleaning, files per app wrote, seeds, hashing, interning, children with deadlines.

pub mod cache_folder;
pub mod console;
pub mod cpu_time;
pub mod durable;
pub mod foreign;
pub mod hash;
pub mod intern;
pub mod lock;
pub mod memory;
pub mod png;
pub mod process;
pub mod quote;
pub mod redact;
pub mod sandbox_plan;
pub mod seed;
pub mod sha256;
pub mod text;
pub mod untrusted;
