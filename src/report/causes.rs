//! Findings grouped by cause: the same fingerprint in several sessions of an app is one bug to fix.

use super::session::{Met, SessionRecord, Sort};
use super::summarize::RunRecord;
use crate::outcome::summary::SessionSummary;
use crate::outcome::{Minimality, Reproduction};
use std::collections::{BTreeMap, BTreeSet};

/// A session's summary and its record.
pub type Session<'a> = (&'a SessionSummary, &'a SessionRecord);

/// A finding in one of the sessions that encountered it.
pub type Meeting<'a> = (&'a SessionSummary, &'a Met);

/// One cause over the sessions that encountered it.
#[derive(Debug)]
pub struct Cause<'a> {
    /// The meetings, in the sessions' order.
    pub meetings: Vec<Meeting<'a>>,
    /// The most informative one: the most serious, as the environment may have caused only some; of these the one with the
    /// fewest events before it.
    pub chief: Meeting<'a>,
}

impl Cause<'_> {
    /// Its category.
    pub fn sort(&self) -> Sort {
        self.chief.1.sort()
    }

    /// How often it was observed in all.
    pub fn count(&self) -> u64 {
        self.meetings.iter().map(|(_, met)| met.count).sum()
    }
}

/// All sessions of a run.
pub fn sessions(run: &RunRecord) -> impl Iterator<Item = Session<'_>> {
    run.summary.sessions.iter().zip(&run.sessions)
}

/// The causes of each app: findings, then warnings, then what the environment caused, each in order of first
/// occurrence.
pub fn causes<'a>(sessions: impl IntoIterator<Item = Session<'a>>) -> Vec<Cause<'a>> {
    let mut causes: Vec<Cause<'a>> = Vec::new();
    for (summary, record) in sessions {
        for met in &record.findings {
            let meeting = (summary, met);
            let same = |cause: &&mut Cause<'a>| {
                let (known, first) = cause.chief;
                known.app == summary.app && first.finding.fingerprint == met.finding.fingerprint
            };
            match causes.iter_mut().find(same) {
                Some(cause) => {
                    let order = |(_, met): Meeting<'a>| (met.sort(), met.finding.event);
                    if order(meeting) < order(cause.chief) {
                        cause.chief = meeting;
                    }
                    cause.meetings.push(meeting);
                }
                None => causes.push(Cause {
                    meetings: vec![meeting],
                    chief: meeting,
                }),
            }
        }
    }
    causes.sort_by_key(Cause::sort);
    causes
}

/// Fingerprints of the findings that any of these sessions encountered in each activity; neither warnings nor the environment's.
pub fn by_activity<'a>(records: &[&'a SessionRecord]) -> BTreeMap<&'a str, BTreeSet<&'a str>> {
    let mut found: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let all = records.iter().copied().flat_map(|record| &record.findings);
    for met in all.filter(|met| met.sort() == Sort::Finding) {
        let finding = &met.finding;
        let activity = found.entry(&finding.activity).or_default();
        activity.insert(&finding.fingerprint);
    }
    found
}

/// The fewest steps to a finding. There are none if it did not reproduce or was not replayed: nothing was left out.
pub fn fewest(found: &Reproduction) -> Option<&[String]> {
    (found.minimality != Minimality::NotReproduced).then_some(found.steps.as_slice())
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{Spec, run};
    use super::super::summarize;
    use super::*;
    use crate::outcome::finding::FindingKind;

    fn record() -> RunRecord {
        let base = tempfile::tempdir().unwrap();
        let spec = |seed| Spec {
            seed,
            events: 200,
            ..Spec::default()
        };
        summarize::read(&run(base.path(), &[spec(1), spec(2)])).unwrap()
    }

    #[test]
    fn the_earliest_meeting_tells_and_all_are_counted() {
        let run = record();
        let causes = causes(sessions(&run));
        let met = |cause: &&Cause<'_>| cause.chief.1.finding.title.starts_with("NullPointer");
        let crash = causes.iter().find(met).unwrap();
        let events: Vec<_> = crash.meetings.iter().map(|m| m.1.finding.event).collect();
        assert_eq!(events, [144, 20], "the first session met it last");
        assert_eq!(crash.chief.1.finding.event, 20);
        assert_eq!(crash.count(), 3);
    }

    #[test]
    fn warnings_stand_behind_findings_and_the_environments_behind_both() {
        let mut run = record();
        let warned = run.sessions[0].findings[0].finding.fingerprint.clone();
        let all = run.sessions.iter_mut().flat_map(|s| &mut s.findings);
        for met in all.filter(|met| met.finding.fingerprint == warned) {
            met.finding.warning = true;
        }
        let causes = causes(sessions(&run));
        let sorts: Vec<_> = causes.iter().map(Cause::sort).collect();
        assert!(sorts.is_sorted(), "{sorts:?}");
        let cause = causes.iter().find(|c| c.sort() == Sort::Warning).unwrap();
        assert_eq!(cause.chief.1.finding.fingerprint, warned);
        assert_eq!(sorts.last(), Some(&Sort::Environment));
    }

    #[test]
    fn what_different_sessions_met_in_an_activity_is_united() {
        let mut run = record();
        for (number, session) in run.sessions.iter_mut().enumerate() {
            session.findings.truncate(1);
            let finding = &mut session.findings[0].finding;
            (finding.kind, finding.environment) = (FindingKind::JavaCrash, None);
            finding.activity = "a.Main".into();
            finding.fingerprint = format!("{number}");
        }
        let records: Vec<_> = run.sessions.iter().collect();
        assert_eq!(by_activity(&records)["a.Main"].len(), 2);
        let mut warned = run.sessions[1].clone();
        warned.findings[0].finding.warning = true;
        let records = [&run.sessions[0], &warned];
        assert_eq!(by_activity(&records)["a.Main"].len(), 1);
    }
}
