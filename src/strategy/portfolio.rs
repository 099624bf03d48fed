//! `portfolio`: several strategies take turns; the turn goes to the one that still brings something new.
//!
//! A turn is a segment of so many events. Its value is the share of them that brought new code, a new page, a new
//! activity or a new finding. The rule is the discounted UCB of Garivier and Moulines ("On Upper-Confidence Bound Policies
//! for Switching Bandit Problems", ALT 2011, section 2.1): what a member brought counts less with every later turn, since an
//! app has less and less to find, and for one member sooner than for another.
//!
//! All members read the session's one state graph, and each learns from its own events only.

mod settings;
#[cfg(test)]
mod tests;

pub use settings::{Member, Settings};

use super::{Decision, Step, Strategy, StrategyError, View};
use crate::graph::States;
use crate::graph::fixed::{Fixed, Limits};
use crate::outcome::explanation::Explanation;
use crate::util::seed::Rng;
use std::io;

/// A strategy of the portfolio.
struct Arm {
    name: String,
    strategy: Box<dyn Strategy>,
    /// The discounted number of its turns, and the discounted sum of their values.
    turns: f64,
    value: f64,
    /// Has it nothing more to do?
    done: bool,
}

/// The strategy.
pub struct Portfolio {
    segment: u32,
    discount: f64,
    exploration: f64,
    arms: Vec<Arm>,
    /// The member whose policy is kept, and the one whose event model is.
    keeps: Option<usize>,
    counts: Option<usize>,
    /// Whose turn it is, the events of the turn, and how many of them brought something new.
    turn: Option<usize>,
    events: u32,
    gains: u32,
    /// Is the member's name to be recorded?
    announced: bool,
}

impl Portfolio {
    /// `members`: names and strategies; `keeps`, `counts`: the ones whose policy and event model are kept.
    pub fn new(
        settings: &Settings,
        members: Vec<(String, Box<dyn Strategy>)>,
        (keeps, counts): (Option<usize>, Option<usize>),
    ) -> Self {
        let arm = |(name, strategy)| Arm {
            name,
            strategy,
            turns: 0.0,
            value: 0.0,
            done: false,
        };
        Self {
            segment: settings.segment,
            discount: settings.discount,
            exploration: settings.exploration,
            arms: members.into_iter().map(arm).collect(),
            keeps,
            counts,
            turn: None,
            events: 0,
            gains: 0,
            announced: true,
        }
    }

    /// Enters the turn that ended. The turns of all members count less from now on.
    fn conclude(&mut self, ended: usize) {
        for arm in &mut self.arms {
            arm.turns *= self.discount;
            arm.value *= self.discount;
        }
        if self.events > 0 {
            let arm = &mut self.arms[ended];
            arm.turns += 1.0;
            arm.value += f64::from(self.gains) / f64::from(self.events);
        }
        (self.events, self.gains) = (0, 0);
    }

    /// The member of the next turn: the largest mean value with its bonus, of equal ones the first; one that had no turn
    /// yet has the largest bonus. `None`: all are done.
    fn next(&self) -> Option<usize> {
        let all: f64 = self.arms.iter().map(|arm| arm.turns).sum();
        let bound = |arm: &Arm| {
            if arm.turns <= 0.0 {
                return f64::INFINITY;
            }
            let bonus = (self.exploration * all.max(1.0).ln() / arm.turns).sqrt();
            arm.value / arm.turns + 2.0 * bonus
        };
        let open = (0..self.arms.len()).filter(|at| !self.arms[*at].done);
        open.rev()
            .max_by(|a, b| bound(&self.arms[*a]).total_cmp(&bound(&self.arms[*b])))
    }

    /// Whose turn it is on this page.
    fn member(&mut self, view: &View<'_>, rng: &mut Rng) -> Result<Option<usize>, StrategyError> {
        let before = self.turn;
        if let Some(at) = before {
            if self.events < self.segment && !self.arms[at].done {
                return Ok(before);
            }
            self.conclude(at);
        }
        self.turn = self.next();
        if self.turn != before && self.turn.is_some() {
            self.announced = false;
            if let Some(before) = before {
                self.arms[before].strategy.interrupted(view, rng)?;
            }
        }
        Ok(self.turn)
    }
}

impl Strategy for Portfolio {
    /// The first member's that reads a graph.
    fn states(&self) -> Option<Box<dyn States>> {
        let first = self.arms.iter().find_map(|arm| arm.strategy.states());
        first.or_else(|| Some(Box::new(Fixed::new(Limits::default()))))
    }

    fn decide(&mut self, view: &View<'_>, rng: &mut Rng) -> Result<Decision, StrategyError> {
        while let Some(at) = self.member(view, rng)? {
            match self.arms[at].strategy.decide(view, rng)? {
                Decision::Stop => self.arms[at].done = true,
                decision => return Ok(decision),
            }
        }
        Ok(Decision::Stop)
    }

    fn learn(&mut self, step: &Step<'_>, reward: f32) -> Result<(), StrategyError> {
        let new = step.new_activities + step.new_pages + step.new_findings > 0
            || !step.after.probes.is_empty();
        self.events += 1;
        self.gains += u32::from(new);
        match self.turn {
            Some(at) => self.arms[at].strategy.learn(step, reward),
            None => Ok(()),
        }
    }

    fn interrupted(&mut self, view: &View<'_>, rng: &mut Rng) -> Result<(), StrategyError> {
        match self.turn {
            Some(at) => self.arms[at].strategy.interrupted(view, rng),
            None => Ok(()),
        }
    }

    fn explanation(&mut self) -> Option<Explanation> {
        self.arms[self.turn?].strategy.explanation()
    }

    fn next_member(&mut self) -> Option<&str> {
        let at = self.turn?;
        let known = std::mem::replace(&mut self.announced, true);
        (!known).then(|| self.arms[at].name.as_str())
    }

    fn save(&self, to: &mut dyn io::Write) -> Result<(), StrategyError> {
        match self.keeps {
            Some(at) => self.arms[at].strategy.save(to),
            None => Ok(()),
        }
    }

    fn save_model(&self, to: &mut dyn io::Write) -> Result<(), StrategyError> {
        match self.counts {
            Some(at) => self.arms[at].strategy.save_model(to),
            None => Ok(()),
        }
    }

    fn load(&mut self, from: &mut dyn io::Read) -> Result<(), StrategyError> {
        match self.keeps {
            Some(at) => self.arms[at].strategy.load(from),
            None => Ok(()),
        }
    }
}
