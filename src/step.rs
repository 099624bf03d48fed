//! One step of a session as strategies, rewards and oracles see it: the view, the decision, the result.

use crate::device::Caps;
use crate::graph::Map;
use crate::gui::{EventIx, Page, SystemEvent};
use crate::outcome::run_event::{Input, RawInput, SaveId};
use crate::util::intern::Interner;

/// What a strategy sees before it decides.
#[derive(Clone, Copy)]
pub struct View<'a> {
    /// The current page; its events are the possible actions.
    pub page: &'a Page,
    /// System events the app listens to now.
    pub system: &'a [SystemEvent],
    /// Starts of the app's activities by addresses that the manifest declares for web pages.
    pub links: &'a [SystemEvent],
    /// Number of the event about to be performed, from 1.
    pub number: u64,
    /// The texts of the page's symbols.
    pub interner: &'a Interner,
    /// What the device can do.
    pub caps: Caps,
    /// The state graph with the page in it, where the last step led to; `None`: the strategy names no
    /// [`States`](crate::graph::States).
    pub map: Option<Map<'a>>,
}

/// The decision of a strategy.
#[derive(Clone, PartialEq, Debug)]
pub enum Decision {
    /// An event of the page. Without input the text generator and the point chooser decide.
    Perform {
        /// Index in the page's events.
        event: EventIx,
        /// Text or point.
        input: Option<Input>,
    },
    /// Raw input (Monkey).
    Raw(RawInput),
    /// A system event.
    System(SystemEvent),
    /// An action that names no widget (ARES, FATE): scored, not performed.
    Invalid,
    /// The app is restarted with its data cleared.
    Restart,
    /// The state that is shown now is saved under this name; then the strategy is asked again. Only for a strategy that
    /// [saves](crate::strategy::Strategy::saves).
    Save(SaveId),
    /// The saved state of this name is restored; then the strategy is asked again. If that does not succeed, the page is
    /// another one.
    Restore(SaveId),
    /// Nothing more to do.
    Stop,
}

/// One step as strategies, rewards and oracles see it.
#[derive(Clone, Copy)]
pub struct Step<'a> {
    /// Number of the event, from 1; 0 for a launch.
    pub number: u64,
    /// Page before.
    pub before: &'a Page,
    /// What was done; `None` for a launch.
    pub decision: Option<&'a Decision>,
    /// The result.
    pub after: &'a crate::device::Observation,
    /// Page after (the empty page when the process is dead).
    pub page: &'a Page,
    /// Activities resumed for the first time in this session.
    pub new_activities: usize,
    /// Page structures seen for the first time in this session (0 or 1).
    pub new_pages: usize,
    /// Findings observed for the first time in this session, the environment's left out.
    pub new_findings: usize,
    /// Findings observed again that were observed before in this session, the environment's left out.
    pub known_findings: usize,
    /// Probes in changed methods that were hit for the first time in this session; 0 without an earlier build.
    pub new_changed: usize,
    /// The texts of the pages' symbols.
    pub interner: &'a Interner,
}

impl<'a> Step<'a> {
    /// A launch that shows this page and nothing new; `before`: the page before.
    pub const fn to(
        before: &'a Page,
        after: &'a crate::device::Observation,
        page: &'a Page,
        interner: &'a Interner,
    ) -> Self {
        Self {
            number: 0,
            before,
            decision: None,
            after,
            page,
            new_activities: 0,
            new_pages: 0,
            new_findings: 0,
            known_findings: 0,
            new_changed: 0,
            interner,
        }
    }
}
