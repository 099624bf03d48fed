//! Every table of a suite file.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::strategy::Strategy;
use crate::settings::{
    App, Bench, Coverage, Device, Faults, Minimize, Oracles, Report, Retries, Reward, SuiteSection,
};

/// Every table of a suite file but the profiles.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Settings {
    /// What the suite is called, how long a session lasts, and which part of
    /// the suite is selected.
    pub suite: SuiteSection,
    /// The apps to explore.
    #[serde(rename = "app")]
    pub apps: Vec<App>,
    /// The devices to explore them on. Without any, one `jvm` device for APKs
    /// and one `sim` device for models are there.
    #[serde(rename = "device")]
    pub devices: Vec<Device>,
    /// The strategies that choose what to do next. Without any, `dinodroid`, or `random` in a
    /// build without a tensor engine.
    #[serde(rename = "strategy")]
    pub strategies: Vec<Strategy>,
    /// What a strategy that learns is rewarded for.
    pub reward: Reward,
    /// What counts as a finding.
    pub oracles: Oracles,
    /// How much is spent on making findings short and sure.
    pub minimize: Minimize,
    /// Which reports are written.
    pub report: Report,
    /// What is measured as code coverage.
    pub coverage: Coverage,
    /// What is tried again when the infrastructure, not the app, fails.
    pub retries: Retries,
    /// What goes wrong around an app while it is explored.
    pub faults: Faults,
    /// The time that `bench` assumes for events.
    pub bench: Bench,
}
