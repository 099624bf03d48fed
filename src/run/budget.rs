//! The budget that ends a session.

use super::plan::Session;
use crate::config::Suite;
use crate::config::layer::Origin;
use crate::config::source::Segment;
use crate::explore::{Budget, CostModel, Modelled};

/// The session's budget; for `bench`, also the modelled time that the suite's `[bench]` allows. The sessions of a group
/// share the events.
pub fn budget(suite: &Suite, session: &Session, bench: bool) -> Budget {
    let own = suite.budget();
    let limit = suite.settings.bench.time.filter(|_| bench);
    let shares = !bench && suite.settings.suite.total.is_some();
    let side = session.strategy.kind.group();
    let part = |events: u64| match side.map(|group| group.sessions as u64) {
        Some(sessions) => {
            events / sessions + u64::from(u64::from(session.seat) < events % sessions)
        }
        None => events,
    };
    Budget {
        // The default limit on events does not apply where the suite limits modelled time, or the time of all sessions.
        events: own
            .max_events()
            .filter(|_| (limit.is_none() && !shares) || is_chosen(suite))
            .map(part),
        shared: None,
        time: own.max_time(),
        plateau: own.plateau,
        modelled: limit.map(|limit| Modelled {
            limit: limit.0,
            cost: cost(suite, session.strategy.name()),
        }),
    }
}

/// Does the suite set the limit on events?
fn is_chosen(suite: &Suite) -> bool {
    let events = ["suite", "budget", "events"].map(Segment::from);
    suite.origin(&events) != Origin::Default
}

/// The limit on the events of each session of a run: the suite's, or the default if the suite limits no total time.
pub fn max_events(suite: &Suite) -> Option<u64> {
    let shares = suite.settings.suite.total.is_some();
    suite
        .budget()
        .max_events()
        .filter(|_| !shares || is_chosen(suite))
}

/// The modelled cost of events under a strategy, from the suite's `[bench]`.
pub fn cost(suite: &Suite, strategy: &str) -> CostModel {
    let bench = &suite.settings.bench;
    let cost = &bench.cost;
    CostModel {
        tap: cost.tap.0,
        long_press: cost.long_press.0,
        gesture: cost.gesture.0,
        text: cost.text.0,
        system: cost.system.0,
        start: cost.start.0,
        think: bench
            .think
            .get(strategy)
            .map_or_else(Default::default, |think| think.0),
    }
}
