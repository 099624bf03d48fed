//! What a state abstraction is.

use super::{EventId, StateId};
use crate::gui::Page;
use crate::util::intern::Interner;

/// A page as an abstraction sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sighting {
    /// Its state.
    pub state: StateId,
    /// The merged event of each event of the page, in its order; where starting the app again is an event, it comes
    /// last.
    pub events: Vec<EventId>,
}

/// A state abstraction: which pages are one state, and which events are one event.
///
/// It numbers both from 0, in the order of first sight, and its cost for a page depends on the page alone, not on how
/// many it has seen.
pub trait States: Send {
    /// The page's state and its merged events; what is new gets the next number.
    fn observe(&mut self, page: &Page, interner: &Interner) -> Sighting;

    /// The strategy's choice was performed; `first`: for the first time; `new`: it was rewarded. The page that followed
    /// was observed before.
    fn performed(&mut self, _event: EventId, _first: bool, _new: bool) {}
}
