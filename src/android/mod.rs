//! What Android prints, as data: view dumps, logs, crashes, tombstones, ANRs, `dumpsys`, `am`, `adb devices`.
//!
//! These texts come from other people's phones, of every version, through shells and editors that change line
//! ends and encodings. A parser here takes any bytes, never panics, keeps what it knows and says with line and
//! column where it stops understanding.

/// A static regular expression of this name.
macro_rules! pattern {
    ($name:ident, $text:expr) => {
        static $name: std::sync::LazyLock<regex::Regex> =
            std::sync::LazyLock::new(|| regex::Regex::new($text).expect("a valid pattern"));
    };
}

pub mod am;
pub mod anr;
#[cfg(test)]
mod copied_tests;
pub mod devices;
pub mod dropbox;
pub mod error;
pub mod focus;
#[cfg(test)]
mod forms_tests;
mod java_chain;
pub mod java_crash;
pub mod keyboard;
pub mod listeners;
pub mod logcat;
pub mod native;
mod native_frame;
pub mod receivers;
pub mod stack;
#[cfg(test)]
mod tests;
pub mod text;
mod thread_dump;
#[cfg(test)]
mod thread_dump_tests;
mod ui_attributes;
mod ui_failure;
pub mod uiautomator;

pub use error::FormatError;
