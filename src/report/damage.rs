//! One session's record from a journal that may be truncated or damaged.

use super::session::{Gatherer, SessionRecord};
use crate::outcome::journal::{JournalError, JournalReader};
use std::path::Path;

/// The readable part of a journal, and the problem with the rest.
pub fn read(path: &Path) -> (SessionRecord, Option<String>) {
    let mut gatherer = Gatherer::default();
    let mut reader = match JournalReader::open(path) {
        Ok(reader) => reader,
        Err(error) => return (gatherer.finish(), Some(without_path(&error))),
    };
    let mut damage = None;
    for event in reader.by_ref() {
        match event {
            Ok(event) => gatherer.take(event),
            Err(error) => damage = Some(without_path(&error)),
        }
    }
    let record = gatherer.finish();
    if damage.is_none() && record.header.is_none() {
        damage = Some("the journal ends before its first event".to_owned());
    }
    if damage.is_none() && reader.skipped() > 0 {
        damage = Some(format!(
            "skipped {} events of kinds that this version does not know",
            reader.skipped()
        ));
    }
    (record, damage)
}

/// Reports may be shared, so they do not show the folder's path.
fn without_path(error: &JournalError) -> String {
    match error {
        JournalError::Io { source, .. } => format!("the journal cannot be read: {source}"),
        JournalError::Broken(_) => "the journal is incomplete".to_owned(),
        JournalError::Newer { version, .. } => {
            format!("the journal is of version {version}, newer than this tool")
        }
        JournalError::Damaged { line, message, .. } => {
            format!("the journal is damaged from line {line} on: {message}")
        }
    }
}
