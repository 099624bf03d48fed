//! What the strategy knows of the states, and of what led to the one that is shown.

use crate::graph::StateId;
use crate::gui::PageId;
use crate::outcome::run_event::SaveId;

/// The published code's fitness: of a new state, and at most.
pub(super) const PUBLISHED: (f64, f64) = (100.0, 200.0);

/// What is known of a state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Known {
    /// v(s): times it was entered; by [`super::Rules::Events`] each event that leads to it.
    pub(super) visits: u32,
    /// w(s): interesting states found from it; by [`super::Rules::Events`] its events that ran new code.
    pub(super) found: u32,
    /// Was it interesting when it was first visited?
    pub(super) interesting: bool,
    /// The published code's fitness.
    pub(super) published: f64,
}

impl Default for Known {
    fn default() -> Self {
        Self {
            visits: 0,
            found: 0,
            interesting: false,
            published: PUBLISHED.0,
        }
    }
}

/// What led to the page that is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Led {
    /// The start of the session.
    Start,
    /// The base's event; did it run new code?
    Base { code: bool },
    /// Anything else: a script, a start of the app.
    Others,
    /// The decision to restore this state; the page is still the one before.
    Restore(SaveId),
    /// The restore of this state.
    Restored(SaveId),
}

/// A saved state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Saved {
    pub(super) state: StateId,
    /// Its page: the base's abstraction may have given it another state when it is restored.
    pub(super) page: PageId,
}
