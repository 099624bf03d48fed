//! `[gate]`: what a run may bring without failing.

use camino::Utf8PathBuf;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The baseline file of a suite that names none.
pub const BASELINE: &str = "droidtest-baseline.toml";

/// Compares a run with a baseline of known findings: new findings fail, known ones do not.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Gate {
    /// The file of known findings. A file that does not exist is an empty baseline.
    #[schemars(with = "String")]
    pub baseline: Utf8PathBuf,
    /// Whether stale entries of the baseline fail: those of findings that are fixed, and expired acceptances.
    pub strict: bool,
    /// The base builds: APKs of the apps before the change. A new finding that reproduces on its app's base build gets the
    /// status `pre-existing` and does not fail.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<String>")]
    pub base: Vec<Utf8PathBuf>,
    /// The `mapping.txt` of R8 or ProGuard of the base build.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub base_mapping: Option<Utf8PathBuf>,
    /// The device of the suite that new findings of other devices are confirmed on. A finding that does not reproduce
    /// there gets the status `device` and does not fail. Apps are explored on this device only if `suite.devices` names it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub confirm: Option<String>,
    /// The number of replays, each in a new process, that a known finding, a base build and a second device get.
    #[schemars(range(min = 1, max = 100))]
    pub replays: u32,
    /// The most distinct crashes of all apps together, known ones included: exceptions, process deaths and exhausted
    /// memory. Default: no limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64")]
    pub max_crashes: Option<u64>,
    /// The most new findings. Default: 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64")]
    pub max_new: Option<u64>,
    /// The most distinct ANRs of all apps together, known ones included. Default: no limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64")]
    pub max_anrs: Option<u64>,
    /// The least line coverage of each app, in percent. Default: no limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 0, max = 100))]
    pub min_lines: Option<f64>,
    /// The least coverage of the changed lines of each app, in percent; needs `changed.since`. Default: no limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 0, max = 100))]
    pub min_changed_lines: Option<f64>,
    /// The most that the line coverage of an app may be below the baseline's, in percentage points. Default: no limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 0, max = 100))]
    pub max_drop: Option<f64>,
}

impl Default for Gate {
    fn default() -> Self {
        Self {
            baseline: BASELINE.into(),
            strict: false,
            base: Vec::new(),
            base_mapping: None,
            confirm: None,
            replays: 3,
            max_crashes: None,
            max_new: None,
            max_anrs: None,
            min_lines: None,
            min_changed_lines: None,
            max_drop: None,
        }
    }
}
