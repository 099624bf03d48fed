//! One session as its journal tells it, gathered in a single pass.

use super::handed::Handed;
use super::words::{self, Definitions};
use crate::gui::{EventKey, PageId};
use crate::outcome::evidence::Left;
use crate::outcome::explanation::Explanation;
use crate::outcome::finding::{Finding, FindingKind};
use crate::outcome::run_event::{Did, EndReason, Reset, RunEvent, SessionHeader, StepRecord};
use crate::outcome::summary::Ratio;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// Steps kept of the way to a finding.
const WAY: usize = 15;

/// Totals after an event; a curve holds one where something new came.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Point {
    /// Events performed.
    pub events: u64,
    /// Probes hit.
    pub probes: u64,
    /// Activities reached.
    pub activities: u64,
    /// Page structures seen.
    pub pages: u64,
    /// Distinct findings of the app.
    pub findings: u64,
}

/// One step on the way to a finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WayStep {
    /// Number of the event; `None` for a start of the app.
    pub number: Option<u64>,
    /// What was done, in words.
    pub words: String,
    /// Index in [`SessionRecord::pages`] of the page after it.
    pub page: Option<usize>,
    /// Did it change anything?
    pub changed: bool,
    /// What would have left the app, and toasts.
    pub notes: Vec<String>,
    /// Why it was done, where the strategy can tell: the reason, then the best events with their values.
    pub why: Vec<String>,
}

/// A finding with how it was met.
#[derive(Clone, PartialEq, Debug)]
pub struct Met {
    /// As first met.
    pub finding: Finding,
    /// How often.
    pub count: u64,
    /// The last steps up to the first meeting.
    pub way: Vec<WayStep>,
    /// Page before it, for a picture where the finding has none.
    pub before: Option<PageId>,
    /// What helps to see it again.
    pub handed: Option<Handed>,
}

impl Met {
    /// Is the environment to blame, not the app?
    pub fn is_environment(&self) -> bool {
        self.finding.environment.is_some() || self.finding.kind == FindingKind::Environment
    }
}

/// A page structure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PageRecord {
    /// Identity.
    pub id: PageId,
    /// Index in [`SessionRecord::activities`].
    pub activity: usize,
    /// A few words shown on it.
    pub label: String,
    /// Times it was come to from another page or by a start.
    pub visits: u64,
}

/// What happened in one activity.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ActivityRecord {
    /// Its class; empty where nothing was in front.
    pub name: String,
    /// Number of the event that first came to it.
    pub first: u64,
    /// Times it was come to from another activity or by a start.
    pub visits: u64,
    /// Events performed in it.
    pub events: u64,
    /// Of these, the ones that changed nothing.
    pub unchanged: u64,
    /// Distinct findings of the app met in it.
    pub findings: u64,
}

/// All that one journal tells.
#[derive(Clone, Debug, Default)]
pub struct SessionRecord {
    /// The first line.
    pub header: Option<SessionHeader>,
    /// Why it ended.
    pub ended: Option<EndReason>,
    /// Events performed.
    pub events: u64,
    /// Of these, the ones that changed nothing.
    pub unchanged: u64,
    /// Starts of the app.
    pub launches: u64,
    /// Activities resumed, in order of first sight.
    pub reached: Vec<String>,
    /// Totals wherever something new came, from the launch to the last event.
    pub curve: Vec<Point>,
    /// Page structures in order of first sight.
    pub pages: Vec<PageRecord>,
    /// Activities in front, in order of first sight.
    pub activities: Vec<ActivityRecord>,
    /// Different events performed, with the index in `activities` of where; sorted.
    pub tried: Vec<(usize, EventKey)>,
    /// Moves between activities: from, to, how often. Starts of the app are no moves.
    pub moves: Vec<(usize, usize, u64)>,
    /// Index in `activities` of those that starts lead to.
    pub entries: Vec<usize>,
    /// Probes of the classes met.
    pub probes: Ratio,
    /// The same by package.
    pub packages: Vec<(String, Ratio)>,
    /// Findings in order of first sight, the environment's among them.
    pub findings: Vec<Met>,
    /// Device failures: event under way, message.
    pub failures: Vec<(u64, String)>,
}

/// One of the last things that happened.
#[allow(clippy::large_enum_variant)] // a handful of them, moved in as they come
enum Recent {
    Step(StepRecord, Option<Box<Explanation>>),
    Launch(Reset, PageId),
}

/// Takes a journal's events one by one.
#[derive(Default)]
pub struct Gatherer {
    record: SessionRecord,
    definitions: Definitions,
    classes: FxHashMap<u32, (String, u64)>,
    hit: FxHashSet<(u32, u32)>,
    pages: FxHashMap<PageId, usize>,
    activities: FxHashMap<String, usize>,
    moves: FxHashMap<(usize, usize), u64>,
    tried: FxHashSet<(usize, EventKey)>,
    counts: FxHashMap<String, u64>,
    recent: VecDeque<Recent>,
    /// Why the next step is taken.
    explained: Option<Box<Explanation>>,
    /// Findings whose step comes in the next line.
    pending: Vec<usize>,
    last: Point,
}

impl Gatherer {
    /// Takes the next event.
    pub fn take(&mut self, event: RunEvent) {
        match event {
            RunEvent::Session(header) => self.record.header = Some(header),
            RunEvent::Launch {
                how,
                page,
                probes,
                activities,
                findings,
                ..
            } => {
                self.record.launches += 1;
                self.arrive(None, page);
                self.news(&probes, activities, &findings);
                self.remember(Recent::Launch(how, page));
            }
            RunEvent::Page {
                id,
                activity,
                label,
                ..
            } => self.page(id, activity, label),
            RunEvent::Event { k, kind, at } => self.definitions.define(k, kind, at),
            RunEvent::Class { ix, name, probes } => {
                self.classes.insert(ix, (name, u64::from(probes)));
            }
            RunEvent::Explain(why) => self.explained = Some(why),
            RunEvent::Step(step) => self.step(step),
            RunEvent::Finding(finding) => {
                let before = self.recent.back().map(|recent| match recent {
                    Recent::Step(step, _) => step.to,
                    Recent::Launch(_, page) => *page,
                });
                self.pending.push(self.record.findings.len());
                let met = Met {
                    finding: *finding,
                    count: 1,
                    way: Vec::new(),
                    before,
                    handed: None,
                };
                if !met.is_environment() {
                    self.last.findings += 1;
                    let activity = self.activity(&met.finding.activity);
                    self.record.activities[activity].findings += 1;
                }
                self.record.findings.push(met);
            }
            RunEvent::DeviceFailure { at, message } => self.record.failures.push((at, message)),
            RunEvent::End { reason, .. } => self.record.ended = Some(reason),
        }
    }

    fn step(&mut self, mut step: StepRecord) {
        self.record.events = step.i;
        self.last.events = step.i;
        self.record.unchanged += u64::from(!step.changed);
        self.arrive(Some(step.from), step.to);
        if let Some(&from) = self.pages.get(&step.from) {
            let at = self.record.pages[from].activity;
            let activity = &mut self.record.activities[at];
            activity.events += 1;
            activity.unchanged += u64::from(!step.changed);
            if let Did::Event { k, .. } = &step.did {
                self.tried.insert((at, *k));
            }
        }
        let activities = std::mem::take(&mut step.activities);
        self.news(&step.probes, activities, &step.findings);
        let explained = self.explained.take();
        self.remember(Recent::Step(step, explained));
    }

    fn activity(&mut self, name: &str) -> usize {
        if let Some(&at) = self.activities.get(name) {
            return at;
        }
        let at = self.record.activities.len();
        self.activities.insert(name.to_owned(), at);
        self.record.activities.push(ActivityRecord {
            name: name.to_owned(),
            ..ActivityRecord::default()
        });
        at
    }

    fn page(&mut self, id: PageId, activity: String, label: String) {
        let activity = self.activity(&activity);
        let known = self.record.pages.len();
        if *self.pages.entry(id).or_insert(known) != known {
            return;
        }
        self.record.pages.push(PageRecord {
            id,
            activity,
            label,
            visits: 0,
        });
        self.last.pages += 1;
    }

    fn arrive(&mut self, from: Option<PageId>, to: PageId) {
        let Some(&to_page) = self.pages.get(&to) else {
            return;
        };
        if from != Some(to) {
            self.record.pages[to_page].visits += 1;
        }
        let to = self.record.pages[to_page].activity;
        let from = from.and_then(|from| self.pages.get(&from));
        match from.map(|&from| self.record.pages[from].activity) {
            Some(from) if from == to => return,
            Some(from) => *self.moves.entry((from, to)).or_default() += 1,
            None if !self.record.entries.contains(&to) => self.record.entries.push(to),
            None => {}
        }
        let activity = &mut self.record.activities[to];
        if activity.visits == 0 {
            activity.first = self.last.events;
        }
        activity.visits += 1;
    }

    fn news(&mut self, probes: &[(u32, u32)], activities: Vec<String>, findings: &[String]) {
        self.hit.extend(probes);
        self.last.probes = self.hit.len() as u64;
        self.record.reached.extend(activities);
        self.last.activities = self.record.reached.len() as u64;
        for fingerprint in findings {
            match self.counts.get_mut(fingerprint) {
                Some(count) => *count += 1,
                None => {
                    self.counts.insert(fingerprint.clone(), 1);
                }
            }
        }
        let curve = &mut self.record.curve;
        let same = |a: &Point| Point { events: 0, ..*a };
        if curve.last().map(same) != Some(same(&self.last)) {
            curve.push(self.last);
        }
    }

    fn remember(&mut self, recent: Recent) {
        if self.recent.len() == WAY {
            self.recent.pop_front();
        }
        self.recent.push_back(recent);
        for met in std::mem::take(&mut self.pending) {
            self.record.findings[met].way = self.way();
        }
    }

    fn way(&self) -> Vec<WayStep> {
        let page = |id: &PageId| self.pages.get(id).copied();
        let tell = |recent: &Recent| match recent {
            Recent::Launch(how, to) => WayStep {
                number: None,
                words: words::launch(*how).to_owned(),
                page: page(to),
                changed: true,
                notes: Vec::new(),
                why: Vec::new(),
            },
            Recent::Step(step, explained) => WayStep {
                why: explained.as_deref().map_or_else(Vec::new, words::why),
                number: Some(step.i),
                words: self.definitions.words(&step.did),
                page: page(&step.to),
                changed: step.changed,
                notes: notes(&step.left, &step.toasts),
            },
        };
        self.recent.iter().map(tell).collect()
    }

    /// The record, when the journal has been read as far as it can be.
    pub fn finish(mut self) -> SessionRecord {
        // Killed between a finding and its step.
        for met in std::mem::take(&mut self.pending) {
            self.record.findings[met].way = self.way();
        }
        for met in &mut self.record.findings {
            let count = self.counts.get(&met.finding.fingerprint);
            met.count = count.copied().unwrap_or(1);
        }
        let record = &mut self.record;
        if record.curve.last().is_none_or(|last| last != &self.last) {
            record.curve.push(self.last);
        }
        record.moves = self.moves.iter().map(|(&(a, b), &n)| (a, b, n)).collect();
        record.moves.sort_unstable();
        record.tried = self.tried.into_iter().collect();
        record.tried.sort_unstable();
        let mut packages: FxHashMap<&str, Ratio> = FxHashMap::default();
        for (name, probes) in self.classes.values() {
            packages.entry(package(name)).or_default().total += probes;
        }
        for (class, _) in &self.hit {
            if let Some((name, _)) = self.classes.get(class) {
                packages.entry(package(name)).or_default().covered += 1;
            }
        }
        record.packages = packages
            .into_iter()
            .map(|(name, ratio)| (name.to_owned(), ratio))
            .collect();
        record.packages.sort_by(|a, b| a.0.cmp(&b.0));
        record.probes = Ratio {
            covered: self.hit.len() as u64,
            total: self.classes.values().map(|(_, probes)| probes).sum(),
        };
        self.record
    }
}

fn package(class: &str) -> &str {
    class.rfind('/').map_or("", |at| &class[..at])
}

fn notes(left: &[Left], toasts: &[String]) -> Vec<String> {
    let toasts = toasts.iter().map(|text| format!("toast “{text}”"));
    left.iter().map(words::left).chain(toasts).collect()
}
