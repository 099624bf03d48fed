//! `[suite]`: the name, the budget of a session, the seeds and the selection.

use std::time::Duration;

use camino::Utf8PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::HumanDuration;

/// The events of a session without limits.
const DEFAULT_EVENTS: u64 = 500;

/// The suite's name, the budget of a session, and the selection.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct SuiteSection {
    /// The suite's name, shown in reports.
    #[schemars(schema_with = "super::name_schema")]
    pub name: String,
    /// The limits of a session; the first one that is reached ends it.
    pub budget: Budget,
    /// The longest time for exploring and minimizing together, over all sessions of a run. The sessions share it
    /// (docs/shards.md); their own limits still apply. Default: no limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "HumanDuration")]
    pub total: Option<HumanDuration>,
    /// One session per seed. Equal seeds give equal choices.
    #[schemars(
        length(min = 1),
        inner(range(min = 0, max = 9_223_372_036_854_775_807_u64))
    )]
    pub seeds: Vec<u64>,
    /// The selected apps, by name. Default: all.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<String>", length(min = 1))]
    pub apps: Option<Vec<String>>,
    /// The selected devices, by name. Default: all.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<String>", length(min = 1))]
    pub devices: Option<Vec<String>>,
    /// The selected strategies, by name. Default: all.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<String>", length(min = 1))]
    pub strategies: Option<Vec<String>>,
    /// Whether sessions start from the event models that earlier runs left next to their folders, and add to them
    /// (strategies with `model`, such as `fastbot`). Default: `true` for `run`, `false` for `run --partition` and `bench`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "bool")]
    pub reuse: Option<bool>,
    /// The folder of the corpus: traces that each session performs first, and that grow with what a run adds
    /// (docs/corpus.md). Default: none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1))]
    pub corpus: Option<Utf8PathBuf>,
    /// What computes the network of `dinodroid`: `rust`, which repeats bit for bit on every machine, or, in a build with
    /// libtorch, `torch:cpu`, `torch:cuda:0`, or `torch:auto`, which is a GPU if there is one.
    #[schemars(regex(pattern = "^(rust|torch(:auto|:cpu|:cuda(:[0-9]{1,3})?)?)$"), extend("x-expects" = "`rust`, `torch:cpu`, `torch:auto` or `torch:cuda:0`"))]
    pub engine: String,
}

impl Default for SuiteSection {
    fn default() -> Self {
        Self {
            name: "suite".to_owned(),
            budget: Budget::default(),
            total: None,
            seeds: vec![0],
            apps: None,
            devices: None,
            strategies: None,
            reuse: None,
            corpus: None,
            engine: "rust".to_owned(),
        }
    }
}

/// The limits of one session. The first one that is reached ends it. Default: 500 events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Budget {
    /// The most events.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64", range(min = 1))]
    pub events: Option<u64>,
    /// The longest time. A session with a time limit depends on the machine's speed; only a limit on events is exactly
    /// repeatable.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "HumanDuration")]
    pub time: Option<HumanDuration>,
    /// The most events in a row without anything new.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64", range(min = 1))]
    pub plateau: Option<u64>,
}

impl Budget {
    /// The limit on events: the suite's, or 500 if it has no limit of any kind. A loaded suite has the default in
    /// `events`.
    pub fn max_events(&self) -> Option<u64> {
        match (self.events, self.time, self.plateau) {
            (None, None, None) => Some(DEFAULT_EVENTS),
            (events, ..) => events,
        }
    }

    /// The limit on time.
    pub fn max_time(&self) -> Option<Duration> {
        self.time.map(Duration::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_budget_without_limits_falls_back_to_500_events() {
        assert_eq!(Budget::default().max_events(), Some(500));
        let timed = Budget {
            time: Some(HumanDuration::secs(60)),
            ..Budget::default()
        };
        assert_eq!(timed.max_events(), None);
        assert_eq!(timed.max_time(), Some(Duration::from_secs(60)));
    }
}
