//! Traces from a journal: for each finding the steps since the app was last started with cleared data.
//!
//! The journal is the only source, so traces can be written for a killed run, too.

use super::format::{Deed, Expected, Gesture, Spot, Step, Target, Trace, Typed};
use super::walks::{Mark, Walks};
use super::write::write;
use crate::gui::{EventKey, EventKind, PageId, Rect, SystemEvent};
use crate::outcome::finding::Finding;
use crate::outcome::folder::{FindingFolder, SessionFolder, write_whole};
use crate::outcome::journal::JournalReader;
use crate::outcome::run_event::{
    Did, EventIdentity, Input, RawInput, Reset, Return, RunEvent, SessionHeader, StepRecord,
};
use crate::util::text::REDACTED;
use rustc_hash::FxHashMap;
use std::io;
use std::path::PathBuf;

/// Which traces are written for each finding: up to so many steps each, and longer ones up to so many steps together. A
/// session without restarts has findings in proportion to its steps, each with a trace of all steps before it: their files
/// would grow with the square of the session. Another trace is made from the journal when it is used.
const WRITTEN: Written = Written {
    each: 2_000,
    longer: 100_000,
};

/// Limits of the traces that are written, in steps.
#[derive(Clone, Copy)]
struct Written {
    each: usize,
    longer: usize,
}

/// Takes a journal's events one by one and makes a trace of each finding.
#[derive(Debug, Default)]
pub struct Tracer {
    header: Option<SessionHeader>,
    events: FxHashMap<EventKey, (EventKind, EventIdentity)>,
    screens: FxHashMap<PageId, (i32, i32)>,
    /// The steps with the page before each.
    walks: Walks<(PageId, Step)>,
    /// Findings whose own line comes in front of the step that caused them.
    pending: Vec<Finding>,
}

impl Tracer {
    /// Takes the next event; gives the findings whose traces end with it, and these traces.
    pub fn take(&mut self, event: RunEvent) -> Vec<(Finding, Trace)> {
        let ended = self.take_untraced(event);
        let traced = ended.into_iter().map(|finding| {
            let trace = self.trace(&finding);
            (finding, trace)
        });
        traced.collect()
    }

    /// The same without the traces: [`Self::trace`] makes them, until the next event.
    pub fn take_untraced(&mut self, event: RunEvent) -> Vec<Finding> {
        match event {
            RunEvent::Session(header) => self.header = Some(header),
            RunEvent::Page { id, screen, .. } => {
                self.screens.insert(id, screen);
            }
            RunEvent::Screen { page, size } => {
                self.screens.insert(page, size);
            }
            RunEvent::Event { k, kind, at } => {
                self.events.insert(k, (kind, at));
            }
            RunEvent::Finding(finding) => self.pending.push(*finding),
            RunEvent::Launch { how, .. } => return self.launch(how),
            RunEvent::Step(step) => {
                if let Some(done) = self.step(&step) {
                    self.walks.push((step.from, done));
                }
                return self.finish();
            }
            RunEvent::Save { id, .. } => self.walks.save(id),
            RunEvent::Restore { id, by, .. } => {
                // The steps of a way are in the journal as such.
                if by == Return::Snapshot {
                    self.walks.restore(id);
                }
                return self.finish();
            }
            RunEvent::Class { .. }
            | RunEvent::Place(_)
            | RunEvent::Script { .. }
            | RunEvent::Corpus { .. }
            | RunEvent::Member { .. }
            | RunEvent::Exchange(_)
            | RunEvent::Explain(_)
            | RunEvent::DeviceFailure { .. }
            | RunEvent::End { .. } => {}
        }
        Vec::new()
    }

    /// The steps since the app was last started with cleared data; behind a restored snapshot, those to it and since.
    pub fn steps(&self) -> impl ExactSizeIterator<Item = &Step> {
        self.walks.steps().map(|(_, step)| step)
    }

    /// Those of [`Self::steps`] behind the first `count`.
    pub fn since(&self, count: usize) -> impl Iterator<Item = &Step> {
        self.walks.since(count).map(|(_, step)| step)
    }

    /// The page before each of these steps.
    pub fn pages(&self) -> impl Iterator<Item = PageId> {
        self.walks.steps().map(|(page, _)| *page)
    }

    /// After a crash the app is started again, in a replay as in a session; that needs no step.
    fn launch(&mut self, how: Reset) -> Vec<Finding> {
        if how != Reset::Relaunch {
            self.walks.start();
        }
        self.finish()
    }

    /// All findings observed since the last step.
    pub fn finish(&mut self) -> Vec<Finding> {
        std::mem::take(&mut self.pending)
    }

    /// The trace of a finding that ends here.
    pub fn trace(&self, finding: &Finding) -> Trace {
        self.trace_of(finding, self.steps())
    }

    /// The end of the steps so far, for [`Self::trace_to`].
    pub(super) fn mark(&mut self) -> Mark {
        self.walks.mark()
    }

    /// The trace of a finding that ended at this mark.
    pub(super) fn trace_to(&self, mark: Mark, finding: &Finding) -> Trace {
        self.trace_of(finding, self.walks.to_mark(mark).map(|(_, step)| step))
    }

    fn trace_of<'s>(&self, finding: &Finding, steps: impl Iterator<Item = &'s Step>) -> Trace {
        let header = self.header.clone().unwrap_or_default();
        Trace {
            finding: Some(Expected::of(finding)),
            ..Trace::of_session(&header, steps.cloned().collect())
        }
    }

    fn step(&self, step: &StepRecord) -> Option<Step> {
        let screen = self.screens.get(&step.from).copied().unwrap_or_default();
        match &step.did {
            Did::Event { k, input, .. } => {
                let (kind, at) = self.events.get(k)?;
                Some(self.event(*kind, at, input.as_ref(), screen))
            }
            Did::Raw { action } => raw(*action, screen),
            Did::System { event } => Some(Step::System(event.clone())),
            Did::Invalid => None,
        }
    }

    fn event(
        &self,
        kind: EventKind,
        at: &EventIdentity,
        input: Option<&Input>,
        screen: (i32, i32),
    ) -> Step {
        let deed = match kind {
            EventKind::Back => return Step::Key(4),
            EventKind::Menu => return Step::Key(82),
            EventKind::Enter => return Step::Key(66),
            EventKind::Click => Deed::Click,
            EventKind::LongClick => Deed::LongClick,
            EventKind::Text => Deed::Type(match input {
                Some(Input::Text { s, enter }) => self.typed(s, *enter, at),
                Some(Input::Secret { key, enter, .. }) => secret(key.clone(), *enter),
                _ => self.typed("", false, at),
            }),
            EventKind::Scroll { dir } => Deed::Scroll(dir),
            EventKind::Swipe { dir } => Deed::Swipe(dir),
            EventKind::Pinch { inward } => Deed::Pinch { inward },
            EventKind::Point => Deed::Tap(match (input, at.bounds) {
                (Some(Input::Point(x, y)), Some(bounds)) => Spot::of(*x, *y, bounds),
                _ => Spot { x: 0.5, y: 0.5 },
            }),
        };
        let target = Target {
            id: at.id.clone(),
            // The content of a field is not its name.
            text: if kind == EventKind::Text {
                String::new()
            } else {
                at.text.clone()
            },
            desc: at.desc.clone(),
            caption: at.caption.clone(),
            class: at.class.clone(),
            path: u64::from_str_radix(&at.path, 16).ok(),
            nth: None,
            at: at
                .bounds
                .filter(|_| screen != (0, 0))
                .map(|bounds| Spot::middle(bounds, whole(screen))),
        };
        Step::On(target, deed)
    }

    /// A text as typed. Journals of earlier versions do not name a secret's key: it is the one that was chosen for this field's
    /// names.
    fn typed(&self, text: &str, enter: bool, at: &EventIdentity) -> Typed {
        let keys = self.header.as_ref().map(|h| h.secrets.as_slice());
        let keys = keys.unwrap_or_default();
        if text != REDACTED || keys.is_empty() {
            return Typed {
                text: text.to_owned(),
                secret: None,
                enter,
            };
        }
        let names = [&at.id, &at.caption, &at.desc].map(|name| name.to_lowercase());
        let id = names[0].rsplit('/').next().unwrap_or_default();
        let exact = keys.iter().find(|key| key.to_lowercase() == id);
        let within = || {
            let fits = |key: &&String| names.iter().any(|n| n.contains(&key.to_lowercase()));
            keys.iter().find(fits)
        };
        let only = || keys.first().filter(|_| keys.len() == 1);
        let key = exact.or_else(within).or_else(only);
        secret(key.cloned().unwrap_or_default(), enter)
    }
}

const fn secret(key: String, enter: bool) -> Typed {
    Typed {
        text: String::new(),
        secret: Some(key),
        enter,
    }
}

const fn whole((width, height): (i32, i32)) -> Rect {
    Rect {
        left: 0,
        top: 0,
        right: width,
        bottom: height,
    }
}

/// `None`: not visible to the app.
fn raw(action: RawInput, screen: (i32, i32)) -> Option<Step> {
    let spot = |x, y| Spot::of(x, y, whole(screen));
    Some(match action {
        RawInput::Tap { x, y } => Step::Gesture(Gesture::Tap(spot(x, y))),
        RawInput::Drag { x, y, x2, y2 } => Step::Gesture(Gesture::Drag(spot(x, y), spot(x2, y2))),
        RawInput::Pinch { x, y, inward } => Step::Gesture(Gesture::Pinch {
            at: spot(x, y),
            inward,
        }),
        RawInput::Key { code } => Step::Key(code),
        RawInput::Trackball { moves, click } => Step::Gesture(Gesture::Trackball {
            moves,
            press: click,
        }),
        RawInput::Rotate => Step::System(SystemEvent::Rotate),
        RawInput::AppSwitch => Step::Launch,
        RawInput::Wait { ms } => Step::Wait(ms),
        RawInput::Nothing => return None,
    })
}

/// Makes the traces of a session's findings one by one, as far as its journal can be read: a trace may be as
/// long as the session, so that all of them at once could fill the memory.
///
/// # Errors
/// The journal cannot be opened, or what is done with a trace fails; damage inside the journal ends the list.
pub fn each(
    folder: &SessionFolder,
    mut then: impl FnMut(Finding, Trace) -> io::Result<()>,
) -> io::Result<()> {
    findings(folder, |tracer, finding| {
        let trace = tracer.trace(&finding);
        then(finding, trace)
    })?;
    Ok(())
}

/// Goes through a session's findings, each with the tracer at its end. Returns the tracer at the end of the journal.
pub(super) fn findings(
    folder: &SessionFolder,
    mut then: impl FnMut(&mut Tracer, Finding) -> io::Result<()>,
) -> io::Result<Tracer> {
    let mut tracer = Tracer::default();
    let events = JournalReader::open(&folder.journal()).map_err(io::Error::other)?;
    for event in events {
        let Ok(event) = event else { break };
        for finding in tracer.take_untraced(event) {
            then(&mut tracer, finding)?;
        }
    }
    // Killed between a finding and its step.
    for finding in tracer.finish() {
        then(&mut tracer, finding)?;
    }
    Ok(tracer)
}

/// Writes `trace.toml` into the folder of each finding of a session whose trace is not too long to be written for each;
/// one that is there stays, as it may have been edited. Gives the findings, with the number of steps of their traces.
///
/// # Errors
/// A file cannot be written, or the journal cannot be read at all.
pub fn write_all(folder: &SessionFolder) -> io::Result<Vec<(Finding, usize)>> {
    write_within(folder, WRITTEN)
}

fn write_within(folder: &SessionFolder, limits: Written) -> io::Result<Vec<(Finding, usize)>> {
    let mut all = Vec::new();
    // Whether their files are there already or not: a second report writes the same ones.
    let mut longer = 0;
    findings(folder, |tracer, finding| {
        let folder = folder.finding(&finding.id);
        let steps = tracer.steps().len();
        let is_long = steps > limits.each;
        longer += if is_long { steps } else { 0 };
        let written = !is_long || longer <= limits.longer;
        if written && !folder.trace().is_file() {
            folder.create()?;
            write_whole(&folder.trace(), write(&tracer.trace(&finding)).as_bytes())?;
        }
        all.push((finding, steps));
        Ok(())
    })?;
    Ok(all)
}

/// The trace of the finding of this id, or of this folder's name, from the journal; nothing if the journal does not have
/// the finding.
///
/// # Errors
/// The journal cannot be opened.
pub fn of_finding(folder: &SessionFolder, id: &str) -> io::Result<Option<Trace>> {
    let wanted = folder.finding(id);
    let mut found = None;
    findings(folder, |tracer, finding| {
        if folder.finding(&finding.id) == wanted && found.is_none() {
            found = Some(tracer.trace(&finding));
        }
        Ok(())
    })?;
    Ok(found)
}

/// The file of a finding's trace, which is written now if it was too long to be written for each finding. Nothing if the
/// journal does not have the finding.
///
/// # Errors
/// The journal cannot be opened, or the file cannot be written.
pub fn ensure(folder: &SessionFolder, id: &str) -> io::Result<Option<PathBuf>> {
    let files = folder.finding(id);
    let file = files.trace();
    if !file.is_file() {
        let Some(trace) = of_finding(folder, id)? else {
            return Ok(None);
        };
        files.create()?;
        write_whole(&file, write(&trace).as_bytes())?;
    }
    Ok(Some(file))
}

/// The file of a trace that a report names: itself, or, of a finding's folder without a trace, the file that [`ensure`]
/// writes into it.
///
/// # Errors
/// Those of [`ensure`].
pub fn named(path: PathBuf) -> io::Result<PathBuf> {
    let folder = FindingFolder::at(path.clone());
    let session = folder.session().filter(|_| path.is_dir());
    let id = path.file_name().and_then(|name| name.to_str());
    let file = match session.zip(id) {
        Some((session, id)) => ensure(&session, id)?,
        None => None,
    };
    Ok(file.unwrap_or(path))
}

#[cfg(test)]
#[path = "record_tests.rs"]
mod tests;
