//! Translates Android's dex files to Java class files.

pub mod bridges;
pub mod class;
pub mod convert;
pub mod dex;
mod enum_names;
pub mod hierarchy;
pub mod method;
pub mod pass;
pub mod split;
mod translate;

pub use translate::{Failure, Translated, Translator};
