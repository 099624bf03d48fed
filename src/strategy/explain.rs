//! What strategies note about their decisions.

use super::{Decision, View};
use crate::gui::caption::caption;
use crate::gui::{EventKind, SystemEvent};
use crate::outcome::explanation::{BEST, Explanation, Why};
use crate::util::text::shorten;

/// Characters of an event's text that are kept.
const TEXT: usize = 60;

/// The reason for a decision, without values.
pub(super) fn plain(view: &View<'_>, decision: &Decision, why: Why) -> Explanation {
    let chosen = match decision {
        Decision::Perform { event, .. } => u32::try_from(*event).ok(),
        _ => None,
    };
    Explanation {
        i: view.number,
        why,
        chosen,
        best: Vec::new(),
        loss: None,
        further: None,
    }
}

/// The places of the [`BEST`] values, the best first; then the chosen one, if it is not among them.
pub(super) fn best(values: &[f32], chosen: Option<usize>) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    let by_value = |a: &usize, b: &usize| values[*b].total_cmp(&values[*a]);
    // Of thousands only the best are wanted in order.
    if order.len() > BEST {
        order.select_nth_unstable_by(BEST - 1, by_value);
        order.truncate(BEST);
    }
    order.sort_by(|a, b| by_value(a, b).then(a.cmp(b)));
    order.extend(chosen.filter(|ix| *ix < values.len() && !order.contains(ix)));
    order
}

/// An event of the page in words; behind its events is the start of the app.
pub(super) fn what(view: &View<'_>, event: usize) -> String {
    let Some(event) = view.page.events.get(event) else {
        return SystemEvent::Relaunch.to_string();
    };
    let mut said = Vec::new();
    if let Some(widget) = event.widget {
        caption(view.page, widget, &mut said);
        if said.is_empty() {
            said.push(view.page.widgets[widget as usize].resource_id);
        }
    }
    match said.first() {
        Some(&sym) if !sym.is_empty() => {
            let text = view.interner.get(sym);
            let name = text.rsplit_once(":id/").map_or(text, |(_, name)| name);
            // The text of a field is its hint, not what is typed.
            let into = match event.kind {
                EventKind::Text => " into",
                _ => "",
            };
            format!("{}{into} \"{}\"", event.kind, shorten(name, TEXT))
        }
        _ => event.kind.to_string(),
    }
}
