//! A session's live line in words: while it continues, and at its end.

use super::console::plural;
use super::html::text::duration;
use super::progress::Named;
use super::session::Sort;
use crate::explore::{Budget, Counts};
use crate::outcome::finding::Finding;
use crate::util::text::for_terminal;
use std::time::Duration;

/// What a session has found so far. The counts of a session include warnings in the findings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Found {
    findings: u64,
    warnings: u64,
}

impl Found {
    /// Counts a finding.
    pub fn take(&mut self, finding: &Finding) {
        match Sort::of(finding) {
            Sort::Finding => self.findings += 1,
            Sort::Warning => self.warnings += 1,
            Sort::Environment => {}
        }
    }

    fn findings(self) -> Option<String> {
        (self.findings > 0).then(|| plural(self.findings, "finding"))
    }

    fn warnings(self) -> Option<String> {
        (self.warnings > 0).then(|| plural(self.warnings, "warning"))
    }
}

/// While it runs; the most important values come first, as a narrow terminal truncates the rest.
pub fn now(named: &Named, counts: &Counts, found: Found) -> String {
    let mut parts = vec![match named.budget.events {
        Some(most) => format!("{}/{most}", counts.events),
        None => plural(counts.events, "event"),
    }];
    parts.extend(left(&named.budget, counts).map(|left| format!("{} left", whole(left))));
    parts.extend(found.findings());
    parts.extend(found.warnings());
    parts.extend(coverage(counts));
    parts.push(plural(counts.activities, "activity"));
    parts.push(plural(counts.pages, "page"));
    let rate = rate(counts);
    if rate >= 0.5 {
        parts.push(format!("{rate:.0}/s"));
    }
    format!("{}: {}", for_terminal(&named.name), parts.join(" · "))
}

/// At its end.
pub fn totals(counts: &Counts, found: Found) -> String {
    let mut parts = vec![
        format!(
            "{} in {}",
            plural(counts.events, "event"),
            duration(counts.elapsed.as_secs_f64())
        ),
        plural(counts.pages, "page"),
        plural(counts.activities, "activity"),
    ];
    parts.extend(coverage(counts));
    parts.push(plural(found.findings, "finding"));
    parts.extend(found.warnings());
    parts.join(", ")
}

/// Not a percentage: the total is known only for loaded classes.
fn coverage(counts: &Counts) -> Option<String> {
    (counts.probes_total > 0).then(|| plural(counts.probes_hit, "code branch"))
}

fn rate(counts: &Counts) -> f64 {
    counts.events as f64 / counts.elapsed.as_secs_f64().max(1e-3)
}

/// The time left, as far as the budget sets an end. A plateau may end it sooner.
pub fn left(budget: &Budget, counts: &Counts) -> Option<Duration> {
    let events = budget.events.filter(|_| counts.events > 0).map(|most| {
        let seconds = most.saturating_sub(counts.events) as f64 / rate(counts);
        Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
    });
    let time = budget.time.map(|most| most.saturating_sub(counts.elapsed));
    events.into_iter().chain(time).min()
}

/// A time in whole units: `40 s`, `2 min`, `1 h 5 min`.
pub fn whole(time: Duration) -> String {
    match time.as_secs() {
        s @ 0..60 => format!("{s} s"),
        s @ 60..3600 => format!("{} min", s.div_ceil(60)),
        s => format!("{} h {} min", s / 3600, s % 3600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_follows_the_budget_that_ends_first() {
        let counts = Counts {
            events: 100,
            elapsed: Duration::from_secs(10),
            ..Counts::default()
        };
        let budget = |events, time| Budget {
            events,
            time,
            plateau: None,
            ..Budget::default()
        };
        let left = |budget| left(&budget, &counts).map(whole);
        assert_eq!(left(budget(Some(500), None)).unwrap(), "40 s");
        assert_eq!(
            left(budget(Some(5000), Some(Duration::from_secs(30)))).unwrap(),
            "20 s"
        );
        assert_eq!(left(budget(None, None)), None);
        assert_eq!(whole(Duration::from_secs(61)), "2 min");
    }
}
