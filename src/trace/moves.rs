//! What sessions have seen lead from page to page: where minimizing finds a shorter path than the trace's own.

use super::format::{Step, Trace};
use super::record::Tracer;
use super::words;
use crate::gui::{PageId, SketchId};
use crate::outcome::folder::SessionFolder;
use crate::outcome::journal::JournalReader;
use crate::outcome::run_event::{Reset, RunEvent};
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
    /// The page before each step of the ways that sessions went. Findings on one way share it.
    ways: Vec<Vec<PageId>>,
    /// By the hash of a trace's steps and finding.
    walks: FxHashMap<u64, Walk>,
}

/// The pages of a finding's trace.
#[derive(Clone, Debug)]
struct Walk {
    /// The way that it is the start of, and how much of it.
    way: usize,
    length: usize,
    /// The page after the last step.
    last: Option<PageId>,
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
        // The hash of the steps up to each one of the present way.
        let mut hashes: Vec<u64> = Vec::new();
        self.ways.push(Vec::new());
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
            let is_elsewhere = matches!(
                &event,
                RunEvent::Launch { how, .. } if *how != Reset::Relaunch
            ) || matches!(&event, RunEvent::Restore { .. });
            let before = tracer.steps().len();
            let found = tracer.take_untraced(event);
            if is_elsewhere {
                self.ways.push(tracer.pages().collect());
                hashes = hashes_of(tracer.steps());
            }
            if let (Some((from, to)), Some(step)) = (pages, tracer.since(before).next()) {
                last = Some(to);
                self.see(from, step, to);
                hashes.push(mix(hashes.last().copied().unwrap_or(0), of_step(step)));
                self.ways
                    .last_mut()
                    .into_iter()
                    .for_each(|way| way.push(from));
            }
            for finding in found {
                let steps = hashes.last().copied().unwrap_or(0);
                let walk = Walk {
                    way: self.ways.len() - 1,
                    length: hashes.len(),
                    last,
                };
                let key = mix(steps, of_bytes(finding.fingerprint.as_bytes()));
                self.walks.insert(key, walk);
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
    pub fn walk(&self, trace: &Trace) -> Option<Vec<PageId>> {
        let walk = self.walks.get(&of_walk(trace))?;
        let way = self.ways.get(walk.way)?.get(..walk.length)?;
        let all: Vec<PageId> = way.iter().copied().chain(walk.last).collect();
        (all.len() == trace.steps.len() + 1).then_some(all)
    }

    /// All of them.
    pub fn all(&self) -> &[Move] {
        &self.list
    }
}

/// The identity of a trace: its steps and its finding.
fn of_walk(trace: &Trace) -> u64 {
    let finding = trace.finding.as_ref();
    let finding = finding.and_then(|finding| finding.fingerprint.as_deref());
    let steps = hashes_of(trace.steps.iter()).last().copied().unwrap_or(0);
    mix(steps, of_bytes(finding.unwrap_or_default().as_bytes()))
}

/// The hash of the steps up to each one.
fn hashes_of<'s>(steps: impl Iterator<Item = &'s Step>) -> Vec<u64> {
    let mut last = 0;
    let up_to = |step| {
        last = mix(last, of_step(step));
        last
    };
    steps.map(up_to).collect()
}

/// As a trace is written and read back: places on the screen are rounded.
fn of_step(step: &Step) -> u64 {
    let words = words::steps(std::slice::from_ref(step));
    of_bytes(words.join("\n").as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gui::{ExactId, SystemEvent};
    use crate::outcome::journal::JournalWriter;
    use crate::outcome::run_event::{Did, StepRecord};

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

    /// A crash after every second of 400 steps, in the middle a start with cleared data.
    #[test]
    fn findings_on_one_way_share_its_pages() {
        let folder = tempfile::tempdir().unwrap();
        let folder = SessionFolder::at(folder.path());
        let mut journal = JournalWriter::create(&folder.journal()).unwrap();
        for i in 0..400 {
            let launch = |how| RunEvent::Launch {
                how,
                before: i,
                page: PageId(i),
                exact: ExactId(0),
                probes: Vec::new(),
                activities: Vec::new(),
                findings: Vec::new(),
            };
            if i == 200 {
                journal.write(&launch(Reset::ClearData)).unwrap();
            }
            if i % 2 == 1 {
                let crash = serde_json::json!({
                    "e": "finding", "id": format!("crash-{i}"), "kind": "java-crash", "event": i,
                    "fingerprint": format!("v2:{i:016x}"), "title": "Error", "evidence": "",
                    "activity": "a.Main", "trigger": "event",
                });
                journal
                    .write(&serde_json::from_value(crash).unwrap())
                    .unwrap();
            }
            journal.write(&step(i, SystemEvent::Rotate, i + 1)).unwrap();
            if i % 2 == 1 {
                journal.write(&launch(Reset::Relaunch)).unwrap();
            }
        }
        drop(journal);
        let mut moves = Moves::default();
        moves.add(&folder);
        assert_eq!(moves.walks.len(), 200);
        let kept: usize = moves.ways.iter().map(Vec::len).sum();
        assert_eq!(kept, 400);
        let mut traces = 0;
        super::super::record::each(&folder, |_, trace| {
            let end = trace.steps.len() as u64;
            let start = if traces < 100 { 0 } else { 200 };
            let pages: Vec<_> = (start..=start + end).map(PageId).collect();
            assert_eq!(moves.walk(&trace), Some(pages));
            traces += 1;
            Ok(())
        })
        .unwrap();
        assert_eq!(traces, 200);
    }
}
