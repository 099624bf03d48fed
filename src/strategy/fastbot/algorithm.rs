//! Section III of the paper, in this file from top to bottom: the page's hyper-events with their expectations, the
//! reward of the last one, the choice (`choice.rs`), and what is counted.

use super::Settings;
use super::choice::Choice;
use super::sarsa::{Parameters, Sarsa};
use super::stuck::{Stuck, Way};
use super::ways::Ways;
use crate::graph::fastbot::{StaticTexts, hyper_event};
use crate::graph::fixed::Limits;
use crate::graph::{EventId, Map, States};
use crate::gui::{EventIx, EventKind};
use crate::learn::event_model::EventModel;
use crate::outcome::explanation::{Explanation, Why};
use crate::strategy::{Decision, Step, Strategy, StrategyError, View, explain};
use crate::util::durable::{self, Lasting};
use crate::util::seed::Rng;
use rand::RngExt as _;
use rustc_hash::FxHashMap;
use std::io;
use std::path::PathBuf;

/// Events from one writing of the session's model to the next, at least: the default budget is 500. A larger model is
/// written after as many events as it has entries, so that an event costs one entry, however large the model is.
const WRITE_EVERY: usize = 100;
/// Where no activity of the app is shown.
const OUTSIDE: &str = "";

/// A hyper-event of the page.
#[derive(Debug)]
pub(super) struct Action {
    pub id: EventId,
    /// Its key in models.
    pub key: u64,
    pub kind: EventKind,
    /// The page's events that it stands for.
    pub events: Vec<EventIx>,
    /// Is it in the model?
    pub known: bool,
    /// N(e): how often it was chosen in this session.
    pub count: u32,
    /// E(e).
    pub expectation: f64,
    /// The same, with what is behind activities that the session was at ([`Ways`]); divided by how often the event was
    /// chosen.
    pub prospect: f64,
}

/// The last event, until it is known where it led.
#[derive(Debug)]
struct Pending {
    id: EventId,
    key: u64,
    /// The model's number of its activity.
    at: u32,
    /// Its part of the reward: E(e) / sqrt(N(e) + 1), before it was performed.
    earned: f64,
}

/// The strategy.
#[derive(Debug)]
pub struct Fastbot {
    pub(super) settings: Settings,
    texts: StaticTexts,
    /// M: earlier sessions' counts and this one's.
    model: EventModel,
    /// This session's counts alone.
    own: EventModel,
    /// Where they are written as the session goes.
    keep: Option<PathBuf>,
    /// N(A) by the model's number of the activity: how often this session arrived there.
    visits: Vec<u32>,
    ways: Ways,
    pub(super) sarsa: Sarsa,
    last: Option<Pending>,
    stuck: Stuck,
    /// Events that the written model does not have.
    unwritten: usize,
    explanation: Option<Explanation>,
}

impl Fastbot {
    /// `history`: the model to start from; `own`: an empty one; `keep`: where to write what this session counts.
    pub fn new(
        settings: Settings,
        texts: StaticTexts,
        history: EventModel,
        own: EventModel,
        keep: Option<PathBuf>,
    ) -> Self {
        Self {
            sarsa: Sarsa::new(Parameters {
                steps: settings.steps,
                rate: settings.learning_rate,
                discount: settings.discount,
                double: settings.double,
            }),
            stuck: Stuck::new(settings.stuck_after),
            settings,
            texts,
            ways: Ways::new(&history),
            model: history,
            own,
            keep,
            visits: Vec::new(),
            last: None,
            unwritten: 0,
            explanation: None,
        }
    }

    /// Section III-A: the hyper-events of the page, in its order.
    fn actions(&self, view: &View<'_>, map: Map<'_>) -> Vec<Action> {
        let mut actions: Vec<Action> = Vec::new();
        let mut at: FxHashMap<EventId, usize> = FxHashMap::default();
        for (ix, (event, id)) in view
            .page
            .events
            .iter()
            .zip(&map.sighting.events)
            .enumerate()
        {
            let known = *at.entry(*id).or_insert(actions.len());
            if let Some(action) = actions.get_mut(known) {
                action.events.push(ix);
                continue;
            }
            let key = hyper_event(view.page, event, &self.texts, view.interner);
            actions.push(Action {
                id: *id,
                key,
                kind: event.kind,
                events: vec![ix],
                known: !self.model.results(key).is_empty(),
                count: map.graph.count(*id),
                expectation: self.expectation(key),
                prospect: self.prospect(key) / f64::from(map.graph.count(*id) + 1),
            });
        }
        actions
    }

    /// E(e): the sum of P(e, A) = N(e, A) / N(e) over the activities that this session was not at yet (section III-B).
    fn expectation(&self, key: u64) -> f64 {
        self.average(key, |to| f64::from(u8::from(self.is_new(to))))
    }

    /// E(e), and for activities that the session was at how near a new one is to them.
    fn prospect(&self, key: u64) -> f64 {
        let near = |to| {
            if self.is_new(to) {
                1.0
            } else {
                self.ways.near(to)
            }
        };
        self.average(key, near)
    }

    /// The average of a value over the activities that an event led to.
    fn average(&self, key: u64, value: impl Fn(u32) -> f64) -> f64 {
        let results = self.model.results(key).iter();
        let (sum, total) = results.fold((0.0, 0.0), |(sum, total), (to, times)| {
            let times = f64::from(*times);
            (sum + times * value(*to), total + times)
        });
        if total == 0.0 { 0.0 } else { sum / total }
    }

    fn is_new(&self, activity: u32) -> bool {
        self.visits(activity) == 0
    }

    fn visits(&self, activity: u32) -> u32 {
        self.visits.get(activity as usize).copied().unwrap_or(0)
    }

    /// Counts that the session is at an activity; gives N(A).
    fn visit(&mut self, activity: u32) -> u32 {
        let known = self.visits.len().max(activity as usize + 1);
        self.visits.resize(known, 0);
        let visits = &mut self.visits[activity as usize];
        *visits += 1;
        *visits
    }

    /// Section III-C, the reward of the event that led to this page: `earned`, and (n_h + .5 n_c + sum of E(e)) /
    /// sqrt(N(A) + 1) over the page's events, of which n_h are not in the model and n_c were not chosen in this session.
    fn reward(earned: f64, actions: &[Action], visits: u32) -> f32 {
        let value = |action: &Action| {
            let unknown = f64::from(u8::from(!action.known));
            let untried = f64::from(u8::from(action.count == 0));
            unknown + 0.5 * untried + action.expectation
        };
        let page: f64 = actions.iter().map(value).sum();
        (earned + page / f64::from(visits + 1).sqrt()) as f32
    }

    /// The step behind the last event was not of this strategy's choice.
    fn break_off(&mut self) {
        self.last = None;
        self.sarsa.forget();
    }

    /// A decision for something other than an event of the page.
    fn aside(&mut self, view: &View<'_>, decision: Decision, why: Why) -> Decision {
        self.break_off();
        self.explanation = Some(explain::plain(view, &decision, why));
        decision
    }

    fn write(&self) -> Result<(), StrategyError> {
        if let Some(path) = &self.keep {
            let bytes = self.own.to_bytes()?;
            durable::write(path, &bytes, Lasting::Likely)?;
        }
        Ok(())
    }
}

impl Strategy for Fastbot {
    fn states(&self) -> Option<Box<dyn States>> {
        let limits = Limits::without_restart();
        Some(self.settings.states.make(limits, self.texts.clone()))
    }

    fn decide(&mut self, view: &View<'_>, rng: &mut Rng) -> Result<Decision, StrategyError> {
        let map = view.map.ok_or(StrategyError::NoGraph)?;
        let at = self.model.activity(view.interner.get(view.page.activity));
        let visits = self.visit(at);
        let Self {
            ways,
            visits: known,
            settings,
            ..
        } = self;
        let is_new = |activity: u32| known.get(activity as usize).is_none_or(|n| *n == 0);
        ways.look(settings.ahead, is_new);
        let actions = self.actions(view, map);
        let reward = self
            .last
            .take()
            .map(|last| (last.id, Self::reward(last.earned, &actions, visits)));
        let chosen = match self.stuck.way_out(view, map.sighting.state) {
            Some(Way::Back(event)) => {
                let back = actions.iter().position(|one| one.events.contains(&event));
                back.map(Choice::plain(Why::Stuck))
            }
            Some(Way::Link(link)) => {
                return Ok(self.aside(view, Decision::System(link), Why::Stuck));
            }
            Some(Way::Restart) => return Ok(self.aside(view, Decision::Restart, Why::Stuck)),
            None => {
                let rate = self.settings.system_rate;
                if !view.system.is_empty() && rate > 0.0 && rng.random_bool(rate.min(1.0)) {
                    let ix = rng.random_range(0..view.system.len());
                    let event = Decision::System(view.system[ix].clone());
                    return Ok(self.aside(view, event, Why::System));
                }
                self.choose(&actions, view.number, rng)
            }
        };
        let Some(choice) = chosen else {
            return Ok(self.aside(view, Decision::Restart, Why::Blank));
        };
        let action = &actions[choice.at];
        if let Some((last, reward)) = reward {
            self.sarsa.learn(last, reward, action.id, rng);
        }
        self.last = Some(Pending {
            id: action.id,
            key: action.key,
            at,
            earned: action.expectation / f64::from(action.count + 1).sqrt(),
        });
        let decision = Decision::Perform {
            event: action.events[rng.random_range(0..action.events.len())],
            input: None,
        };
        self.explanation = Some(choice.explain(view, &actions, &decision));
        Ok(decision)
    }

    fn explanation(&mut self) -> Option<Explanation> {
        self.explanation.take()
    }

    /// Counts where the last event led (section III-A): N(e, A).
    fn learn(&mut self, step: &Step<'_>, _reward: f32) -> Result<(), StrategyError> {
        let Some(last) = &self.last else {
            return Ok(());
        };
        let activity = if step.after.alive {
            step.interner.get(step.page.activity)
        } else {
            OUTSIDE
        };
        let at = step.interner.get(step.before.activity);
        self.model.count(last.key, at, activity, 1);
        self.own.count(last.key, at, activity, 1);
        self.ways.update(&self.model, last.key, last.at);
        self.unwritten += 1;
        if self.unwritten >= WRITE_EVERY.max(self.own.size().0) {
            self.write()?;
            self.unwritten = 0;
        }
        Ok(())
    }

    fn interrupted(&mut self, view: &View<'_>, _: &mut Rng) -> Result<(), StrategyError> {
        let at = self.model.activity(view.interner.get(view.page.activity));
        self.visit(at);
        self.break_off();
        self.stuck.interrupted();
        Ok(())
    }

    fn save_model(&self, to: &mut dyn io::Write) -> Result<(), StrategyError> {
        Ok(to.write_all(&self.own.to_bytes()?)?)
    }
}

#[cfg(test)]
mod tests;
