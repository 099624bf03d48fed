//! The content of one journal: the types. [`super::session`] fills them.

use super::repro_info::ReproInfo;
use crate::gui::{EventKey, PageId};
use crate::outcome::Place;
use crate::outcome::RestoreSummary;
use crate::outcome::finding::{Finding, FindingKind};
use crate::outcome::run_event::{EndReason, SessionHeader};
use crate::outcome::summary::{CorpusSummary, GroupSummary, MemberSummary, Ratio, ScriptSummary};

/// Totals after an event; a curve has a point for each change.
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
    /// Distinct findings; neither warnings nor the environment's.
    pub findings: u64,
}

/// One step of the path to a finding.
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
    /// Why it was done, if the strategy explains it: the reason, then the best events with their values.
    pub why: Vec<String>,
}

/// The category of a finding, the most serious first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Sort {
    /// A fault of the app.
    Finding,
    /// A fault of the app that the suite treats as a warning.
    Warning,
    /// A limit of the device, no fault of the app.
    Environment,
}

impl Sort {
    /// The category of this one.
    pub fn of(finding: &Finding) -> Self {
        if finding.environment.is_some() || finding.kind == FindingKind::Environment {
            Self::Environment
        } else if finding.warning {
            Self::Warning
        } else {
            Self::Finding
        }
    }
}

/// A finding with how it was observed.
#[derive(Clone, PartialEq, Debug)]
pub struct Met {
    /// As first observed.
    pub finding: Finding,
    /// How often.
    pub count: u64,
    /// The last steps up to the first meeting.
    pub way: Vec<WayStep>,
    /// Page before it, for a picture where the finding has none.
    pub before: Option<PageId>,
    /// The artifacts to reproduce it.
    pub repro: Option<ReproInfo>,
}

impl Met {
    /// Its category.
    pub fn sort(&self) -> Sort {
        Sort::of(&self.finding)
    }

    /// The causes from outside the app: from its evidence, and among its steps.
    pub fn provoked_by(&self) -> Vec<String> {
        let mut names = self.finding.provoked_by.clone();
        let steps = self.repro.iter().flat_map(|repro| &repro.provoked_by);
        for name in steps {
            if !names.iter().any(|known| known == name) {
                names.push((*name).to_owned());
            }
        }
        names
    }

    /// The same as part of a line: `provoked by offline`, or `after process-death` where the steps are not known to be
    /// needed; nothing if there is none.
    pub fn provoked(&self) -> Option<String> {
        let names = self.provoked_by();
        let sure = self.repro.as_ref().is_none_or(|repro| repro.minimized)
            || names.len() == self.finding.provoked_by.len();
        let how = if sure { "provoked by" } else { "after" };
        (!names.is_empty()).then(|| format!("{how} {}", names.join(", ")))
    }

    /// Is the environment to blame, not the app?
    pub fn is_environment(&self) -> bool {
        self.sort() == Sort::Environment
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
    /// Visits from another page or by a start.
    pub visits: u64,
}

/// What happened in one activity.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ActivityRecord {
    /// Its class; empty without a foreground activity.
    pub name: String,
    /// Number of the event that first reached it, if one did.
    pub first: Option<u64>,
    /// Visits from another activity or by a start.
    pub visits: u64,
    /// Events performed in it.
    pub events: u64,
    /// Of these, those without effect.
    pub unchanged: u64,
}

/// The content of one journal.
#[derive(Clone, Debug, Default)]
pub struct SessionRecord {
    /// The first line.
    pub header: Option<SessionHeader>,
    /// Why it ended.
    pub ended: Option<EndReason>,
    /// Events performed.
    pub events: u64,
    /// Of these, those without effect.
    pub unchanged: u64,
    /// Starts of the app.
    pub launches: u64,
    /// Returns to saved states, without their durations.
    pub restores: RestoreSummary,
    /// The app's activities that were resumed, in order of first sight.
    pub reached: Vec<String>,
    /// Places within activities, in order of first sight.
    pub places: Vec<Place>,
    /// Totals at each change, from the launch to the last event.
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
    /// Probes of the classes observed.
    pub probes: Ratio,
    /// The same by package.
    pub packages: Vec<(String, Ratio)>,
    /// Findings in order of first sight, the environment's included.
    pub findings: Vec<Met>,
    /// The last steps of all.
    pub last: Vec<WayStep>,
    /// The suite's scripts for the app.
    pub scripts: Vec<ScriptSummary>,
    /// The members of a portfolio, the last one last.
    pub members: Vec<MemberSummary>,
    /// The members in all sessions of the group that it ran side by side with.
    pub group: Vec<GroupSummary>,
    /// The corpus, if the session had one.
    pub corpus: Option<CorpusSummary>,
    /// Device failures: current event, message.
    pub failures: Vec<(u64, String)>,
}

impl SessionRecord {
    /// The activities that the app's manifest declares; none if that is not known.
    pub fn declared(&self) -> &[String] {
        (self.header.as_ref()).map_or(&[], |header| &header.activities_declared)
    }

    /// Distinct findings of a sort.
    pub fn count(&self, sort: Sort) -> u64 {
        self.findings
            .iter()
            .filter(|met| met.sort() == sort)
            .count() as u64
    }
}
