//! The demonstrations that a strategy learns from, as a suite names them.

use super::StrategyError;
use super::definition::{Context, Key, StartFile};
use crate::learn::shown::{self, Shown};
use camino::Utf8PathBuf;

/// [`StartFile::what`] of a demonstration.
pub(super) const DEMONSTRATION: &str = "demonstration";

/// The demonstrations that the suite names.
pub(super) fn files(files: &[Utf8PathBuf]) -> impl Iterator<Item = StartFile<'_>> {
    files.iter().enumerate().map(|(ix, path)| StartFile {
        what: DEMONSTRATION,
        keys: vec![Key::Name("demonstrations"), Key::Place(ix)],
        path,
        missing: "name the folder of a run, a session's `journal.jsonl`, a trace or a Maestro flow; relative paths start \
                  from the folder of the suite",
        unusable: "a demonstration is the folder of a run or a session's `journal.jsonl` with steps of a person or of a \
                   corpus, a trace or a Maestro flow, of this app",
        folder: true,
        of_app: true,
    })
}

impl Context<'_> {
    /// What people showed in the app: in these files of a strategy, and in those of the strategy around it, with the path
    /// of each as it was opened. Of files of several apps those of this app are taken.
    ///
    /// # Errors
    /// [`StrategyError::File`] with the path of a file that cannot be used, or of the first if none is of this app.
    pub fn shown(&self, files: &[Utf8PathBuf]) -> Result<Vec<(Utf8PathBuf, Shown)>, StrategyError> {
        let (mut all, mut other) = (Vec::new(), None);
        for file in files.iter().chain(self.demonstrations) {
            let path = (self.on_disk)(file);
            match shown::open(path.as_std_path(), self.package) {
                Ok(found) => all.extend(found.into_iter().map(|shown| (path.clone(), shown))),
                Err(error) => {
                    let elsewhere = error.elsewhere;
                    let error = StrategyError::File {
                        what: DEMONSTRATION,
                        path,
                        place: error.place,
                        reason: error.reason,
                    };
                    match elsewhere {
                        true => other = other.or(Some(error)),
                        false => return Err(error),
                    }
                }
            }
        }
        match other.filter(|_| all.is_empty()) {
            Some(error) => Err(error),
            None => Ok(all),
        }
    }
}
