//! What a session has seen so far: pages, activities, probes, events, findings.

use super::Counts;
use crate::coverage::activity;
use crate::device::Observation;
use crate::gui::{EventKey, Page, PageId, SketchId};
use crate::outcome::Place;
use crate::outcome::finding::Finding;
use rustc_hash::{FxHashMap, FxHashSet};

/// What an occurrence of a finding adds to those before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sighting {
    /// It is the first.
    First,
    /// It is the first that does not only warn: an ordinary event led to what an artificial start did before.
    Raised,
    /// Nothing.
    Known,
}

/// First sightings and totals.
#[derive(Debug, Default)]
pub struct Seen {
    /// With the size of the screen in the last `screen` or `page` line.
    pages: FxHashMap<PageId, (i32, i32)>,
    /// With a hash of their last description.
    events: FxHashMap<EventKey, u64>,
    activities: FxHashSet<String>,
    places: FxHashSet<Place>,
    panes: FxHashSet<SketchId>,
    /// By fingerprint: did every occurrence only warn?
    findings: FxHashMap<String, bool>,
    /// Totals so far.
    pub counts: Counts,
    /// Number of the last event that brought something new.
    pub last_new: u64,
}

impl Seen {
    /// Is this page structure new?
    pub fn page(&mut self, page: &Page) -> bool {
        let new = !self.pages.contains_key(&page.id);
        if new {
            self.pages.insert(page.id, page.screen);
        }
        self.counts.pages += u64::from(new);
        new
    }

    /// Is this page on a screen of another size than in the journal? A rotated page is the same page.
    pub fn turned(&mut self, page: &Page) -> bool {
        let size = self.pages.get_mut(&page.id);
        size.is_some_and(|size| std::mem::replace(size, page.screen) != page.screen)
    }

    /// Is this event performed for the first time, or the first time since its description
    /// ([`super::describe::fingerprint`]) changed?
    pub fn event(&mut self, key: EventKey, description: u64) -> bool {
        self.events.insert(key, description) != Some(description)
    }

    /// The activities of this observation that are new, in order; those that count are counted.
    pub fn activities(&mut self, after: &Observation, declared: &[String]) -> Vec<String> {
        let mut new = Vec::new();
        for activity in &after.visited {
            if !self.activities.contains(activity) {
                self.activities.insert(activity.clone());
                new.push(activity.clone());
            }
        }
        let counted = new.iter().filter(|name| activity::counts(name, declared));
        self.counts.activities += counted.count() as u64;
        new
    }

    /// The place of this observation within its activity, if it is new.
    pub fn place(
        &mut self,
        after: &Observation,
        activity: &str,
        sketch: impl FnOnce() -> SketchId,
    ) -> Option<Place> {
        if !after.alive || after.place.is_empty() && after.pane.is_empty() {
            return None;
        }
        let place = |name: &str| Place {
            activity: activity.to_owned(),
            name: name.to_owned(),
        };
        if !after.place.is_empty() {
            let place = place(&after.place);
            return self.places.insert(place.clone()).then_some(place);
        }
        // A pane's title may hold data ("Delete Oats?"): panes of one make are one place.
        let new = self.panes.insert(sketch()) && self.places.insert(place(&after.pane));
        new.then(|| place(&after.pane))
    }

    /// Counts an observation's coverage.
    pub fn coverage(&mut self, after: &Observation) {
        self.counts.probes_hit += after.probes.len() as u64;
        self.counts.probes_total += after.classes.iter().map(|c| u64::from(c.2)).sum::<u64>();
    }

    /// Counts a finding, and tells what its occurrence adds to those before.
    pub fn finding(&mut self, finding: &Finding) -> Sighting {
        let Some(warned) = self.findings.get_mut(&finding.fingerprint) else {
            let print = finding.fingerprint.clone();
            self.findings.insert(print, finding.warning);
            self.counts.findings += u64::from(finding.environment.is_none());
            return Sighting::First;
        };
        match std::mem::replace(warned, *warned && finding.warning) && !finding.warning {
            true => Sighting::Raised,
            false => Sighting::Known,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::finding::{FindingKind, Trigger};

    #[test]
    fn an_event_is_new_once_and_again_when_its_description_changes() {
        let mut seen = Seen::default();
        let new = [5, 5, 6, 5, 0].map(|new| seen.event(EventKey(1), new));
        assert_eq!(new, [true, false, true, true, true]);
        assert!(seen.event(EventKey(2), 0) && !seen.event(EventKey(2), 0));
    }

    #[test]
    fn a_warning_is_raised_once_by_an_occurrence_that_fails() {
        let finding = |warning| Finding {
            id: "crash-1".into(),
            kind: FindingKind::JavaCrash,
            fingerprint: "v2:00".into(),
            v1: String::new(),
            title: "t".into(),
            exception: None,
            frame: None,
            evidence: String::new(),
            activity: "A".into(),
            trigger: Trigger::System,
            event: 1,
            warning,
            environment: None,
            provoked_by: Vec::new(),
            left: Vec::new(),
        };
        let mut seen = Seen::default();
        let sightings = [true, true, false, true, false].map(|w| seen.finding(&finding(w)));
        use Sighting::{First, Known, Raised};
        assert_eq!(sightings, [First, Known, Raised, Known, Known]);
        assert_eq!(seen.counts.findings, 1);
    }
}
