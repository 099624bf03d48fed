//! Sessions that are not in the plan: those of findings that were observed while another was minimized.

use super::choose::{Choice, sorted_by_content};
use super::copy::CopyError;
use super::given::{Given, Record};
use crate::outcome::folder::{RunFolder, RunInfo};
use std::collections::{BTreeMap, BTreeSet};

/// Copies them. Different sessions with the same name get a number.
pub(super) fn copy(runs: &[Given], info: &RunInfo, to: &RunFolder) -> Result<(), CopyError> {
    let folder_of = |name: &str| {
        let folder = to.session(name);
        folder.path().file_name().unwrap_or_default().to_owned()
    };
    let mut taken: BTreeSet<_> = info
        .sessions
        .iter()
        .map(|planned| folder_of(&planned.session))
        .collect();
    let mut all: BTreeMap<(String, String), Vec<(&Given, Record)>> = BTreeMap::new();
    for run in runs {
        let names = run.folder.sessions();
        let names = names.map_err(|e| CopyError::Source(format!("{}: {e}", run.shown())))?;
        for name in names
            .into_iter()
            .filter(|name| !taken.contains(&folder_of(name)))
        {
            if let Some(record) = Record::read(run.folder.session(&name)) {
                // A run may have given it a number; its journal has the name that it started with.
                let own = record.header.as_ref().map(|header| header.session.clone());
                let key = (own.unwrap_or(name), record.journal.clone());
                all.entry(key).or_default().push((run, record));
            }
        }
    }
    for ((name, _), mut records) in all {
        sorted_by_content(&mut records);
        let numbered = (2..).map(|number| format!("{name}-{number}"));
        let mut names = std::iter::once(name.clone()).chain(numbered);
        let free = names.find(|name| !taken.contains(&folder_of(name)));
        let free = free.unwrap_or(name);
        taken.insert(folder_of(&free));
        Choice::of(records).copy(&to.session(&free))?;
    }
    Ok(())
}
