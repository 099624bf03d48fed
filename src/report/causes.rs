//! Findings by their cause: the same fingerprint in several sessions is one thing to mend.

use super::session::{Met, SessionRecord};
use crate::outcome::summary::SessionSummary;

/// A session's summary and its record.
pub type Session<'a> = (&'a SessionSummary, &'a SessionRecord);

/// A finding in one of the sessions that met it.
pub type Meeting<'a> = (&'a SessionSummary, &'a Met);

/// The meetings of each cause, in order of first sight; the sessions should be one app's.
pub fn causes<'a>(sessions: &[Session<'a>]) -> Vec<Vec<Meeting<'a>>> {
    let mut causes: Vec<Vec<Meeting<'a>>> = Vec::new();
    for &(summary, record) in sessions {
        for met in &record.findings {
            let same = |known: &&mut Vec<Meeting<'a>>| {
                known[0].1.finding.fingerprint == met.finding.fingerprint
            };
            match causes.iter_mut().find(same) {
                Some(meetings) => meetings.push((summary, met)),
                None => causes.push(vec![(summary, met)]),
            }
        }
    }
    causes
}

/// The meeting that tells most: where only some were the environment's fault, one of the app's;
/// of these the one with the fewest events before it.
pub fn chief<'a>(meetings: &[Meeting<'a>]) -> Meeting<'a> {
    let order = |(_, met): &&Meeting<'a>| (met.is_environment(), met.finding.event);
    *meetings
        .iter()
        .min_by_key(order)
        .expect("a cause was met at least once")
}
