//! Passes over a translated class.
//!
//! A pass sees one class as [`Class`], after its code was translated and before it is written, and may change all of it.
//! It is a file of its own that says what it sees and what it adds. Passes run in a fixed order; each sees what those
//! before it made.

use crate::class::Class;
use crate::hierarchy::Hierarchy;

pub mod probes;

/// A change to every class.
pub trait Pass: Sync {
    /// Changes one class. Must not depend on the classes that were translated before: the same class always becomes the
    /// same bytes.
    fn apply(&self, class: &mut Class, hierarchy: &dyn Hierarchy);
}
