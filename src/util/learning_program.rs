//! The program with the learning strategies, which a release has beside the one without them.
//!
//! A program that is linked to libtorch does not start where libtorch is missing. A release therefore has two programs: the
//! small one, which every command starts, and this one, to which the small one hands over once libtorch is there.

use std::path::PathBuf;

/// Its file name.
pub const NAME: &str = "cargo-droidtest-deep";

/// Its path, if it lies beside this program and this program is the small one.
pub fn beside() -> Option<PathBuf> {
    // libtorch is downloaded for Linux only; elsewhere there is no such release.
    if cfg!(feature = "deep") || !cfg!(target_os = "linux") {
        return None;
    }
    let own = std::env::current_exe().ok()?;
    let other = own.with_file_name(NAME);
    (other != own && other.is_file()).then_some(other)
}
