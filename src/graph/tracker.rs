//! Keeps a state graph up to date while a session goes on: each page once, each step when it is known where it led.

use super::{Bounds, By, Move, Sighting, StateGraph, States};
use crate::gui::Page;
use crate::util::intern::Interner;

/// The graph, and the page in it.
#[derive(Clone, Copy, Debug)]
pub struct Map<'a> {
    /// The graph.
    pub graph: &'a StateGraph,
    /// The page.
    pub sighting: &'a Sighting,
}

/// How a step ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ended {
    /// Who chose it.
    pub by: By,
    /// Is the next page a result of it? Not if the app's process ended by it.
    pub leads: bool,
    /// Was it rewarded?
    pub new: bool,
}

/// The graph of a session with its abstraction.
pub struct Tracker {
    states: Box<dyn States>,
    graph: StateGraph,
    here: Option<Sighting>,
    /// The last step, until the page behind it is seen.
    last: Option<(Move, Ended)>,
    started: bool,
}

impl Tracker {
    /// An empty graph of these states.
    pub fn new(states: Box<dyn States>) -> Self {
        Self {
            states,
            graph: StateGraph::new(Bounds::default()),
            here: None,
            last: None,
            started: false,
        }
    }

    /// The app was started: the next page is where that led.
    pub const fn started(&mut self) {
        self.started = true;
    }

    /// The event with this index in the last page's [`Sighting`] was performed; `None`: what was performed is no event
    /// of the graph.
    pub fn performed(&mut self, event: Option<usize>, ended: Ended) {
        self.last = self.here.as_ref().and_then(|here| {
            let step = Move {
                from: here.state,
                event: *here.events.get(event?)?,
                to: None,
                by: ended.by,
            };
            Some((step, ended))
        });
    }

    /// A page is shown. What the last step led to is in the graph from now on: an event that stays on its page is not
    /// one never performed.
    pub fn arrive(&mut self, page: &Page, interner: &Interner) {
        let sighting = self.states.observe(page, interner);
        self.graph.sighted(&sighting);
        if let Some((step, ended)) = self.last.take() {
            let to = ended.leads.then_some(sighting.state);
            let step = Move { to, ..step };
            if ended.by == By::Strategy {
                let first = self.graph.count(step.event) == 0;
                self.states.performed(step, first, ended.new);
            }
            self.graph.note(step);
        }
        if std::mem::take(&mut self.started) {
            self.graph.started(sighting.state);
        }
        self.here = Some(sighting);
    }

    /// A step of another session: from this page, by the event with this index in its [`Sighting`], to that page. The
    /// page that is shown stays what it is; it must arrive again, since its events may be others now.
    pub fn enter(
        &mut self,
        from: &Page,
        event: Option<usize>,
        (to, ended): (&Page, Ended),
        interner: &Interner,
    ) {
        let (last, started) = (self.last.take(), std::mem::take(&mut self.started));
        self.arrive(from, interner);
        self.performed(event, ended);
        self.arrive(to, interner);
        (self.last, self.started) = (last, started);
    }

    /// The graph and the last page; `None` before the first page.
    pub fn map(&self) -> Option<Map<'_>> {
        let sighting = self.here.as_ref()?;
        Some(Map {
            graph: &self.graph,
            sighting,
        })
    }
}
