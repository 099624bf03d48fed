//! `dynodroid`: observe, select, execute (Machiry, Tahiliani, Naik: Dynodroid, FSE 2013).
//!
//! Observe (section 3.1): the relevant events are those that a listener or an overridden method of the page reacts to,
//! the keys back and menu, and the system events that the app has registered for: broadcasts, and what reaches listeners
//! of positions, sensors and calls. Text fields of a page are filled before
//! another of its events is chosen. Select (section 3.2): one of three rules. Execute is the session's.
//!
//! Two events that the abstraction takes for the same are one event here: it is drawn as one, then one of both is
//! performed.

use super::definition::{self, Context, Definition};
use super::{Decision, Strategy, StrategyError, View};
use crate::graph::fixed::{Fixed, Limits};
use crate::graph::{EventId, States};
use crate::gui::{EventIx, EventKey, EventKind, Page, SystemEvent};
use crate::util::hash::mix;
use crate::util::seed::Rng;
use rand::RngExt as _;
use rand::seq::{IndexedRandom as _, IteratorRandom as _};
use rand_distr::{Distribution as _, Gamma};
use rustc_hash::FxHashMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which relevant event is chosen (paper, section 3.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Select {
    /// `BiasedRandom` (Algorithm 2), the paper's best: at random, but an event that was chosen often among the same
    /// relevant events, and a system event from the start, has to be drawn more often before it is chosen.
    #[default]
    Biased,
    /// `Frequency`: one that was chosen least often.
    Frequency,
    /// `UniformRandom`: each with the same probability.
    Uniform,
}

/// The settings of `dynodroid`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", default)]
pub struct Settings {
    /// The source of the settings that are left out.
    pub preset: definition::Preset,
    /// The rule that selects the next event.
    pub select: Select,
    /// The probability that the app starts again with cleared data instead: it leaves states that no event leaves.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub reinstall: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            preset: definition::Preset::Default,
            select: Select::Biased,
            reinstall: 0.005,
        }
    }
}

impl Definition for Settings {
    const NAME: &'static str = "dynodroid";
    const SUMMARY: &'static str =
        "Dynodroid (FSE 2013): observe, select, execute over relevant UI and system events.";
    const PAPER: &'static [&'static str] = &["reinstall = 0.0"];
}

impl definition::Settings for Settings {
    fn make(&self, _: &Context<'_>) -> Result<Box<dyn Strategy>, StrategyError> {
        Ok(Box::new(Dynodroid::new(*self)))
    }
}

/// A relevant event.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
enum Relevant {
    /// One of the page's.
    Ui(EventId),
    /// A system event, by its number in [`Dynodroid::system`].
    System(u32),
}

/// The strategy.
#[derive(Debug)]
pub struct Dynodroid {
    settings: Settings,
    /// `G[e, E]` of Algorithm 2: the draws that event `e` needs among the relevant events `E`, less one.
    needed: FxHashMap<(u64, Relevant), u32>,
    /// Numbers of system events.
    system: FxHashMap<SystemEvent, u32>,
    /// How often each event was chosen.
    times: FxHashMap<Relevant, u32>,
    /// The relevant events of the last page as a hash, and its fields that were filled since it is shown.
    context: u64,
    filled: Vec<EventKey>,
    /// Was the last decision to fill a field? It changes the page: keys and buttons come with the focus and the text.
    filling: bool,
    /// The events that were chosen since the fields were filled.
    chosen: usize,
    /// Was the last decision a start with cleared data? Another one would find nothing new.
    restarted: bool,
}

impl Dynodroid {
    /// With these settings.
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            needed: FxHashMap::default(),
            system: FxHashMap::default(),
            times: FxHashMap::default(),
            context: 0,
            filled: Vec::new(),
            filling: false,
            chosen: 0,
            restarted: false,
        }
    }

    /// The observer: the relevant events, sorted, each once. Fields are filled, not chosen.
    fn observe(
        &mut self,
        page: &Page,
        merged: &[EventId],
        system: &[SystemEvent],
    ) -> Vec<Relevant> {
        let chosen = page.events.iter().zip(merged);
        let mut relevant: Vec<_> = chosen
            .filter(|(event, _)| event.kind != EventKind::Text)
            .map(|(_, &merged)| Relevant::Ui(merged))
            .collect();
        for event in system.iter().filter(|event| is_registered(event)) {
            let next = u32::try_from(self.system.len()).unwrap_or(u32::MAX);
            let number = match self.system.get(event) {
                Some(number) => *number,
                None => *self.system.entry(event.clone()).or_insert(next),
            };
            relevant.push(Relevant::System(number));
        }
        relevant.sort_unstable();
        relevant.dedup();
        relevant
    }

    /// A field of the page that is to be filled first. Each is filled once for so many choices among the same relevant
    /// events: a form that refuses its texts shows no other page.
    fn field(&mut self, page: &Page, context: u64, choices: usize) -> Option<EventIx> {
        let other = std::mem::replace(&mut self.context, context) != context;
        let by_text = std::mem::take(&mut self.filling);
        if other && !by_text || self.chosen >= choices.max(1) {
            self.filled.clear();
            self.chosen = 0;
        }
        let empty = |key: &EventKey| !self.filled.contains(key);
        let mut events = page.events.iter();
        let field = events.position(|e| e.kind == EventKind::Text && empty(&e.key))?;
        self.filled.push(page.events[field].key);
        self.filling = true;
        Some(field)
    }

    /// The selector.
    fn select(&mut self, relevant: &[Relevant], context: u64, rng: &mut Rng) -> Option<Relevant> {
        match self.settings.select {
            Select::Biased => self.biased(relevant, context, rng),
            Select::Frequency => {
                let count = |event: &Relevant| self.times.get(event).copied().unwrap_or(0);
                let least = relevant.iter().map(count).min()?;
                let rarest = relevant.iter().filter(|event| count(event) == least);
                rarest.copied().choose(rng)
            }
            Select::Uniform => relevant.choose(rng).copied(),
        }
    }

    /// Algorithm 2. The paper draws uniformly, and counts, until an event `e` was drawn `G[e, E] + 1` times. Here each
    /// event's draws come by a clock of its own (a Poisson process, which leaves the order of the draws uniform), so that
    /// its last needed draw comes at a time with the Gamma distribution, and the earliest wins: the same distribution, at
    /// a cost that does not grow with the counts.
    fn biased(&mut self, relevant: &[Relevant], context: u64, rng: &mut Rng) -> Option<Relevant> {
        let mut first: Option<(f64, Relevant)> = None;
        for &event in relevant {
            let needed = self.needed.get(&(context, event)).copied();
            let draws = needed.unwrap_or_else(|| start(event)) + 1;
            let time = Gamma::new(f64::from(draws), 1.0).map_or(f64::INFINITY, |g| g.sample(rng));
            if first.is_none_or(|(earliest, _)| time < earliest) {
                first = Some((time, event));
            }
        }
        let (_, chosen) = first?;
        let needed = self
            .needed
            .entry((context, chosen))
            .or_insert(start(chosen));
        *needed = needed.saturating_add(1);
        Some(chosen)
    }
}

/// The first value of `G[e, E]` (Algorithm 2).
const fn start(event: Relevant) -> u32 {
    match event {
        Relevant::Ui(_) => 1,
        Relevant::System(_) => 2,
    }
}

/// Does it reach an app only if the app has registered for it? Rotation, home, a lost network and starts of components
/// reach each app.
const fn is_registered(event: &SystemEvent) -> bool {
    use SystemEvent::{Broadcast, Call, Location, Sensor};
    matches!(
        event,
        Broadcast { .. } | Location { .. } | Sensor { .. } | Call { .. }
    )
}

/// Names a set of relevant events.
fn name(relevant: &[Relevant]) -> u64 {
    relevant.iter().fold(0, |hash, event| match event {
        Relevant::Ui(event) => mix(hash, u64::from(event.0) << 1),
        Relevant::System(event) => mix(hash, u64::from(*event) << 1 | 1),
    })
}

impl Strategy for Dynodroid {
    fn states(&self) -> Option<Box<dyn States>> {
        Some(Box::new(Fixed::new(Limits::without_restart())))
    }

    fn decide(&mut self, view: &View<'_>, rng: &mut Rng) -> Result<Decision, StrategyError> {
        let map = view.map.ok_or(StrategyError::NoGraph)?;
        let reinstall = self.settings.reinstall;
        let restarted = std::mem::take(&mut self.restarted);
        if reinstall > 0.0 && rng.random_bool(reinstall.min(1.0)) && !restarted {
            self.restarted = true;
            return Ok(Decision::Restart);
        }
        let merged = &map.sighting.events;
        let relevant = self.observe(view.page, merged, view.system);
        let context = name(&relevant);
        if let Some(event) = self.field(view.page, context, relevant.len()) {
            return Ok(Decision::Perform { event, input: None });
        }
        self.chosen += 1;
        let selected = self.select(&relevant, context, rng);
        if let Some(event) = selected {
            *self.times.entry(event).or_default() += 1;
        }
        Ok(match selected {
            Some(Relevant::Ui(event)) => {
                let same = (0..view.page.events.len()).filter(|ix| merged.get(*ix) == Some(&event));
                match same.choose(rng) {
                    Some(event) => Decision::Perform { event, input: None },
                    None => Decision::Invalid,
                }
            }
            Some(Relevant::System(number)) => {
                let mut events = view.system.iter();
                match events.find(|event| self.system.get(*event) == Some(&number)) {
                    Some(event) => Decision::System(event.clone()),
                    None => Decision::Invalid,
                }
            }
            None => Decision::Restart,
        })
    }
}

#[cfg(test)]
mod tests;
