//! What a state abstraction is.

use super::fastbot::{Fastbot, StaticTexts};
use super::fixed::{Fixed, Limits};
use super::tuned::Tuned;
use super::{EventId, Move, StateId};
use crate::gui::Page;
use crate::util::intern::Interner;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The state abstractions that a suite can name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Abstraction {
    /// DinoDroid's: pages of which most events are equal are one state.
    Fixed,
    /// Fastbot2's: pages of an activity with the same set of widgets are one state.
    Fastbot,
    /// Fastbot3's: the same, refined while the session runs where events are ambiguous.
    Tuned,
}

impl Abstraction {
    /// Such states. `limits`: for `fixed`, and whether a restart is an event; `texts`: for the others.
    pub fn make(self, limits: Limits, texts: StaticTexts) -> Box<dyn States> {
        match self {
            Self::Fixed => Box::new(Fixed::new(limits)),
            Self::Fastbot => Box::new(Fastbot::new(texts, limits.restart)),
            Self::Tuned => Box::new(Tuned::new(texts, limits.restart)),
        }
    }
}

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
    fn performed(&mut self, _step: Move, _first: bool, _new: bool) {}
}
