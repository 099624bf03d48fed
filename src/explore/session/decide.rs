//! Whether the session goes on, and who decides the next event: the strategy, unless a script, a fence or a fault does.

use super::{Session, Stop};
use crate::explore::lower::{Lowered, lower};
use crate::explore::settings::SessionError;
use crate::explore::text::kept;
use crate::graph::Tracker;
use crate::gui::Page;
use crate::outcome::run_event::{Did, EndReason, Input};
use crate::step::{Decision, View};

/// Draws of a decision or of its free parts before one that touches what is blocked counts as none.
const DRAWS: u32 = 16;

impl Session<'_> {
    /// Why the session is to end now, if it is.
    pub(super) fn over(&mut self, stop: &Stop) -> Option<EndReason> {
        if stop.requested() {
            return Some(EndReason::Interrupted);
        }
        if self.retries.are_used_up() {
            return Some(EndReason::DeviceLost);
        }
        self.spent()
    }

    /// Tells the strategy, once, that the next events are not its own. Its last event ends at the page that is shown
    /// now; without this, it would take the page behind the others' events for what its event led to.
    pub(super) fn interrupt(&mut self) -> Result<(), SessionError> {
        if std::mem::replace(&mut self.interrupted, true) {
            return Ok(());
        }
        let view = View {
            page: &self.page,
            system: self.system.all(),
            links: self.system.links(),
            number: self.seen.counts.events + 1,
            interner: &self.interner,
            caps: self.device.caps(),
            map: self.map.as_ref().and_then(Tracker::map),
        };
        Ok(self.strategy.interrupted(&view, &mut self.rng)?)
    }

    /// The strategy's decision; one that would touch what is blocked is drawn again.
    pub(super) fn decide(&mut self) -> Result<Decision, SessionError> {
        self.interrupted = false;
        for _ in 0..DRAWS {
            let view = View {
                page: &self.page,
                system: self.system.all(),
                links: self.system.links(),
                number: self.seen.counts.events + 1,
                interner: &self.interner,
                caps: self.device.caps(),
                map: self.map.as_ref().and_then(Tracker::map),
            };
            let decision = self.strategy.decide(&view, &mut self.rng)?;
            let raw = matches!(decision, Decision::Raw(_));
            if !(raw && self.guide.has_fence()) {
                return Ok(decision);
            }
            let page = self.page.clone();
            let lowered = self.lower(&decision, &page);
            if !self.guide.stops(&lowered) {
                return Ok(decision);
            }
        }
        Ok(Decision::Invalid)
    }

    pub(super) fn lower(&mut self, decision: &Decision, page: &Page) -> Lowered {
        let texts = &self.settings.texts;
        lower(decision, page, texts, &self.interner, &mut self.rng)
    }

    /// The strategy's decision as an action. A point that is drawn here is drawn again where it would touch
    /// what is blocked.
    pub(super) fn lower_own(&mut self, decision: &Decision, page: &Page) -> Lowered {
        for _ in 0..DRAWS {
            let lowered = self.lower(decision, page);
            if !self.guide.stops(&lowered) {
                return lowered;
            }
        }
        Lowered::Nothing(Did::Invalid)
    }
}

/// What a field keeps of a secret that is about to be typed into it.
pub(super) fn kept_secret(page: &Page, did: &Did) -> Option<String> {
    let Did::Event {
        ix,
        input: Some(Input::Secret { s, .. }),
        ..
    } = did
    else {
        return None;
    };
    let widget = page.events.get(*ix as usize)?.widget?;
    Some(kept(s, page.widgets.get(widget as usize)?))
}
