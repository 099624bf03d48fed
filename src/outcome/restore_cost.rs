//! How often a session returned to a saved state (from its journal), and what that cost (from its `timing.jsonl`).

use crate::util::foreign;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Names a state that a strategy saved in order to return to it; saving under the same name again replaces it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SaveId(pub u32);

/// How a saved state was restored.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Return {
    /// By a snapshot of the device.
    Snapshot,
    /// By a start with cleared data and the steps of a way that was observed, each a `step` line led by `restore`.
    Way,
}

/// One restore, as a line of `timing.jsonl`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RestoreCost {
    /// The state.
    pub restore: SaveId,
    /// Duration in microseconds, until the page was shown.
    pub took_us: u64,
}

/// All of a session.
#[derive(Clone, Copy, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct RestoreSummary {
    /// States saved.
    pub saved: u64,
    /// Restored by a snapshot of the device.
    pub by_snapshot: u64,
    /// Restored by a start with cleared data and the steps of a way.
    pub by_way: u64,
    /// Ways that led elsewhere, and snapshots that did not run.
    pub failed: u64,
    /// Steps of all ways.
    pub steps: u64,
    /// The median duration in milliseconds, failures included, if it was recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub median_ms: Option<f64>,
}

impl RestoreSummary {
    /// Adds a restore of the journal.
    pub fn add(&mut self, by: Return, steps: u32, arrived: bool) {
        self.steps += u64::from(steps);
        let count = match (arrived, by) {
            (false, _) => &mut self.failed,
            (true, Return::Snapshot) => &mut self.by_snapshot,
            (true, Return::Way) => &mut self.by_way,
        };
        *count += 1;
    }

    /// The same with the durations of the session's `timing.jsonl`.
    #[must_use]
    pub fn timed(self, timing: &Path) -> Self {
        let text = foreign::read(timing).unwrap_or_default();
        let lines = text.split(|b| *b == b'\n');
        let mut took: Vec<u64> = lines
            .filter(|line| line.starts_with(b"{\"restore\""))
            .filter_map(|line| serde_json::from_slice::<RestoreCost>(line).ok())
            .map(|cost| cost.took_us)
            .collect();
        took.sort_unstable();
        let middle = took.get(took.len() / 2);
        Self {
            median_ms: middle.map(|us| *us as f64 / 1e3),
            ..self
        }
    }

    /// In words: how many, how, how long.
    pub fn words(&self) -> String {
        let count = self.by_snapshot + self.by_way;
        let mut words = format!("{} saved, {count} restored", self.saved);
        if self.by_way > 0 {
            words += &format!(
                ", {} of them by {} steps of known ways",
                self.by_way, self.steps
            );
        }
        if self.failed > 0 {
            words += &format!(", {} led elsewhere", self.failed);
        }
        if let Some(ms) = self.median_ms {
            words += &format!(", {ms:.1} ms each (median)");
        }
        words
    }
}
