//! How far a whole run is: its sessions that ended, and an estimate of the time that it still takes.

use super::console::plural;
use super::live::{left, whole};
use crate::explore::{Budget, Counts};
use std::time::Duration;

/// The sessions of a run at one moment.
#[derive(Clone, Debug, Default)]
pub struct Whole {
    /// The limits of each session.
    pub budget: Budget,
    /// Sessions.
    pub sessions: usize,
    /// Sessions that run side by side.
    pub at_once: usize,
    /// Complete sessions of the run that is resumed.
    pub kept: usize,
    /// How long each session took that ended, its device's start included.
    pub ended: Vec<Duration>,
    /// The sessions that run: the time since their start, and their totals.
    pub running: Vec<(Duration, Counts)>,
    /// What is left of the time that all sessions share.
    pub total: Option<Duration>,
}

impl Whole {
    /// Sessions that ended.
    pub fn done(&self) -> usize {
        self.kept + self.ended.len()
    }

    /// `3 of 12 sessions, ~14 min left`; nothing for a single session.
    pub fn words(&self) -> Option<String> {
        let all = plural(self.sessions as u64, "session");
        let mut words = format!("{} of {all}", self.done());
        if let Some(left) = self.left().filter(|_| self.done() < self.sessions) {
            words += &format!(", ~{} left", whole(left));
        }
        (self.sessions > 1).then_some(words)
    }

    /// An estimate of the time until the last session ends; minimizing comes later and is not in it. A session that
    /// waits is expected to take as long as those that ended took on average; before one has ended, as long as its
    /// budget allows at the rate of those that run. `None`: nothing limits a session.
    pub fn left(&self) -> Option<Duration> {
        let estimate = self.all().map(|(sum, longest)| {
            let lanes = u32::try_from(self.at_once).unwrap_or(u32::MAX).max(1);
            longest.max(sum / lanes)
        });
        estimate.into_iter().chain(self.total).min()
    }

    /// The time left of all sessions together, and of the longest.
    fn all(&self) -> Option<(Duration, Duration)> {
        let one = self.one();
        let of_running = |(since, counts): &(Duration, Counts)| {
            left(&self.budget, counts).or(one.map(|one| one.saturating_sub(*since)))
        };
        let mut parts = self
            .running
            .iter()
            .map(of_running)
            .collect::<Option<Vec<_>>>()?;
        let waiting = (self.sessions).saturating_sub(self.running.len() + self.done());
        if waiting > 0 {
            parts.extend(std::iter::repeat_n(one?, waiting));
        }
        let sum = parts
            .iter()
            .fold(Duration::ZERO, |sum, part| sum.saturating_add(*part));
        Some((sum, parts.into_iter().max().unwrap_or_default()))
    }

    /// How long one session takes.
    fn one(&self) -> Option<Duration> {
        let mean = |times: &[Duration]| {
            let sum: f64 = times.iter().map(Duration::as_secs_f64).sum();
            Duration::try_from_secs_f64(sum / times.len() as f64).ok()
        };
        if !self.ended.is_empty() {
            return mean(&self.ended);
        }
        let ends = self.running.iter().filter_map(|(since, counts)| {
            let rest = left(&self.budget, counts)?;
            Some(since.saturating_add(rest))
        });
        let ends: Vec<_> = ends.collect();
        mean(&ends).or(self.budget.time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn run(sessions: usize, at_once: usize) -> Whole {
        Whole {
            sessions,
            at_once,
            ..Whole::default()
        }
    }

    fn counts(events: u64, seconds: u32) -> Counts {
        Counts {
            events,
            elapsed: seconds * SECOND,
            ..Counts::default()
        }
    }

    #[test]
    fn what_ended_says_how_long_the_others_take() {
        let mut run = run(6, 2);
        run.kept = 1;
        run.ended = vec![20 * SECOND, 40 * SECOND];
        run.running = vec![(12 * SECOND, counts(0, 0))];
        // One has 18 s left, two take 30 s each, side by side.
        assert_eq!(run.left(), Some(39 * SECOND));
        assert_eq!(run.words().unwrap(), "3 of 6 sessions, ~39 s left");
        run.total = Some(5 * SECOND);
        assert_eq!(run.words().unwrap(), "3 of 6 sessions, ~5 s left");
    }

    #[test]
    fn before_one_ended_the_budget_and_the_rate_count() {
        let mut run = run(3, 1);
        assert_eq!(run.left(), None);
        assert_eq!(run.words().unwrap(), "0 of 3 sessions");
        run.budget.time = Some(60 * SECOND);
        assert_eq!(run.left(), Some(180 * SECOND));
        run.budget.events = Some(100);
        // 50 of 100 events in 10 s, and 2 s for the start.
        run.running = vec![(12 * SECOND, counts(50, 10))];
        assert_eq!(run.left(), Some((10 + 22 + 22) * SECOND));
    }

    #[test]
    fn the_longest_session_counts_however_many_run_side_by_side() {
        let mut run = run(2, 2);
        run.budget.events = Some(100);
        run.running = vec![(SECOND, counts(99, 1)), (SECOND, counts(1, 1))];
        assert_eq!(run.left(), Some(99 * SECOND));
        run.running.clear();
        run.ended = vec![SECOND, SECOND];
        assert_eq!(run.words().unwrap(), "2 of 2 sessions");
    }

    #[test]
    fn a_single_session_is_the_whole() {
        assert_eq!(run(1, 1).words(), None);
    }
}
