//! The raw walk: a model in the published simulator's terms, without pages or observations of a device.
//!
//! An action is a pair of numbers, widget and string; an episode is 300 valid steps; coverage is the number of
//! activities ever seen. A test holds it and [`super::SimDevice`] to the same nodes, globals and coverage.

use super::expr::{Texts, Value};
use super::model::{Ix, Model, Semantics, State, StepError};

/// Valid steps of an episode.
pub const EPISODE: u32 = 300;

/// Reward of an activity that is new in the episode.
pub const REWARD_NEW: f32 = 1000.0;
/// Reward while the episode has not left its first activity.
pub const REWARD_SAME: f32 = -1.0;
/// Reward of an action that names no widget.
pub const REWARD_INVALID: f32 = -30.0;

/// A model on its way.
#[derive(Debug)]
pub struct Walk<'m> {
    model: &'m Model,
    semantics: Semantics,
    state: State,
    texts: Texts,
    pool: Vec<Value>,
    /// By node: the episode in which it was last seen, 0 for never.
    seen: Vec<u64>,
    episode: u64,
    activities: u32,
    moved: bool,
    steps: u32,
    alive: bool,
}

/// The result of one action.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WalkStep {
    /// The published reward.
    pub reward: f32,
    /// Did the action name a widget? If not, nothing happened, and the episode is not a shorter.
    pub valid: bool,
    /// Did it lead to an activity that is new in the episode?
    pub new: bool,
    /// Is the episode over? Reset before the next step.
    pub done: bool,
    /// Activities ever seen: the next point of the coverage curve.
    pub activities: u32,
}

impl<'m> Walk<'m> {
    /// A walk in its first episode; `pool` holds the strings that actions may name, `seed` decides between
    /// nondeterministic transitions.
    pub fn new(model: &'m Model, semantics: Semantics, pool: &[&str], seed: u64) -> Self {
        let mut texts = model.texts();
        let pool = pool.iter().map(|s| Value::Text(texts.intern(s))).collect();
        let mut walk = Self {
            state: model.first_state(seed),
            model,
            semantics,
            texts,
            pool,
            seen: vec![0; model.nodes.len()],
            episode: 0,
            activities: 0,
            moved: false,
            steps: 0,
            alive: true,
        };
        walk.reset();
        walk
    }

    /// Starts the next episode on the first node; `fate-compat` leaves the globals as they are.
    pub fn reset(&mut self) {
        self.model.restart(&mut self.state, false, self.semantics);
        self.episode += 1;
        self.moved = false;
        self.steps = 0;
        self.alive = true;
        self.arrive();
    }

    /// Does the app's process live? After a planted crash or exit it does not until the next episode.
    pub const fn alive(&self) -> bool {
        self.alive
    }

    /// Widgets of the node shown: valid widget numbers are below this.
    #[inline]
    pub fn widgets(&self) -> u32 {
        self.model.spans[self.state.node as usize].1
    }

    /// How many strings an action can name.
    pub fn strings(&self) -> u32 {
        u32::try_from(self.pool.len()).unwrap_or(u32::MAX)
    }

    /// Where the walk stands, and the texts its values name.
    pub fn state(&self) -> (&State, &Texts) {
        (&self.state, &self.texts)
    }

    /// Operates a widget of the node shown, a text field with the string of this number.
    ///
    /// A string beyond the pool makes the action of a text field invalid, as a widget beyond the node does.
    /// After a planted crash or exit the episode is done.
    ///
    /// # Errors
    /// A guard or set has no value.
    #[inline]
    pub fn step(&mut self, widget: u32, string: u32) -> Result<WalkStep, Box<StepError>> {
        let Some((widget, input)) = self.operand(widget, string) else {
            return Ok(WalkStep {
                reward: REWARD_INVALID,
                valid: false,
                new: false,
                done: !self.alive || self.steps >= EPISODE,
                activities: self.activities,
            });
        };
        let before = self.state.node;
        let taken = self.model.fire(
            &mut self.state,
            &mut self.texts,
            widget,
            input,
            self.semantics,
        )?;
        let mut new = false;
        if self.state.node != before {
            self.moved = true;
            new = self.arrive();
        } else if let Some(taken) = taken {
            let effect = &self.model.transitions[taken as usize].effect;
            self.alive = effect.as_ref().is_none_or(|e| !e.ends());
        }
        self.steps += 1;
        if self.texts.is_full() {
            let pool = self.pool.iter_mut();
            let values = self.state.globals.iter_mut().chain(pool);
            self.model.compact(&mut self.texts, values);
        }
        let reward = match (self.moved, new) {
            (false, _) => REWARD_SAME,
            (true, true) => REWARD_NEW,
            (true, false) => 0.0,
        };
        Ok(WalkStep {
            reward,
            valid: true,
            new,
            done: !self.alive || self.steps >= EPISODE,
            activities: self.activities,
        })
    }

    /// The widget's number in the model and what is typed; `None` for an invalid action.
    #[inline]
    fn operand(&self, widget: u32, string: u32) -> Option<(Ix, Value)> {
        let widget = self.model.widget(self.state.node, widget)?;
        if !self.alive {
            return None;
        }
        let input = if self.model.ways[widget as usize].editable {
            *self.pool.get(string as usize)?
        } else {
            Value::None
        };
        Some((widget, input))
    }

    /// Counts the node shown; true when it is new in this episode.
    #[inline]
    fn arrive(&mut self) -> bool {
        let seen = &mut self.seen[self.state.node as usize];
        let new = *seen != self.episode;
        self.activities += u32::from(*seen == 0);
        *seen = self.episode;
        new
    }

    /// Length of the observation: one place an activity, then one a widget of the complete model.
    pub fn observation_len(&self) -> usize {
        self.model.nodes.len() + self.model.widgets.len()
    }

    /// Writes the published observation: the activity shown and its widgets are 1, all else is 0.
    pub fn observe(&self, into: &mut [f32]) {
        into.fill(0.0);
        let node = self.state.node as usize;
        let widgets = &self.model.nodes[node].widgets;
        let offset = self.model.nodes.len();
        into[node] = 1.0;
        into[offset + widgets.start as usize..offset + widgets.end as usize].fill(1.0);
    }

    /// Takes random actions as the published simulator samples them, both ends inclusive: one widget in n + 1
    /// is none. Episodes are reset as they end. `each` is called for every step.
    ///
    /// # Errors
    /// A guard or set has no value.
    #[inline]
    pub fn random(
        &mut self,
        dice: &mut Dice,
        steps: u64,
        mut each: impl FnMut(WalkStep),
    ) -> Result<(), Box<StepError>> {
        for _ in 0..steps {
            let (widget, string) = dice.pair(self.widgets() + 1, self.strings());
            let step = self.step(widget, string)?;
            each(step);
            if step.done {
                self.reset();
            }
        }
        Ok(())
    }
}

/// A small fast generator (SplitMix64) for walks; sessions use [`crate::util::seed`].
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// A generator of its own for each seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    #[inline]
    pub const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Two numbers below these bounds, from one draw.
    #[inline]
    pub const fn pair(&mut self, first: u32, second: u32) -> (u32, u32) {
        let bits = self.next();
        let high = ((bits >> 32) * first as u64) >> 32;
        let low = ((bits & 0xffff_ffff) * second as u64) >> 32;
        (high as u32, low as u32)
    }
}

#[cfg(test)]
mod tests;
