//! A person pauses the session, acts on its page, and lets it go on.

use super::{Session, SessionError, Stop};
use crate::device::Reset;
use crate::explore::hand::{Act, Hand, Next, Refused};
use crate::gui::ExactId;
use crate::outcome::run_event::{EndReason, Input, LedBy};
use crate::step::Decision;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Longest wait for a person before the session looks whether it is to end.
const TICK: Duration = Duration::from_millis(100);

impl<'a> Session<'a> {
    /// The session under this control.
    #[must_use]
    pub fn with_hand(mut self, hand: Option<Arc<Hand>>) -> Self {
        self.hand = hand;
        self
    }

    /// Performs what a person does, for as long as the session is paused. The session's clock stands still meanwhile, so
    /// that no time budget is used; a time that sessions share goes on, and ends the pause. `Some`: the session is to end.
    pub(super) fn hold(&mut self, stop: &Stop) -> Result<Option<EndReason>, SessionError> {
        let Some(hand) = self.hand.clone().filter(|hand| hand.holds()) else {
            return Ok(None);
        };
        // The strategy has one event first.
        if self.once == Some(self.seen.counts.events) {
            return Ok(None);
        }
        self.once = None;
        let since = Instant::now();
        self.held = Some(since);
        let end = self.held(&hand, stop);
        self.held = None;
        self.started += since.elapsed();
        end
    }

    fn held(&mut self, hand: &Hand, stop: &Stop) -> Result<Option<EndReason>, SessionError> {
        // Who sees that a person is in control sees the page, too.
        self.recorder.progress(&self.seen.counts);
        self.show(None);
        if !hand.take() {
            return Ok(None);
        }
        loop {
            let end = match hand.next(TICK) {
                Next::Resume { once } => {
                    self.once = once.then_some(self.seen.counts.events);
                    return Ok(None);
                }
                Next::Act(act, seen) => {
                    let done = self.act(&act, seen, stop)?;
                    self.show(None);
                    hand.answer(done.map(|_| ()));
                    done.ok().flatten()
                }
                Next::Wait => None,
            };
            if let Some(end) = end.or_else(|| self.over(stop)) {
                return Ok(Some(end));
            }
        }
    }

    /// Time since the session's start, without the pauses.
    pub(super) fn elapsed(&self) -> Duration {
        let now = self.held.unwrap_or_else(Instant::now);
        now.saturating_duration_since(self.started)
    }

    /// Performs a person's event, on the page as it is: what the suite blocks is open to a person. `Some`: the session
    /// cannot go on.
    fn act(
        &mut self,
        act: &Act,
        seen: ExactId,
        stop: &Stop,
    ) -> Result<Result<Option<EndReason>, Refused>, SessionError> {
        if seen != self.whole.exact {
            return Ok(Err(Refused::Changed));
        }
        let mut decision = match act.decision(&self.whole) {
            Ok(decision) => decision,
            Err(refused) => return Ok(Err(refused)),
        };
        if let Decision::Perform { input, .. } = &mut decision {
            *input = input.take().map(|input| match input {
                Input::Text { s, enter } => self.settings.texts.typed(s, enter),
                other => other,
            });
        }
        self.arrive();
        self.interrupt()?;
        let mut end = None;
        if !self.step(&decision, Some(LedBy::Person))? && !self.retries.are_used_up() {
            end = self.launch(Reset::Relaunch, stop)?;
        }
        Ok(Ok(end))
    }
}
