//! The runs to merge, read from their folders.

use super::MergeError;
use crate::outcome::RunEvent;
use crate::outcome::folder::{RunFolder, RunInfo, SessionFolder, WholePlan};
use crate::outcome::journal::JournalReader;
use crate::outcome::run_event::{EndReason, SessionHeader};
use crate::util::sha256;
use crate::util::text::for_terminal;
use std::collections::BTreeSet;
use std::fs;

/// One run.
pub(super) struct Given {
    pub folder: RunFolder,
    pub info: RunInfo,
    pub whole: WholePlan,
}

impl Given {
    /// Its folder, for a message.
    pub fn shown(&self) -> String {
        self.folder.path().display().to_string()
    }
}

/// Reads the runs and sorts them by what is in them, so that their order on the command line has no effect. A folder
/// that is given twice counts once.
pub(super) fn read(folders: &[RunFolder]) -> Result<Vec<Given>, MergeError> {
    let mut seen = BTreeSet::new();
    let mut runs = Vec::new();
    for folder in folders {
        let at = folder.path().display();
        let refused = |why: String| MergeError::Runs(format!("{at} cannot be merged: {why}"));
        let place = fs::canonicalize(folder.path()).map_err(|e| refused(e.to_string()))?;
        if !seen.insert(place) {
            continue;
        }
        let info = folder.info().map_err(|e| refused(e.to_string()))?;
        let Some(whole) = info.whole.clone() else {
            let older = match info.version {
                0 | 1 => "an older version made it, which did not record the plan; run it again",
                _ => {
                    "its run.json does not contain the plan; benches and training cannot be merged"
                }
            };
            return Err(refused(older.to_owned()));
        };
        if whole.sessions.is_empty() {
            return Err(refused(
                "its run.json lists no sessions of the plan".to_owned(),
            ));
        }
        runs.push((
            format!("{info:?}"),
            Given {
                folder: folder.clone(),
                info,
                whole,
            },
        ));
    }
    if runs.is_empty() {
        return Err(MergeError::Runs("no run to merge".to_owned()));
    }
    runs.sort_by(|one, other| one.0.cmp(&other.0));
    Ok(runs.into_iter().map(|(_, run)| run).collect())
}

/// The record of a session in one run.
pub(super) struct Record {
    pub folder: SessionFolder,
    /// The first line of its journal, if it can be read.
    pub header: Option<SessionHeader>,
    /// How it ended, if it did.
    pub end: Option<EndReason>,
    /// Lines of the journal that can be read.
    pub lines: u64,
    /// SHA-256 of the journal.
    pub journal: String,
}

impl Record {
    /// Reads it; nothing if there is no journal.
    pub fn read(folder: SessionFolder) -> Option<Self> {
        let path = folder.journal();
        let journal = path.is_file().then(|| sha256::of_file(&path).ok())??;
        let mut record = Self {
            header: None,
            end: None,
            lines: 0,
            journal,
            folder,
        };
        for event in JournalReader::open(&path).ok().into_iter().flatten() {
            let Ok(event) = event else {
                // Damaged from here on.
                record.end = None;
                break;
            };
            record.lines += 1;
            match event {
                RunEvent::Session(header) => record.header = Some(header),
                RunEvent::End { reason, .. } => record.end = Some(reason),
                _ => {}
            }
        }
        Some(record)
    }

    /// Did the session complete?
    pub fn is_complete(&self) -> bool {
        self.header.is_some()
            && self.end.is_some_and(EndReason::came_to_end)
            && !self.folder.failed().is_file()
    }
}

/// A name from a run's folder, for a message.
pub(super) fn shown(name: &str) -> String {
    for_terminal(name).into_owned()
}
