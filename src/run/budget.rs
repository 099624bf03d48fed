//! The budget that ends a session.

use super::plan::Session;
use crate::config::Suite;
use crate::config::layer::Origin;
use crate::config::source::Segment;
use crate::explore::{Budget, CostModel, Modelled};

/// The session's budget; for `bench`, also the modelled time that the suite's `[bench]` allows.
pub fn budget(suite: &Suite, session: &Session, bench: bool) -> Budget {
    let own = suite.budget();
    let limit = suite.settings.bench.time.filter(|_| bench);
    let events = ["suite", "budget", "events"].map(Segment::from);
    let chosen = suite.origin(&events) != Origin::Default;
    Budget {
        // The default limit on events does not apply where the suite limits modelled time.
        events: own.max_events().filter(|_| limit.is_none() || chosen),
        time: own.max_time(),
        plateau: own.plateau,
        modelled: limit.map(|limit| Modelled {
            limit: limit.0,
            cost: cost(suite, session.strategy.name()),
        }),
    }
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
