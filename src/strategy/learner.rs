//! What learners of the ARES family see and do: places of an observation that are on, and an action of three
//! numbers. The same learner learns on a FATE model (`bench fate`) and, through [`super::ares`], on any device.
//!
//! Romdhana, Merlo, Ceccato, Tonella: "Deep Reinforcement Learning for Black-box Testing of Android Apps"
//! (TOSEM 2022).

use crate::learn::bundle::Bundle;
use crate::util::seed::Rng;

/// What a learner sees before it acts.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    /// Equal for equal observations, for tables.
    pub key: u64,
    /// Places of the observation that are 1; all others are 0. Places are small numbers, given out as things are met.
    pub bits: &'a [u32],
    /// Places of the activities that the episode has been at, no others', for those who see them ([`Learner::sees_visited`]).
    pub visited: &'a [u32],
    /// Widgets (or other things that can be operated) now: valid widget numbers are below this.
    pub widgets: u32,
    /// Strings that can be typed: valid string numbers are below this. At least 1.
    pub strings: u32,
    /// Is a random draw to include one widget beyond the last, as FATE's sampling does? Such an action is invalid.
    pub beyond: bool,
    /// Rows of a table of actions: widgets of the largest scene (FATE: and one more), 0 where that is not known.
    pub rows: u32,
    /// By widget: is it a text field? Everybody who looks at a screen sees that.
    pub fields: &'a [bool],
}

impl Scene<'_> {
    /// Is this widget a text field?
    pub fn field(&self, widget: u32) -> bool {
        self.fields.get(widget as usize).copied().unwrap_or(false)
    }
}

/// What a learner does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Act {
    /// Which widget.
    pub widget: u32,
    /// Which string, where it is a text field.
    pub string: u32,
    /// The third number: which of two ways to operate the widget.
    pub second: bool,
}

/// A learner. Its hyperparameters are its own; rewards are the environment's.
pub trait Learner: Send {
    /// Chooses.
    fn act(&mut self, scene: &Scene<'_>, rng: &mut Rng) -> Act;
    /// Learns what the last action earned and where it led. `terminal`: nothing follows, the app has died; an
    /// episode that only ran out of time is not terminal.
    fn learn(&mut self, reward: f32, next: &Scene<'_>, terminal: bool, rng: &mut Rng);
    /// The next action is the first of an episode: the app was started anew.
    fn begin(&mut self) {}
    /// Is what the episode has been at part of its state?
    fn sees_visited(&self) -> bool {
        false
    }
    /// Places that it has weights for; 0 where what it learned is not by place.
    fn places(&self) -> usize {
        0
    }
    /// Learning steps done.
    fn updates(&self) -> u64;
    /// All that was learned.
    fn export(&self) -> Bundle;
    /// Goes on from what was learned.
    ///
    /// # Errors
    /// It is another learner's, in words.
    fn import(&mut self, learned: &Bundle) -> Result<(), String>;
}
