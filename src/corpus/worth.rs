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

/// A kind of gain.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Kind {
    /// Probes.
    Probes,
    /// Transitions.
    Transitions,
    /// Findings.
    Findings,
}

impl Gain {
    /// Its kind.
    pub const fn kind(&self) -> Kind {
        match self {
            Self::Probe(..) => Kind::Probes,
            Self::Transition(..) => Kind::Transitions,
            Self::Finding(_) => Kind::Findings,
        }
    }
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
            match gain.kind() {
                Kind::Probes => tally.probes += 1,
                Kind::Transitions => tally.transitions += 1,
                Kind::Findings => tally.findings += 1,
            }
        }
        tally
    }
}
