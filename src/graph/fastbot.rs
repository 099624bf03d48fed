//! Fastbot's abstraction: hyper-events, and states that are sets of widgets.
//!
//! Lv, Peng, Zhang, Su, Liu, Yang: "Fastbot2: Reusable Automated Model-based GUI Testing for Android Enhanced by
//! Reinforcement Learning" (ASE 2022), section III-A for the hyper-event; the states are the published code's.

use super::fixed::{RESTART, Restart};
use super::{EventId, Sighting, StateId, States};
use crate::gui::caption::caption;
use crate::gui::{Event, EventKind, Page};
use crate::util::hash::{mix, of_bytes};
use crate::util::intern::Interner;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// The texts that the app's resources contain, as hashes: no other text on a page belongs to a hyper-event.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StaticTexts(Option<Arc<FxHashSet<u64>>>);

impl StaticTexts {
    /// Only these, each by [`crate::util::hash::of_bytes`].
    pub fn only(texts: FxHashSet<u64>) -> Self {
        Self(Some(Arc::new(texts)))
    }

    /// Is a text of this hash static? Where the resources are not known (a FATE model), each is.
    fn has(&self, text: u64) -> bool {
        self.0.as_ref().is_none_or(|known| known.contains(&text))
    }
}

/// What an event is called in every session, whatever the app's version: activity, kind, class, resource-id and static
/// text (of the widget, or the first inside it). Keys have the activity and their kind only.
pub fn hyper_event(page: &Page, event: &Event, texts: &StaticTexts, interner: &Interner) -> u64 {
    let key = mix(interner.hash(page.activity), place(page, event, interner));
    let mut words = Vec::new();
    if let Some(widget) = event.widget {
        caption(page, widget, &mut words);
    }
    with_text(key, words.iter().map(|word| interner.hash(*word)), texts)
}

/// The same of an event that a journal names: `class` and `id` of its widget, if it has one, and `words`, the texts on
/// the widget or inside it.
pub fn named_hyper_event<'w>(
    activity: &str,
    kind: EventKind,
    widget: Option<(&str, &str)>,
    words: impl IntoIterator<Item = &'w str>,
    texts: &StaticTexts,
) -> u64 {
    let hash = |text: &str| of_bytes(text.as_bytes());
    let of_widget = |(class, id)| mix(mix(kind.code(), hash(class)), hash(id));
    let place = widget.map_or(kind.code(), of_widget);
    with_text(
        mix(hash(activity), place),
        words.into_iter().map(hash),
        texts,
    )
}

fn with_text(key: u64, mut words: impl Iterator<Item = u64>, texts: &StaticTexts) -> u64 {
    words
        .find(|text| texts.has(*text))
        .map_or(key, |text| mix(key, text))
}

/// A hyper-event without activity and text.
pub(super) fn place(page: &Page, event: &Event, interner: &Interner) -> u64 {
    let Some(widget) = event.widget else {
        return event.kind.code();
    };
    let this = &page.widgets[widget as usize];
    let kind = mix(event.kind.code(), interner.hash(this.class));
    mix(kind, interner.hash(this.resource_id))
}

/// Numbers for states and events by hash, in the order of first sight.
#[derive(Debug, Default)]
pub(super) struct Numbers {
    states: FxHashMap<u64, StateId>,
    events: FxHashMap<u64, EventId>,
}

impl Numbers {
    /// The state of an activity and a set of widgets.
    pub fn state(&mut self, hash: u64) -> StateId {
        let next = StateId::at(self.states.len());
        *self.states.entry(hash).or_insert(next)
    }

    /// The event with this hash.
    pub fn event(&mut self, hash: u64) -> EventId {
        let next = EventId::at(self.events.len());
        *self.events.entry(hash).or_insert(next)
    }

    /// The event that starts the app again, where it is one.
    pub fn restart(&mut self, restart: Restart, state: StateId, events: &mut Vec<EventId>) {
        match restart {
            Restart::Never => {}
            Restart::EachPage => events.push(self.event(mix(u64::from(state.0) << 32, RESTART))),
            Restart::Once => events.push(self.event(RESTART)),
        }
    }
}

/// Hash of an activity and a set of widgets: neither their order nor their number counts.
pub(super) fn set(activity: u64, mut widgets: Vec<u64>) -> u64 {
    widgets.sort_unstable();
    widgets.dedup();
    widgets.into_iter().fold(activity, mix)
}

/// The abstraction.
#[derive(Debug)]
pub struct Fastbot {
    texts: StaticTexts,
    restart: Restart,
    numbers: Numbers,
}

impl Fastbot {
    /// Nothing seen yet. `restart`: of which pages starting the app again is an event.
    pub fn new(texts: StaticTexts, restart: Restart) -> Self {
        Self {
            texts,
            restart,
            numbers: Numbers::default(),
        }
    }
}

impl States for Fastbot {
    fn observe(&mut self, page: &Page, interner: &Interner) -> Sighting {
        let widgets = page.events.iter().map(|event| place(page, event, interner));
        let state = set(interner.hash(page.activity), widgets.collect());
        let state = self.numbers.state(state);
        let keys = page.events.iter();
        let keys = keys.map(|event| hyper_event(page, event, &self.texts, interner));
        let mut events: Vec<_> = keys.map(|key| self.numbers.event(key)).collect();
        self.numbers.restart(self.restart, state, &mut events);
        Sighting { state, events }
    }
}

#[cfg(test)]
mod tests;
