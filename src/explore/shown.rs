//! What a session shows those who watch it.

use crate::gui::Page;
use crate::outcome::RunEvent;
use crate::outcome::run_event::{Did, LedBy};
use crate::util::intern::Interner;

/// The event about to be performed.
#[derive(Clone, PartialEq, Debug)]
pub struct Coming {
    /// The `event` line that describes it, of an event of the page.
    pub event: Option<RunEvent>,
    /// What is done.
    pub did: Did,
    /// Who leads it; `None`: the strategy chose it.
    pub led: Option<LedBy>,
}

/// The page on the screen.
pub struct Shown<'a> {
    /// The page, with what the suite blocks.
    pub page: &'a Page,
    /// Its texts.
    pub interner: &'a Interner,
    /// `None` while a person is in control.
    pub coming: Option<Coming>,
    /// Is there a picture of it?
    pub picture: bool,
}
