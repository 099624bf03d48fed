//! The reason for each decision, for the journal.

use super::algorithm::{DinoDroid, Valuation};
use crate::feature::Context;
use crate::gui::caption::caption;
use crate::gui::{EventKind, SystemEvent};
use crate::outcome::explanation::{BEST, Explanation, Valued, Why};
use crate::step::View;
use crate::util::text::shorten;

/// Characters of an event's text that are kept.
const TEXT: usize = 60;

impl DinoDroid {
    /// Notes the best events of the page and why the decision is what it is.
    pub(super) fn explain(
        &mut self,
        view: &View<'_>,
        seen: &Valuation<'_>,
        chosen: Option<usize>,
        why: Why,
    ) {
        let mut order: Vec<usize> = (0..seen.values.len()).collect();
        let by_value = |a: &usize, b: &usize| seen.values[*b].total_cmp(&seen.values[*a]);
        // Of thousands only the best are wanted in order.
        if order.len() > BEST {
            order.select_nth_unstable_by(BEST - 1, by_value);
            order.truncate(BEST);
        }
        order.sort_by(|a, b| by_value(a, b).then(a.cmp(b)));
        order.extend(chosen.filter(|ix| *ix < seen.values.len() && !order.contains(ix)));
        let context = Context {
            page: view.page,
            map: seen.map,
            interner: view.interner,
        };
        let mut best = Vec::with_capacity(order.len());
        for ix in order {
            let features = self
                .features
                .iter_mut()
                .map(|feature| feature.explain(&context, ix))
                .collect();
            best.push(Valued {
                ix: u32::try_from(ix).unwrap_or(u32::MAX),
                what: what(view, ix),
                q: Some(seen.values[ix]).filter(|q| q.is_finite()),
                features,
            });
        }
        self.explanation = Some(Explanation {
            i: view.number,
            why,
            chosen: chosen.and_then(|ix| u32::try_from(ix).ok()),
            best,
            loss: self.loss.filter(|loss| loss.is_finite()),
        });
    }
}

/// An event in words.
fn what(view: &View<'_>, event: usize) -> String {
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
