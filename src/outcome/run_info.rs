//! `run.json`: what a run is to do, and of which plan it is a part.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// Version of `run.json`. Version 2 added [`RunInfo::whole`]; version 1 can be read, but not merged or resumed.
pub const RUN_VERSION: u32 = 2;

/// One session as planned.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct PlannedSession {
    /// Session name, also its folder's.
    pub session: String,
    /// App's name in the suite.
    pub app: String,
    /// Package, or the model's name.
    pub package: String,
    /// Device's name in the suite.
    pub device: String,
    /// Strategy's name.
    pub strategy: String,
    /// Seed.
    pub seed: u64,
    /// Its number in a group of sessions that run side by side, from 0; 0 of one alone.
    #[serde(default, skip_serializing_if = "is_first")]
    pub seat: u32,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde's form
const fn is_first(seat: &u32) -> bool {
    *seat == 0
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde's form
const fn is_not(it_is: &bool) -> bool {
    !*it_is
}

/// `run.json`: what the run is to do, written when it starts so that a killed run can be opened.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct RunInfo {
    /// [`RUN_VERSION`].
    pub version: u32,
    /// Version of the tool.
    pub tool: String,
    /// Suite's name.
    pub suite: String,
    /// Its file, where the run was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The APKs that were explored instead of the suite's apps, absolute.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub apks: Vec<String>,
    /// The profile it was resolved for, if not the default one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile: Option<String>,
    /// Run id, also the folder's name.
    pub run: String,
    /// When it started.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub started: Option<jiff::Timestamp>,
    /// The confinement of each device that has one.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub confinement: BTreeMap<String, String>,
    /// The suite's `[gate]`, if it has one or a flag sets one; the baseline's path is absolute.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gate: Option<serde_json::Value>,
    /// The folders of sources of each app that has some, absolute.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub sources: BTreeMap<String, Vec<String>>,
    /// The SHA-256 of the event model that the sessions of a package started from, if the run reused one.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub models: BTreeMap<String, String>,
    /// Is it merged from other runs? Nowhere in older files.
    #[serde(default, skip_serializing_if = "is_not")]
    pub merged: bool,
    /// The plan, in order.
    pub sessions: Vec<PlannedSession>,
    /// The plan that this run is a part of, or all of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub whole: Option<WholePlan>,
}

/// The plan of all shards. Runs of the same plan can be merged.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct WholePlan {
    /// The shard of the plan that the run is; nothing for a run of all sessions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    /// What the sessions depend on: the part of the settings (``app `notes` ``, `budget`) and the SHA-256 of its
    /// value.
    pub settings: BTreeMap<String, String>,
    /// The SHA-256 of the APK or the model of each app that this run has prepared.
    pub contents: BTreeMap<String, String>,
    /// All sessions of the plan, in order. The package is empty where this run has not prepared the app.
    pub sessions: Vec<PlannedSession>,
}

/// How a plan is divided into shards.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Division {
    /// Every n-th session of the plan.
    #[default]
    Slice,
    /// By the session's name.
    Hash,
}

impl fmt::Display for Division {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Slice => "slice",
            Self::Hash => "hash",
        })
    }
}

/// A shard of a plan, or, in a merged run, several.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Shard {
    /// How the plan is divided.
    pub by: Division,
    /// Which shard, from 1; nothing in a merged run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<u64>,
    /// The number of shards.
    pub count: u64,
}
