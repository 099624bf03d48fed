//! What a trace is worth: what it reaches of its app.

use crate::gui::SketchId;
use std::collections::BTreeSet;

/// One thing that a trace reaches.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Gain {
    /// A probe: the class's internal name and the probe's number.
    Probe(String, u32),
    /// A step that leads from one sketch of a page to another.
    Transition(SketchId, SketchId),
    /// A finding of the app, by its fingerprint.
    Finding(String),
}

/// All that a trace reaches.
pub type Worth = BTreeSet<Gain>;

/// The numbers of probes, transitions and findings.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Tally {
    /// Probes.
    pub probes: usize,
    /// Transitions.
    pub transitions: usize,
    /// Findings.
    pub findings: usize,
}

impl Tally {
    /// Counts these.
    pub fn of<'g>(gains: impl IntoIterator<Item = &'g Gain>) -> Self {
        let mut tally = Self::default();
        for gain in gains {
            match gain {
                Gain::Probe(..) => tally.probes += 1,
                Gain::Transition(..) => tally.transitions += 1,
                Gain::Finding(_) => tally.findings += 1,
            }
        }
        tally
    }
}
