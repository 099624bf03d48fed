//! How long a session may go on.

use super::Counts;
use super::cost::Modelled;
use crate::outcome::run_event::EndReason;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Time that sessions share. Asked before each event.
pub trait Shared: Send + Sync {
    /// Why the session is to end, if it is: it has used its part, or others use it better. `idle`: time since the last
    /// event that brought something new.
    fn spent(&self, idle: Duration) -> Option<EndReason>;
}

/// A session's part of the time that it shares with others.
#[derive(Clone)]
pub struct Share {
    of: Arc<dyn Shared>,
    /// The last event that brought something new, and when that was noticed.
    last: Arc<Mutex<(u64, Duration)>>,
}

impl Share {
    /// A part that has not been used yet.
    pub fn new(of: Arc<dyn Shared>) -> Self {
        Self {
            of,
            last: Arc::default(),
        }
    }

    fn spent(&self, elapsed: Duration, last_new: u64) -> Option<EndReason> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.0 != last_new {
            *last = (last_new, elapsed);
        }
        self.of.spent(elapsed.saturating_sub(last.1))
    }
}

impl fmt::Debug for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Share")
    }
}

impl PartialEq for Share {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.last, &other.last)
    }
}

impl Eq for Share {}

/// Limits of a session; whichever is reached first ends it. `None`: no limit of that kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// Events.
    pub events: Option<u64>,
    /// Time by the clock.
    pub time: Option<Duration>,
    /// Events without anything new (coverage, activity, page structure where coverage is not measured, finding).
    pub plateau: Option<u64>,
    /// Modelled time.
    pub modelled: Option<Modelled>,
    /// Time shared with other sessions.
    pub shared: Option<Share>,
}

impl Budget {
    /// The limit that is reached, if any. `last_new` is the number of the last event that brought something new.
    pub fn spent(&self, counts: &Counts, last_new: u64) -> Option<EndReason> {
        let modelled = |m: Modelled| counts.modelled >= m.limit;
        if self.events.is_some_and(|limit| counts.events >= limit) {
            Some(EndReason::Events)
        } else if self.time.is_some_and(|limit| counts.elapsed >= limit)
            || self.modelled.is_some_and(modelled)
        {
            Some(EndReason::Time)
        } else if self
            .plateau
            .is_some_and(|limit| counts.events.saturating_sub(last_new) >= limit)
        {
            Some(EndReason::Plateau)
        } else {
            let shared = self.shared.as_ref();
            shared.and_then(|share| share.spent(counts.elapsed, last_new))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::cost::CostModel;
    use super::*;

    #[test]
    fn the_first_limit_reached_ends_it() {
        let budget = Budget {
            events: Some(100),
            time: Some(Duration::from_secs(9)),
            plateau: Some(20),
            ..Budget::default()
        };
        let counts = |events, secs| Counts {
            events,
            elapsed: Duration::from_secs(secs),
            ..Counts::default()
        };
        let spent = |events, secs, last| budget.spent(&counts(events, secs), last);
        assert_eq!(spent(50, 1, 40), None);
        assert_eq!(spent(100, 1, 99), Some(EndReason::Events));
        assert_eq!(spent(50, 9, 49), Some(EndReason::Time));
        assert_eq!(spent(50, 1, 30), Some(EndReason::Plateau));
        let forever = counts(u64::MAX, u64::MAX);
        assert_eq!(Budget::default().spent(&forever, u64::MAX), None);
    }

    #[test]
    fn modelled_time_ends_a_session_whatever_the_clock_says() {
        let limit = Duration::from_secs(60);
        let budget = Budget {
            modelled: Some(Modelled {
                limit,
                cost: CostModel::default(),
            }),
            ..Budget::default()
        };
        let spent = |modelled| {
            let counts = Counts {
                modelled,
                ..Counts::default()
            };
            budget.spent(&counts, 0)
        };
        assert_eq!(spent(limit - Duration::from_millis(1)), None);
        assert_eq!(spent(limit), Some(EndReason::Time));
    }
}
