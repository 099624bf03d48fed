//! What goes before the strategy: scripts for certain screens, and parts of the app that are left alone.
//!
//! Strategies see pages without the events that the suite blocks, and are not asked while a script runs or a
//! blocked activity is left; such steps count as events, are judged by the oracles, and teach the strategy
//! nothing.

mod fence;
mod script;

use self::fence::Fence;
use self::script::Scripts;
use super::asks::Asking;
use super::lower::Lowered;
use crate::config;
use crate::gui::{EventKind, Page, SystemEvent, XPathError};
use crate::outcome::run_event::{LedBy, Reset, RunEvent};
use crate::step::Decision;
use crate::trace::Trace;
use crate::util::intern::Interner;
use crate::util::seed::Rng;
use std::sync::Arc;
use std::time::Duration;

/// Back keys in a row before the app is started anew to leave a blocked activity.
const BACKS: u32 = 2;
/// Such starts in a row before the session gives up.
const STARTS: u32 = 3;

/// The suite's scripts and blocked parts for one app, and how far a session is with them.
#[derive(Clone, Debug, Default)]
pub struct Guide {
    fence: Fence,
    scripts: Scripts,
    backs: u32,
    starts: u32,
}

/// Why a guide cannot be made.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum GuideError {
    /// An XPath cannot be read.
    #[error("the XPath {text:?} cannot be read: {why}")]
    Path {
        /// The path.
        text: String,
        /// Why.
        why: XPathError,
    },
    /// A step cannot be read.
    #[error("step {number} of the script `{script}`: {why}")]
    Step {
        /// The script.
        script: String,
        /// Its number, from 1.
        number: usize,
        /// Why.
        why: String,
    },
}

/// Whose turn it is.
#[derive(Clone, PartialEq, Debug)]
pub enum Turn {
    /// The strategy's.
    Free,
    /// This is done first.
    Led(Decision, LedBy),
    /// A blocked activity cannot be left.
    Stuck,
}

impl Guide {
    /// For an app of the suite, with the texts that steps name by key only.
    ///
    /// # Errors
    /// An XPath or a step that cannot be read; a suite that was loaded has none.
    pub fn new(app: &config::App, texts: &[(String, String)]) -> Result<Self, GuideError> {
        Ok(Self {
            fence: Fence::new(&app.block, &app.allow)?,
            scripts: Scripts::new(&app.scripts, texts)?,
            ..Self::default()
        })
    }

    /// With scripts that ask their questions; without this, such a script does not run.
    #[must_use]
    pub fn asking(mut self, asking: Option<Asking>) -> Self {
        if let Some(asking) = asking {
            self.scripts.ask_with(asking);
        }
        self
    }

    /// The scripts whose answers a trace types, with their questions.
    pub fn asked_by(&self, trace: &Trace) -> impl Iterator<Item = (String, String)> {
        let keys = trace.secrets().into_iter();
        keys.filter_map(|key| Some((key.to_owned(), self.scripts.question(key)?.to_owned())))
    }

    /// Would a script that asks begin on this page, if its probability lets it?
    pub fn may_ask(&self, page: &Page, interner: &Interner) -> bool {
        self.scripts.may_ask(page, interner)
    }

    /// How long the session has waited for answers since this was last called.
    pub fn take_waited(&mut self) -> Duration {
        self.scripts.take_waited()
    }

    /// The scripts' names, for the first line of a journal.
    pub fn scripts(&self) -> Vec<String> {
        self.scripts.names()
    }

    /// Is nothing to be done with this activity?
    pub fn blocks(&self, activity: &str) -> bool {
        self.fence.blocks(activity)
    }

    /// Whose turn is it on this page, before event `number`? Gives a line for the journal where a script
    /// begins or is lost.
    pub fn turn(
        &mut self,
        page: &Page,
        number: u64,
        interner: &Interner,
        rng: &mut Rng,
    ) -> (Turn, Vec<RunEvent>) {
        let mut lines = Vec::new();
        let next = self.scripts.next(page, number, interner, rng, &mut lines);
        if let Some((decision, name)) = next {
            return (Turn::Led(decision, LedBy::Script(name)), lines);
        }
        (self.leave(page, interner), lines)
    }

    fn leave(&mut self, page: &Page, interner: &Interner) -> Turn {
        if !self.fence.blocks(interner.get(page.activity)) {
            (self.backs, self.starts) = (0, 0);
            return Turn::Free;
        }
        let back = page.events.iter().position(|e| e.kind == EventKind::Back);
        let decision = match back {
            Some(event) if self.backs < BACKS => {
                self.backs += 1;
                Decision::Perform { event, input: None }
            }
            _ if self.starts < STARTS => {
                self.starts += 1;
                self.backs = 0;
                Decision::System(SystemEvent::Relaunch)
            }
            _ => return Turn::Stuck,
        };
        Turn::Led(decision, LedBy::Block)
    }

    /// The app was started anew: a script that ran is over.
    pub fn launched(&mut self, how: Reset) {
        self.scripts.launched(how);
    }

    /// Does it block anything on pages?
    pub fn has_fence(&self) -> bool {
        !self.fence.is_open()
    }

    /// The page without the events that are blocked; the same page where none is.
    pub fn open(&mut self, page: &Arc<Page>, interner: &Interner) -> Arc<Page> {
        self.fence.open(page, interner)
    }

    /// Would this input, on the page last opened, touch what is blocked?
    pub fn stops(&self, lowered: &Lowered) -> bool {
        self.fence.stops(lowered)
    }
}
