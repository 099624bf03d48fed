//! Fastbot's counts of a person's events, from what a journal says of them.

use crate::graph::fastbot::{StaticTexts, named_hyper_event};
use crate::gui::{EventKey, EventKind, caption};
use crate::learn::event_model::EventModel;
use crate::outcome::run_event::{Did, EventIdentity, SessionHeader};
use rustc_hash::FxHashMap;

/// Counts events of pages.
#[derive(Debug, Default)]
pub(super) struct Counter {
    events: FxHashMap<EventKey, (EventKind, EventIdentity)>,
    /// What was done where, and the activity that followed; the empty name is outside the app.
    done: Vec<(EventKind, EventIdentity, String, String)>,
}

impl Counter {
    pub(super) fn define(&mut self, key: EventKey, kind: EventKind, at: &EventIdentity) {
        self.events.insert(key, (kind, at.clone()));
    }

    pub(super) fn count(&mut self, did: &Did, from: &str, to: &str) {
        if let Did::Event { k, .. } = did
            && let Some((kind, at)) = self.events.get(k)
        {
            let done = (*kind, at.clone(), from.to_owned(), to.to_owned());
            self.done.push(done);
        }
    }

    pub(super) fn model(&self, header: &SessionHeader, texts: &StaticTexts) -> EventModel {
        let mut model = EventModel::new(&header.package);
        for (kind, at, from, to) in &self.done {
            // A key has no widget.
            let widget = (!kind.is_global()).then_some((at.class.as_str(), at.id.as_str()));
            let key = named_hyper_event(from, *kind, widget, words(*kind, at), texts);
            model.count(key, from, to, 1);
        }
        model.sessions.push(header.session.clone());
        model
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
