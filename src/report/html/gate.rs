//! The gate as the page shows it: what is no longer there, limits, and what the comparison could not use.

use super::finding::StatusView;
use super::text::line;
use crate::outcome::verdict::{Judged, Verdict};
use serde::Serialize;

/// Entries of each list shown.
const MOST: usize = 200;

/// An entry of the baseline that the run did not observe.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
struct Unobserved {
    app: String,
    name: String,
    status: StatusView,
}

/// A run compared with a baseline.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct GateView {
    baseline: String,
    /// Fixed, and not seen.
    unobserved: Vec<Unobserved>,
    /// Limits exceeded, incomplete sessions, stale entries and notices: what kind, class for its colour, text.
    notes: Vec<(&'static str, &'static str, String)>,
}

impl GateView {
    /// The view of a verdict.
    pub fn new(verdict: &Verdict) -> Self {
        let unobserved = |judged: &Judged| Unobserved {
            app: line(&judged.app, 80),
            name: line(&judged.name, 300),
            status: StatusView::new(judged),
        };
        let exceeded = verdict.exceeded.iter().map(|e| match &e.app {
            Some(app) => format!("{app}: {} ({})", e.what, e.limit),
            None => format!("{} ({})", e.what, e.limit),
        });
        let exceeded = exceeded.map(|text| ("limit exceeded", "bad", text));
        let notes = |word, tone, texts: &[String]| -> Vec<(&'static str, &'static str, String)> {
            texts.iter().map(|t| (word, tone, t.clone())).collect()
        };
        let all = exceeded
            .chain(notes("incomplete", "warn", &verdict.incomplete))
            .chain(notes("stale", "warn", &verdict.stale))
            .chain(notes("baseline", "mute", &verdict.notices));
        Self {
            baseline: line(&verdict.baseline, 300),
            unobserved: verdict
                .findings
                .iter()
                .filter(|judged| !judged.observed)
                .take(MOST)
                .map(unobserved)
                .collect(),
            notes: all
                .take(MOST)
                .map(|(word, tone, text)| (word, tone, line(&text, 400)))
                .collect(),
        }
    }
}
