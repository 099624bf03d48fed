//! The steps of a session in words, a line each: what `-vv` shows.

use super::console::plural;
use super::words::{Definitions, launch, led as led_words, short_class};
use crate::gui::PageId;
use crate::outcome::RunEvent;
use crate::outcome::run_event::StepRecord;
use rustc_hash::FxHashMap;

/// What the journal has said so far of events and pages.
#[derive(Debug, Default)]
pub struct Steps {
    events: Definitions,
    /// The activity and the words of each page.
    pages: FxHashMap<PageId, String>,
}

impl Steps {
    /// Takes the next line of the journal. Returns its words if it is a step or a start of the app.
    pub fn take(&mut self, event: &RunEvent) -> Option<String> {
        match event {
            RunEvent::Event { k, kind, at } => self.events.define(*k, *kind, at.clone()),
            RunEvent::Page {
                id,
                activity,
                label,
                ..
            } => {
                let mut words = short_class(activity).to_owned();
                if !label.is_empty() {
                    words += &format!(" ({label})");
                }
                self.pages.insert(*id, words);
            }
            RunEvent::Launch {
                how, page, probes, ..
            } => {
                return Some(format!(
                    "{}{}{}",
                    launch(*how),
                    self.to(*page),
                    news(probes.len(), 0)
                ));
            }
            RunEvent::Step(step) => return Some(self.step(step)),
            RunEvent::Session(_)
            | RunEvent::Member { .. }
            | RunEvent::Exchange(_)
            | RunEvent::Place(_)
            | RunEvent::Screen { .. }
            | RunEvent::Class { .. }
            | RunEvent::Script { .. }
            | RunEvent::Corpus { .. }
            | RunEvent::Explain(_)
            | RunEvent::Save { .. }
            | RunEvent::Restore { .. }
            | RunEvent::Finding(_)
            | RunEvent::DeviceFailure { .. }
            | RunEvent::End { .. } => {}
        }
        None
    }

    fn step(&self, step: &StepRecord) -> String {
        let led = step.led.as_ref();
        let led = led.map_or_else(String::new, |by| format!(" ({})", led_words(by)));
        let done = self.events.words(&step.did);
        let came = match (step.changed, step.from == step.to) {
            (false, _) => ", nothing changed".to_owned(),
            (true, true) => ", same page".to_owned(),
            (true, false) => self.to(step.to),
        };
        let new = news(step.probes.len(), step.activities.len());
        format!("{}: {done}{led}{came}{new}", step.i)
    }

    fn to(&self, page: PageId) -> String {
        let page = self.pages.get(&page);
        page.map_or_else(String::new, |page| format!(" → {page}"))
    }
}

fn news(probes: usize, activities: usize) -> String {
    let mut words = String::new();
    for (count, one) in [(probes, "new code branch"), (activities, "new activity")] {
        if count > 0 {
            words += &format!(", {}", plural(count as u64, one));
        }
    }
    words
}
