//! The corpus of a run: its traces lead the sessions, and what the sessions add becomes new traces.

pub mod measure;
pub mod reduce;

use super::observer::Observer;
use super::prepare::Ready;
use crate::apk::Changed;
use crate::corpus::folder::{self, CorpusError, Entry};
use crate::corpus::index::Index;
use crate::corpus::journal::{additions, episodes};
use crate::explore::corpus::Kept;
use crate::outcome::folder::{RunFolder, SessionFolder};
use crate::util::sha256;
use std::cmp::Reverse;
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

    /// Copies the traces, and what is known of them, into a run's folder, so that the run can be continued when the corpus
    /// has grown.
    pub(super) fn keep(&self, run: &RunFolder) -> io::Result<()> {
        for entry in &self.entries {
            let to = run.corpus().join(&entry.file);
            fs::create_dir_all(to.parent().unwrap_or(Path::new(".")))?;
            fs::copy(self.folder.join(&entry.file), to)?;
        }
        for package in self.kept().into_keys() {
            let index = Index::load(&self.folder, &package);
            if !index.is_empty() {
                index
                    .save(&run.corpus(), &package)
                    .map_err(io::Error::other)?;
            }
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

    /// The traces by package, as sessions perform them. `changed`: by package, what to prefer: first come the traces that
    /// have reached more of the changed classes, by what the run's folder keeps of the index.
    pub(super) fn ordered(
        &self,
        run: &RunFolder,
        changed: &BTreeMap<&str, &Changed>,
    ) -> BTreeMap<String, Arc<Vec<Kept>>> {
        let mut source = self.clone();
        for (package, changed) in changed {
            let classes = changed.methods.iter().map(|m| m.class.as_str()).collect();
            let index = Index::load(&run.corpus(), package);
            // Stable: equal ones keep their order. The index has no traces of other apps.
            source
                .entries
                .sort_by_cached_key(|entry| Reverse(index.probes_in(entry, &classes)));
        }
        source.kept()
    }

    /// The traces by package, by name.
    fn kept(&self) -> BTreeMap<String, Arc<Vec<Kept>>> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::apk::ChangedMethod;
    use crate::corpus::worth::Gain;
    use crate::trace::{AppRef, DeviceRef, Step, Trace};

    #[test]
    fn traces_that_have_reached_more_changed_code_come_first() {
        let base = tempfile::tempdir().unwrap();
        let (corpus, run) = (
            base.path().join("corpus"),
            RunFolder::at(base.path().join("run")),
        );
        let mut index = Index::default();
        let mut entry = |seed: u64, class: &str, probes: u32| {
            let trace = Trace {
                app: AppRef {
                    package: "a".into(),
                    ..AppRef::default()
                },
                device: DeviceRef::default(),
                seed,
                finding: None,
                steps: vec![Step::Launch],
            };
            let (entry, _) = folder::add(&corpus, trace).unwrap();
            let probe = |probe| Gain::Probe(class.into(), probe);
            index.record(&entry, &(0..probes).map(probe).collect());
            entry
        };
        let entries = vec![
            entry(1, "a/Same", 9),
            entry(2, "a/New", 1),
            entry(3, "a/New", 2),
        ];
        index.save(&corpus, "a").unwrap();
        let source = Source {
            folder: corpus,
            entries,
            grows: false,
        };
        source.keep(&run).unwrap();
        let order = |changed: &BTreeMap<&str, &Changed>| -> Vec<usize> {
            let kept = source.ordered(&run, changed);
            let at = |kept: &Kept| source.entries.iter().position(|e| e.name() == kept.name);
            kept["a"].iter().filter_map(at).collect()
        };
        let changed = Changed {
            methods: vec![ChangedMethod {
                class: "a/New".into(),
                ..ChangedMethod::default()
            }],
            ..Changed::default()
        };
        assert_eq!(order(&[("a", &changed)].into()), [2, 1, 0]);
        assert_eq!(order(&BTreeMap::new()), [0, 1, 2]);
        assert_eq!(order(&[("b", &changed)].into()), [0, 1, 2]);
    }
}
