//! Pages and events in the journal's words.

use crate::gui::{Event, Page};
use crate::outcome::run_event::EventIdentity;
use crate::util::intern::{Interner, Sym};
use crate::util::text;

/// Longest text of a widget that the journal keeps, in characters.
const TEXT: usize = 200;
/// Texts in a page's label, and the longest of them.
const LABEL: (usize, usize) = (4, 30);

/// What an event is known by on any device.
pub fn identity(page: &Page, event: &Event, interner: &Interner) -> EventIdentity {
    let Some(widget) = event.widget.and_then(|n| page.widgets.get(n as usize)) else {
        return EventIdentity::default();
    };
    let get = |sym: Sym| text::shorten(interner.get(sym), TEXT).into_owned();
    EventIdentity {
        class: get(widget.class),
        id: get(widget.resource_id),
        text: get(widget.text),
        desc: get(widget.description),
        path: format!("{:016x}", widget.path),
        bounds: Some(widget.bounds),
    }
}

/// The first few words on a page.
pub fn label(page: &Page, interner: &Interner) -> String {
    let live = page.widgets.iter().filter(|w| w.is_live());
    let shown = live.map(|w| {
        if w.text.is_empty() {
            w.description
        } else {
            w.text
        }
    });
    let words = shown.filter(|sym| !sym.is_empty()).take(LABEL.0);
    let words: Vec<_> = words
        .map(|sym| text::shorten(interner.get(sym), LABEL.1))
        .collect();
    words.join(" · ")
}
