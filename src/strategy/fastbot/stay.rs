//! The way out of a state that the session does not leave (Fastbot3): back, a deep link, a restart.

use crate::graph::StateId;
use crate::gui::{Event, EventIx, EventKind, SystemEvent};
use crate::strategy::View;

/// A way out of a state.
pub(super) enum Way {
    Back(EventIx),
    Link(SystemEvent),
    Restart,
}

/// How long the session is in its state.
#[derive(Debug, Default)]
pub(super) struct Stay {
    /// The state that the last decision was taken in, and how many were taken there in a row after the first.
    last: Option<(StateId, u32)>,
}

impl Stay {
    /// Counts a decision in this state. After `limit` decisions in a row (0: never) there is a way out: back; after
    /// twice as many a deep link; after three times as many a restart.
    pub fn way_out(&mut self, limit: u32, view: &View<'_>, state: StateId) -> Option<Way> {
        let before = self.last.filter(|(known, _)| *known == state);
        let steps = before.map_or(0, |(_, steps)| steps + 1);
        self.last = Some((state, steps));
        if limit == 0 || steps == 0 {
            None
        } else if steps == limit {
            let back = |event: &Event| event.kind == EventKind::Back;
            view.page.events.iter().position(back).map(Way::Back)
        } else if steps == 2 * limit {
            let link =
                |event: &&SystemEvent| matches!(event, SystemEvent::Activity { data: Some(_), .. });
            view.system.iter().find(link).cloned().map(Way::Link)
        } else if steps >= 3 * limit {
            self.last = None;
            Some(Way::Restart)
        } else {
            None
        }
    }
}
