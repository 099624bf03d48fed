//! What sessions have seen lead from page to page: where minimizing finds a shorter path than the trace's own.

use super::format::{Step, Trace};
use super::record::Tracer;
use super::words;
use crate::gui::{PageId, SketchId};
use crate::outcome::folder::SessionFolder;
use crate::outcome::journal::JournalReader;
use crate::outcome::run_event::RunEvent;
use crate::util::hash::{mix, of_bytes};
use rustc_hash::FxHashMap;

/// A step done on a page, where it led, and how often.
#[derive(Clone, PartialEq, Debug)]
pub struct Move {
    /// The page before it.
    pub from: PageId,
    /// The step.
    pub step: Step,
    /// The page after it; the same one if it had no effect.
    pub to: PageId,
    /// How often it was so.
    pub times: u32,
}

/// The data of a page in a journal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeenPage {
    /// The activity in front.
    pub activity: String,
    /// What the page is made of; `None` in older journals.
    pub sketch: Option<SketchId>,
}

/// The moves of sessions with one app, in the order they were first seen.
#[derive(Clone, Default, Debug)]
pub struct Moves {
    list: Vec<Move>,
    /// By pages and the step in words that tell all of it: a step has no hash, for its places are floats.
    known: FxHashMap<(PageId, PageId, String), usize>,
    pages: FxHashMap<PageId, SeenPage>,
    /// By the hash of a trace's finding and steps: the page before each step, and the last one.
    walks: FxHashMap<u64, Vec<PageId>>,
}

impl Moves {
    /// Adds a session's journal, as far as it can be read.
    pub fn add(&mut self, folder: &SessionFolder) {
        // One that cannot be read has no shorter path to show, and nothing else is lost.
        let Ok(events) = JournalReader::open(&folder.journal()) else {
            return;
        };
        let mut tracer = Tracer::default();
        // The page after the last step.
        let mut last = None;
        for event in events.map_while(Result::ok) {
            let pages = match &event {
                RunEvent::Step(step) => Some((step.from, step.to)),
                RunEvent::Restore { page, .. } => {
                    last = Some(*page);
                    None
                }
                RunEvent::Page {
                    id,
                    activity,
                    sketch,
                    ..
                } => {
                    let seen = SeenPage {
                        activity: activity.clone(),
                        sketch: *sketch,
                    };
                    self.pages.insert(*id, seen);
                    None
                }
                _ => None,
            };
            let before = tracer.steps().len();
            let found = tracer.take(event);
            if let (Some((from, to)), Some(step)) = (pages, tracer.since(before).next()) {
                last = Some(to);
                self.see(from, step, to);
            }
            for (_, trace) in found {
                let whole = tracer.pages().chain(last).collect();
                self.walks.insert(of_walk(&trace), whole);
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

    /// The pages seen.
    pub fn pages(&self) -> impl Iterator<Item = (PageId, &SeenPage)> {
        self.pages.iter().map(|(page, seen)| (*page, seen))
    }

    /// The page before each step of this trace, and the last one; `None`: no session has made it just so.
    pub fn walk(&self, trace: &Trace) -> Option<&[PageId]> {
        let walk = self.walks.get(&of_walk(trace))?;
        (walk.len() == trace.steps.len() + 1).then_some(walk)
    }

    /// All of them.
    pub fn all(&self) -> &[Move] {
        &self.list
    }
}

/// The identity of a trace: its finding and its steps.
fn of_walk(trace: &Trace) -> u64 {
    let finding = trace.finding.as_ref();
    let finding = finding.and_then(|finding| finding.fingerprint.as_deref());
    let finding = finding.unwrap_or_default();
    let start = of_bytes(finding.as_bytes());
    // As a trace is written and read back: places on the screen are rounded.
    let words = |step: &Step| {
        of_bytes(
            words::steps(std::slice::from_ref(step))
                .join("\n")
                .as_bytes(),
        )
    };
    trace.steps.iter().map(words).fold(start, mix)
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
