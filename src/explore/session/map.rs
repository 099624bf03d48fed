//! The session keeps the state graph that its strategy reads: every page that is shown, every step, whoever chose it.

use super::Session;
use crate::graph::By;
use crate::graph::tracker::Ended;
use crate::gui::{Page, SystemEvent};
use crate::step::Decision;
use std::sync::Arc;

impl Session<'_> {
    /// Enters the page that is shown now, with what led to it.
    pub(super) fn arrive(&mut self) {
        if let Some(map) = &mut self.map {
            map.arrive(&self.page, &self.interner);
        }
    }

    /// Notes a decision that was carried out on page `before`, before the page behind it takes its place; `led`: it was
    /// not the strategy's.
    pub(super) fn moved(
        &mut self,
        before: &Arc<Page>,
        decision: &Decision,
        led: bool,
        alive: bool,
        reward: f32,
    ) {
        let Some(map) = &mut self.map else {
            return;
        };
        let restart = *decision == Decision::System(SystemEvent::Relaunch);
        let event = match decision {
            // The strategy's page may have fewer events, by what the suite blocks.
            Decision::Perform { event, .. } if !Arc::ptr_eq(before, &self.page) => {
                let key = before.events.get(*event).map(|event| event.key);
                let mut open = self.page.events.iter();
                open.position(|event| Some(event.key) == key)
            }
            Decision::Perform { event, .. } => Some(*event),
            _ => restart.then_some(self.page.events.len()),
        };
        let ended = Ended {
            by: if led { By::Others } else { By::Strategy },
            // Starting anew ends the process too, but leads to the app's first page.
            leads: alive || restart,
            new: reward > 0.0,
        };
        map.performed(event, ended);
    }
}
