//! Fastbot3's abstraction, tuned while the session runs: Fastbot's, with more of a widget where an activity needs it.
//!
//! Each activity has a mask of additional attributes, empty at first. Every [`BATCH`] steps it gains one where events
//! are ambiguous, and loses it again where that splits states into too many. (The published code of Fastbot3, 2026.)

use super::fastbot::{Numbers, StaticTexts, hyper_event, place, set};
use super::fixed::Restart;
use super::{EventId, Move, Sighting, StateId, States};
use crate::gui::{Event, Page};
use crate::util::hash::mix;
use crate::util::intern::{Interner, Sym};
use rustc_hash::{FxHashMap, FxHashSet};

/// Steps from one change of masks to the next.
const BATCH: u32 = 50;
/// Widgets that one event may stand for on a page.
const ALIKE: usize = 3;
/// New states that one old state may be split into.
const SPLIT: usize = 8;
/// Widgets of a page whose texts may count.
const TEXTS: usize = 20;
/// States that texts may make of an activity.
const TEXT_STATES: usize = 50;

/// The attributes that a mask has beside Fastbot's own, a bit for each.
type Mask = u8;
const DESCRIPTION: Mask = 1;
const PLACE: Mask = 2;
const TEXT: Mask = 4;
/// The order in which they are added.
const ORDER: [Mask; 3] = [DESCRIPTION, PLACE, TEXT];

/// What is known of one activity.
#[derive(Debug, Default)]
struct Activity {
    mask: Mask,
    /// The mask before the last refinement.
    before: Option<Mask>,
    /// Masks that split states too far; never tried again.
    banned: Vec<Mask>,
    /// An event led from one state to different ones, or stood for too many widgets.
    ambiguous: bool,
    /// A page has so many texts that they must not count.
    wordy: bool,
    /// Pages distinguished by their texts, at most one more than [`TEXT_STATES`].
    by_text: FxHashSet<u64>,
    /// By state of the mask before: the states that it is now.
    split: FxHashMap<u64, Vec<StateId>>,
}

impl Activity {
    /// Adds the next attribute that may be added.
    fn refine(&mut self) {
        let worded = self.wordy || self.by_text.len() > TEXT_STATES;
        let next = ORDER.into_iter().find(|bit| {
            let wider = self.mask | bit;
            wider != self.mask && !self.banned.contains(&wider) && !(*bit == TEXT && worded)
        });
        if let Some(bit) = next {
            self.before = Some(self.mask);
            self.mask |= bit;
            self.split.clear();
        }
        self.ambiguous = false;
    }

    /// Takes the last attribute away again.
    fn coarsen(&mut self) {
        if let Some(before) = self.before.take() {
            self.banned.push(self.mask);
            self.mask = before;
            self.split.clear();
        }
    }
}

/// The abstraction.
#[derive(Debug)]
pub struct Tuned {
    texts: StaticTexts,
    restart: Restart,
    numbers: Numbers,
    activities: FxHashMap<Sym, Activity>,
    /// By state: its activity.
    owner: Vec<Sym>,
    /// Since the last batch: where events led first.
    led: FxHashMap<(StateId, EventId), StateId>,
    steps: u32,
}

impl Tuned {
    /// Nothing seen yet. `restart`: of which pages starting the app again is an event.
    pub fn new(texts: StaticTexts, restart: Restart) -> Self {
        Self {
            texts,
            restart,
            numbers: Numbers::default(),
            activities: FxHashMap::default(),
            owner: Vec::new(),
            led: FxHashMap::default(),
            steps: 0,
        }
    }
}

/// A hash with the attributes of a mask.
fn with(hash: u64, page: &Page, event: &Event, mask: Mask, interner: &Interner) -> u64 {
    let Some(widget) = event.widget.map(|ix| &page.widgets[ix as usize]) else {
        return hash;
    };
    let values = [
        interner.hash(widget.description),
        widget.path,
        interner.hash(widget.text),
    ];
    let wanted = ORDER.into_iter().zip(values);
    let wanted = wanted.filter(|(bit, _)| mask & bit != 0);
    wanted.fold(hash, |hash, (_, value)| mix(hash, value))
}

/// Hash of a page's state under a mask.
fn state(page: &Page, mask: Mask, interner: &Interner) -> u64 {
    let widgets = page.events.iter();
    let widgets =
        widgets.map(|event| with(place(page, event, interner), page, event, mask, interner));
    let activity = mix(interner.hash(page.activity), u64::from(mask));
    set(activity, widgets.collect())
}

/// Has a page more than [`TEXTS`] widgets with events, or more than half of them a text?
fn is_wordy(page: &Page) -> bool {
    let mut widgets: Vec<u32> = page
        .events
        .iter()
        .filter_map(|event| event.widget)
        .collect();
    widgets.dedup();
    let with_text = widgets
        .iter()
        .filter(|ix| !page.widgets[**ix as usize].text.is_empty());
    widgets.len() > TEXTS || 2 * with_text.count() > widgets.len()
}

/// Does one event stand for more than [`ALIKE`] widgets?
fn is_crowded(events: &[EventId]) -> bool {
    let mut sorted = events.to_vec();
    sorted.sort_unstable();
    sorted
        .chunk_by(|a, b| a == b)
        .any(|same| same.len() > ALIKE)
}

impl States for Tuned {
    fn observe(&mut self, page: &Page, interner: &Interner) -> Sighting {
        let activity = self.activities.entry(page.activity).or_default();
        let hash = state(page, activity.mask, interner);
        let now = self.numbers.state(hash);
        if now.index() == self.owner.len() {
            self.owner.push(page.activity);
        }
        let keys = page.events.iter().map(|event| {
            let key = hyper_event(page, event, &self.texts, interner);
            with(key, page, event, activity.mask, interner)
        });
        let mut events: Vec<_> = keys.map(|key| self.numbers.event(key)).collect();
        activity.ambiguous |= is_crowded(&events);
        activity.wordy |= is_wordy(page);
        if activity.by_text.len() <= TEXT_STATES {
            let worded = state(page, activity.mask | TEXT, interner);
            activity.by_text.insert(worded);
        }
        if let Some(before) = activity.before {
            let old = state(page, before, interner);
            let parts = activity.split.entry(old).or_default();
            if !parts.contains(&now) {
                parts.push(now);
            }
            if parts.len() > SPLIT {
                activity.coarsen();
            }
        }
        self.numbers.restart(self.restart, now, &mut events);
        Sighting { state: now, events }
    }

    fn performed(&mut self, step: Move, _: bool, _: bool) {
        if let Some(to) = step.to {
            let first = *self.led.entry((step.from, step.event)).or_insert(to);
            let owner = self.owner.get(step.from.index());
            if first != to
                && let Some(activity) = owner.and_then(|owner| self.activities.get_mut(owner))
            {
                activity.ambiguous = true;
            }
        }
        self.steps += 1;
        if self.steps.is_multiple_of(BATCH) {
            let ambiguous = self.activities.values_mut().filter(|a| a.ambiguous);
            ambiguous.for_each(Activity::refine);
            self.led.clear();
        }
    }
}

#[cfg(test)]
mod tests;
