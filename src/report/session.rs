//! One session, read from its journal in a single pass.

use super::members;
use super::navigation::Navigation;
pub use super::record::{ActivityRecord, Met, PageRecord, Point, SessionRecord, Sort, WayStep};
use super::words::{self, Definitions};
use crate::coverage::activity;
use crate::gui::{EventKey, PageId};
use crate::outcome::explanation::Explanation;
use crate::outcome::run_event::{Did, LedBy, Reset, Return, RunEvent, StepRecord};
use crate::outcome::summary::{Ratio, ScriptSummary};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// Steps kept of the path to a finding, and of a session's end.
pub const WAY: usize = 15;

/// One of the last things that happened.
#[allow(clippy::large_enum_variant)] // few, moved in as they occur
enum Recent {
    Step(StepRecord, Option<Box<Explanation>>),
    Launch(Reset, PageId),
    Restore(PageId),
}

/// Takes a journal's events one by one.
#[derive(Default)]
pub struct Gatherer {
    record: SessionRecord,
    definitions: Definitions,
    classes: FxHashMap<u32, (String, u64)>,
    hit: FxHashSet<(u32, u32)>,
    pages: FxHashMap<PageId, usize>,
    navigation: Navigation,
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
            RunEvent::Session(header) => {
                let script = |name: &String| ScriptSummary {
                    name: name.clone(),
                    matched: 0,
                    lost: Vec::new(),
                };
                self.record.scripts = header.scripts.iter().map(script).collect();
                self.record.header = Some(header);
            }
            RunEvent::Script { name, lost, .. } => {
                let mut scripts = self.record.scripts.iter_mut();
                if let Some(script) = scripts.find(|script| script.name == name) {
                    script.matched += u64::from(lost.is_none());
                    script.lost.extend(lost);
                }
            }
            RunEvent::Corpus { name, lost, .. } => {
                let corpus = self.record.corpus.get_or_insert_default();
                corpus.started += u64::from(lost.is_none());
                corpus
                    .lost
                    .extend(lost.map(|step| format!("{name}, {step}")));
            }
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
            RunEvent::Save { .. } => self.record.restores.saved += 1,
            RunEvent::Restore {
                by,
                steps,
                arrived,
                page,
                probes,
                activities,
                findings,
                ..
            } => {
                self.record.restores.add(by, steps, arrived);
                if by == Return::Snapshot {
                    self.arrive(None, page);
                    self.news(&probes, activities, &findings);
                    self.remember(Recent::Restore(page));
                }
            }
            RunEvent::Page {
                id,
                activity,
                label,
                ..
            } => self.page(id, activity, label),
            RunEvent::Screen { .. } => {}
            RunEvent::Place(place) => self.record.places.push(place),
            RunEvent::Event { k, kind, at } => self.definitions.define(k, kind, at),
            RunEvent::Class { ix, name, probes } => {
                self.classes.insert(ix, (name, u64::from(probes)));
            }
            RunEvent::Explain(why) => self.explained = Some(why),
            RunEvent::Member { name } => members::turn(&mut self.record.members, name),
            RunEvent::Exchange(exchange) => members::exchange(&mut self.record.group, &exchange),
            RunEvent::Step(step) => {
                if let (Some(corpus), Some(LedBy::Corpus(_))) = (&mut self.record.corpus, &step.led)
                {
                    corpus.events += 1;
                }
                self.step(step);
            }
            RunEvent::Finding(finding) => {
                let before = self.recent.back().map(|recent| match recent {
                    Recent::Step(step, _) => step.to,
                    Recent::Launch(_, page) | Recent::Restore(page) => *page,
                });
                // Recorded again by an occurrence that does not only warn: that one counts.
                let print = &finding.fingerprint;
                let mut earlier = self.record.findings.iter();
                let earlier = earlier.position(|met| met.finding.fingerprint == *print);
                let at = earlier.unwrap_or(self.record.findings.len());
                self.pending.push(at);
                let met = Met {
                    finding: *finding,
                    count: 1,
                    way: Vec::new(),
                    before,
                    repro: None,
                };
                self.last.findings += u64::from(met.sort() == Sort::Finding);
                if !met.is_environment() {
                    // Known from now on, even if no page of it is ever seen.
                    self.activity(&met.finding.activity);
                }
                self.record
                    .findings
                    .splice(at..(at + 1).min(self.record.findings.len()), [met]);
            }
            RunEvent::DeviceFailure { at, message } => self.record.failures.push((at, message)),
            RunEvent::End { reason, .. } => self.record.ended = Some(reason),
        }
    }

    fn step(&mut self, mut step: StepRecord) {
        self.record.events = step.i;
        self.last.events = step.i;
        self.record.unchanged += u64::from(!step.changed && step.counts());
        self.arrive(Some(step.from), step.to);
        if step.counts()
            && let Some(&from) = self.pages.get(&step.from)
        {
            let at = self.record.pages[from].activity;
            let activity = &mut self.record.activities[at];
            activity.events += 1;
            activity.unchanged += u64::from(!step.changed);
            if let Did::Event { k, .. } = &step.did {
                self.tried.insert((at, *k));
            }
        }
        let new = |print: &&String| !self.counts.contains_key(*print);
        let findings = step.findings.iter().filter(new).count() as u64;
        members::step(&mut self.record.members, &step, findings);
        let activities = std::mem::take(&mut step.activities);
        self.news(&step.probes, activities, &step.findings);
        let explained = self.explained.take();
        self.remember(Recent::Step(step, explained));
    }

    fn activity(&mut self, name: &str) -> usize {
        let at = self.navigation.add(name);
        if at == self.record.activities.len() {
            self.record.activities.push(ActivityRecord {
                name: name.to_owned(),
                ..ActivityRecord::default()
            });
        }
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
            Some(from) => self.navigation.moved(from, to, 1),
            None => self.navigation.started(to),
        }
        let activity = &mut self.record.activities[to];
        activity.first.get_or_insert(self.last.events);
        activity.visits += 1;
    }

    fn news(&mut self, probes: &[(u32, u32)], activities: Vec<String>, findings: &[String]) {
        self.hit.extend(probes);
        self.last.probes = self.hit.len() as u64;
        for name in &activities {
            let at = self.activity(name);
            let first = &mut self.record.activities[at].first;
            first.get_or_insert(self.last.events);
        }
        let declared = self.record.declared();
        let own = |name: &String| activity::counts(name, declared);
        let own: Vec<_> = activities.into_iter().filter(own).collect();
        self.record.reached.extend(own);
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
        let shown = |words: &str, to: &PageId| WayStep {
            number: None,
            words: words.to_owned(),
            page: page(to),
            changed: true,
            notes: Vec::new(),
            why: Vec::new(),
        };
        let tell = |recent: &Recent| match recent {
            Recent::Launch(how, to) => shown(words::launch(*how), to),
            Recent::Restore(to) => shown("restore a saved state", to),
            Recent::Step(step, explained) => WayStep {
                why: explained.as_deref().map_or_else(Vec::new, words::why),
                number: Some(step.i),
                words: self.definitions.words(&step.did),
                page: page(&step.to),
                changed: step.changed,
                notes: notes(step),
            },
        };
        self.recent.iter().map(tell).collect()
    }

    /// The record, after the readable part of the journal.
    pub fn finish(mut self) -> SessionRecord {
        // Killed between a finding and its step.
        for met in std::mem::take(&mut self.pending) {
            self.record.findings[met].way = self.way();
        }
        self.record.last = self.way();
        for met in &mut self.record.findings {
            let count = self.counts.get(&met.finding.fingerprint);
            met.count = count.copied().unwrap_or(1);
        }
        let record = &mut self.record;
        if record.curve.last().is_none_or(|last| last != &self.last) {
            record.curve.push(self.last);
        }
        (record.moves, record.entries) = (self.navigation.moves(), self.navigation.entries());
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

fn notes(step: &StepRecord) -> Vec<String> {
    let led = step.led.as_ref().map(words::led);
    let left = step.left.iter().map(words::left);
    let toasts = step.toasts.iter().map(|text| format!("toast “{text}”"));
    led.into_iter().chain(left).chain(toasts).collect()
}

#[cfg(test)]
mod tests {
    use super::super::fixture_app::fault;
    use super::*;
    use crate::outcome::finding::FindingKind;

    #[test]
    fn warnings_are_no_findings_of_the_curve() {
        let mut gatherer = Gatherer::default();
        let mut gather = |by, warning| {
            let mut finding = fault("Main", by, FindingKind::Anr, "", "blocked", 0);
            finding.warning = warning;
            gatherer.take(RunEvent::Finding(Box::new(finding)));
        };
        gather("lock", false);
        gather("rotate", true);
        // Provoked by an artificial start first, then by an ordinary event.
        gather("start", true);
        gather("start", false);
        let record = gatherer.finish();
        assert_eq!(record.curve.last().map(|point| point.findings), Some(2));
        let counts = [Sort::Finding, Sort::Warning].map(|sort| record.count(sort));
        assert_eq!(counts, [2, 1]);
    }
}
