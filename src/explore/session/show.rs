//! Shows the page, and the event that comes next, to those who watch.

use super::Session;
use crate::explore::describe;
use crate::explore::lower::Lowered;
use crate::explore::shown::{Coming, Shown};
use crate::gui::Page;
use crate::outcome::RunEvent;
use crate::outcome::run_event::{Did, LedBy};
use std::time::{Duration, Instant};

/// How often at most the page is shown while the strategy is in control: a picture takes time.
const EVERY: Duration = Duration::from_millis(500);

impl Session<'_> {
    /// Shows what is about to be performed on this page, if anyone watches and it is time.
    pub(super) fn announce(&mut self, page: &Page, next: &Lowered, led: Option<&LedBy>) {
        let watched = self.hand.as_ref().is_some_and(|hand| hand.is_watched());
        if !watched || self.shown.is_some_and(|(at, _)| at.elapsed() < EVERY) {
            return;
        }
        let (Lowered::Perform(_, did) | Lowered::Relaunch(did) | Lowered::Nothing(did)) = next;
        let event = match did {
            Did::Event { ix, .. } => page.events.get(*ix as usize),
            _ => None,
        };
        let define =
            |event| RunEvent::define(event, describe::identity(page, event, &self.interner));
        self.show(Some(Coming {
            event: event.map(define),
            did: did.clone(),
            led: led.cloned(),
        }));
    }

    /// Shows the page now.
    pub(super) fn show(&mut self, coming: Option<Coming>) {
        let Some(hand) = &self.hand else { return };
        // A picture is a help to those who watch; its failure changes nothing.
        let picture = self.device.caps().screenshots
            && self.device.screenshot(hand.picture()).unwrap_or(false);
        self.recorder.shown(Shown {
            page: &self.whole,
            interner: &self.interner,
            coming,
            picture,
        });
        self.shown = Some((Instant::now(), self.whole.exact));
    }
}
