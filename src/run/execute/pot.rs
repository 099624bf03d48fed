//! The total time of a run's sessions.

use crate::config::Suite;
use crate::outcome::run_event::EndReason;
use crate::run::options::Options;
use crate::run::plan::Plan;
use crate::run::total::Pot;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The time that the sessions share, if the suite limits it.
pub(super) fn of(
    suite: &Suite,
    plan: &Plan,
    options: &Options,
    kept: &[Option<EndReason>],
) -> Option<Arc<Pot>> {
    let total = suite.settings.suite.total.filter(|_| !options.bench)?;
    let open = plan
        .entries
        .iter()
        .zip(kept)
        .filter(|(_, ended)| ended.is_none());
    let at_once: BTreeMap<_, _> = open
        .clone()
        .map(|(s, _)| (&s.device.name, s.device.at_once() as usize))
        .collect();
    let workers = options.jobs.min(at_once.values().sum());
    Some(Arc::new(Pot::new(
        total.0,
        suite.settings.minimize.enabled,
        open.count(),
        workers,
    )))
}
