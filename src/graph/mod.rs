//! The state graph: the states of an app, the events seen in each, how often each was performed, and where it led.
//!
//! Every strategy of a session reads this one graph, and so do the report and the search for short traces. What makes
//! pages one state, and events of several pages one event, is a part of its own: a [`States`]. The graph itself knows
//! numbers only. A [`Tracker`] keeps both up to date, page by page.
//!
//! One more step or page costs no more than the [`Bounds`] allow, however long the run is; queries take `&self`, and a
//! scratch of the caller's where they walk.

pub mod fastbot;
pub mod fixed;
pub mod generations;
mod marks;
pub mod pages;
pub mod states;
pub mod tracker;
pub mod tuned;
pub mod ways;

pub use pages::PageGraph;
pub use states::{Abstraction, Sighting, States};
pub use tracker::{Map, Tracker};

use marks::Marks;

/// A state: pages that the abstraction takes for the same.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct StateId(pub u32);

/// A merged event: events of one or several pages that the abstraction takes for the same.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct EventId(pub u32);

impl StateId {
    /// The state with this index. (Four thousand million are more than any memory holds.)
    pub fn at(index: usize) -> Self {
        Self(u32::try_from(index).unwrap_or(u32::MAX))
    }

    /// Its index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl EventId {
    /// The event with this index.
    pub fn at(index: usize) -> Self {
        Self(u32::try_from(index).unwrap_or(u32::MAX))
    }

    /// Its index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Who chose a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum By {
    /// The session's strategy.
    Strategy,
    /// A script, a blocked part or a fault: it shows where an event leads, and counts as no choice.
    Others,
}

/// A step that was performed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Move {
    /// The state before.
    pub from: StateId,
    /// What was performed.
    pub event: EventId,
    /// The state after; `None`: out of the app, or to its end.
    pub to: Option<StateId>,
    /// Who chose it.
    pub by: By,
}

/// How much is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// Events kept of a state, and states kept that an event led to: the first ones, further ones are dropped.
    pub width: usize,
    /// Results kept of one event in one state, and of starts of the app: a further one replaces the rarest, of equally
    /// rare ones the oldest.
    pub results: usize,
}

impl Bounds {
    /// For graphs of a recording, which has an end.
    pub const NONE: Self = Self {
        width: usize::MAX,
        results: usize::MAX,
    };
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            width: 512,
            results: 16,
        }
    }
}

/// Where something led, and how often, in the order of first sight.
pub type Results = Vec<(StateId, u32)>;

/// An event performed in a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Out {
    /// The event.
    pub event: EventId,
    /// Where it led from this state.
    pub to: Results,
    /// How often it led out of the app, or to its end.
    pub ended: u32,
}

#[derive(Clone, Debug, Default)]
struct State {
    events: Vec<EventId>,
    outs: Vec<Out>,
}

#[derive(Clone, Debug, Default)]
struct Event {
    chosen: u32,
    performed: u32,
    /// Where the strategy's choices led, from whichever state.
    to: Vec<StateId>,
}

/// The graph of one app; dropped with it.
#[derive(Clone, Debug, Default)]
pub struct StateGraph {
    bounds: Bounds,
    states: Vec<State>,
    events: Vec<Event>,
    starts: Results,
    marks: Marks,
}

impl StateGraph {
    /// An empty graph.
    pub fn new(bounds: Bounds) -> Self {
        Self {
            bounds,
            ..Self::default()
        }
    }

    /// Adds the events of a page to its state.
    pub fn sighted(&mut self, sighting: &Sighting) {
        if let Some(last) = sighting.events.iter().max() {
            let known = self.events.len().max(last.index() + 1);
            self.events.resize_with(known, Event::default);
        }
        let at = self.state(sighting.state);
        let kept = &mut self.states[at].events;
        self.marks.clear();
        for known in kept.iter() {
            self.marks.mark(known.index());
        }
        for event in &sighting.events {
            if kept.len() >= self.bounds.width {
                break;
            }
            if self.marks.mark(event.index()) {
                kept.push(*event);
            }
        }
    }

    /// Notes that an event was performed.
    pub fn note(&mut self, step: Move) {
        let known = self.events.len().max(step.event.index() + 1);
        self.events.resize_with(known, Event::default);
        let event = &mut self.events[step.event.index()];
        event.performed = event.performed.saturating_add(1);
        if step.by == By::Strategy {
            event.chosen = event.chosen.saturating_add(1);
            if let Some(to) = step.to
                && event.to.len() < self.bounds.width
                && !event.to.contains(&to)
            {
                event.to.push(to);
            }
        }
        match step.to {
            Some(to) => self.see(step.from, step.event, to, 1),
            None => {
                if let Some(out) = self.out(step.from, step.event) {
                    out.ended = out.ended.saturating_add(1);
                }
            }
        }
    }

    /// Notes that an event led from a state to another so often, and counts it nowhere else.
    pub fn see(&mut self, from: StateId, event: EventId, to: StateId, times: u32) {
        self.state(to);
        let bounds = self.bounds;
        if let Some(out) = self.out(from, event) {
            bounds.add(&mut out.to, to, times);
        }
    }

    /// The results of an event in a state. `None`: the state has too many events.
    fn out(&mut self, from: StateId, event: EventId) -> Option<&mut Out> {
        let at = self.state(from);
        let outs = &mut self.states[at].outs;
        let known = outs.iter().position(|out| out.event == event);
        if known.is_none() && outs.len() < self.bounds.width {
            outs.push(Out {
                event,
                to: Results::new(),
                ended: 0,
            });
            return outs.last_mut();
        }
        outs.get_mut(known?)
    }

    /// Notes that a start of the app led to this state.
    pub fn started(&mut self, to: StateId) {
        self.state(to);
        self.bounds.add(&mut self.starts, to, 1);
    }

    /// The number of states, and of merged events.
    pub fn size(&self) -> (usize, usize) {
        (self.states.len(), self.events.len())
    }

    /// How often the strategy chose an event.
    pub fn count(&self, event: EventId) -> u32 {
        self.events.get(event.index()).map_or(0, |e| e.chosen)
    }

    /// How often an event was performed, whoever chose it.
    pub fn performed(&self, event: EventId) -> u32 {
        self.events.get(event.index()).map_or(0, |e| e.performed)
    }

    /// The events seen in a state.
    pub fn events(&self, state: StateId) -> &[EventId] {
        self.states.get(state.index()).map_or(&[], |s| &s.events)
    }

    /// The states that the strategy's choices of an event led to, from whichever state.
    pub fn leads(&self, event: EventId) -> &[StateId] {
        self.events.get(event.index()).map_or(&[], |e| &e.to)
    }

    /// What was performed in a state, and where it led.
    pub fn outs(&self, state: StateId) -> &[Out] {
        self.states.get(state.index()).map_or(&[], |s| &s.outs)
    }

    /// Where an event led from a state.
    pub fn results(&self, state: StateId, event: EventId) -> &[(StateId, u32)] {
        let mut outs = self.outs(state).iter();
        outs.find(|out| out.event == event)
            .map_or(&[], |out| &out.to)
    }

    /// How often an event was performed in a state, whoever chose it; no less than that.
    pub fn tried(&self, state: StateId, event: EventId) -> u32 {
        let mut outs = self.outs(state).iter();
        outs.find(|out| out.event == event).map_or(0, |out| {
            let results = out.to.iter().map(|(_, times)| *times);
            results.fold(out.ended, u32::saturating_add)
        })
    }

    /// Where starts of the app led.
    pub fn starts(&self) -> &[(StateId, u32)] {
        &self.starts
    }

    /// Every kept move: from, event, to, how often; by the state before.
    pub fn moves(&self) -> impl Iterator<Item = (StateId, EventId, StateId, u32)> {
        (0..).zip(&self.states).flat_map(|(from, state)| {
            state.outs.iter().flat_map(move |out| {
                let to = out.to.iter();
                to.map(move |&(to, times)| (StateId(from), out.event, to, times))
            })
        })
    }

    /// The index of a state, known from now on.
    fn state(&mut self, state: StateId) -> usize {
        let known = self.states.len().max(state.index() + 1);
        self.states.resize_with(known, State::default);
        state.index()
    }
}

impl Bounds {
    /// One more result, or one more of the same.
    fn add(self, results: &mut Results, to: StateId, times: u32) {
        if let Some((_, known)) = results.iter_mut().find(|(state, _)| *state == to) {
            *known = known.saturating_add(times);
            return;
        }
        if results.len() >= self.results {
            let rarest = (0..results.len()).min_by_key(|&at| results[at].1);
            if let Some(rarest) = rarest {
                results.remove(rarest);
            }
        }
        results.push((to, times));
    }
}

#[cfg(test)]
mod scene;
#[cfg(test)]
mod tests;
