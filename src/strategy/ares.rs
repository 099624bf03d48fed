//! `q-learning`, `ares-sac`, `ares-td3`, `ares-ddpg` on any device: ARES's state, action, reward and episodes around
//! an [`Learner`].
//!
//! Romdhana et al. (2022), section 4. State: a place for each activity met and one for each widget, on where they are
//! shown; with `visited` another for each activity, on once the episode has been there. Action: which widget or system
//! event, which string, and a third number for one of two ways. Reward: +1000 for a crash or an activity new in the
//! episode, 0 for one seen before, -100 for leaving the app, else -1. An episode is 250 events, fewer where the app
//! dies; then it starts fresh. Unlike ARES, the keys that a page offers (back) are actions as well, an action always
//! names something there, and activities get their places as they are met.

use super::learner::{Learner, Scene};
use super::{Decision, Step, Strategy, StrategyError, View};
use crate::gui::{EventIx, EventKind, Page};
use crate::learn::policy_file::Lesson;
use crate::outcome::run_event::{Input, RawInput};
use crate::util::hash::{mix, of_bytes};
use crate::util::intern::Interner;
use crate::util::seed::Rng;
use rand::RngExt as _;
use rustc_hash::{FxHashMap, FxHashSet};
use std::io;

mod frame;
mod policy;
mod widgets;

pub use frame::{Algorithm, Frame, Settings};
use widgets::{identity, operable};

/// Numbers of an action: what, which string, which way.
pub const NUMBERS: usize = 3;

/// A new activity, or a crash.
const REWARD_NEW: f32 = 1000.0;
/// Leaving the app.
const REWARD_OUTSIDE: f32 = -100.0;
/// Nothing.
const REWARD_SAME: f32 = -1.0;

/// Strings typed where nothing better is known; the first choice is always the text generator's.
pub const STRINGS: [&str; 9] = [
    "",
    "a",
    "7",
    "-1",
    "0",
    "x y",
    "test",
    "a@b.org",
    "01/02/2030",
];

/// Hyperparameters that are not the learner's.
#[derive(Clone, PartialEq, Debug)]
pub struct Parameters {
    /// Events of an episode.
    pub episode: u32,
    /// What can be typed.
    pub strings: Vec<String>,
    /// Is the first choice what the text generator types (the suite's texts), before the strings?
    pub generator: bool,
}

impl Default for Parameters {
    fn default() -> Self {
        Self {
            episode: Frame::default().episode,
            strings: STRINGS.map(str::to_owned).to_vec(),
            generator: true,
        }
    }
}

/// Something that can be operated.
#[derive(Clone, PartialEq, Debug)]
enum Choice {
    /// A system event, by its number.
    System(usize),
    /// A key, or a widget with its events; `field`: it can be typed into.
    Events { events: Vec<EventIx>, field: bool },
}

/// A page as a learner sees it.
#[derive(Debug)]
struct Sight {
    key: u64,
    bits: Vec<u32>,
    choices: Vec<Choice>,
    fields: Vec<bool>,
    strings: u32,
}

impl Sight {
    fn scene<'a>(&'a self, visited: &'a [u32]) -> Scene<'a> {
        Scene {
            key: self.key,
            bits: &self.bits,
            visited,
            widgets: u32::try_from(self.choices.len()).unwrap_or(u32::MAX),
            strings: self.strings,
            beyond: false,
            rows: 0,
            fields: &self.fields,
        }
    }
}

/// What a step earned, kept until its following scene is known.
#[derive(Clone, Copy, Debug)]
struct Earned {
    reward: f32,
    terminal: bool,
}

/// The strategy.
pub struct Ares {
    name: &'static str,
    parameters: Parameters,
    learner: Box<dyn Learner>,
    /// Places by name.
    places: FxHashMap<String, u32>,
    episode: FxHashSet<u64>,
    /// Places of the activities of the episode, where the learner sees them.
    visited: Vec<u32>,
    steps: u32,
    acted: bool,
    earned: Option<Earned>,
    /// Did the app die in this episode?
    over: bool,
    /// This session, and those learned from before.
    session: Lesson,
    history: Vec<Lesson>,
}

impl Ares {
    /// Around a fresh learner of this name; `session` is remembered in its policy.
    pub fn new(
        name: &'static str,
        learner: Box<dyn Learner>,
        parameters: Parameters,
        session: impl Into<String>,
    ) -> Self {
        Self {
            name,
            parameters,
            learner,
            places: FxHashMap::default(),
            episode: FxHashSet::default(),
            visited: Vec::new(),
            steps: 0,
            acted: false,
            earned: None,
            over: false,
            session: Lesson {
                session: session.into(),
                ..Lesson::default()
            },
            history: Vec::new(),
        }
    }

    /// In this session, which is named in the policy.
    pub fn in_session(mut self, lesson: Lesson) -> Self {
        self.session = lesson;
        self
    }

    fn place(&mut self, name: String) -> u32 {
        let new = u32::try_from(self.places.len()).unwrap_or(u32::MAX);
        *self.places.entry(name).or_insert(new)
    }

    /// The episode is at this page's activity. Is it new there?
    fn visit(&mut self, page: &Page, interner: &Interner) -> bool {
        let new = self.episode.insert(interned(page, interner));
        if new && self.learner.sees_visited() {
            let activity = interner.get(page.activity);
            let place = self.place(format!("visited {activity}"));
            self.visited.push(place);
        }
        new
    }

    /// Everything that can be operated: system events first, then keys, then widgets.
    fn choices(view: &View<'_>) -> Vec<Choice> {
        let mut choices: Vec<Choice> = (0..view.system.len()).map(Choice::System).collect();
        let events = &view.page.events;
        let keys = events
            .iter()
            .enumerate()
            .filter(|(_, e)| e.widget.is_none());
        choices.extend(keys.map(|(ix, _)| Choice::Events {
            events: vec![ix],
            field: false,
        }));
        let mut last = None;
        for (ix, event) in events.iter().enumerate() {
            let Some(widget) = event.widget else { continue };
            let text = event.kind == EventKind::Text;
            match choices.last_mut() {
                Some(Choice::Events { events, field }) if last == Some(widget) => {
                    events.push(ix);
                    *field |= text;
                }
                _ => choices.push(Choice::Events {
                    events: vec![ix],
                    field: text,
                }),
            }
            last = Some(widget);
        }
        choices
    }

    /// Places that are on.
    fn bits(&mut self, view: &View<'_>) -> (Vec<u32>, u64) {
        let (page, interner) = (view.page, view.interner);
        let activity = interner.get(page.activity);
        let mut key = of_bytes(activity.as_bytes());
        let mut bits = vec![self.place(format!("activity {activity}"))];
        let mut on: FxHashSet<u32> = bits.iter().copied().collect();
        for widget in operable(page) {
            let name = identity(page, widget, interner);
            key = mix(key, of_bytes(name.as_bytes()));
            let place = self.place(name);
            if on.insert(place) {
                bits.push(place);
            }
        }
        // A table's actions are numbers of choices, which system events come first among.
        (bits, mix(key, view.system.len() as u64))
    }

    fn see(&mut self, view: &View<'_>) -> Sight {
        let choices = Self::choices(view);
        let fields = choices
            .iter()
            .map(|choice| matches!(choice, Choice::Events { field: true, .. }))
            .collect();
        let (bits, key) = self.bits(view);
        Sight {
            key,
            bits,
            choices,
            fields,
            strings: self.strings(),
        }
    }

    /// The learner learns what its last action led to. Is the episode over?
    fn conclude(&mut self, now: &Sight, rng: &mut Rng) -> bool {
        self.acted = false;
        if let Some(earned) = self.earned.take() {
            let next = now.scene(&self.visited);
            self.learner
                .learn(earned.reward, &next, earned.terminal, rng);
            self.over |= earned.terminal;
        }
        self.over
    }

    /// What an event is performed with.
    fn decision(&self, choice: &Choice, view: &View<'_>, string: u32, second: bool) -> Decision {
        let events = match choice {
            Choice::System(ix) => return Decision::System(view.system[*ix].clone()),
            Choice::Events { events, .. } => events,
        };
        let kind = |ix: EventIx| view.page.events[ix].kind;
        // Of two ways the third number chooses; of more the second, which nothing else uses there.
        let typed = events
            .iter()
            .copied()
            .find(|&ix| kind(ix) == EventKind::Text);
        let event = match (typed, events.len()) {
            (Some(typed), 1) => typed,
            (Some(typed), _) if !second => typed,
            (_, 0..=2) => events[usize::from(second).min(events.len() - 1)],
            (_, many) => events[string as usize % many],
        };
        let input = (kind(event) == EventKind::Text)
            .then(|| self.text(string))
            .flatten();
        Decision::Perform { event, input }
    }

    /// `None`: the text generator's.
    fn text(&self, string: u32) -> Option<Input> {
        let at = (string as usize).checked_sub(usize::from(self.parameters.generator))?;
        let s = self.parameters.strings.get(at)?.clone();
        Some(Input::Text { s, enter: false })
    }

    fn strings(&self) -> u32 {
        let own = self.parameters.strings.len() + usize::from(self.parameters.generator);
        u32::try_from(own.max(1)).unwrap_or(u32::MAX)
    }
}

impl Strategy for Ares {
    fn decide(&mut self, view: &View<'_>, rng: &mut Rng) -> Result<Decision, StrategyError> {
        let sight = self.see(view);
        let over = self.conclude(&sight, rng);
        if over || self.steps >= self.parameters.episode {
            self.steps = 0;
            self.over = false;
            self.episode.clear();
            self.visited.clear();
            self.learner.begin();
            return Ok(Decision::Restart);
        }
        self.visit(view.page, view.interner);
        self.steps += 1;
        if sight.choices.is_empty() {
            return Ok(tap(view.page, rng));
        }
        let act = self.learner.act(&sight.scene(&self.visited), rng);
        self.acted = true;
        let choice = sight.choices.get(act.widget as usize);
        Ok(choice.map_or(Decision::Invalid, |choice| {
            self.decision(choice, view, act.string, act.second)
        }))
    }

    /// The suite's `[reward]` is not ARES's, which is computed here.
    fn learn(&mut self, step: &Step<'_>, _: f32) -> Result<(), StrategyError> {
        let after = step.after;
        let reward = if after.crash.is_some() || after.anr.is_some() || after.death.is_some() {
            REWARD_NEW
        } else if !after.alive || !after.left.is_empty() {
            REWARD_OUTSIDE
        } else if self.visit(step.page, step.interner) {
            REWARD_NEW
        } else if step.page.activity != step.before.activity {
            0.0
        } else {
            REWARD_SAME
        };
        if self.acted {
            self.earned = Some(Earned {
                reward,
                terminal: !after.alive,
            });
        }
        Ok(())
    }

    fn interrupted(&mut self, view: &View<'_>, rng: &mut Rng) -> Result<(), StrategyError> {
        if self.earned.is_some() {
            let sight = self.see(view);
            self.conclude(&sight, rng);
        }
        Ok(())
    }

    fn save(&self, to: &mut dyn io::Write) -> Result<(), StrategyError> {
        self.write_policy(to)
    }

    fn load(&mut self, from: &mut dyn io::Read) -> Result<(), StrategyError> {
        self.read_policy(from)
    }
}

/// The page's activity, the same in every session.
fn interned(page: &Page, interner: &Interner) -> u64 {
    of_bytes(interner.get(page.activity).as_bytes())
}

/// Somewhere on a page that offers nothing, as ARES does.
fn tap(page: &Page, rng: &mut Rng) -> Decision {
    match page.screen {
        (width, height) if width > 0 && height > 0 => Decision::Raw(RawInput::Tap {
            x: rng.random_range(0..width),
            y: rng.random_range(0..height),
        }),
        _ => Decision::Restart,
    }
}

#[cfg(test)]
mod tests;
