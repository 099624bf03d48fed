//! Who led a step of a session.

use serde::{Deserialize, Serialize};

/// Who led a step that the strategy did not choose.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LedBy {
    /// It leaves an activity that the suite blocks.
    Block,
    /// It is a step of this script.
    Script(String),
    /// Something goes wrong around the app.
    Fault,
    /// It is a step of the way to a saved state. Its number is that of the event before: it is none of the budget's.
    Restore,
    /// It is on the way to changed code.
    Changed,
    /// It is a step of this trace of the corpus.
    Corpus(String),
    /// A person performed it while the session was paused. Its number is that of the event before: it is none of the
    /// budget's.
    Person,
}

impl LedBy {
    /// Is such a step one of the budget's events?
    pub const fn counts(&self) -> bool {
        !matches!(self, Self::Restore | Self::Person)
    }
}
