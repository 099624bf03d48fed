//! `[bench]`: how strategies are compared.

use std::collections::BTreeMap;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::HumanDuration;

/// What `bench` reckons events to cost, so that slow and fast strategies can
/// be compared at equal time on devices of any speed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Bench {
    /// End a session when so much modelled time is spent. Default: only the
    /// suite's budget ends it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "HumanDuration")]
    pub time: Option<HumanDuration>,
    /// Compare also after so many events each, as far as all sessions came.
    /// Default: at the sessions' end, and as far as all came.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(inner(range(min = 1)))]
    pub at: Vec<u64>,
    /// What an event is reckoned to take on a device.
    pub cost: EventCost,
    /// What a strategy itself is reckoned to take for one event, by its name.
    /// Default: nothing.
    pub think: BTreeMap<String, HumanDuration>,
}

/// What an event is reckoned to take on a device, until the screen has
/// settled.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct EventCost {
    /// A tap or key.
    pub tap: HumanDuration,
    /// A long press.
    pub long_press: HumanDuration,
    /// A scroll, swipe, drag or pinch.
    pub gesture: HumanDuration,
    /// A text typed.
    pub text: HumanDuration,
    /// A system event.
    pub system: HumanDuration,
    /// A start of the app.
    pub start: HumanDuration,
}

impl Default for EventCost {
    /// Assumptions, measured nowhere (`docs/results.md` says which costs its
    /// own comparisons take). A tap: the pause of 200 ms between Monkey's
    /// events in the papers compared with (`--throttle 200`). A long press:
    /// Android's time-out for one, 500 ms (`ViewConfiguration`), and a tap. A
    /// gesture: a finger that moves as long as a tap's pause, and that pause.
    /// A text: a tap to focus and 400 ms to type. A system event: a screen
    /// drawn anew. A start: a cold start of a mid-sized app. Who has a device
    /// sets its own.
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
