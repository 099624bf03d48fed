//! The record of a session to keep, if several runs have one.

use super::MergeError;
use super::copy::{self, CopyError};
use super::given::{Given, Record, shown};
use crate::outcome::folder::{FindingFolder, PlannedSession, SessionFolder};
use crate::outcome::{Minimality, Reproduction};
use crate::util::foreign;
use crate::util::sha256;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;

/// The records of a session that are kept.
pub(super) struct Choice<'r> {
    /// Records with the same journal, the best first: the first is copied, with the best reproduction of each finding
    /// from all of them.
    records: Vec<(&'r Given, Record)>,
    /// What the user should know.
    pub warning: Option<String>,
}

/// Chooses the record of a planned session; nothing if no run has one.
///
/// # Errors
/// Two runs have complete records that differ, or a record is of another session.
pub(super) fn session<'r>(
    runs: &'r [Given],
    planned: &PlannedSession,
) -> Result<Option<Choice<'r>>, MergeError> {
    let name = &planned.session;
    let record = |run: &'r Given| Some((run, Record::read(run.folder.session(name))?));
    let mut records: Vec<_> = runs.iter().filter_map(record).collect();
    for (run, record) in &records {
        belongs(run, record, planned)?;
    }
    // A longer record of a session that was cut off has all that a shorter one has, on most devices.
    records.sort_by_key(|(_, record)| {
        (
            !record.is_complete(),
            std::cmp::Reverse(record.lines),
            record.journal.clone(),
        )
    });
    let Some((first, best)) = records.first() else {
        return Ok(None);
    };
    let other = |(_, record): &&(&Given, Record)| {
        record.journal != best.journal && record.is_complete() == best.is_complete()
    };
    let mut warning = None;
    if let Some((second, _)) = records.iter().find(other) {
        let (one, two) = in_order(first, second);
        if best.is_complete() {
            return Err(MergeError::Runs(format!(
                "{one} and {two} both have a complete session {}, and the two differ; give only one of these runs",
                shown(name)
            )));
        }
        warning = Some(format!(
            "the session {} was cut off in {one} and in {two}; the merged run has the longer record",
            shown(name)
        ));
    }
    let journal = best.journal.clone();
    records.retain(|(_, record)| record.journal == journal);
    sorted_by_content(&mut records);
    Ok(Some(Choice { records, warning }))
}

fn in_order(one: &Given, other: &Given) -> (String, String) {
    let (one, other) = (one.shown(), other.shown());
    if one <= other {
        (one, other)
    } else {
        (other, one)
    }
}

/// Is the record what its name says?
fn belongs(run: &Given, record: &Record, planned: &PlannedSession) -> Result<(), MergeError> {
    let Some(header) = &record.header else {
        return Ok(());
    };
    let refused = |why: String| {
        let (name, at) = (shown(&planned.session), run.shown());
        Err(MergeError::Runs(format!(
            "{at} cannot be merged: its session {name} {why}"
        )))
    };
    let same = header.session == planned.session
        && header.app == planned.app
        && header.device == planned.device
        && header.strategy == planned.strategy
        && header.seed == planned.seed;
    if !same {
        return refused(format!(
            "has the journal of another: {}",
            shown(&header.session)
        ));
    }
    match run.whole.contents.get(&planned.app) {
        Some(content) if *content != header.content => {
            refused("explored another build of its app than run.json says".to_owned())
        }
        _ => Ok(()),
    }
}

/// Sorts records with equal journals, so that the choice does not depend on the order of the runs.
pub(super) fn sorted_by_content(records: &mut Vec<(&Given, Record)>) {
    if records.len() > 1 {
        records.sort_by_cached_key(|(_, record)| digest(&record.folder));
    }
}

fn digest(folder: &SessionFolder) -> String {
    sha256::of_folder(folder.path(), |_| true).unwrap_or_default()
}

impl<'r> Choice<'r> {
    /// A choice without alternatives in the journal.
    pub fn of(records: Vec<(&'r Given, Record)>) -> Self {
        Self {
            records,
            warning: None,
        }
    }

    /// Did the session complete?
    pub fn is_complete(&self) -> bool {
        self.records
            .first()
            .is_some_and(|(_, record)| record.is_complete())
    }

    /// Copies the record.
    pub fn copy(&self, to: &SessionFolder) -> Result<(), CopyError> {
        let Some((_, first)) = self.records.first() else {
            return Ok(());
        };
        copy::folder(first.folder.path(), to.path(), &|below| {
            below.starts_with("findings") && below.components().count() > 1
        })?;
        for (id, from) in self.findings() {
            let folder = to.path().join("findings").join(&id);
            copy::folder(from.path(), &folder, &|_| false)?;
        }
        Ok(())
    }

    /// The findings by the name of their folder, each from the record with the best reproduction.
    fn findings(&self) -> BTreeMap<OsString, FindingFolder> {
        let mut best: BTreeMap<OsString, (FindingFolder, Worth)> = BTreeMap::new();
        for (_, record) in &self.records {
            let all = fs::read_dir(record.folder.path().join("findings"));
            for entry in all.into_iter().flatten().flatten() {
                if !entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                    continue;
                }
                let folder = FindingFolder::at(entry.path());
                let worth = worth(&folder);
                match best.get(&entry.file_name()) {
                    Some((_, known)) if *known <= worth => {}
                    _ => drop(best.insert(entry.file_name(), (folder, worth))),
                }
            }
        }
        best.into_iter()
            .map(|(id, (folder, _))| (id, folder))
            .collect()
    }
}

/// Smaller is better: one that reproduces, fewer steps, more often in thousandths of its replays.
type Worth = (bool, usize, u64);

fn worth(folder: &FindingFolder) -> Worth {
    let read = foreign::read(&folder.reproduction()).ok();
    let found: Option<Reproduction> = read.and_then(|text| serde_json::from_slice(&text).ok());
    match found {
        None => (true, usize::MAX, 0),
        Some(found) => (
            found.minimality == Minimality::NotReproduced,
            found.steps.len(),
            1000 - (1000.0 * found.rate().clamp(0.0, 1.0)) as u64,
        ),
    }
}
