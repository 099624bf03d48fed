//! What was shown, from the files that a suite names.

use super::{Shown, is_shown};
use crate::outcome::folder::RunFolder;
use crate::outcome::journal::{JournalError, JournalReader};
use crate::trace::{TraceError, maestro};
use std::io;
use std::path::Path;

/// Why a file shows nothing of this app.
#[derive(Debug, thiserror::Error)]
#[error("{reason}")]
pub struct ShownError {
    /// Where in it: nothing, or `:LINE`.
    pub place: String,
    /// What is wrong.
    pub reason: String,
    /// Is it of another app, and nothing else is wrong?
    pub elsewhere: bool,
}

impl ShownError {
    fn plain(reason: impl ToString) -> Self {
        Self {
            place: String::new(),
            reason: reason.to_string(),
            elsewhere: false,
        }
    }
}

impl From<io::Error> for ShownError {
    fn from(error: io::Error) -> Self {
        Self::plain(error)
    }
}

impl From<Box<TraceError>> for ShownError {
    fn from(error: Box<TraceError>) -> Self {
        let (place, reason) = error.place_and_reason();
        Self {
            place,
            reason,
            elsewhere: false,
        }
    }
}

/// What is shown of an app in the folder of a run, in the journal of a session, in a trace or in a flow of Maestro: one
/// for each session with such steps.
///
/// # Errors
/// It cannot be read, is of another app only, or nothing is shown in it.
pub fn open(path: &Path, package: &str) -> Result<Vec<Shown>, ShownError> {
    let extension = path.extension().and_then(|extension| extension.to_str());
    let all = if path.is_dir() {
        if !path.join("sessions").is_dir() {
            return Err(ShownError::plain("it is not the folder of a run"));
        }
        let run = RunFolder::find(Path::new(""), path.to_str())?;
        let journals = journals(run.path())?.into_iter();
        let shown = journals.map(|name| of_journal(&run.path().join(name), package));
        shown.collect::<Result<Vec<_>, _>>()?
    } else if extension == Some("jsonl") {
        vec![of_journal(path, package).map_err(|error| of_file(error, path))?]
    } else if maestro::is_flow(path) {
        vec![Shown::of_trace(&maestro::load(path)?.trace)]
    } else {
        vec![Shown::of_trace(&crate::trace::load(path)?)]
    };
    let other = all.iter().find(|shown| shown.package != package);
    let other = other.map(|shown| shown.package.clone());
    let (mut ours, mut found) = (Vec::new(), false);
    for shown in all {
        if shown.package == package {
            found = true;
            ours.extend(Some(shown).filter(|shown| !shown.steps.is_empty()));
        }
    }
    match (ours.is_empty(), found, other) {
        (false, ..) => Ok(ours),
        (true, false, Some(other)) => Err(ShownError {
            elsewhere: true,
            ..ShownError::plain(format!("it is of the app {other}, not of {package}"))
        }),
        (true, ..) => Err(ShownError::plain(
            "nothing is shown in it: no person used a widget or a key, and no trace of a corpus led one",
        )),
    }
}

/// The journals of a run's folder, by their paths below it, sorted: what a demonstration is read from. Everything else in
/// the folder can be written again without changing what is shown.
///
/// # Errors
/// The folder of its sessions cannot be read.
pub fn journals(run: &Path) -> io::Result<Vec<String>> {
    let names = RunFolder::at(run).sessions()?.into_iter();
    let journals = names.map(|name| format!("sessions/{name}/journal.jsonl"));
    // A session that never started has none.
    Ok(journals.filter(|name| run.join(name).exists()).collect())
}

/// What a journal of this app shows; of another app's journal nothing but its package is read.
fn of_journal(path: &Path, package: &str) -> Result<Shown, JournalError> {
    let journal = JournalReader::open(path)?;
    let header = journal.header();
    if let Some(other) = header.filter(|header| header.package != package) {
        return Ok(Shown {
            package: other.package.clone(),
            ..Shown::default()
        });
    }
    let mut shown = Shown::default();
    for event in journal {
        shown.take(&event?, is_shown);
    }
    Ok(shown)
}

impl From<JournalError> for ShownError {
    fn from(error: JournalError) -> Self {
        Self::plain(error)
    }
}

/// The error without the name of the file, which who shows it puts before it.
fn of_file(error: JournalError, file: &Path) -> ShownError {
    match error {
        JournalError::Damaged { line, message, .. } => ShownError {
            place: format!(":{line}"),
            reason: format!("not an event: {message}"),
            elsewhere: false,
        },
        JournalError::Io { source, .. } => ShownError::plain(source),
        other => {
            let text = other.to_string();
            let file = format!("{}: ", file.display());
            ShownError::plain(text.strip_prefix(&file).unwrap_or(&text))
        }
    }
}
