//! What a person did in a run: as scripts, as traces of a corpus, as counts for `fastbot`.
//!
//! The journal is the only source, so a killed run has its demonstrations, too.

mod keep;
mod script;

pub use keep::{Form, Keeper, NotKept};
pub use script::scripts;

use crate::graph::fastbot::StaticTexts;
use crate::gui::PageId;
use crate::learn::event_model::EventModel;
use crate::learn::shown::Shown;
use crate::outcome::folder::SessionFolder;
use crate::outcome::journal::{JournalError, JournalReader};
use crate::outcome::run_event::{LedBy, Reset, Return, RunEvent, SessionHeader, StepRecord};
use crate::trace::record::Tracer;
use crate::trace::{Step, Trace};
use rustc_hash::FxHashMap;

/// What a person did in one session.
#[derive(Debug, Default)]
pub struct Demonstration {
    /// The session.
    pub header: SessionHeader,
    /// The person's steps, each time that one was in control.
    pub stretches: Vec<Stretch>,
    /// From cleared data to the person's last step, once for each such start.
    pub traces: Vec<Trace>,
    shown: Shown,
}

/// Steps in a row.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Stretch {
    /// The activity in front before the first.
    pub activity: String,
    /// The steps.
    pub steps: Vec<Step>,
}

impl Demonstration {
    /// Of this session; the line at which a kill cut its journal off is left out.
    ///
    /// # Errors
    /// The journal cannot be opened, or is damaged.
    pub fn read(session: &SessionFolder) -> Result<Self, JournalError> {
        let mut reader = Reader::default();
        for event in JournalReader::open(&session.journal())? {
            reader.take(event?);
        }
        reader.end_stretch();
        Ok(reader.found)
    }

    /// Of a trace, such as a flow of another tool.
    pub fn of_trace(trace: Trace) -> Self {
        Self {
            header: SessionHeader {
                app: trace.app.name.clone(),
                package: trace.app.package.clone(),
                ..SessionHeader::default()
            },
            stretches: vec![Stretch {
                activity: String::new(),
                steps: trace.steps.clone(),
            }],
            traces: vec![trace],
            shown: Shown::default(),
        }
    }

    /// Did anyone do anything?
    pub fn is_empty(&self) -> bool {
        self.stretches.is_empty()
    }

    /// How often which of the person's events led where, as [`EventModel`] counts them (Fastbot2, section III-A).
    /// `texts`: those of the app's resources.
    pub fn model(&self, texts: &StaticTexts) -> EventModel {
        let none = || EventModel::new(&self.header.package);
        self.shown.model(texts).unwrap_or_else(none)
    }
}

fn is_by_person(step: &StepRecord) -> bool {
    step.led == Some(LedBy::Person)
}

#[derive(Default)]
struct Reader {
    found: Demonstration,
    tracer: Tracer,
    activities: FxHashMap<PageId, String>,
    stretch: Stretch,
    /// Does the next trace continue the last one?
    goes_on: bool,
}

impl Reader {
    fn take(&mut self, event: RunEvent) {
        let person = match &event {
            RunEvent::Step(step) if is_by_person(step) => Some(step.clone()),
            _ => None,
        };
        let apart = matches!(
            event,
            RunEvent::Step(_) | RunEvent::Launch { .. } | RunEvent::Restore { .. }
        );
        if apart && person.is_none() {
            self.end_stretch();
        }
        self.found.shown.take(&event, is_by_person);
        match &event {
            RunEvent::Session(header) => self.found.header = header.clone(),
            RunEvent::Page { id, activity, .. } => {
                self.activities.insert(*id, activity.clone());
            }
            RunEvent::Launch { how, .. } if *how != Reset::Relaunch => self.goes_on = false,
            RunEvent::Restore { by, .. } if *by == Return::Snapshot => self.goes_on = false,
            _ => {}
        }
        let before = self.tracer.steps().len();
        self.tracer.take(event);
        if let Some(step) = person {
            self.person(&step, before);
        }
    }

    /// The tracer had `before` steps before it took this one.
    fn person(&mut self, step: &StepRecord, before: usize) {
        if self.stretch.steps.is_empty() {
            let from = self.activities.get(&step.from);
            self.stretch.activity = from.cloned().unwrap_or_default();
        }
        // What the app does not notice is no step.
        self.stretch
            .steps
            .extend(self.tracer.since(before).cloned());
    }

    fn end_stretch(&mut self) {
        if self.stretch.steps.is_empty() {
            return;
        }
        let stretch = std::mem::take(&mut self.stretch);
        self.found.stretches.push(stretch);
        if self.goes_on {
            self.found.traces.pop();
        }
        self.goes_on = true;
        let steps = self.tracer.steps().cloned().collect();
        let trace = Trace::of_session(&self.found.header, steps);
        self.found.traces.push(trace);
    }
}
