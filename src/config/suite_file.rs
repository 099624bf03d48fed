//! Every table of a suite file.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::strategy::Strategy;
use crate::settings::{
    App, Bench, Changed, Coverage, Device, Faults, Gate, Minimize, Oracles, Report, Retries,
    Reward, SuiteSection,
};

/// Every table of a suite file except profiles.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Settings {
    /// The suite's name, the budget of a session, and the selection.
    pub suite: SuiteSection,
    /// The apps to explore.
    #[serde(rename = "app")]
    pub apps: Vec<App>,
    /// The devices to explore them on. Default: one `jvm` device for APKs and one `sim` device for models.
    #[serde(rename = "device")]
    pub devices: Vec<Device>,
    /// The strategies that select the next event. Default: `portfolio`.
    #[serde(rename = "strategy")]
    pub strategies: Vec<Strategy>,
    /// The reward of a strategy that learns.
    pub reward: Reward,
    /// The failures that count as findings.
    pub oracles: Oracles,
    /// The effort to minimize and confirm findings.
    pub minimize: Minimize,
    /// What a run may bring without failing. Default: every finding fails.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gate: Option<Gate>,
    /// The earlier builds to compare the apps' code with.
    pub changed: Changed,
    /// The reports to write.
    pub report: Report,
    /// The measurement of code coverage.
    pub coverage: Coverage,
    /// Retries when the infrastructure, not the app, fails.
    pub retries: Retries,
    /// Faults in the app's environment while it is explored.
    pub faults: Faults,
    /// The modelled cost of events in `bench`.
    pub bench: Bench,
}
