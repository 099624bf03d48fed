//! Strategies: what to do next, chosen from what is on screen. They never touch a device.

pub mod actor;
pub mod ares;
mod base;
pub mod ddpg;
pub mod definition;
mod demonstrations;
pub mod dinodroid;
pub mod dynodroid;
mod explain;
pub mod fastbot;
mod files;
pub mod frontier;
pub mod kind;
pub mod learner;
pub mod monkey;
pub mod optimist;
pub mod portfolio;
pub mod q_learning;
pub mod qbe;
pub mod random;
pub mod sac;
mod table;
pub mod td3;
pub mod timemachine;
#[cfg(test)]
pub mod toy;

#[cfg(test)]
mod actor_tests;

use crate::graph::States;
use crate::learn::policy_file::PolicyError;
use crate::outcome::exchange::Turn;
use crate::outcome::explanation::Explanation;
pub use crate::step::{Decision, Step, View};
use crate::util::seed::Rng;
use camino::Utf8PathBuf;
use kind::Entry;
use std::fmt;
use std::io;

/// Every strategy. A row and a `mod` above is all that a new one needs beside its own file.
pub static ALL: &[Entry] = &[
    Entry::of::<portfolio::Settings>(),
    Entry::of::<dinodroid::Settings>(),
    Entry::of::<dynodroid::Settings>(),
    Entry::of::<random::Settings>(),
    Entry::of::<monkey::Settings>(),
    Entry::of::<fastbot::Settings>(),
    Entry::of::<q_learning::Settings>(),
    Entry::of::<qbe::Settings>(),
    Entry::of::<sac::Settings>(),
    Entry::of::<td3::Settings>(),
    Entry::of::<ddpg::Settings>(),
    Entry::of::<frontier::Settings>(),
    Entry::of::<timemachine::Settings>(),
    #[cfg(test)]
    Entry::of::<toy::Settings>(),
];

/// The strategy of this name.
pub fn entry(name: &str) -> Option<&'static Entry> {
    ALL.iter().find(|entry| entry.name == name)
}

/// Why a strategy could not go on.
#[derive(Debug, thiserror::Error)]
pub enum StrategyError {
    /// A file of the suite that it starts from cannot be used.
    #[error("{path}{place}: {reason}")]
    File {
        /// Which of its files: [`definition::StartFile::what`].
        what: &'static str,
        /// The file, as it was opened.
        path: Utf8PathBuf,
        /// Where in it: nothing, `:LINE` or `: byte N`.
        place: String,
        /// Why not.
        reason: String,
    },
    /// A saved policy does not fit.
    #[error("the policy does not fit: {0}")]
    Policy(String),
    /// The tensor engine is missing or not on this device.
    #[error("the tensor engine: {0}")]
    Engine(String),
    /// It reads the state graph, and is given none.
    #[error("a session without a state graph: the strategy names no state abstraction")]
    NoGraph,
    /// Learning gave values that are no numbers.
    #[error("learning diverged: {0}")]
    Diverged(&'static str),
    /// Reading or writing it failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl StrategyError {
    /// A policy was learned with another value of a setting.
    fn differs(what: &str, theirs: impl fmt::Display, ours: impl fmt::Display) -> Self {
        Self::Policy(format!(
            "{what}: the policy's is {theirs}, the suite's is {ours}"
        ))
    }
}

/// An exchange between the sessions of a group, as each of them sees it.
#[derive(Clone, Copy, Debug)]
pub struct Round<'a> {
    /// The session's number in the group, from 0.
    pub seat: usize,
    /// By session: does it go on?
    pub here: &'a [bool],
    /// The turns since the last exchange, in the order of the sessions.
    pub turns: &'a [Turn],
}

/// An exploration algorithm.
pub trait Strategy: Send {
    /// The states of the graph that the session keeps for it ([`View::map`]), asked once, before the first page; `None`:
    /// it reads no graph, so that none is kept.
    fn states(&self) -> Option<Box<dyn States>> {
        None
    }
    /// Does it return [`Decision::Save`]? Asked once, before the first page; the session then remembers the ways to the
    /// saved states.
    fn saves(&self) -> bool {
        false
    }
    /// What to do on this page.
    fn decide(&mut self, view: &View<'_>, rng: &mut Rng) -> Result<Decision, StrategyError>;
    /// What came of the last decision, and its reward.
    fn learn(&mut self, _step: &Step<'_>, _reward: f32) -> Result<(), StrategyError> {
        Ok(())
    }
    /// The next events are not this strategy's: a script, a fence or a fault leads them, a saved state is restored, or it
    /// is another member's turn. `view`: the page that its last event led to (after the app's death, the page it was
    /// started at again). What the others' events lead to is not a result of its own.
    fn interrupted(&mut self, _view: &View<'_>, _rng: &mut Rng) -> Result<(), StrategyError> {
        Ok(())
    }
    /// The name of the member whose turn begins with the last decision, once after it; `None`: no turn begins.
    fn next_member(&mut self) -> Option<&str> {
        None
    }
    /// What the sessions of a group that runs side by side found since the last exchange, and once before the first
    /// event; `None`: the session goes on alone. Only for a strategy whose settings name a
    /// [`Group`](definition::Group).
    fn exchanged(&mut self, _round: Option<&Round<'_>>) {}
    /// Why the last decision was taken, once after it; `None`: it gives no reason.
    fn explanation(&mut self) -> Option<Explanation> {
        None
    }
    /// Writes the policy that was learned.
    fn save(&self, _to: &mut dyn io::Write) -> Result<(), StrategyError> {
        Ok(())
    }
    /// Writes the event model that it counted, of a strategy that reuses one.
    fn save_model(&self, _to: &mut dyn io::Write) -> Result<(), StrategyError> {
        Ok(())
    }
    /// Reads what was learned before.
    fn load(&mut self, _from: &mut dyn io::Read) -> Result<(), StrategyError> {
        Ok(())
    }
}

impl From<PolicyError> for StrategyError {
    fn from(error: PolicyError) -> Self {
        match error {
            PolicyError::Io(error) => Self::Io(error),
            PolicyError::Diverged(what) => Self::Diverged(what),
            other => Self::Policy(other.to_string()),
        }
    }
}
