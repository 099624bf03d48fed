//! `[bench]`: the comparison of strategies.

use std::collections::BTreeMap;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::HumanDuration;

/// The modelled cost of events in `bench`, so that slow and fast strategies can be compared at equal time on devices of
/// any speed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Bench {
    /// The limit on a session's modelled time. Default: only the suite's budget.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "HumanDuration")]
    pub time: Option<HumanDuration>,
    /// Numbers of events to compare at, in addition to the end of the sessions and the shortest session's length.
    /// Numbers beyond the shortest session are skipped. Default: none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(inner(range(min = 1)))]
    pub at: Vec<u64>,
    /// The modelled time of an event on a device.
    pub cost: EventCost,
    /// The modelled time of a strategy per event, by its name. Default: 0.
    pub think: BTreeMap<String, HumanDuration>,
}

/// The modelled time of an event on a device, until the screen has settled.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct EventCost {
    /// A tap or key.
    pub tap: HumanDuration,
    /// A long press.
    pub long_press: HumanDuration,
    /// A scroll, swipe, drag or pinch.
    pub gesture: HumanDuration,
    /// A text input.
    pub text: HumanDuration,
    /// A system event.
    pub system: HumanDuration,
    /// A start of the app.
    pub start: HumanDuration,
}

impl Default for EventCost {
    /// Assumptions, not measurements (`docs/results.md` lists the costs of its comparisons). A tap: Monkey's pause of
    /// 200 ms between events in the compared papers (`--throttle 200`). A long press: Android's time-out of 500 ms
    /// (`ViewConfiguration`) and a tap. A gesture: a movement as long as a tap's pause, and that pause. A text: a tap
    /// for the focus and 400 ms to type. A system event: a redraw of the screen. A start: a cold start of a mid-sized
    /// app. Users with a device can set measured values.
    fn default() -> Self {
        let ms = |ms| HumanDuration(Duration::from_millis(ms));
        Self {
            tap: ms(200),
            long_press: ms(700),
            gesture: ms(400),
            text: ms(600),
            system: ms(1000),
            start: ms(3000),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cost_that_is_not_set_keeps_its_default() {
        let bench: Bench =
            toml::from_str("time = \"1h\"\ncost = { tap = \"50ms\" }\nthink = { slow = \"1s\" }")
                .unwrap();
        assert_eq!(bench.cost.tap.0, Duration::from_millis(50));
        assert_eq!(bench.cost.start, EventCost::default().start);
        assert_eq!(bench.think["slow"], HumanDuration::secs(1));
    }
}
