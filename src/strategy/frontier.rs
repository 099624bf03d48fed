//! `frontier`: goes by the shortest observed way to the event with the best information gain over distance, and performs it.
//!
//! After the agents Frontier and Go-Explore of Fastbot3's published code (2026), which no paper describes; the archive is
//! that of Ecoffet et al., "First return, then explore" (Nature 2021). Nothing is learned but counts: the counterpart to
//! strategies with learned values. `docs/strategies/frontier.md` lists the deviations.

use super::definition::{self, Context, Definition};
use super::{Decision, Strategy, StrategyError, View, explain, random};
use crate::graph::fixed::{Fixed, Limits};
use crate::graph::ways::Reach;
use crate::graph::{EventId, Map, StateGraph, StateId, States};
use crate::gui::{EventKind, Page, SystemEvent};
use crate::outcome::explanation::{Explanation, Why};
use crate::util::seed::Rng;
use rand::RngExt as _;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// Moves looked at in one search for a way, at most.
const LOOKED_AT: usize = 512;
/// Events weighed in one search, at most.
const WEIGHED: usize = 4096;
/// The distance from which on the archive prefers a state no more.
const FAR: u32 = 32;

/// What it goes to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Select {
    /// The event with the best information gain over distance.
    #[default]
    Frontier,
    /// A state drawn from the archive of all states, to explore from there (Go-Explore).
    Archive,
}

/// The settings of `frontier`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", default)]
pub struct Settings {
    /// What it goes to: an event, or a state of Go-Explore's archive.
    pub select: Select,
    /// What one step of the way takes from the logarithm of an event's score (`frontier`).
    #[schemars(range(min = 0.0, max = 10.0))]
    pub decay: f64,
    /// The weight of an event's kind in the gain of one that was never performed (`frontier`): 4 times this for a click,
    /// twice for a long click, scroll or swipe, once for others.
    #[schemars(range(min = 0.0, max = 10.0))]
    pub kind_weight: f64,
    /// Steps behind a state of the archive (`archive`).
    #[schemars(range(min = 1, max = 1000))]
    pub explore: u32,
    /// The share of these that are drawn from all events; the others are the least performed ones (`archive`).
    #[schemars(range(min = 0.0, max = 1.0))]
    pub random_rate: f64,
    /// The share of events that are system events the app listens for.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub system_rate: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            select: Select::Frontier,
            decay: 0.6,
            kind_weight: 0.25,
            explore: 10,
            random_rate: 0.15,
            system_rate: 0.05,
        }
    }
}

impl Definition for Settings {
    const NAME: &'static str = "frontier";
    const SUMMARY: &'static str = "To the nearest untried events by the shortest observed ways (Fastbot3's Frontier, Go-Explore).";
}

impl definition::Settings for Settings {
    fn make(&self, _: &Context<'_>) -> Result<Box<dyn Strategy>, StrategyError> {
        Ok(Box::new(Frontier::new(*self)))
    }
}

/// A part of a way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Leg {
    /// The app is started again; its data stays.
    Restart,
    /// This event in this state.
    Event(StateId, EventId),
}

/// What is counted of a state.
#[derive(Clone, Debug, Default)]
struct Counts {
    /// Times it was shown.
    seen: u32,
    /// Times the archive chose it.
    chosen: u32,
    /// How often each event was performed in it, in the order of [`StateGraph::events`].
    tried: Vec<u32>,
}

/// The strategy.
#[derive(Debug)]
pub struct Frontier {
    settings: Settings,
    states: Vec<Counts>,
    /// By merged event: its kind's priority.
    priority: Vec<u8>,
    /// The rest of the way, its aim last.
    plan: VecDeque<Leg>,
    /// Why it goes there.
    aim: Why,
    explanation: Option<Explanation>,
    /// Steps left behind a state of the archive.
    exploring: u32,
    /// The searches from the page, and from where starts lead.
    reach: [Reach; 2],
}

impl Frontier {
    /// With these settings.
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            states: Vec::new(),
            priority: Vec::new(),
            plan: VecDeque::new(),
            aim: Why::Untried,
            explanation: None,
            exploring: 0,
            reach: Default::default(),
        }
    }

    /// Counts the page and its events.
    fn see(&mut self, page: &Page, map: Map<'_>) {
        let (state, events) = (map.sighting.state, &map.sighting.events);
        self.counts(map.graph, state).seen += 1;
        for (event, id) in page.events.iter().zip(events) {
            if self.priority.len() <= id.index() {
                self.priority.resize(id.index() + 1, 1);
            }
            self.priority[id.index()] = match event.kind {
                EventKind::Click => 4,
                EventKind::LongClick | EventKind::Scroll { .. } | EventKind::Swipe { .. } => 2,
                _ => 1,
            };
        }
    }

    fn counts(&mut self, graph: &StateGraph, state: StateId) -> &mut Counts {
        if self.states.len() <= state.index() {
            self.states.resize_with(state.index() + 1, Counts::default);
        }
        let counts = &mut self.states[state.index()];
        counts.tried.resize(graph.events(state).len(), 0);
        counts
    }

    /// One more attempt at an event.
    fn tries(&mut self, graph: &StateGraph, (state, event): (StateId, EventId)) {
        let place = graph.events(state).iter().position(|known| *known == event);
        let counts = self.counts(graph, state);
        if let Some(tried) = place.and_then(|at| counts.tried.get_mut(at)) {
            *tried = tried.saturating_add(1);
        }
    }

    /// How often an event was performed in a state: its own attempts, or those of all, scripts and other members of a
    /// portfolio included, if these are more.
    fn tried(&self, graph: &StateGraph, state: StateId, (at, event): (usize, EventId)) -> u32 {
        let counts = self.states.get(state.index());
        let own = counts.and_then(|counts| counts.tried.get(at)).copied();
        own.unwrap_or(0).max(graph.tried(state, event))
    }

    /// What performing an event tells that was performed so often in its state.
    fn gain(&self, event: EventId, tried: u32) -> f64 {
        if tried > 0 {
            return 1.0 / (1.0 + f64::from(tried));
        }
        let priority = self.priority.get(event.index()).copied().unwrap_or(1);
        self.settings.kind_weight.mul_add(f64::from(priority), 1.0)
    }

    /// Searches from the page, and from where starts of the app lead.
    fn search(&mut self, map: Map<'_>) {
        let [near, started] = &mut self.reach;
        let starts = map.graph.starts().iter().map(|(state, _)| *state);
        map.graph.reach([map.sighting.state], LOOKED_AT, near);
        map.graph.reach(starts, LOOKED_AT, started);
    }

    /// The way to this state by the search of this number.
    fn way(&self, by: usize, to: StateId) -> VecDeque<Leg> {
        let restart = (by == 1).then_some(Leg::Restart);
        let way = self.reach[by].way(to).unwrap_or_default();
        let events = way
            .into_iter()
            .map(|(state, event)| Leg::Event(state, event));
        restart.into_iter().chain(events).collect()
    }

    /// Plans the way to the event of the best score; equals are drawn.
    fn plan_frontier(&mut self, map: Map<'_>, rng: &mut Rng) {
        self.search(map);
        let most = self.settings.kind_weight.mul_add(4.0, 1.0);
        let (mut best, mut equals) = (0.0, 0_u32);
        let mut aim = None;
        for (by, reach) in self.reach.iter().enumerate() {
            let mut weighed = 0;
            // A start is a step of the way.
            for (state, distance) in reach.states() {
                let distance = distance + u32::from(by == 1);
                let discount = (-self.settings.decay * f64::from(distance)).exp();
                if most * discount < best || weighed > WEIGHED {
                    break;
                }
                for (at, event) in map.graph.events(state).iter().enumerate() {
                    weighed += 1;
                    let tried = self.tried(map.graph, state, (at, *event));
                    let score = self.gain(*event, tried) * discount;
                    if score > best {
                        (best, equals) = (score, 0);
                    }
                    if score >= best && score > 0.0 {
                        equals += 1;
                        if rng.random_range(0..equals) == 0 {
                            aim = Some((by, state, *event, tried));
                        }
                    }
                }
            }
        }
        if let Some((by, state, event, tried)) = aim {
            self.aim = match tried {
                0 => Why::Untried,
                _ => Why::Rare,
            };
            self.plan = self.way(by, state);
            self.plan.push_back(Leg::Event(state, event));
        }
    }

    /// Draws a state of the archive, and plans the way there.
    fn plan_archive(&mut self, map: Map<'_>, rng: &mut Rng) {
        self.search(map);
        let mut all = Vec::new();
        let mut sum = 0.0;
        for (by, start) in [(0, 0), (1, 1)] {
            for (state, distance) in self.reach[by].states() {
                let distance: u32 = distance + start;
                // It is in the archive once, by the nearer way; a start is a step of it.
                let other = self.reach[1 - by].distance(state);
                if other.is_some_and(|other| other + 1 - start < distance + start) {
                    continue;
                }
                let known = self.states.get(state.index());
                let (seen, chosen) = known.map_or((0, 0), |s| (s.seen, s.chosen));
                let share = |count: u32| 1.0 / (1.0 + f64::from(count));
                let far = 0.1_f64.mul_add(f64::from(distance.min(FAR)), 1.0);
                sum += (share(seen) + share(chosen)) * far;
                all.push((sum, by, state));
            }
        }
        let drawn = rng.random::<f64>() * sum;
        let at = all.partition_point(|(sum, ..)| *sum <= drawn);
        if let Some(&(_, by, state)) = all.get(at) {
            self.counts(map.graph, state).chosen += 1;
            self.aim = Why::Archive;
            self.plan = self.way(by, state);
            self.exploring = self.settings.explore;
        }
    }

    /// The least performed event of the page, or any.
    fn explore(&self, page: &Page, map: Map<'_>, rng: &mut Rng) -> (usize, Why) {
        let all = page.events.len();
        if rng.random_bool(self.settings.random_rate.clamp(0.0, 1.0)) {
            return (rng.random_range(0..all), Why::Explore);
        }
        let state = map.sighting.state;
        let known = map.graph.events(state);
        let tried = |event: &usize| {
            let id = map.sighting.events[*event];
            let place = known.iter().position(|known| *known == id);
            place.map_or(u32::MAX, |at| self.tried(map.graph, state, (at, id)))
        };
        let least = (0..all).map(|event| tried(&event)).min();
        let equals: Vec<usize> = (0..all)
            .filter(|event| Some(tried(event)) == least)
            .collect();
        (equals[rng.random_range(0..equals.len())], Why::Rare)
    }

    /// The next leg of the way as a decision; `None`: the way has come to its end, or led elsewhere.
    fn follow(&mut self, page: &Page, map: Map<'_>) -> Option<Decision> {
        match *self.plan.front()? {
            Leg::Restart => {
                self.plan.pop_front();
                Some(Decision::System(SystemEvent::Relaunch))
            }
            Leg::Event(state, event) => {
                let mut events = map.sighting.events.iter();
                let here = state == map.sighting.state;
                let at = events.position(|known| *known == event).filter(|_| here);
                let Some(at) = at else {
                    self.lost(map.graph);
                    return None;
                };
                self.plan.pop_front();
                self.tries(map.graph, (state, event));
                // Behind the page's events is the start of the app, if the states of a portfolio have it.
                Some(match at < page.events.len() {
                    true => Decision::Perform {
                        event: at,
                        input: None,
                    },
                    false => Decision::System(SystemEvent::Relaunch),
                })
            }
        }
    }

    fn choose(&mut self, view: &View<'_>, map: Map<'_>, rng: &mut Rng) -> (Decision, Why) {
        self.see(view.page, map);
        if let Some(event) = random::system_event(view, self.settings.system_rate, rng) {
            self.leave();
            return (event, Why::System);
        }
        if view.page.events.is_empty() {
            self.leave();
            return (Decision::Restart, Why::Blank);
        }
        if let Some(decision) = self.follow(view.page, map) {
            return (decision, self.aim);
        }
        if self.exploring == 0 {
            match self.settings.select {
                Select::Frontier => self.plan_frontier(map, rng),
                Select::Archive => self.plan_archive(map, rng),
            }
            if let Some(decision) = self.follow(view.page, map) {
                return (decision, self.aim);
            }
        }
        self.exploring = self.exploring.saturating_sub(1);
        let (event, why) = self.explore(view.page, map, rng);
        self.tries(map.graph, (map.sighting.state, map.sighting.events[event]));
        (Decision::Perform { event, input: None }, why)
    }

    /// The way leads elsewhere. Its aim counts as tried: what cannot be reached must not stay the aim.
    fn lost(&mut self, graph: &StateGraph) {
        if let Some(&Leg::Event(state, event)) = self.plan.back() {
            self.tries(graph, (state, event));
        }
        self.leave();
    }

    /// Leaves the rest of the way, and what was to be explored behind it.
    fn leave(&mut self) {
        if !self.plan.is_empty() {
            self.plan.clear();
            self.exploring = 0;
        }
    }
}

impl Strategy for Frontier {
    fn states(&self) -> Option<Box<dyn States>> {
        Some(Box::new(Fixed::new(Limits::without_restart())))
    }

    fn decide(&mut self, view: &View<'_>, rng: &mut Rng) -> Result<Decision, StrategyError> {
        let map = view.map.ok_or(StrategyError::NoGraph)?;
        let (decision, why) = self.choose(view, map, rng);
        let mut explanation = explain::plain(view, &decision, why);
        let further = u32::try_from(self.plan.len()).ok();
        explanation.further = further.filter(|events| *events > 0);
        self.explanation = Some(explanation);
        Ok(decision)
    }

    fn explanation(&mut self) -> Option<Explanation> {
        self.explanation.take()
    }

    fn interrupted(&mut self, _: &View<'_>, _: &mut Rng) -> Result<(), StrategyError> {
        self.leave();
        Ok(())
    }
}

#[cfg(test)]
mod tests;
