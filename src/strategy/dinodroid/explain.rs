//! The reason for each decision, for the journal.

use super::algorithm::{DinoDroid, Valuation};
use crate::feature::Context;
use crate::outcome::explanation::{Explanation, Valued, Why};
use crate::step::View;
use crate::strategy::explain;

impl DinoDroid {
    /// Notes the best events of the page and why the decision is what it is.
    pub(super) fn explain(
        &mut self,
        view: &View<'_>,
        seen: &Valuation<'_>,
        chosen: Option<usize>,
        why: Why,
    ) {
        let order = explain::best(&seen.values, chosen);
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
                what: explain::what(view, ix),
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
            further: None,
        });
    }
}
