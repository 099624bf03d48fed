//! The way to changed code: which changed methods a session has reached, and which event
//! may lead to others: one never performed, on a page of an activity near them.
//!
//! The state graph of the session gives the ways, over moves seen so far. What an activity is worth are the changed
//! methods that it is the nearest activity of and that nothing has reached; those of an activity that its code starts
//! count half, and so on. An activity whose events brought nothing new of the changed code is worth less and less, so
//! that methods that no event reaches do not hold a session.

use crate::apk::Changed;
use crate::coverage::MethodProbes;
use crate::device::Observation;
use crate::graph::ways::Reach;
use crate::graph::{EventId, Map, StateGraph, StateId};
use crate::util::seed::Rng;
use rand::seq::IndexedRandom as _;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::sync::Arc;

/// Moves looked at in one search for ways.
const LOOKED_AT: usize = 4096;
/// The longest way followed, in events.
const LONGEST: u32 = 10;
/// Events of the strategy between two ways.
const FREE: u32 = 3;
/// Events without new changed code after which an activity is worth half.
const PATIENCE: f64 = 15.0;

/// The changed code of an app, and the probes in it.
#[derive(Clone, Debug)]
pub struct Target {
    /// What changed.
    pub changed: Arc<Changed>,
    /// Its probes.
    pub probes: Arc<MethodProbes>,
}

/// How far a session has come with an app's changed code.
#[derive(Debug)]
pub struct Toward {
    target: Target,
    /// Internal class names by the device's numbers.
    classes: FxHashMap<u32, String>,
    /// Changed methods reached, by index.
    reached: FxHashSet<usize>,
    /// Probes of changed methods that the last observation hit first.
    new: usize,
    /// By activity: its worth, by methods not reached.
    worth: FxHashMap<String, f64>,
    /// By activity: events of the strategy since something new of the changed code was reached from it.
    idle: FxHashMap<String, u32>,
    /// The activity of each state.
    places: FxHashMap<StateId, String>,
    /// The rest of the way being followed.
    way: Option<VecDeque<(StateId, EventId)>>,
    /// Events left to the strategy.
    free: u32,
    reach: Reach,
}

impl Toward {
    /// Nothing reached yet.
    pub fn new(target: Target) -> Self {
        let mut toward = Self {
            target,
            classes: FxHashMap::default(),
            reached: FxHashSet::default(),
            new: 0,
            worth: FxHashMap::default(),
            idle: FxHashMap::default(),
            places: FxHashMap::default(),
            way: None,
            free: FREE,
            reach: Reach::default(),
        };
        toward.value();
        toward
    }

    /// Probes of changed methods that the last observation hit for the first time.
    pub const fn new_probes(&self) -> usize {
        self.new
    }

    /// Takes in what an event or a start has run; `from`: the activity that the event was performed in.
    pub fn saw(&mut self, after: &Observation, from: &str) {
        for (ix, name, _) in &after.classes {
            self.classes.insert(*ix, name.clone());
        }
        let before = self.reached.len();
        self.new = 0;
        for (class, probe) in &after.probes {
            let class = self.classes.get(class);
            let method = class.and_then(|class| self.target.probes.method(class, *probe));
            if let Some(method) = method {
                self.new += 1;
                self.reached.insert(method);
            }
        }
        if self.reached.len() > before {
            self.value();
        }
        let idle = self.idle.entry(from.to_owned()).or_default();
        *idle = if self.new > 0 { 0 } else { *idle + 1 };
    }

    /// The next event on a way to changed code; `None`: the strategy decides. `activity`: that of the page; `open`: the
    /// events of the page, by the number of the first of the sighting that is none.
    pub fn next(
        &mut self,
        map: Map<'_>,
        activity: &str,
        open: usize,
        rng: &mut Rng,
    ) -> Option<EventId> {
        let here = map.sighting.state;
        if self.places.get(&here).is_none_or(|known| known != activity) {
            self.places.insert(here, activity.to_owned());
        }
        if self.free > 0 {
            self.free -= 1;
            return None;
        }
        if self.way.is_none() {
            self.way = self.find(map.graph, here);
        }
        let next = self.way.as_mut().and_then(VecDeque::pop_front);
        match next {
            Some((state, event)) if state == here => Some(event),
            // It led elsewhere this time, or there is no way.
            Some(_) => self.rest(),
            // Also where the last event of the way led to another page.
            None => {
                let arrived = self.way.is_some();
                self.rest::<()>();
                let events = &map.sighting.events[..open.min(map.sighting.events.len())];
                let untried: Vec<_> = untried(map.graph, events).collect();
                untried.choose(rng).copied().filter(|_| arrived)
            }
        }
    }

    /// Leaves the next events to the strategy.
    fn rest<T>(&mut self) -> Option<T> {
        self.way = None;
        self.free = FREE;
        None
    }

    /// The way to the place with untried events that is worth most for its distance, which may be this one.
    fn find(&mut self, graph: &StateGraph, here: StateId) -> Option<VecDeque<(StateId, EventId)>> {
        graph.reach([here], LOOKED_AT, &mut self.reach);
        let (mut best, mut most) = (None, 0.0);
        for (state, distance) in self.reach.states().filter(|(_, far)| *far <= LONGEST) {
            let activity = self.places.get(&state);
            let worth = activity.map_or(0.0, |activity| self.now(activity));
            let worth = worth / f64::from(1 + distance).sqrt();
            if worth > most && untried(graph, graph.events(state)).next().is_some() {
                (best, most) = (Some(state), worth);
            }
        }
        self.reach.way(best?).map(VecDeque::from)
    }

    /// What an activity is worth at this time.
    fn now(&self, activity: &str) -> f64 {
        let idle = self.idle.get(activity).copied().unwrap_or_default();
        let worth = self.worth.get(activity).copied().unwrap_or_default();
        worth * (-f64::from(idle) / PATIENCE).exp2()
    }

    /// Values the activities by what is not reached yet.
    fn value(&mut self) {
        self.worth.clear();
        let changed = &self.target.changed;
        let mut open: FxHashMap<&str, f64> = FxHashMap::default();
        let measured: FxHashSet<usize> = self.target.probes.methods().collect();
        for ix in measured.difference(&self.reached) {
            if let Some(activity) = &changed.methods[*ix].activity {
                *open.entry(activity).or_default() += 1.0;
            }
        }
        for start in changed.starts.keys() {
            let mut worth = 0.0;
            let mut share = 1.0;
            let mut known = FxHashSet::from_iter([start.as_str()]);
            let mut level = vec![start.as_str()];
            while !level.is_empty() {
                let mut next = Vec::new();
                for activity in level {
                    worth += share * open.get(activity).copied().unwrap_or_default();
                    let starts = changed.starts.get(activity).into_iter().flatten();
                    next.extend(starts.map(String::as_str).filter(|to| known.insert(to)));
                }
                share /= 2.0;
                level = next;
            }
            self.worth.insert(start.clone(), worth);
        }
    }
}

/// Those of these events that were never performed.
fn untried<'e>(
    graph: &'e StateGraph,
    events: &'e [EventId],
) -> impl Iterator<Item = EventId> + use<'e> {
    let never = |event: &EventId| graph.count(*event) == 0;
    events.iter().copied().filter(never)
}

#[cfg(test)]
#[path = "toward_tests.rs"]
mod tests;
