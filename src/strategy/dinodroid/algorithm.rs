//! Algorithm 1 of the paper, in this file from top to bottom: see the page, learn from what the last event led to and
//! from memory, then choose. The session keeps the state graph. The presets say where they leave the paper.

use super::settings::{Explore, Fill, Settings};
use super::system;
use crate::feature::txc::Vectors;
use crate::feature::{Context, Feature};
use crate::graph::fastbot::StaticTexts;
use crate::graph::{EventId, Map, StateId, States};
use crate::gui::{EventIx, EventKey, EventKind, Page, SystemEvent};
use crate::learn::dqn::{self, Dqn};
use crate::learn::policy_file::Lesson;
use crate::learn::shown::Shown;
use crate::outcome::explanation::{Explanation, Why};
use crate::outcome::run_event::RawInput;
use crate::strategy::{Decision, Step, Strategy, StrategyError, View};
use crate::util::seed::Rng;
use droidtest_network::{Engine, Rows, Texts, Tower};
use rand::RngExt as _;
use std::io;

/// Values nearer than this are equal.
const EQUAL: f32 = 1e-6;

/// A page as the network sees it.
#[derive(Debug)]
pub(super) struct Valuation<'v> {
    pub(super) map: Map<'v>,
    rows: Rows,
    pub(super) values: Vec<f32>,
}

/// An event of the last page, and what came of it so far.
#[derive(Debug)]
pub(super) struct Tried {
    event: EventId,
    row: Rows,
    reward: f32,
    /// Did it end by a crash met before?
    known: bool,
    /// Starting anew ends the process too.
    restart: bool,
    /// Was its outcome seen?
    done: bool,
}

impl Tried {
    /// An event of this page that was performed and rewarded.
    pub(super) fn of(seen: &Valuation<'_>, chosen: usize, reward: f32) -> Self {
        Self {
            event: seen.map.sighting.events[chosen],
            row: seen.rows.row(chosen),
            reward,
            known: false,
            restart: false,
            done: true,
        }
    }
}

/// The strategy.
pub struct DinoDroid {
    pub(super) settings: Settings,
    pub(super) engine: Engine,
    /// What people showed, until it is learned from.
    pub(super) shown: Vec<Shown>,
    /// Of the app's resources, for states that depend on them.
    texts: StaticTexts,
    pub(super) features: Vec<Box<dyn Feature>>,
    pub(super) learner: Option<Dqn>,
    pub(super) tried: Option<Tried>,
    visited: Option<StateId>,
    filled: Vec<EventKey>,
    filling: bool,
    system: system::Sender,
    pub(super) history: Vec<Lesson>,
    /// This session, where what is learned in it is to be named in a policy.
    pub(super) lesson: Option<Lesson>,
    /// Iterations of the paper's algorithm: filling the page's fields is part of one.
    turns: u64,
    /// Learning steps.
    pub(super) steps: u64,
    pub(super) loss: Option<f32>,
    pub(super) explanation: Option<Explanation>,
}

impl DinoDroid {
    /// A fresh strategy. `vectors`: what words mean.
    pub fn new(settings: Settings, engine: Engine, vectors: &Vectors) -> Self {
        let kinds = settings.features();
        Self {
            features: kinds
                .map(|kind| kind.make(settings.encoding, settings.generation_size, vectors))
                .collect(),
            settings,
            engine,
            shown: Vec::new(),
            texts: StaticTexts::default(),
            learner: None,
            tried: None,
            visited: None,
            filled: Vec::new(),
            filling: false,
            system: system::Sender::default(),
            history: Vec::new(),
            lesson: None,
            turns: 0,
            steps: 0,
            loss: None,
            explanation: None,
        }
    }

    /// The texts of the app's resources.
    pub(super) fn set_texts(&mut self, texts: StaticTexts) {
        self.texts = texts;
    }

    /// The session that is named in its policy.
    pub(super) fn set_lesson(&mut self, lesson: Lesson) {
        self.lesson = Some(lesson);
    }

    /// The sessions that its policy learned from.
    #[cfg(test)]
    pub(super) fn history(&self) -> &[Lesson] {
        &self.history
    }

    /// From now on it learns, or only uses what it knows.
    pub const fn set_learning(&mut self, learn: bool) {
        self.settings.learn = learn;
    }

    /// What the network reads.
    pub(super) fn towers(&self) -> Vec<Tower> {
        self.features.iter().flat_map(|f| f.towers()).collect()
    }

    /// The page's events as rows, and the network's value of each.
    pub(super) fn see<'v>(&mut self, view: &View<'v>) -> Result<Valuation<'v>, StrategyError> {
        let map = view.map.ok_or(StrategyError::NoGraph)?;
        let context = Context {
            page: view.page,
            map,
            interner: view.interner,
        };
        let mut rows = Rows::default();
        for event in 0..map.sighting.events.len() {
            for feature in &mut self.features {
                feature.write(&context, event, &mut rows);
            }
            rows.len += 1;
        }
        let values = self.values(&rows);
        Ok(Valuation { map, rows, values })
    }

    /// The network's value of each row.
    fn values(&self, rows: &Rows) -> Vec<f32> {
        match &self.learner {
            Some(learner) => learner.values(rows, texts(&self.features)),
            None => vec![0.0; rows.len],
        }
    }

    /// Learns from what the last event led to, if anything: the values of this page are then those from before.
    pub(super) fn conclude(&mut self, now: &Valuation<'_>, rng: &mut Rng) -> bool {
        let Some(tried) = self.tried.take().filter(|tried| tried.done) else {
            return false;
        };
        let Some(learner) = self.learner.as_mut().filter(|_| self.settings.learn) else {
            return false;
        };
        // A crash ends the app, not the test: the page it starts anew with follows. Were it the end, whose value
        // is its reward alone, crashing again and again would be worth more than going on without anything new.
        let next = Some((&now.rows, now.values.as_slice()));
        let performed = now.map.graph.count(tried.event);
        let again = if tried.known {
            self.settings.repeat_crash_penalty
        } else {
            0.0
        };
        let reward = tried.reward + self.settings.bonus / (performed as f32).sqrt() - again;
        learner.remember(tried.row, reward, next);
        self.loss = learner.learn(texts(&self.features), rng);
        self.steps += 1;
        true
    }

    /// A field of the page that is to be filled before anything else.
    fn field(&mut self, page: &Page, state: StateId, rng: &mut Rng) -> Option<EventIx> {
        let come = self.visited.replace(state) != Some(state);
        let always = match self.settings.fill {
            // Before every event: that filling one field made another page of it is no reason to begin anew.
            Fill::Always(_) => true,
            Fill::Empty(chance) => {
                if come {
                    self.filled.clear();
                    self.filling = chance > 0.0 && rng.random_bool(chance.min(1.0));
                }
                if !self.filling {
                    return None;
                }
                false
            }
        };
        let wanted = page.events.iter().position(|event| {
            let empty = |widget: u32| page.widgets[widget as usize].text.is_empty();
            event.kind == EventKind::Text
                && !self.filled.contains(&event.key)
                && (always || event.widget.is_some_and(empty))
        })?;
        self.filled.push(page.events[wanted].key);
        Some(wanted)
    }

    /// The event to perform, by chance or by value.
    fn choose(&self, seen: &Valuation<'_>, rng: &mut Rng) -> (usize, Why) {
        let count = seen.values.len();
        if self.turns <= self.settings.warm_up && self.history.is_empty() {
            return (self.any(seen, rng), Why::WarmUp);
        }
        let epsilon = self.settings.epsilon;
        if epsilon > 0.0 && rng.random_bool(epsilon.min(1.0)) {
            return (self.any(seen, rng), Why::Explore);
        }
        // Among events worth as much within the network's error, the one performed least; by chance where nothing
        // tells them apart. The largest value alone would repeat one event of many that all lead nowhere new.
        let best = dqn::argmax(&seen.values).unwrap_or(0);
        let near = |ix: &usize| seen.values[best] - seen.values[*ix] <= self.settings.margin;
        let mut among: Vec<usize> = (0..count).filter(near).collect();
        if self.settings.margin > EQUAL {
            let performed = |ix: &usize| seen.map.graph.count(seen.map.sighting.events[*ix]);
            let least = among.iter().map(performed).min();
            among.retain(|ix| Some(performed(ix)) == least);
        }
        let chosen = match among.len() {
            0 | 1 => *among.first().unwrap_or(&best),
            n => among[rng.random_range(0..n)],
        };
        if seen.values[chosen] < seen.values[best] {
            return (chosen, Why::LeastPerformed);
        }
        (chosen, Why::Exploit)
    }

    /// One event by chance.
    fn any(&self, seen: &Valuation<'_>, rng: &mut Rng) -> usize {
        let Map { graph, sighting } = seen.map;
        let events = &sighting.events;
        let least = events.iter().map(|e| graph.count(*e)).min();
        let may = |ix: &usize| match self.settings.explore {
            Explore::Any => true,
            Explore::LeastPerformed => Some(graph.count(events[*ix])) == least,
        };
        let all: Vec<usize> = (0..events.len()).filter(may).collect();
        all[rng.random_range(0..all.len())]
    }
}

/// The texts that rows speak of.
fn texts(features: &[Box<dyn Feature>]) -> &Texts {
    static NONE: Texts = Texts::new(0, 0);
    features.iter().find_map(|f| f.texts()).unwrap_or(&NONE)
}

impl Strategy for DinoDroid {
    fn states(&self) -> Option<Box<dyn States>> {
        let limits = self.settings.limits();
        Some(self.settings.states.make(limits, self.texts.clone()))
    }

    fn decide(&mut self, view: &View<'_>, rng: &mut Rng) -> Result<Decision, StrategyError> {
        self.begin(rng)?;
        let page = view.page;
        let mut seen = self.see(view)?;
        if self.conclude(&seen, rng) {
            seen.values = self.values(&seen.rows);
        }
        if seen.values.iter().any(|value| !value.is_finite()) {
            return Err(StrategyError::Diverged(
                "an event's value is not a number; lower the strategy's `learning-rate`, or start from another policy",
            ));
        }
        if page.is_blank(view.interner) || seen.values.is_empty() {
            let decision = blank(view, rng);
            self.explain(view, &seen, None, Why::Blank);
            return Ok(decision);
        }
        if let Some(event) = self.system.turn(
            self.settings.system(),
            view,
            seen.map.sighting.state,
            self.turns,
            rng,
        ) {
            self.explain(view, &seen, None, Why::System);
            return Ok(Decision::System(event));
        }
        let (chosen, why) = match self.field(page, seen.map.sighting.state, rng) {
            Some(field) => (field, Why::Fill),
            None => {
                self.turns += 1;
                self.choose(&seen, rng)
            }
        };
        if self.settings.fill == Fill::ALWAYS && why != Why::Fill {
            self.filled.clear();
        }
        self.explain(view, &seen, Some(chosen), why);
        let restart = chosen >= page.events.len();
        self.tried = Some(Tried {
            restart,
            done: false,
            ..Tried::of(&seen, chosen, 0.0)
        });
        Ok(if restart {
            Decision::System(SystemEvent::Relaunch)
        } else {
            Decision::Perform {
                event: chosen,
                input: None,
            }
        })
    }

    fn learn(&mut self, step: &Step<'_>, reward: f32) -> Result<(), StrategyError> {
        match &mut self.tried {
            Some(tried) => {
                tried.reward = reward;
                // Not what the environment or the device itself did to the app.
                tried.known = !step.after.alive
                    && !tried.restart
                    && step.new_findings == 0
                    && step.known_findings > 0;
                tried.done = true;
            }
            None => self.system.outcome(step),
        }
        Ok(())
    }

    fn interrupted(&mut self, view: &View<'_>, rng: &mut Rng) -> Result<(), StrategyError> {
        if self.tried.is_some() {
            let seen = self.see(view)?;
            self.conclude(&seen, rng);
        }
        Ok(())
    }

    fn explanation(&mut self) -> Option<Explanation> {
        self.explanation.take()
    }

    fn save(&self, to: &mut dyn io::Write) -> Result<(), StrategyError> {
        self.write_policy(to)
    }

    fn load(&mut self, from: &mut dyn io::Read) -> Result<(), StrategyError> {
        self.read_policy(from)
    }
}

/// What to do on a page that shows nothing: tap somewhere, go back or start anew, as the published code does.
/// (A page that says it is loading is not blank: that code waits there, here its events are as good as others'.)
fn blank(view: &View<'_>, rng: &mut Rng) -> Decision {
    let (width, height) = view.page.screen;
    let back = view
        .page
        .events
        .iter()
        .position(|e| e.kind == EventKind::Back);
    match rng.random_range(0..4) {
        0 | 1 if width > 0 && height > 0 => Decision::Raw(RawInput::Tap {
            x: rng.random_range(0..width),
            y: rng.random_range(0..height),
        }),
        2 if back.is_some() => Decision::Perform {
            event: back.unwrap_or(0),
            input: None,
        },
        _ => Decision::System(SystemEvent::Relaunch),
    }
}

#[cfg(test)]
mod behaviour_tests;
