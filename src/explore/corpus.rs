//! The traces of a corpus lead a session: at its start each of them in turn, later one from whose end the strategy
//! continues.

use super::follow::{Hindrance, Texts, decision};
use super::guide::Turn;
use crate::gui::{Page, PageId};
use crate::outcome::run_event::{LedBy, Reset, RunEvent};
use crate::step::Decision;
use crate::trace::find::Fit;
use crate::trace::{Step, words};
use crate::util::intern::Interner;
use crate::util::seed::Rng;
use rand::RngExt as _;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Events of the strategy without anything new after which the session continues from a trace's end.
const PATIENCE: u64 = 50;

/// A trace of the corpus.
#[derive(Clone, PartialEq, Debug)]
pub struct Kept {
    /// Its file's name in the corpus, without the folder.
    pub name: String,
    /// Its steps.
    pub steps: Vec<Step>,
}

/// The traces of an app, and how far a session is with them.
#[derive(Clone, Debug, Default)]
pub struct Corpus {
    traces: Arc<Vec<Kept>>,
    texts: Texts,
    /// The page that each trace led to when it was last performed.
    ends: Vec<Option<PageId>>,
    /// How often each page was shown before an event.
    shown: FxHashMap<PageId, u64>,
    /// Traces that were started in the replay at the session's start.
    started: usize,
    /// Index of the trace that is being performed and of its next step.
    running: Option<(usize, usize)>,
    /// Events of that replay, once it is over.
    replayed: Option<u64>,
    /// The number of events when a trace last ended.
    ended: u64,
    /// Events of the strategy without anything new until the next: at least as many as the last trace had.
    patience: u64,
}

impl Corpus {
    /// For these traces, with the texts that their steps name by key only.
    pub fn new(traces: Arc<Vec<Kept>>, texts: Texts) -> Self {
        Self {
            ends: vec![None; traces.len()],
            traces,
            texts,
            ..Self::default()
        }
    }

    /// Events of the replay at the session's start; `None` while it goes on.
    pub fn replayed(&self) -> Option<u64> {
        self.replayed.or(self.traces.is_empty().then_some(0))
    }

    /// The app was started, after so many events: without its data, a trace that was being performed leads nowhere.
    pub fn launched(&mut self, how: Reset, events: u64) {
        let under_way = |(_, at): &mut (usize, usize)| *at > 0;
        if how != Reset::Relaunch && self.running.as_mut().is_some_and(under_way) {
            (self.running, self.ended) = (None, events);
        }
    }

    /// What the corpus does on this page, after so many events, the last of which with anything new had the number
    /// `last_new`: [`Turn::Free`] where nothing. Gives a line for the journal where a trace starts, and where a step
    /// cannot be performed: it is left out.
    pub fn turn(
        &mut self,
        (page, interner): (&Page, &Interner),
        (events, last_new): (u64, u64),
        rng: &mut Rng,
    ) -> (Turn, Vec<RunEvent>) {
        let mut lines = Vec::new();
        if self.traces.is_empty() {
            return (Turn::Free, lines);
        }
        *self.shown.entry(page.id).or_default() += 1;
        let traces = Arc::clone(&self.traces);
        if let Some((ix, at)) = self.running {
            let kept = &traces[ix];
            for (at, step) in kept.steps.iter().enumerate().skip(at) {
                self.running = Some((ix, at + 1));
                let lost = match decision(step, page, interner, &self.texts, Fit::Loose) {
                    Ok(decision) => {
                        return (Turn::Led(decision, LedBy::Corpus(kept.name.clone())), lines);
                    }
                    Err(Hindrance::Gone) => String::new(),
                    Err(why) => format!(": {why}"),
                };
                let step = format!("step {}, {}{lost}", at + 1, words::step(step));
                lines.push(line(kept, events, Some(step)));
            }
            (self.running, self.ended) = (None, events);
            self.patience = PATIENCE.max(kept.steps.len() as u64);
            self.ends[ix] = Some(page.id);
        }
        let next = match self.replayed {
            None if self.started < traces.len() => {
                self.started += 1;
                Some(self.started - 1)
            }
            // The strategy begins at the app's start.
            None => {
                (self.replayed, self.ended) = (Some(events), events);
                let by = LedBy::Corpus(traces[traces.len() - 1].name.clone());
                return (Turn::Led(Decision::Restart, by), lines);
            }
            Some(_) if events - last_new.max(self.ended) >= self.patience.max(PATIENCE) => {
                Some(self.draw(rng))
            }
            Some(_) => None,
        };
        let Some(ix) = next else {
            return (Turn::Free, lines);
        };
        self.running = Some((ix, 0));
        lines.push(line(&traces[ix], events, None));
        if events == 0 && self.started == 1 {
            // The session has just started the app.
            let (turn, more) = self.turn((page, interner), (events, last_new), rng);
            lines.extend(more);
            return (turn, lines);
        }
        let by = LedBy::Corpus(traces[ix].name.clone());
        (Turn::Led(Decision::Restart, by), lines)
    }

    /// A trace, the likelier the more rarely the page at its end was shown.
    fn draw(&self, rng: &mut Rng) -> usize {
        let weight = |end: &Option<PageId>| {
            let shown = end.and_then(|end| self.shown.get(&end)).copied();
            1.0 / (1.0 + shown.unwrap_or_default() as f64)
        };
        let weights: Vec<f64> = self.ends.iter().map(weight).collect();
        let mut left = rng.random_range(0.0..1.0) * weights.iter().sum::<f64>();
        let found = weights.iter().position(|weight| {
            left -= weight;
            left < 0.0
        });
        found.unwrap_or(weights.len() - 1)
    }
}

fn line(kept: &Kept, events: u64, lost: Option<String>) -> RunEvent {
    RunEvent::Corpus {
        name: kept.name.clone(),
        before: events + 1,
        lost,
    }
}

#[cfg(test)]
#[path = "corpus_tests.rs"]
mod tests;
