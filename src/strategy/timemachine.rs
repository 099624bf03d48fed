//! `timemachine`: another strategy, the base, which is brought back to a state worth exploring when it makes no progress.
//!
//! Dong, Böhme, Cojocaru, Roychoudhury: "Time-travel Testing of Android Apps" (ICSE 2020), section 4. Algorithm 1 is
//! [`TimeMachine::decide`], Algorithm 2 (is it stuck?) [`TimeMachine::is_stuck`], Algorithm 3 (which state is the fittest?)
//! [`TimeMachine::fittest`]. `docs/strategies/timemachine.md` lists the deviations.

mod known;
mod ranks;
mod settings;
#[cfg(test)]
mod tests;
mod transitions;

pub use settings::{Rules, Settings};

use super::{Decision, Step, Strategy, StrategyError, View};
use crate::graph::fixed::{Fixed, Limits};
use crate::graph::{StateId, States};
use crate::gui::PageId;
use crate::outcome::explanation::Explanation;
use crate::outcome::run_event::SaveId;
use crate::util::seed::Rng;
use known::{Known, Led, PUBLISHED, Saved};
use ranks::Ranks;
use std::collections::VecDeque;
use std::io;
use transitions::{Paths, Transitions};

/// What it adds to the number of widgets for the fitness of a state that is rewarded at 0.
const PUBLISHED_FLOOR: f64 = 20.0;

/// The strategy.
pub struct TimeMachine {
    settings: Settings,
    base: Box<dyn Strategy>,
    states: Vec<Known>,
    transitions: Transitions,
    ranks: Ranks,
    /// The saved states, by [`SaveId`]; `None`: it could not be restored.
    saved: Vec<Option<Saved>>,
    /// The states that the last transitions led to.
    queue: VecDeque<StateId>,
    /// Events since the last transition.
    no_progress: u32,
    here: Option<StateId>,
    /// What led to the page, until it is taken in.
    led: Option<Led>,
}

impl TimeMachine {
    /// With these settings, around this strategy.
    pub fn new(settings: Settings, base: Box<dyn Strategy>) -> Self {
        Self {
            settings,
            base,
            states: Vec::new(),
            transitions: Transitions::default(),
            ranks: Ranks::default(),
            saved: Vec::new(),
            queue: VecDeque::new(),
            no_progress: 0,
            here: None,
            led: Some(Led::Start),
        }
    }

    /// Takes in the state that is shown. Is it interesting: visited for the first time, by an event that ran new code?
    fn is_interesting(&mut self, state: StateId, view: &View<'_>) -> bool {
        let Some(led) = self.led.take() else {
            return false;
        };
        let known = self.states.len().max(state.index() + 1);
        self.states.resize_with(known, Known::default);
        let first = self.states[state.index()].visits == 0;
        let from = self.here.replace(state);
        let base = matches!(led, Led::Base { .. });
        if !(base && from == Some(state)) || self.settings.rules == Rules::Events {
            self.states[state.index()].visits += 1;
            self.ranks.visited(state);
        }
        let code = match led {
            Led::Base { code } => {
                // Without coverage a state that is visited for the first time stands in for new code.
                let code = code || first && !view.caps.coverage;
                self.moved(from, state, (first, code), view.page.widgets.len());
                code
            }
            Led::Start | Led::Others => true,
            Led::Restore(id) | Led::Restored(id) => {
                let saved = &mut self.saved[id.0 as usize];
                let there =
                    saved.is_some_and(|saved| saved.state == state || saved.page == view.page.id);
                match saved {
                    Some(saved) if there => saved.state = state,
                    // A state that cannot be restored is not tried again; the first one is always: it is a start with
                    // cleared data.
                    _ if id.0 > 0 => *saved = None,
                    _ => {}
                }
                false
            }
        };
        self.states[state.index()].interesting |= first && code;
        first && code
    }

    /// The base's event led from a state to one that is `first` visited now or not, and ran new `code` or not.
    fn moved(
        &mut self,
        from: Option<StateId>,
        to: StateId,
        (first, code): (bool, bool),
        widgets: usize,
    ) {
        let by_events = self.settings.rules == Rules::Events;
        let stays = from == Some(to);
        if by_events && code {
            self.queue.clear();
        }
        if stays && !(by_events && code) {
            self.no_progress += 1;
        } else {
            self.no_progress = 0;
        }
        if let Some(from) = from {
            let found = code && (first || by_events);
            self.states[from.index()].found += u32::from(found);
        }
        if stays {
            return;
        }
        self.queue.push_back(to);
        if self.queue.len() > self.settings.queue {
            self.queue.pop_front();
        }
        if let Some(from) = from {
            self.transitions.add(from, to);
            self.reward_published(from, to, first, code, widgets);
        }
    }

    /// The state is saved, in place of the least fit one if there are too many. The first one stays, so that a restart is
    /// always possible; `None`: it is the only one that may be saved.
    fn save(&mut self, state: StateId, page: PageId) -> Option<Decision> {
        let others = 1..self.saved.len();
        let free = others.clone().find(|at| self.saved[*at].is_none());
        let at = match free {
            Some(at) => at,
            None if self.saved.len() < self.settings.saved as usize => {
                self.saved.push(None);
                self.saved.len() - 1
            }
            None => {
                let fitness =
                    |at: &usize| self.saved[*at].map_or(0.0, |one| self.fitness(one.state));
                others.min_by(|a, b| fitness(a).total_cmp(&fitness(b)))?
            }
        };
        self.saved[at] = Some(Saved { state, page });
        Some(Decision::Save(id(at)))
    }

    /// Algorithm 2: too long in one state, or in a loop of few and frequent states.
    fn is_stuck(&self) -> bool {
        let Settings {
            queue,
            max_no_progress,
            alpha,
            beta,
            ..
        } = self.settings;
        if self.no_progress > max_no_progress {
            return true;
        }
        if self.queue.len() < queue {
            return false;
        }
        let share = alpha * self.states.len() as f64;
        match self.settings.rules {
            Rules::Events | Rules::Paper => {
                let times = |state| self.queue.iter().filter(|other| *other == state).count();
                let repeated = self.queue.iter().map(times).max().unwrap_or(0);
                let top = share.ceil() as usize;
                let is_frequent = |state: &&StateId| self.ranks.of(**state) < top;
                let frequent = self.queue.iter().filter(is_frequent).count();
                (repeated + frequent) as f64 / queue as f64 > beta
            }
            Rules::Published => {
                let mut distinct: Vec<StateId> = self.queue.iter().copied().collect();
                distinct.sort_unstable();
                distinct.dedup();
                let top = share as usize;
                let is_frequent = |state: &&StateId| self.ranks.of(**state) < top;
                let frequent = distinct.iter().filter(is_frequent).count();
                frequent as f64 / distinct.len() as f64 >= beta
            }
        }
    }

    /// f(s) = f0 (1 + r)^w(s) (1 - p)^(v(s) - w(s)).
    fn fitness(&self, state: StateId) -> f64 {
        let known = self.states.get(state.index()).copied().unwrap_or_default();
        if self.settings.rules == Rules::Published {
            return known.published;
        }
        let first = if known.interesting {
            self.settings.interesting
        } else {
            1.0
        };
        let others = known.visits.saturating_sub(known.found);
        first
            * (1.0 + self.settings.reward).powf(f64::from(known.found))
            * (1.0 - self.settings.penalty).powf(f64::from(others))
    }

    /// The published code changes stored values in place of the formula.
    fn reward_published(
        &mut self,
        from: StateId,
        to: StateId,
        first: bool,
        code: bool,
        widgets: usize,
    ) {
        let (reward, penalty) = (1.0 + self.settings.reward, 1.0 - self.settings.penalty);
        let rewarded = |value: f64| {
            let value = match value {
                0.0 => PUBLISHED_FLOOR + widgets as f64,
                value => value * reward,
            };
            value.min(PUBLISHED.1)
        };
        if first && code {
            for state in [from, to] {
                let value = &mut self.states[state.index()].published;
                *value = rewarded(*value);
            }
        } else {
            self.states[from.index()].published *= penalty;
            if first {
                self.states[to.index()].published = 0.0;
            }
        }
    }

    /// Algorithm 3: the saved state of the highest fitness, with those around it; among equals the least visited one.
    fn fittest(&self) -> Option<SaveId> {
        let mut paths = Paths::new(&self.transitions, |state| self.fitness(state));
        let mut score = |state| match self.settings.rules {
            Rules::Events | Rules::Paper => paths.mean(state, self.settings.neighbourhood),
            // Computes the neighbourhood too, and then compares the plain fitness.
            Rules::Published => self.fitness(state),
        };
        let saved = self.saved.iter().enumerate();
        let scored = saved.filter_map(|(at, state)| {
            let state = (*state)?.state;
            Some((at, score(state), self.states[state.index()].visits))
        });
        let best = scored.min_by(|a, b| b.1.total_cmp(&a.1).then(a.2.cmp(&b.2)));
        best.map(|(at, ..)| id(at))
    }
}

fn id(at: usize) -> SaveId {
    SaveId(u32::try_from(at).unwrap_or(u32::MAX))
}

impl Strategy for TimeMachine {
    /// The base's, so that both read one graph; else pages that look alike.
    fn states(&self) -> Option<Box<dyn States>> {
        let own = || -> Box<dyn States> {
            Box::new(Fixed::new(Limits {
                alike: self.settings.alike,
                ..Limits::without_restart()
            }))
        };
        Some(self.base.states().unwrap_or_else(own))
    }

    fn saves(&self) -> bool {
        true
    }

    /// Algorithm 1.
    fn decide(&mut self, view: &View<'_>, rng: &mut Rng) -> Result<Decision, StrategyError> {
        let map = view.map.ok_or(StrategyError::NoGraph)?;
        let state = map.sighting.state;
        if self.is_interesting(state, view)
            && let Some(save) = self.save(state, view.page.id)
        {
            return Ok(save);
        }
        if self.is_stuck()
            && let Some(fittest) = self.fittest()
        {
            // Not in the paper: what happened before the restore makes nobody stuck behind it.
            self.queue.clear();
            self.no_progress = 0;
            self.led = Some(Led::Restore(fittest));
            return Ok(Decision::Restore(fittest));
        }
        let decision = self.base.decide(view, rng)?;
        if decision == Decision::Restart {
            self.led = Some(Led::Others);
        }
        Ok(decision)
    }

    fn learn(&mut self, step: &Step<'_>, reward: f32) -> Result<(), StrategyError> {
        self.led = Some(if step.after.alive {
            Led::Base {
                code: !step.after.probes.is_empty(),
            }
        } else {
            Led::Others
        });
        self.base.learn(step, reward)
    }

    fn interrupted(&mut self, view: &View<'_>, rng: &mut Rng) -> Result<(), StrategyError> {
        self.led = Some(match self.led {
            // The restore itself, which begins now.
            Some(Led::Restore(id)) => Led::Restored(id),
            led => {
                // What its own event or a restore led to counts. It cannot be saved: others act there now.
                if let (Some(Led::Base { .. } | Led::Restored(_)), Some(map)) = (led, view.map) {
                    self.is_interesting(map.sighting.state, view);
                }
                Led::Others
            }
        });
        self.base.interrupted(view, rng)
    }

    fn explanation(&mut self) -> Option<Explanation> {
        self.base.explanation()
    }

    fn save(&self, to: &mut dyn io::Write) -> Result<(), StrategyError> {
        self.base.save(to)
    }

    fn save_model(&self, to: &mut dyn io::Write) -> Result<(), StrategyError> {
        self.base.save_model(to)
    }

    fn load(&mut self, from: &mut dyn io::Read) -> Result<(), StrategyError> {
        self.base.load(from)
    }
}
