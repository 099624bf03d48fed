//! How long a session may go on.

use crate::outcome::run_event::EndReason;
use std::time::Duration;

/// Limits of a session; whichever is reached first ends it. `None`: no limit of that kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// Events.
    pub events: Option<u64>,
    /// Time by the clock.
    pub time: Option<Duration>,
    /// Events without anything new (coverage, activity, page structure where coverage is not measured, finding).
    pub plateau: Option<u64>,
}

impl Budget {
    /// The limit that is reached, if any. `last_new` is the number of the last event that brought something new.
    pub fn spent(&self, events: u64, elapsed: Duration, last_new: u64) -> Option<EndReason> {
        if self.events.is_some_and(|limit| events >= limit) {
            Some(EndReason::Events)
        } else if self.time.is_some_and(|limit| elapsed >= limit) {
            Some(EndReason::Time)
        } else if self
            .plateau
            .is_some_and(|limit| events.saturating_sub(last_new) >= limit)
        {
            Some(EndReason::Plateau)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_limit_reached_ends_it() {
        let budget = Budget {
            events: Some(100),
            time: Some(Duration::from_secs(9)),
            plateau: Some(20),
        };
        let spent = |events, secs, last| budget.spent(events, Duration::from_secs(secs), last);
        assert_eq!(spent(50, 1, 40), None);
        assert_eq!(spent(100, 1, 99), Some(EndReason::Events));
        assert_eq!(spent(50, 9, 49), Some(EndReason::Time));
        assert_eq!(spent(50, 1, 30), Some(EndReason::Plateau));
        assert_eq!(Budget::default().spent(u64::MAX, Duration::MAX, 0), None);
    }
}
