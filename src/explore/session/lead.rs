//! Whose turn it is, and whether the session has used its budget.

use super::Session;
use crate::explore::Counts;
use crate::explore::guide::Turn;
use crate::explore::settings::SessionError;
use crate::outcome::run_event::EndReason;

impl Session<'_> {
    /// The turn on the page that is shown: of the corpus, of what the suite scripts or blocks, or of the strategy. A
    /// trace has recorded the steps of its scripts; what the suite blocks now it leaves alone, too.
    pub(super) fn turn(&mut self) -> Result<Turn, SessionError> {
        let counts = &self.seen.counts;
        let number = counts.events + 1;
        let blocked = self.guide.blocks(self.interner.get(self.whole.activity));
        let (mut turn, mut lines) = match blocked {
            true => (Turn::Free, Vec::new()),
            false => self.corpus.turn(
                (&self.page, &self.interner),
                (counts.events, self.seen.last_new),
                &mut self.rng,
            ),
        };
        if turn == Turn::Free {
            // A person may need the page for the answer.
            let is_shown = self.shown.is_some_and(|(_, page)| page == self.whole.exact);
            if !is_shown && self.hand.is_some() && self.guide.may_ask(&self.whole, &self.interner) {
                self.show(None);
            }
            let (others, more) =
                (self.guide).turn(&self.whole, number, &self.interner, &mut self.rng);
            // A person's time is none of the budget's.
            self.started += self.guide.take_waited();
            turn = others;
            lines.extend(more);
        }
        for line in &lines {
            self.recorder.event(line)?;
        }
        Ok(turn)
    }

    /// Why the session is to end. The budget limits exploration: the replay of the corpus ends by itself, and its events
    /// do not count.
    pub(super) fn spent(&mut self) -> Option<EndReason> {
        self.seen.counts.elapsed = self.elapsed();
        let replayed = self.corpus.replayed()?;
        let counts = Counts {
            events: self.seen.counts.events - replayed,
            ..self.seen.counts
        };
        let last_new = self.seen.last_new.saturating_sub(replayed);
        self.settings.budget.spent(&counts, last_new)
    }
}
