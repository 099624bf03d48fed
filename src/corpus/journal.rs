//! The episodes of a session's journal, and what each step of them reached first.

use super::worth::{Gain, Worth};
use crate::gui::{PageId, SketchId};
use crate::outcome::folder::SessionFolder;
use crate::outcome::journal::JournalReader;
use crate::outcome::run_event::{LedBy, Reset, Return, RunEvent, SessionHeader};
use crate::trace::record::Tracer;
use crate::trace::{Step, Trace};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::io;

/// The steps between two starts of the app with cleared data.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Episode {
    /// The steps.
    pub steps: Vec<Step>,
    /// What was reached, each with the number of steps it took and whether a trace of the corpus led there.
    pub gains: Vec<(Gain, usize, bool)>,
}

/// The first line of a session's journal and its episodes, as far as it can be read.
///
/// # Errors
/// The journal cannot be opened.
pub fn episodes(folder: &SessionFolder) -> io::Result<(SessionHeader, Vec<Episode>)> {
    let events = JournalReader::open(&folder.journal()).map_err(io::Error::other)?;
    let mut reader = Reader::default();
    for event in events.map_while(Result::ok) {
        reader.take(event);
    }
    reader.end_episode();
    Ok((reader.header, reader.episodes))
}

#[derive(Default)]
struct Reader {
    header: SessionHeader,
    tracer: Tracer,
    classes: FxHashMap<u32, String>,
    sketches: FxHashMap<PageId, SketchId>,
    /// Findings that say nothing about the app.
    environment: BTreeSet<String>,
    gains: Vec<(Gain, usize, bool)>,
    /// Did a trace of the corpus lead the last step?
    led: bool,
    episodes: Vec<Episode>,
}

impl Reader {
    fn take(&mut self, event: RunEvent) {
        let reached = match &event {
            RunEvent::Session(header) => {
                self.header = header.clone();
                None
            }
            RunEvent::Class { ix, name, .. } => {
                self.classes.insert(*ix, name.clone());
                None
            }
            RunEvent::Page { id, sketch, .. } => {
                self.sketches.extend(sketch.map(|sketch| (*id, sketch)));
                None
            }
            RunEvent::Finding(finding) => {
                if finding.environment.is_some() {
                    self.environment.insert(finding.fingerprint.clone());
                }
                None
            }
            RunEvent::Launch {
                how,
                probes,
                findings,
                ..
            } => {
                if *how != Reset::Relaunch {
                    self.end_episode();
                }
                Some((probes.clone(), findings.clone(), None))
            }
            // Goes on with the steps that led to the saved state.
            RunEvent::Restore {
                by: Return::Snapshot,
                probes,
                findings,
                ..
            } => {
                self.end_episode();
                Some((probes.clone(), findings.clone(), None))
            }
            RunEvent::Step(step) => {
                let way = (step.from, step.to);
                self.led = matches!(step.led, Some(LedBy::Corpus(_)));
                Some((step.probes.clone(), step.findings.clone(), Some(way)))
            }
            _ => None,
        };
        self.tracer.take(event);
        let Some((probes, findings, way)) = reached else {
            return;
        };
        let sketch = |page| self.sketches.get(&page).copied();
        let way = way.and_then(|(from, to)| Some((sketch(from)?, sketch(to)?)));
        let classes = &self.classes;
        let probe = |(class, probe)| Some(Gain::Probe(classes.get(&class)?.clone(), probe));
        let probes = probes.into_iter().filter_map(probe);
        let ways = way.filter(|(from, to)| from != to);
        let ways = ways.map(|(from, to)| Gain::Transition(from, to));
        let findings = findings
            .into_iter()
            .filter(|print| !self.environment.contains(print));
        let gains = probes.chain(ways).chain(findings.map(Gain::Finding));
        let steps = self.tracer.steps().len();
        self.gains.extend(gains.map(|gain| (gain, steps, self.led)));
    }

    fn end_episode(&mut self) {
        let steps: Vec<_> = self.tracer.steps().cloned().collect();
        let gains = std::mem::take(&mut self.gains);
        self.led = false;
        if !steps.is_empty() || !gains.is_empty() {
            self.episodes.push(Episode { steps, gains });
        }
    }
}

/// The traces that add something to what is known, which they extend, each with all that its episode reached first. An
/// episode is cut after the last step that adds something.
pub fn additions(
    header: &SessionHeader,
    episodes: &[Episode],
    known: &mut Worth,
) -> Vec<(Trace, Worth)> {
    // What the corpus reaches in this session it has reached before.
    let led = episodes.iter().flat_map(|episode| &episode.gains);
    let led = led.filter(|(.., led)| *led);
    known.extend(led.map(|(gain, ..)| gain.clone()));
    let mut traces = Vec::new();
    for episode in episodes {
        let mut length = 0;
        for (gain, steps, _) in &episode.gains {
            if known.insert(gain.clone()) {
                length = length.max(*steps);
            }
        }
        if length > 0 {
            let own = episode.gains.iter().map(|(gain, ..)| gain.clone());
            let steps = &episode.steps[..length.min(episode.steps.len())];
            traces.push((Trace::of_session(header, steps.to_vec()), own.collect()));
        }
    }
    traces
}

#[cfg(test)]
#[path = "journal_tests.rs"]
mod tests;
