//! Failures of the device in a row, and how often and after which pause the app is started again.

use std::time::Duration;

/// Events without a failure after which those before count no more.
pub const GOOD: u64 = 20;
/// The longest pause before a start.
pub const LONGEST: Duration = Duration::from_secs(300);

/// How a session takes failures of its device.
#[derive(Clone, Debug)]
pub struct Retries {
    count: u32,
    backoff: Duration,
    failures: u32,
    failed_at: u64,
    due: Option<Duration>,
}

impl Retries {
    /// `count` starts in a row after failures, `backoff` before the first, doubled before each further one.
    pub fn new(count: u32, backoff: Duration) -> Self {
        Self {
            count,
            backoff,
            failures: 0,
            failed_at: 0,
            due: None,
        }
    }

    /// The device failed at this event.
    pub fn failed(&mut self, at: u64) {
        self.due = Some(pause(self.backoff, self.failures));
        self.failures += 1;
        self.failed_at = at;
    }

    /// The device performed this event.
    pub fn went_well(&mut self, at: u64) {
        if at.saturating_sub(self.failed_at) >= GOOD {
            self.failures = 0;
        }
    }

    /// Failures that count.
    pub fn failures(&self) -> u32 {
        self.failures
    }

    /// Is there no start left?
    pub fn are_used_up(&self) -> bool {
        self.failures > self.count
    }

    /// How long to wait before the next start, once for each failure.
    pub fn take_pause(&mut self) -> Duration {
        self.due.take().unwrap_or_default()
    }
}

/// The pause before a start after so many that failed.
pub fn pause(backoff: Duration, failed: u32) -> Duration {
    backoff
        .saturating_mul(1_u32.checked_shl(failed).unwrap_or(u32::MAX))
        .min(LONGEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_and_good_events_set_the_count_back() {
        let mut retries = Retries::new(2, Duration::from_secs(1));
        let mut pauses = Vec::new();
        for _ in 0..2 {
            retries.failed(5);
            pauses.push(retries.take_pause().as_secs());
            assert!(!retries.are_used_up());
        }
        assert_eq!(
            (pauses.as_slice(), retries.take_pause()),
            (&[1, 2][..], Duration::ZERO)
        );
        retries.went_well(5 + GOOD - 1);
        assert_eq!(retries.failures(), 2);
        retries.went_well(5 + GOOD);
        assert_eq!(retries.failures(), 0);
        for _ in 0..3 {
            retries.failed(40);
        }
        assert!(retries.are_used_up());
        assert_eq!(pause(Duration::from_secs(1), 40), LONGEST);
    }
}
