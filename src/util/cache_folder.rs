//! Where the tool keeps what it fetched and made for itself: one folder a user.
//!
//! Uses the standard library only: xtask includes this file, and does not depend on the tool.

use std::path::PathBuf;

/// Names another folder for the cache.
pub const CACHE_VARIABLE: &str = "DROIDTEST_CACHE";

/// `$DROIDTEST_CACHE`, else `cargo-droidtest` in the platform's cache folder; absolute.
///
/// # Errors
/// In words: neither variable is set, or there is no working directory to start from.
pub fn cache_folder() -> Result<PathBuf, String> {
    let from = |name: &str| {
        std::env::var_os(name)
            .filter(|v| !v.is_empty())
            .map(PathBuf::from)
    };
    let platform = || {
        if cfg!(windows) {
            from("LOCALAPPDATA")
        } else if cfg!(target_os = "macos") {
            from("HOME").map(|home| home.join("Library/Caches"))
        } else {
            // The standard says that a relative path there is to be passed over.
            from("XDG_CACHE_HOME")
                .filter(|p| p.is_absolute())
                .or_else(|| from("HOME").map(|home| home.join(".cache")))
        }
    };
    let root = from(CACHE_VARIABLE)
        .or_else(|| platform().map(|base| base.join("cargo-droidtest")))
        .ok_or_else(|| {
            format!("no folder for the cache: neither HOME nor {CACHE_VARIABLE} is set")
        })?;
    std::path::absolute(root).map_err(|e| e.to_string())
}
