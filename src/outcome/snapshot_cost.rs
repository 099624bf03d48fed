//! What the snapshots of a session's emulator cost, in its `timing.jsonl`: a line each, written at once, so that
//! a run that is killed keeps them.

use crate::util::foreign;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, Write as _};
use std::path::Path;

/// What was done with a snapshot.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SnapshotWork {
    /// The state was saved.
    Save,
    /// The state was restored.
    Load,
    /// The snapshot was deleted.
    Delete,
}

impl SnapshotWork {
    /// The word of the emulator's console.
    pub fn word(self) -> &'static str {
        match self {
            Self::Save => "save",
            Self::Load => "load",
            Self::Delete => "delete",
        }
    }
}

/// One of them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct SnapshotCost {
    /// What was done.
    pub snapshot: SnapshotWork,
    /// The snapshot's name.
    pub name: String,
    /// Duration in microseconds; for a load, until Android answered again.
    pub took_us: u64,
    /// Why it failed, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<String>,
}

/// All of a session.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct SnapshotSummary {
    /// States saved.
    pub saved: u64,
    /// Restored states.
    pub restored: u64,
    /// Total wall-clock seconds, including failures.
    pub seconds: f64,
    /// How many failed.
    #[serde(default, skip_serializing_if = "is_none")]
    pub failed: u64,
    /// What failed, in words: the latest ten.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failures: Vec<String>,
}

impl SnapshotSummary {
    /// In words: how many, how long, and the last that failed.
    pub fn words(&self) -> String {
        let mut words = format!(
            "{} saved, {} restored in {:.1} s",
            self.saved, self.restored, self.seconds
        );
        if let Some(last) = self.failures.last() {
            // A summary of before `failed` was counted has the words alone.
            let failed = self.failed.max(self.failures.len() as u64);
            words += &format!(", {failed} failed, the last: {last}");
        }
        words
    }
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde's form
fn is_none(count: &u64) -> bool {
    *count == 0
}

/// Failures kept in words.
const FAILURES: usize = 10;

/// Adds a line to a session's `timing.jsonl`.
///
/// # Errors
/// It cannot be written.
pub fn append(timing: &Path, cost: &SnapshotCost) -> io::Result<()> {
    let mut line = serde_json::to_vec(cost)?;
    line.push(b'\n');
    // In one piece: the recorder writes to the same file.
    let mut file = File::options().create(true).append(true).open(timing)?;
    file.write_all(&line)
}

/// What a session's `timing.jsonl` holds of snapshots; `None` if there were none.
pub fn of_session(timing: &Path) -> Option<SnapshotSummary> {
    let text = foreign::read(timing).ok()?;
    let lines = text.split(|b| *b == b'\n');
    let costs: Vec<SnapshotCost> = lines
        .filter(|line| line.starts_with(b"{\"snapshot\""))
        .filter_map(|line| serde_json::from_slice(line).ok())
        .collect();
    let done = |work| {
        let all = costs.iter().filter(|c| c.snapshot == work);
        all.filter(|c| c.failed.is_none()).count() as u64
    };
    let failed = |c: &SnapshotCost| {
        let why = c.failed.as_ref()?;
        Some(format!("{} {}: {why}", c.snapshot.word(), c.name))
    };
    let mut failures: Vec<_> = costs.iter().filter_map(failed).collect();
    let count = failures.len() as u64;
    failures.drain(..failures.len().saturating_sub(FAILURES));
    (!costs.is_empty()).then(|| SnapshotSummary {
        saved: done(SnapshotWork::Save),
        restored: done(SnapshotWork::Load),
        seconds: costs.iter().map(|c| c.took_us as f64 / 1e6).sum(),
        failed: count,
        failures,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::journal::{Timing, TimingWriter, read_timing};

    #[test]
    fn snapshots_and_events_share_a_file_and_neither_loses_a_line() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("timing.jsonl");
        assert_eq!(of_session(&file), None);
        let mut events = TimingWriter::create(&file).unwrap();
        let event = |i| Timing {
            i,
            us: i,
            wait_us: 0,
        };
        events.write(event(1)).unwrap();
        events.flush().unwrap();
        for (snapshot, failed) in [
            (SnapshotWork::Save, None),
            (SnapshotWork::Load, None),
            (SnapshotWork::Load, Some("KO".to_owned())),
        ] {
            let cost = SnapshotCost {
                snapshot,
                name: "droidtest-clean".into(),
                took_us: 1_500_000,
                failed,
            };
            append(&file, &cost).unwrap();
        }
        events.write(event(2)).unwrap();
        events.flush().unwrap();
        let read: Vec<_> = read_timing(&file).unwrap().map(|t| t.i).collect();
        assert_eq!(read, [1, 2]);
        let summary = of_session(&file).unwrap();
        assert_eq!((summary.saved, summary.restored), (1, 1));
        assert!((summary.seconds - 4.5).abs() < 1e-9);
        assert_eq!(summary.failures, ["load droidtest-clean: KO"]);
        let cost = SnapshotCost {
            snapshot: SnapshotWork::Load,
            name: "droidtest-clean".into(),
            took_us: 1,
            failed: Some("KO".to_owned()),
        };
        for _ in 0..20 {
            append(&file, &cost).unwrap();
        }
        let summary = of_session(&file).unwrap();
        assert_eq!((summary.failed, summary.failures.len()), (21, FAILURES));
        assert!(summary.words().contains("21 failed"));
    }
}
