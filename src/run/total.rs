//! The time that all sessions of a run share: `[suite] total`.
//!
//! Exploring gets three quarters, minimizing the rest and what exploring leaves. The rule, with `n` sessions and `w`
//! that run side by side:
//!
//! - the even part of a session is `w / n` of the time for exploring;
//! - a session that starts gets an equal part of what is left for those that have not started;
//! - while others wait, a session that found nothing new for half of an even part ends: they get the rest of its time;
//! - a session that has used its part goes on by a quarter of an even part at a time, if it found something new within
//!   the last quarter, and if enough is left to give each waiting session its even part;
//! - when no session waits any more, the others go on until the time for exploring ends.
//!
//! The limits of the sessions themselves still apply. Sessions are not paused: one that has ended does not continue,
//! even if time is left at the end.

use super::options::Options;
use super::plan::Plan;
use super::slots::Slots;
use crate::config::Suite;
use crate::explore::budget::{Share, Shared};
use crate::outcome::run_event::EndReason;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The part of the total that is for exploring, if findings are minimized.
const EXPLORING: f64 = 0.75;
/// A longer total is as good as none: ten years.
const LONGEST: Duration = Duration::from_secs(10 * 365 * 24 * 3600);

/// After this instant no further session of a bench starts, if the suite limits the time of all sessions. Sessions of a
/// bench share no time: one that has started ends by its own limits, so that it can be compared with the others.
pub(super) fn last_start(suite: &Suite, options: &Options) -> Option<Instant> {
    let total = suite.settings.suite.total.filter(|_| options.bench)?;
    Some(Instant::now() + total.0.min(LONGEST))
}

/// The time of a run, as its sessions use it.
pub(super) struct Pot {
    started: Instant,
    total: Duration,
    rule: Mutex<Rule>,
}

impl Pot {
    /// The time that the sessions share, if the suite limits it.
    pub fn of(
        suite: &Suite,
        plan: &Plan,
        options: &Options,
        kept: &[Option<EndReason>],
    ) -> Option<Arc<Self>> {
        let total = suite.settings.suite.total.filter(|_| !options.bench)?;
        let open = plan
            .entries
            .iter()
            .zip(kept)
            .filter(|(_, ended)| ended.is_none())
            .map(|(session, _)| session);
        let workers = Slots::new(options.jobs).at_once(open.clone());
        Some(Arc::new(Self::new(
            total.0,
            suite.settings.minimize.enabled,
            open.count(),
            workers,
        )))
    }

    /// The time, counted from now. `sessions` run, at most so many side by side.
    pub fn new(total: Duration, minimizes: bool, sessions: usize, workers: usize) -> Self {
        let total = total.min(LONGEST);
        let exploring = if minimizes {
            total.mul_f64(EXPLORING)
        } else {
            total
        };
        Self {
            started: Instant::now(),
            total,
            rule: Mutex::new(Rule::new(exploring, sessions, workers)),
        }
    }

    /// When the total ends.
    pub fn until(&self) -> Instant {
        self.started + self.total
    }

    /// Starts a session; it ends when its share is dropped. `None`: no time is left.
    pub fn start(self: &Arc<Self>, session: usize) -> Option<Share> {
        let now = self.started.elapsed();
        let is_left = self.rule().start(session, now);
        let seat = Seat {
            pot: Arc::clone(self),
            session,
        };
        is_left.then(|| Share::new(Arc::new(seat)))
    }

    fn rule(&self) -> MutexGuard<'_, Rule> {
        self.rule.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A session that uses time.
struct Seat {
    pot: Arc<Pot>,
    session: usize,
}

impl Shared for Seat {
    fn spent(&self, idle: Duration) -> Option<EndReason> {
        let now = self.pot.started.elapsed();
        self.pot.rule().spent(self.session, now, idle)
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.pot.rule().running.remove(&self.session);
    }
}

/// The rule, without a clock: all times count from the start.
#[derive(Debug)]
struct Rule {
    /// The end of exploring.
    end: Duration,
    /// The even part.
    even: Duration,
    /// Sessions side by side.
    workers: u32,
    /// Sessions that have not started.
    waiting: u32,
    /// When the part of each running session ends.
    running: BTreeMap<usize, Duration>,
}

impl Rule {
    fn new(end: Duration, sessions: usize, workers: usize) -> Self {
        let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let workers = count(workers.clamp(1, sessions.max(1)));
        Self {
            end,
            even: end.mul_f64(f64::from(workers) / f64::from(count(sessions.max(1)))),
            workers,
            waiting: count(sessions),
            running: BTreeMap::new(),
        }
    }

    /// What is left for the sessions that wait, over all workers.
    fn free(&self, now: Duration) -> Duration {
        let left = self.end.saturating_sub(now);
        let used = self.running.values().map(|end| end.saturating_sub(now));
        (left * self.workers).saturating_sub(used.sum())
    }

    fn start(&mut self, session: usize, now: Duration) -> bool {
        let part = self.free(now) / self.waiting.max(1);
        self.waiting = self.waiting.saturating_sub(1);
        if now >= self.end {
            return false;
        }
        self.running.insert(session, (now + part).min(self.end));
        true
    }

    fn spent(&mut self, session: usize, now: Duration, idle: Duration) -> Option<EndReason> {
        if now >= self.end {
            return Some(EndReason::Time);
        }
        if self.waiting == 0 {
            return None;
        }
        if idle >= self.even / 2 {
            return Some(EndReason::Plateau);
        }
        let free = self.free(now);
        let part = self.running.get_mut(&session)?;
        if now < *part {
            return None;
        }
        let more = self.even / 4;
        if idle < more && free >= self.even * self.waiting + more {
            *part = (now + more).min(self.end);
            return None;
        }
        Some(EndReason::Time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn s(secs: u64) -> Duration {
        Duration::from_secs(secs)
    }

    /// Sessions one after the other: each has something new every `new[i]` seconds until `last[i]`. Returns how long
    /// each ran, and why it ended.
    fn one_by_one(rule: &mut Rule, last: &[u64]) -> Vec<(u64, Option<EndReason>)> {
        let mut now = 0;
        let mut ran = Vec::new();
        for (session, last) in last.iter().enumerate() {
            if !rule.start(session, s(now)) {
                ran.push((0, None));
                continue;
            }
            let from = now;
            let end = loop {
                let at = now - from;
                if let Some(end) = rule.spent(session, s(now), s(at.saturating_sub(*last))) {
                    break end;
                }
                now += 1;
            };
            rule.running.remove(&session);
            ran.push((now - from, Some(end)));
        }
        ran
    }

    #[test]
    fn sessions_that_all_find_new_things_get_the_same() {
        let mut rule = Rule::new(s(400), 4, 1);
        let ran = one_by_one(&mut rule, &[400; 4]);
        assert_eq!(ran, vec![(100, Some(EndReason::Time)); 4]);
    }

    #[test]
    fn what_a_session_without_news_leaves_goes_to_those_with_news() {
        let mut rule = Rule::new(s(400), 4, 1);
        let ran = one_by_one(&mut rule, &[10, 400, 400, 400]);
        // It gave up 50 s after its last news; its rest went to the others.
        assert_eq!(ran[0], (60, Some(EndReason::Plateau)));
        let rest: u64 = ran[1..].iter().map(|(time, _)| time).sum();
        assert_eq!(rest, 340);
        assert!(ran[1..].iter().all(|(time, _)| *time >= 100), "{ran:?}");
    }

    #[test]
    fn the_last_session_uses_all_that_is_left() {
        let mut rule = Rule::new(s(400), 4, 1);
        let ran = one_by_one(&mut rule, &[0, 0, 0, 0]);
        assert_eq!(ran[..3], vec![(50, Some(EndReason::Plateau)); 3]);
        assert_eq!(ran[3], (250, Some(EndReason::Time)));
    }

    #[test]
    fn nobody_loses_an_even_part_to_a_session_that_goes_on() {
        let mut rule = Rule::new(s(400), 4, 1);
        // The second has twice its part while the others still get theirs.
        let ran = one_by_one(&mut rule, &[0, 400, 400, 400]);
        assert!(
            ran[1].0 > 100 && ran[2].0 >= 100 && ran[3].0 >= 100,
            "{ran:?}"
        );
    }

    #[test]
    fn side_by_side_each_has_a_worker_of_its_own() {
        let mut rule = Rule::new(s(100), 4, 2);
        assert_eq!(rule.even, s(50));
        assert!(rule.start(0, s(0)) && rule.start(1, s(0)));
        assert_eq!(
            rule.running.values().copied().collect::<Vec<_>>(),
            [s(50), s(50)]
        );
        assert_eq!(rule.spent(0, s(49), s(0)), None);
        assert_eq!(rule.spent(0, s(50), s(0)), Some(EndReason::Time));
        rule.running.remove(&0);
        assert!(rule.start(2, s(50)));
        rule.running.remove(&1);
        assert!(rule.start(3, s(50)));
        // Nobody waits.
        assert_eq!(rule.spent(2, s(99), s(49)), None);
        assert_eq!(rule.spent(2, s(100), s(0)), Some(EndReason::Time));
    }

    #[test]
    fn nothing_starts_when_the_time_is_over() {
        let mut rule = Rule::new(s(10), 2, 1);
        assert!(rule.start(0, s(0)));
        assert!(!rule.start(1, s(10)));
        assert_eq!(rule.spent(0, s(10), s(0)), Some(EndReason::Time));
    }
}
