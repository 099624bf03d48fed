//! `portfolio`: several strategies take turns; the turn goes to the one that still brings something new.
//!
//! A turn is a segment of so many events. Its value is the share of them that brought new code, a new page, a new
//! activity or a new finding. The rule is the discounted UCB of Garivier and Moulines ("On Upper-Confidence Bound Policies
//! for Switching Bandit Problems", ALT 2011, section 2.1): what a member brought counts less with every later turn, since an
//! app has less and less to find, and for one member sooner than for another.
//!
//! All members read the session's one state graph, and each learns from its own events only.
//!
//! Side by side, each session of a group has a portfolio of its own. They exchange the turns of all at the end of each
//! segment, enter them in the same order, and so allot the next turns in the same way.

mod settings;
#[cfg(test)]
mod tests;

pub use settings::{Member, Settings};

use super::{Decision, Round, Step, Strategy, StrategyError, View};
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
    /// The number of its last turn; 0: it had none.
    last: u64,
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
    /// Does the session run side by side with others? Turns end at exchanges then.
    together: bool,
    /// By session of the group: its member. All sessions come to the same allotment.
    seats: Vec<Option<usize>>,
    /// The member that the last exchange allotted to this session, until its turn begins.
    allotted: Option<usize>,
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
            last: 0,
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
            together: false,
            seats: Vec::new(),
            allotted: None,
        }
    }

    fn discount(&mut self) {
        for arm in &mut self.arms {
            arm.turns *= self.discount;
            arm.value *= self.discount;
        }
    }

    /// Enters the turn that ended. The turns of all members count less from now on.
    fn conclude(&mut self, ended: usize) {
        self.discount();
        if self.events > 0 {
            let last = self.arms.iter().map(|arm| arm.last).max().unwrap_or(0);
            let arm = &mut self.arms[ended];
            arm.turns += 1.0;
            arm.last = last + 1;
            arm.value += f64::from(self.gains) / f64::from(self.events);
        }
        (self.events, self.gains) = (0, 0);
    }

    /// The members: the largest mean value with its bonus first, of equal ones in their order; one that had no turn yet,
    /// or whose turns count nothing any more, has the largest bonus, of several the one whose last turn is the longest ago.
    fn ranked(&self) -> Vec<usize> {
        let all: f64 = self.arms.iter().map(|arm| arm.turns).sum();
        let bound = |at: &usize| {
            let arm = &self.arms[*at];
            if arm.turns <= 0.0 {
                return f64::INFINITY;
            }
            let bonus = (self.exploration * all.max(1.0).ln() / arm.turns).sqrt();
            arm.value / arm.turns + 2.0 * bonus
        };
        let mut ranked: Vec<usize> = (0..self.arms.len()).collect();
        let age = |at: &usize| {
            let arm = &self.arms[*at];
            if arm.turns <= 0.0 { arm.last } else { 0 }
        };
        ranked.sort_by(|a, b| {
            let by_bound = bound(b).total_cmp(&bound(a));
            by_bound.then(age(a).cmp(&age(b)))
        });
        ranked
    }

    /// The member of the next turn. `None`: all are done.
    fn next(&self) -> Option<usize> {
        self.ranked().into_iter().find(|at| !self.arms[*at].done)
    }

    /// Gives each session that goes on a member: the first ones of the order, and with more sessions than members again
    /// from the first. A member stays where it is; the others take the free sessions in order.
    fn allot(&mut self, here: &[bool]) {
        let count = here.iter().filter(|here| **here).count();
        let ranked = self.ranked();
        let mut free: Vec<usize> = ranked.iter().copied().cycle().take(count).collect();
        let mut seats = vec![None; here.len()];
        let going = || (0..here.len()).filter(|seat| here[*seat]);
        for seat in going() {
            let before = self.seats.get(seat).copied().flatten();
            if let Some(at) = free.iter().position(|member| Some(*member) == before) {
                seats[seat] = Some(free.remove(at));
            }
        }
        let mut free = free.into_iter();
        for seat in going()
            .filter(|seat| seats[*seat].is_none())
            .collect::<Vec<_>>()
        {
            seats[seat] = free.next();
        }
        self.seats = seats;
    }

    /// Whose turn it is on this page.
    fn member(&mut self, view: &View<'_>, rng: &mut Rng) -> Result<Option<usize>, StrategyError> {
        let before = self.turn;
        let is_open = |at: &usize| !self.arms[*at].done;
        let allotted = self.allotted.filter(is_open);
        self.allotted = None;
        if let (Some(at), None) = (before, allotted) {
            if (self.together || self.events < self.segment) && !self.arms[at].done {
                return Ok(before);
            }
            if !self.together {
                self.conclude(at);
            }
        }
        self.turn = allotted.or_else(|| self.next());
        self.announced = self.turn.is_none();
        if let Some(before) = before.filter(|_| self.turn.is_some() && self.turn != before) {
            self.arms[before].strategy.interrupted(view, rng)?;
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

    fn exchanged(&mut self, round: Option<&Round<'_>>) {
        (self.events, self.gains) = (0, 0);
        self.together = round.is_some();
        let Some(round) = round else { return };
        if !round.turns.is_empty() {
            self.discount();
        }
        for turn in round.turns {
            let mut arms = self.arms.iter_mut();
            if let Some(arm) = arms.find(|arm| arm.name == turn.member) {
                arm.turns += 1.0;
                arm.value += turn.news as f64 / turn.events.max(1) as f64;
            }
        }
        self.allot(round.here);
        self.allotted = self.seats.get(round.seat).copied().flatten();
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
