//! The fixed abstraction: which pages and events are the same is decided by rules that do not change during a session.
//!
//! It is DinoDroid's (section III-B of the paper): pages that look alike are one state, and events of one activity with
//! the same kind, class, resource-id and text are one event, so that performing one of them counts for all. List items
//! may come and go without making another state.

mod alike;
mod places;

pub use alike::Numbers;

use super::{EventId, Move, Sighting, StateId, States};
use crate::gui::Page;
use crate::gui::caption::caption;
use crate::util::hash::mix;
use crate::util::intern::{Interner, Sym};
use alike::jaccard;
use places::Places;
use rustc_hash::FxHashMap;

/// Of which pages starting the app again is an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Restart {
    /// Of none.
    Never,
    /// An event of its own on each page (the paper).
    EachPage,
    /// One event of all pages: it leads to the same place from everywhere.
    Once,
}

/// What is the same.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Limits {
    /// Two pages of one activity are one state when at least this share of the events of either is common to
    /// both (Jaccard), 0 to 1. 1: only pages with the same events.
    pub alike: f64,
    /// Are texts the same whose numbers are not?
    pub numbers: Numbers,
    /// States of an activity that a new page is compared with, the newest first.
    pub compared: usize,
    /// Where so many texts in a row had nothing new behind them, further ones of the same place are one event
    /// ([`places`]); so with pages, for keys.
    pub novelty_patience: u32,
    /// Is starting the app again an event of every page?
    pub restart: Restart,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            alike: 0.8,
            numbers: Numbers::Merged,
            compared: 32,
            novelty_patience: 6,
            restart: Restart::Once,
        }
    }
}

impl Limits {
    /// The default ones, for strategies that start the app again by a decision of its own, not by an event of the page.
    pub fn without_restart() -> Self {
        Self {
            restart: Restart::Never,
            ..Self::default()
        }
    }
}

/// The abstraction, with what it has seen of one app.
#[derive(Debug)]
pub struct Fixed {
    limits: Limits,
    /// By state: tags of its first page's events without the list items' texts, sorted, each once.
    shapes: Vec<Vec<u64>>,
    /// By event: its place.
    at: Vec<u64>,
    by_shape: FxHashMap<u64, StateId>,
    by_activity: FxHashMap<Sym, Vec<StateId>>,
    by_tag: FxHashMap<u64, EventId>,
    texts: FxHashMap<Sym, u64>,
    places: Places,
    lists: FxHashMap<Sym, bool>,
}

/// Class names of views whose children are a list's items.
const LISTS: [&str; 6] = [
    "ListView",
    "RecyclerView",
    "GridView",
    "AbsListView",
    "ViewPager",
    "Spinner",
];
/// Of the event that starts the app again.
pub(super) const RESTART: u64 = 99;

impl Fixed {
    /// Nothing seen yet.
    pub fn new(limits: Limits) -> Self {
        Self {
            limits,
            shapes: Vec::new(),
            at: Vec::new(),
            by_shape: FxHashMap::default(),
            by_activity: FxHashMap::default(),
            by_tag: FxHashMap::default(),
            texts: FxHashMap::default(),
            places: Places::new(limits.novelty_patience),
            lists: FxHashMap::default(),
        }
    }

    fn event(&mut self, place: u64, tag: u64) -> EventId {
        let next = EventId::at(self.at.len());
        let merged = *self.by_tag.entry(tag).or_insert(next);
        if merged == next {
            self.at.push(place);
        }
        merged
    }

    fn state(&mut self, activity: Sym, hash: u64, shape: Vec<u64>) -> StateId {
        let key = shape.iter().fold(hash, |key, &tag| mix(key, tag));
        if let Some(&state) = self.by_shape.get(&key) {
            return state;
        }
        let siblings = self.by_activity.entry(activity).or_default();
        let like = siblings
            .iter()
            .rev()
            .take(self.limits.compared)
            .map(|&state| (jaccard(&self.shapes[state.index()], &shape), state))
            .filter(|(share, _)| *share >= self.limits.alike)
            .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
        let state = like.map_or_else(
            || {
                let state = StateId::at(self.shapes.len());
                siblings.push(state);
                self.shapes.push(shape);
                state
            },
            |(_, state)| state,
        );
        self.by_shape.insert(key, state);
        state
    }

    /// Which widgets are inside a list.
    fn list_items(&mut self, page: &Page, interner: &Interner) -> Vec<bool> {
        let mut inside = vec![false; page.widgets.len()];
        for (ix, widget) in page.widgets.iter().enumerate() {
            if let Some(parent) = widget.parent.map(|p| p as usize) {
                let class = page.widgets[parent].class;
                let list = *self.lists.entry(class).or_insert_with(|| {
                    let name = interner.get(class);
                    LISTS.iter().any(|known| name.ends_with(known))
                });
                inside[ix] = inside[parent] || list;
            }
        }
        inside
    }

    /// Hash of a text, which those that are the same share ([`Limits::numbers`]).
    fn text(&mut self, text: Sym, interner: &Interner) -> u64 {
        let numbers = self.limits.numbers;
        *self
            .texts
            .entry(text)
            .or_insert_with(|| numbers.hash(interner.get(text).trim()))
    }
}

impl States for Fixed {
    fn observe(&mut self, page: &Page, interner: &Interner) -> Sighting {
        let in_list = self.list_items(page, interner);
        let activity = interner.hash(page.activity);
        let mut tags = Vec::with_capacity(page.events.len() + 1);
        let mut shape = Vec::with_capacity(page.events.len());
        let mut words = Vec::new();
        for event in &page.events {
            let Some(widget) = event.widget else {
                tags.push(None);
                shape.push(event.kind.code());
                continue;
            };
            let this = &page.widgets[widget as usize];
            let place = mix(
                mix(event.kind.code(), interner.hash(this.class)),
                interner.hash(this.resource_id),
            );
            words.clear();
            caption(page, widget, &mut words);
            let tag = words
                .iter()
                .fold(place, |tag, &word| mix(tag, self.text(word, interner)));
            let at = mix(activity, place);
            let reported = self.places.tell(at, mix(activity, tag));
            let data = in_list[widget as usize] || reported == at;
            tags.push(Some((at, reported)));
            shape.push(if data { place } else { tag });
        }
        shape.sort_unstable();
        shape.dedup();
        let state = self.state(page.activity, activity, shape);
        let mut events: Vec<EventId> = tags
            .into_iter()
            .zip(&page.events)
            .map(|(tag, event)| {
                let (at, tag) = tag.unwrap_or_else(|| {
                    // Keys mean another thing on every page.
                    let at = mix(activity, event.kind.code());
                    let own = mix(u64::from(state.0) << 32, event.kind.code());
                    (at, self.places.tell(at, own))
                });
                self.event(at, tag)
            })
            .collect();
        match self.limits.restart {
            Restart::Never => {}
            Restart::EachPage => {
                let own = mix(u64::from(state.0) << 32, RESTART);
                events.push(self.event(RESTART, own));
            }
            Restart::Once => events.push(self.event(RESTART, RESTART)),
        }
        Sighting { state, events }
    }

    fn performed(&mut self, step: Move, first: bool, new: bool) {
        if let Some(&place) = self.at.get(step.event.index()) {
            self.places.performed(place, first, new);
        }
    }
}

#[cfg(test)]
mod tests;
