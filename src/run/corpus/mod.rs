//! The corpus of a run: its traces lead the sessions, and what the sessions add becomes new traces.

pub mod measure;
pub mod reduce;

use super::observer::Observer;
use super::prepare::Ready;
use crate::corpus::folder::{self, CorpusError, Entry};
use crate::corpus::index::Index;
use crate::corpus::journal::{additions, episodes};
use crate::explore::corpus::Kept;
use crate::outcome::folder::{RunFolder, SessionFolder};
use crate::util::sha256;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The corpus that a run starts from.
#[derive(Clone, Debug)]
pub struct Source {
    /// Its folder.
    pub folder: PathBuf,
    /// Its traces.
    pub entries: Vec<Entry>,
    /// Whether the run adds new traces at its end.
    pub grows: bool,
}

impl Source {
    /// The traces that an earlier run started from.
    ///
    /// # Errors
    /// One of them cannot be read.
    pub fn of_run(run: &RunFolder) -> Result<Vec<Entry>, CorpusError> {
        folder::load_all(&run.corpus())
    }

    /// Copies the traces into a run's folder, so that the run can be continued when the corpus has grown.
    pub(super) fn keep(&self, run: &RunFolder) -> io::Result<()> {
        for entry in &self.entries {
            let to = run.corpus().join(&entry.file);
            fs::create_dir_all(to.parent().unwrap_or(Path::new(".")))?;
            fs::copy(self.folder.join(&entry.file), to)?;
        }
        Ok(())
    }

    /// What identifies the traces.
    pub(super) fn identity(&self) -> String {
        let all = self.entries.iter();
        let all = all.map(|entry| format!("{} {}\n", entry.file.display(), entry.content));
        sha256::of_bytes(all.collect::<String>().as_bytes())
    }

    /// Warns of traces of apps that are not in the run.
    pub(super) fn report_others(&self, apps: &BTreeMap<String, Ready>, observer: &dyn Observer) {
        for (package, kept) in self.kept() {
            if apps.values().all(|ready| ready.app.package != package) {
                observer.warn(&format!(
                    "no app of this run has the package {package}: its {} traces in the corpus are not performed",
                    kept.len()
                ));
            }
        }
    }

    /// The traces by package, as sessions perform them.
    pub(super) fn kept(&self) -> BTreeMap<String, Arc<Vec<Kept>>> {
        let mut kept: BTreeMap<String, Vec<Kept>> = BTreeMap::new();
        for entry in &self.entries {
            let of_app = kept.entry(entry.trace.app.package.clone()).or_default();
            of_app.push(Kept {
                name: entry.name(),
                steps: entry.trace.steps.clone(),
            });
        }
        let shared = |(package, kept)| (package, Arc::new(kept));
        kept.into_iter().map(shared).collect()
    }
}

/// Adds the episodes of runs that reach something new to a corpus; the new files below its folder. The runs' order does
/// not matter, and runs that were added before add nothing.
///
/// # Errors
/// A trace of the corpus cannot be read, a run cannot be read, or the corpus cannot be written.
pub fn add(corpus: &Path, runs: &[RunFolder]) -> Result<Vec<PathBuf>, CorpusError> {
    folder::load_all(corpus)?;
    let mut sessions: BTreeMap<String, Vec<(String, SessionFolder)>> = BTreeMap::new();
    for run in runs {
        let unread = |source| CorpusError::Io {
            path: run.path().to_owned(),
            source,
        };
        for name in run.sessions().map_err(unread)? {
            let session = run.session(&name);
            // The reports name a session whose journal cannot be read.
            let Ok(content) = sha256::of_file(&session.journal()) else {
                continue;
            };
            sessions.entry(name).or_default().push((content, session));
        }
    }
    let mut indices: BTreeMap<String, Index> = BTreeMap::new();
    let mut known = BTreeMap::new();
    let mut added = Vec::new();
    for same in sessions.values_mut() {
        same.sort_by(|(one, _), (other, _)| one.cmp(other));
        same.dedup_by(|(one, _), (other, _)| one == other);
        for (_, session) in same {
            let Ok((header, episodes)) = episodes(session) else {
                continue;
            };
            let package = &header.package;
            if package.is_empty() {
                continue;
            }
            let index = indices
                .entry(package.clone())
                .or_insert_with(|| Index::load(corpus, package));
            let known = known
                .entry(package.clone())
                .or_insert_with(|| index.reached());
            for (trace, reached) in additions(&header, &episodes, known) {
                let (entry, new) = folder::add(corpus, trace)?;
                index.record(&entry, &reached);
                added.extend(new.then(|| entry.file.clone()));
            }
        }
    }
    for (package, index) in indices {
        if !index.is_empty() {
            index.save(corpus, &package)?;
        }
    }
    Ok(added)
}
