//! What sessions have seen lead from page to page: where minimizing finds a shorter way than the trace's own.

use super::format::Step;
use super::record::Tracer;
use crate::gui::PageId;
use crate::outcome::folder::SessionFolder;
use crate::outcome::journal::JournalReader;
use crate::outcome::run_event::RunEvent;
use rustc_hash::FxHashMap;

/// A step done on a page, where it led, and how often.
#[derive(Clone, PartialEq, Debug)]
pub struct Move {
    /// The page before it.
    pub from: PageId,
    /// The step.
    pub step: Step,
    /// The page after it; the same one where nothing came of it.
    pub to: PageId,
    /// How often it was so.
    pub times: u32,
}

/// The moves of sessions with one app, in the order they were first seen.
#[derive(Clone, Default, Debug)]
pub struct Moves {
    list: Vec<Move>,
    /// By pages and the step in words that tell all of it: a step has no hash, for its places are floats.
    known: FxHashMap<(PageId, PageId, String), usize>,
    activities: FxHashMap<PageId, String>,
}

impl Moves {
    /// Takes in a session's journal, as far as it can be read.
    pub fn add(&mut self, folder: &SessionFolder) {
        // One that cannot be read has no shorter way to show, and nothing else is lost.
        let Ok(events) = JournalReader::open(&folder.journal()) else {
            return;
        };
        let mut tracer = Tracer::default();
        for event in events.map_while(Result::ok) {
            let pages = match &event {
                RunEvent::Step(step) => Some((step.from, step.to)),
                RunEvent::Page { id, activity, .. } => {
                    self.activities.insert(*id, activity.clone());
                    None
                }
                _ => None,
            };
            let before = tracer.steps().len();
            tracer.take(event);
            if let (Some((from, to)), Some(step)) = (pages, tracer.steps().get(before)) {
                self.see(from, step, to);
            }
        }
    }

    fn see(&mut self, from: PageId, step: &Step, to: PageId) {
        let place = self.list.len();
        let at = *self
            .known
            .entry((from, to, format!("{step:?}")))
            .or_insert(place);
        match self.list.get_mut(at) {
            Some(known) => known.times += 1,
            None => self.list.push(Move {
                from,
                step: step.clone(),
                to,
                times: 1,
            }),
        }
    }

    /// The activity in front on a page; `None`: no session has seen the page.
    pub fn activity(&self, page: PageId) -> Option<&str> {
        self.activities.get(&page).map(String::as_str)
    }

    /// All of them.
    pub fn all(&self) -> &[Move] {
        &self.list
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gui::{ExactId, SystemEvent};
    use crate::outcome::journal::JournalWriter;
    use crate::outcome::run_event::{Did, Reset, StepRecord};

    fn step(from: u64, event: SystemEvent, to: u64) -> RunEvent {
        RunEvent::Step(StepRecord {
            i: 1,
            did: Did::System { event },
            led: None,
            from: PageId(from),
            to: PageId(to),
            exact: ExactId(0),
            changed: true,
            probes: Vec::new(),
            activities: Vec::new(),
            reward: 0.0,
            left: Vec::new(),
            toasts: Vec::new(),
            findings: Vec::new(),
        })
    }

    #[test]
    fn a_journals_moves_are_counted_over_all_starts_and_what_does_nothing_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let folder = SessionFolder::at(folder.path());
        let mut journal = JournalWriter::create(&folder.journal()).unwrap();
        let invalid = RunEvent::Step(StepRecord {
            did: Did::Invalid,
            ..match step(1, SystemEvent::Home, 1) {
                RunEvent::Step(step) => step,
                _ => unreachable!(),
            }
        });
        let launch = RunEvent::Launch {
            how: Reset::ClearData,
            before: 3,
            page: PageId(1),
            exact: ExactId(0),
            probes: Vec::new(),
            activities: Vec::new(),
            findings: Vec::new(),
        };
        for event in [
            step(1, SystemEvent::Rotate, 2),
            invalid,
            launch,
            step(1, SystemEvent::Rotate, 2),
            step(1, SystemEvent::Rotate, 1),
        ] {
            journal.write(&event).unwrap();
        }
        drop(journal);
        let mut moves = Moves::default();
        moves.add(&folder);
        moves.add(&SessionFolder::at("nowhere"));
        let seen = |to, times| Move {
            from: PageId(1),
            step: Step::System(SystemEvent::Rotate),
            to: PageId(to),
            times,
        };
        assert_eq!(moves.all(), [seen(2, 2), seen(1, 1)]);
    }
}
