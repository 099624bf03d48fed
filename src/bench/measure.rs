//! What one session came to, event by event and along modelled time, as its journal tells it.

use crate::coverage::at::{self, LinesAt};
use crate::coverage::has_lines;
use crate::explore::CostModel;
use crate::gui::{EventKey, EventKind};
use crate::outcome::finding::{FindingKind, Trigger};
use crate::outcome::folder::{PlannedSession, RunFolder, SessionFolder};
use crate::outcome::journal::{JournalError, JournalReader};
use crate::outcome::run_event::{Did, EndReason, Return, RunEvent};
use crate::outcome::summary::{CodeCoverage, Ratio};
use crate::util::hash;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fs;
use std::time::Duration;

/// Totals after an event. Written as a list of its fields in this order, the time in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "[u64; 8]", into = "[u64; 8]")]
pub struct Point {
    /// Events performed.
    pub events: u64,
    /// Modelled time spent.
    pub time: Duration,
    /// Probes hit.
    pub probes: u64,
    /// Activities reached.
    pub activities: u64,
    /// Page structures seen.
    pub pages: u64,
    /// Distinct findings of the app; warnings and the environment's left out.
    pub findings: u64,
    /// Those of them that no system event set off.
    pub direct: u64,
    /// Entries of the journal up to the step or start that this is after.
    pub entries: u64,
}

impl From<[u64; 8]> for Point {
    fn from(
        [
            events,
            time,
            probes,
            activities,
            pages,
            findings,
            direct,
            entries,
        ]: [u64; 8],
    ) -> Self {
        let time = Duration::from_millis(time);
        Self {
            events,
            time,
            probes,
            activities,
            pages,
            findings,
            direct,
            entries,
        }
    }
}

impl From<Point> for [u64; 8] {
    fn from(p: Point) -> Self {
        let time = u64::try_from(p.time.as_millis()).unwrap_or(u64::MAX);
        [
            p.events,
            time,
            p.probes,
            p.activities,
            p.pages,
            p.findings,
            p.direct,
            p.entries,
        ]
    }
}

/// A finding of the app as a session first observed it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Found {
    /// Equal for equal causes, whoever found them.
    pub fingerprint: String,
    /// One line.
    pub title: String,
    /// Was it encountered without a system event, then or later?
    pub direct: bool,
    /// At which event.
    pub event: u64,
}

/// One session's course.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Measured {
    /// What it was.
    pub planned: PlannedSession,
    /// What it is compared on: the app, or the app on its device where it runs on several.
    pub unit: String,
    /// Why it ended; `None`: it did not end, or never started.
    pub ended: Option<EndReason>,
    /// Did the tool fail to carry it through?
    pub failed: bool,
    /// Totals wherever something new came, from the start to the last event; empty where nothing can be read.
    pub curve: Vec<Point>,
    /// Probes hit, each as a hash of class and number that is the same in every session; only where the journal was
    /// read, since [`super::kept`] does not keep them.
    #[serde(skip)]
    pub probes: FxHashSet<u64>,
    /// Probes of all classes observed.
    pub probes_total: u64,
    /// Activities reached.
    pub activities: BTreeSet<String>,
    /// Findings in order.
    pub found: Vec<Found>,
    /// Lines covered at the end, where the device measures them.
    pub lines: Option<Ratio>,
    /// Lines covered on the way, as far as they have been worked out.
    pub lines_at: LinesAt,
    /// Why the tool did not carry it through, or what is wrong with the journal, where it can be read in part only.
    pub damage: Option<String>,
}

impl Measured {
    /// Does [`Self::probes`] have what the curve counts?
    pub fn has_probes(&self) -> bool {
        self.probes.len() as u64 == self.last().probes
    }

    /// Totals at the end.
    pub fn last(&self) -> Point {
        self.curve.last().copied().unwrap_or_default()
    }

    /// Was it cut off, or never started? Its result is unknown.
    pub fn cut_off(&self) -> bool {
        self.failed || !self.ended.is_some_and(EndReason::came_to_end)
    }

    /// It ended before its budget of events and time was spent: nothing more was to come.
    pub fn early(&self) -> bool {
        !matches!(self.ended, Some(EndReason::Events | EndReason::Time)) && !self.cut_off()
    }
}

/// Takes a journal's events one by one.
struct Reader {
    cost: CostModel,
    kinds: FxHashMap<EventKey, EventKind>,
    classes: FxHashMap<u32, u64>,
    now: Point,
    measured: Measured,
}

/// Reads one session. `cost` says what its events cost.
pub fn measure(run: &RunFolder, planned: &PlannedSession, cost: CostModel) -> Measured {
    let folder = run.session(&planned.session);
    let mut reader = Reader {
        cost,
        kinds: FxHashMap::default(),
        classes: FxHashMap::default(),
        now: Point::default(),
        measured: Measured {
            planned: planned.clone(),
            unit: planned.app.clone(),
            lines: lines(&folder),
            lines_at: at::known(&folder),
            ..Measured::default()
        },
    };
    if let Some(failed) = folder.why_failed() {
        reader.measured.failed = true;
        reader.measured.damage = Some(failed);
    }
    match JournalReader::open(&folder.journal()) {
        // Never started.
        Err(_) if !folder.path().is_dir() => {}
        Err(error) => reader.damaged(&error),
        Ok(events) => {
            for (event, entry) in events.zip(1..) {
                match event {
                    Ok(event) => reader.take(event, entry),
                    Err(error) => reader.damaged(&error),
                }
            }
            // Of a session that never had an app in front of it nothing is known.
            if reader.now.entries > 0 || !reader.measured.cut_off() {
                reader.point(true);
            }
        }
    }
    reader.measured
}

fn lines(folder: &SessionFolder) -> Option<Ratio> {
    let coverage: CodeCoverage = serde_json::from_slice(&fs::read(folder.coverage()).ok()?).ok()?;
    has_lines(&coverage).then_some(coverage.line)
}

impl Reader {
    /// Why it failed says more than what that left of the journal.
    fn damaged(&mut self, error: &JournalError) {
        let damage = &mut self.measured.damage;
        damage.get_or_insert_with(|| error.to_string());
    }

    fn take(&mut self, event: RunEvent, entry: u64) {
        if matches!(event, RunEvent::Launch { .. } | RunEvent::Step(_)) {
            self.now.entries = entry;
        }
        match event {
            RunEvent::Launch {
                probes,
                activities,
                findings,
                ..
            }
            | RunEvent::Restore {
                by: Return::Snapshot,
                probes,
                activities,
                findings,
                ..
            } => {
                // A restored snapshot costs no more than the start that it replaces.
                self.now.time += self.cost.start;
                self.news(&probes, activities);
                self.direct(&findings);
                self.point(false);
            }
            RunEvent::Page { .. } => self.now.pages += 1,
            RunEvent::Event { k, kind, .. } => drop(self.kinds.insert(k, kind)),
            RunEvent::Class { ix, name, probes } => {
                self.classes.insert(ix, hash::of_bytes(name.as_bytes()));
                self.measured.probes_total += u64::from(probes);
            }
            RunEvent::Step(step) => {
                let kind = || match &step.did {
                    Did::Event { k, .. } => self.kinds.get(k).copied(),
                    _ => None,
                };
                self.now.time += self.cost.done(&step.did, kind);
                self.now.events = step.i;
                self.news(&step.probes, step.activities);
                if !matches!(step.did, Did::System { .. }) {
                    self.direct(&step.findings);
                }
                self.point(false);
            }
            RunEvent::Finding(finding) => {
                let environment =
                    finding.environment.is_some() || finding.kind == FindingKind::Environment;
                if !environment && !finding.warning {
                    self.now.findings += 1;
                    self.now.direct += u64::from(finding.trigger != Trigger::System);
                    self.measured.found.push(Found {
                        fingerprint: finding.fingerprint.clone(),
                        title: finding.title.clone(),
                        direct: finding.trigger != Trigger::System,
                        event: finding.event,
                    });
                }
            }
            RunEvent::End { reason, .. } => self.measured.ended = Some(reason),
            _ => {}
        }
    }

    /// Findings, known ones too, that were observed without a system event.
    fn direct(&mut self, fingerprints: &[String]) {
        for found in &mut self.measured.found {
            if !found.direct && fingerprints.contains(&found.fingerprint) {
                found.direct = true;
                self.now.direct += 1;
            }
        }
    }

    fn news(&mut self, probes: &[(u32, u32)], activities: Vec<String>) {
        let hashes = probes.iter().map(|(class, probe)| {
            let class = self
                .classes
                .get(class)
                .copied()
                .unwrap_or(u64::from(*class));
            hash::mix(class, u64::from(*probe))
        });
        self.measured.probes.extend(hashes);
        self.measured.activities.extend(activities);
        self.now.probes = self.measured.probes.len() as u64;
        self.now.activities = self.measured.activities.len() as u64;
    }

    /// Keeps the totals where they say something new, and at the end.
    fn point(&mut self, end: bool) {
        let what = |p: &Point| (p.probes, p.activities, p.pages, p.findings, p.direct);
        let last = self.measured.curve.last();
        if last.is_none_or(|last| what(last) != what(&self.now) || end && *last != self.now) {
            self.measured.curve.push(self.now);
        }
    }
}
