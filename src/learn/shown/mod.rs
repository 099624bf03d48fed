//! What a person showed in an app, as strategies learn from it: steps of a journal, or of a trace.
//!
//! A journal names the events that were performed and counts the others of a page. So a page is known as far as
//! somebody acted on it: [`Place::page`] makes one of that, for what a network sees of a page.

mod open;
mod page;

pub use open::{ShownError, journals, open};

use crate::graph::fastbot::{StaticTexts, named_hyper_event};
use crate::gui::{EventKey, EventKind, PageId, caption};
use crate::learn::event_model::EventModel;
use crate::outcome::run_event::{Did, EventIdentity, LedBy, RunEvent, SessionHeader, StepRecord};
use crate::trace::{Deed, Step, Target, Trace};
use rustc_hash::FxHashMap;

/// An event of a page, as a journal names it.
pub type Act = (EventKind, EventIdentity);

/// A page as far as it is known.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Place {
    /// The activity in front; empty outside the app and in a trace, which names none.
    pub activity: String,
    /// The number of events that it offers; 0 if that is not known.
    pub offers: u32,
    /// The events that were performed on it, each once.
    pub acts: Vec<Act>,
}

/// A step: an event of a page, and where it led.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ShownStep {
    /// Index of the page in [`Shown::places`].
    pub from: usize,
    /// Index of the event in [`Place::acts`].
    pub act: usize,
    /// Index of the page behind it.
    pub to: usize,
    /// The reward that it was given; `None` in a trace, which records none.
    pub reward: Option<f32>,
}

/// The steps that were shown in one session or trace: events on widgets and keys. Places on the screen and system events
/// are no events of a page, so that they are left out.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Shown {
    /// Package, or the model's name.
    pub package: String,
    /// The pages.
    pub places: Vec<Place>,
    /// The steps, in order.
    pub steps: Vec<ShownStep>,
    session: String,
    known: FxHashMap<PageId, usize>,
    events: FxHashMap<EventKey, Act>,
}

/// Was the step shown? A person performed it, or a trace of a corpus led it.
pub fn is_shown(step: &StepRecord) -> bool {
    matches!(step.led, Some(LedBy::Person | LedBy::Corpus(_)))
}

impl Shown {
    /// Takes the next line of a journal; of the steps those that are `wanted`.
    pub fn take(&mut self, event: &RunEvent, wanted: fn(&StepRecord) -> bool) {
        match event {
            RunEvent::Session(SessionHeader {
                package, session, ..
            }) => {
                self.package.clone_from(package);
                self.session.clone_from(session);
            }
            RunEvent::Page {
                id,
                activity,
                events,
                ..
            } => {
                let place = self.place(*id);
                self.places[place].activity.clone_from(activity);
                self.places[place].offers = *events;
            }
            RunEvent::Event { k, kind, at } => {
                self.events.insert(*k, (*kind, at.clone()));
            }
            RunEvent::Step(step) => {
                let Did::Event { k, .. } = &step.did else {
                    return;
                };
                let Some(act) = self.events.get(k).cloned() else {
                    return;
                };
                let (from, to) = (self.place(step.from), self.place(step.to));
                let act = self.places[from].act(act);
                if wanted(step) {
                    self.steps.push(ShownStep {
                        from,
                        act,
                        to,
                        reward: Some(step.reward),
                    });
                }
            }
            _ => {}
        }
    }

    /// The steps of a trace. It names the widgets that it uses, so each of its pages has one event.
    pub fn of_trace(trace: &Trace) -> Self {
        let mut shown = Self {
            package: trace.app.package.clone(),
            ..Self::default()
        };
        for act in trace.steps.iter().filter_map(act) {
            let from = shown.places.len();
            shown.places.push(Place {
                acts: vec![act],
                ..Place::default()
            });
            shown.steps.push(ShownStep {
                from,
                act: 0,
                to: from + 1,
                reward: None,
            });
        }
        shown.places.push(Place::default());
        shown
    }

    /// How often which event led where, as [`EventModel`] counts them (Lv et al., Fastbot2, ASE 2022, section III-A).
    /// `texts`: those of the app's resources. `None` for a trace, which names no activities.
    pub fn model(&self, texts: &StaticTexts) -> Option<EventModel> {
        if self.session.is_empty() {
            return None;
        }
        let mut model = EventModel::new(&self.package);
        for step in &self.steps {
            let (from, to) = (&self.places[step.from], &self.places[step.to]);
            let (kind, at) = &from.acts[step.act];
            // A key has no widget.
            let widget = (!kind.is_global()).then_some((at.class.as_str(), at.id.as_str()));
            let words = words(*kind, at);
            let key = named_hyper_event(&from.activity, *kind, widget, words, texts);
            model.count(key, &from.activity, &to.activity, 1);
        }
        model.sessions.push(self.session.clone());
        Some(model)
    }

    fn place(&mut self, id: PageId) -> usize {
        *self.known.entry(id).or_insert_with(|| {
            self.places.push(Place::default());
            self.places.len() - 1
        })
    }
}

impl Place {
    /// The index of an event, which is known from now on.
    fn act(&mut self, act: Act) -> usize {
        let known = self.acts.iter().position(|known| *known == act);
        known.unwrap_or_else(|| {
            self.acts.push(act);
            self.acts.len() - 1
        })
    }
}

/// The event of a step on a widget, or of a key that each page has.
fn act(step: &Step) -> Option<Act> {
    let key = |kind| Some((kind, EventIdentity::default()));
    match step {
        Step::On(target, deed) => Some((deed.kind(), identity(target, deed))),
        Step::Key(4) => key(EventKind::Back),
        Step::Key(82) => key(EventKind::Menu),
        Step::Key(66) => key(EventKind::Enter),
        _ => None,
    }
}

fn identity(target: &Target, deed: &Deed) -> EventIdentity {
    let nth = target.nth.map_or(String::new(), |nth| nth.to_string());
    let path = target.path.map(|path| format!("{path:016x}"));
    EventIdentity {
        class: target.class.clone(),
        id: target.id.clone(),
        // What a field contained is not what it is.
        text: match deed {
            Deed::Type(_) => String::new(),
            _ => target.text.clone(),
        },
        desc: target.desc.clone(),
        caption: target.caption.clone(),
        path: path.unwrap_or(nth),
        bounds: None,
    }
}

/// The texts on the widget or inside it, as [`caption`] gives them: what was typed into a field is none.
fn words(kind: EventKind, at: &EventIdentity) -> Vec<&str> {
    let own = match kind {
        EventKind::Text => &at.desc,
        _ if at.text.is_empty() => &at.desc,
        _ => &at.text,
    };
    match (at.caption.is_empty(), own.is_empty()) {
        (true, true) => Vec::new(),
        (true, false) => vec![own],
        (false, _) => at.caption.split(caption::BETWEEN).collect(),
    }
}

#[cfg(test)]
mod tests;
