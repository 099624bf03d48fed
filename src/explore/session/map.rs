//! The session keeps the state graph that its strategy reads: every page that is shown, every step, whoever chose it.

use super::Session;
use crate::graph::fixed::{Fixed, Limits};
use crate::graph::tracker::Ended;
use crate::graph::{By, States, Tracker};
use crate::gui::{Page, SystemEvent};
use crate::step::Decision;
use crate::strategy::Strategy;
use std::sync::Arc;

/// The graph of the strategy's states; where it names none and one is needed, of states by activity and widgets.
pub(super) fn tracker(strategy: &dyn Strategy, needed: bool) -> Option<Tracker> {
    let fixed = || Box::new(Fixed::new(Limits::default())) as Box<dyn States>;
    let states = strategy.states().or_else(|| needed.then(fixed));
    states.map(Tracker::new)
}

impl Session<'_> {
    /// The next event on the way to changed code; `None`: the strategy decides.
    pub(super) fn toward_changed(&mut self) -> Option<Decision> {
        let toward = self.toward.as_mut()?;
        let map = self.map.as_ref().and_then(Tracker::map)?;
        let wanted = toward.next(
            map,
            self.interner.get(self.page.activity),
            self.page.events.len(),
            &mut self.rng,
        )?;
        let at = map
            .sighting
            .events
            .iter()
            .position(|event| *event == wanted)?;
        let Some(event) = self.page.events.get(at) else {
            return Some(Decision::System(SystemEvent::Relaunch));
        };
        // What is led uses the page as it is.
        let event = self
            .whole
            .events
            .iter()
            .position(|whole| whole.key == event.key)?;
        Some(Decision::Perform { event, input: None })
    }

    /// Enters the page that is shown now, with what led to it.
    pub(super) fn arrive(&mut self) {
        if let Some(map) = &mut self.map {
            map.arrive(&self.page, &self.interner);
        }
        if let Some(group) = &mut self.exchange {
            group.arrived(&self.page, &self.interner);
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
        if let Some(group) = &mut self.exchange {
            group.walked(&self.page, event, (ended, led), &self.interner);
        }
    }
}
