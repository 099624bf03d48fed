//! What people have to do with a session: its questions, and what is kept of what they did.

use super::Run;
use crate::explore::Asking;
use crate::run::demonstration::Keeper;
use crate::run::plan;
use crate::run::prepare::Ready;

impl Run<'_> {
    /// Where the session asks its questions, if any place takes answers.
    pub(super) fn asking(&self, session: &str) -> Option<Asking> {
        let asks = Some(self.observer.asks()).filter(|asks| !asks.is_empty())?;
        let until = self.pot.as_ref().map(|pot| pot.until());
        Some(Asking::new(session.to_owned(), asks, self.stop.clone()).until(until))
    }

    /// What keeps demonstrations of the session while it goes on.
    pub(super) fn keeper(&self, planned: &plan::Session, ready: &Ready) -> Keeper {
        Keeper::new(self.folder.clone(), &planned.name, ready.resources())
    }
}
