//! Fastbot3's ways out of a state that a session does not leave: back, a deep link, a restart.

use crate::graph::StateId;
use crate::gui::{Event, EventIx, EventKind, SystemEvent};
use crate::strategy::View;

/// A way out of a state.
pub(super) enum Way {
    Back(EventIx),
    Link(SystemEvent),
    Restart,
}

/// How long the session has been in a state.
#[derive(Debug)]
pub(super) struct Stuck {
    /// Steps in one state until the first way out; 0: there is none.
    limit: u32,
    /// The state that the last decision was taken in, and how many in a row were taken there before.
    stay: Option<(StateId, u32)>,
    /// The number of deep links that were opened.
    opened: usize,
}

impl Stuck {
    pub const fn new(limit: u32) -> Self {
        Self {
            limit,
            stay: None,
            opened: 0,
        }
    }

    /// Others act: the next decision is the first of a stay.
    pub const fn interrupted(&mut self) {
        self.stay = None;
    }

    /// The way to take before the next decision, if the session is stuck.
    pub fn way_out(&mut self, view: &View<'_>, state: StateId) -> Option<Way> {
        let before = self.stay.filter(|(known, _)| *known == state);
        let steps = before.map_or(0, |(_, steps)| steps.saturating_add(1));
        self.stay = Some((state, steps));
        if self.limit == 0 || steps == 0 {
            None
        } else if steps == self.limit {
            let back = |event: &Event| event.kind == EventKind::Back;
            view.page.events.iter().position(back).map(Way::Back)
        } else if steps == self.limit.saturating_mul(2) {
            // Each time the next one.
            let link = view.links.get(self.opened % view.links.len().max(1));
            self.opened += 1;
            link.cloned().map(Way::Link)
        } else if steps >= self.limit.saturating_mul(3) {
            self.stay = None;
            Some(Way::Restart)
        } else {
            None
        }
    }
}
