//! Event models between runs: the one that exists when a run starts is what its sessions start from; what they count is
//! added to it at the run's end, in the order of the plan.
//!
//! ```text
//! <base>/models/<package>.jsonl              the sum over all runs
//! <base>/<run>/reused/<package>.jsonl        as it was when the run started; `run.json` has its hash
//! <base>/<run>/sessions/<name>/model.jsonl   what one session counted
//! <merged run>/models/<package>.jsonl        the sum over its sessions
//! ```

use super::execute::Ended;
use super::options::{Options, RunError};
use super::plan::{Plan, Session};
use super::prepare::Ready;
use crate::learn::event_model::{EventModel, LARGEST};
use crate::outcome::folder::{PlannedSession, RunFolder, write_whole};
use crate::util::text::{for_file_name, for_terminal};
use crate::util::untrusted::Folder;
use crate::util::{durable, lock, sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

/// Folder of the sums, in the folder of all runs.
const STORE: &str = "models";
/// Folder of the models that a run started from, in its own.
const REUSED: &str = "reused";
/// How long to wait for another run that adds its counts.
const PATIENCE: Duration = Duration::from_secs(30);

/// The models that a run starts from and adds to.
#[derive(Debug)]
pub(super) struct Reuse {
    store: PathBuf,
    /// By package: the content. `None`: there is none yet.
    models: BTreeMap<String, Option<Vec<u8>>>,
}

/// The file of a package in a folder of models.
fn file(folder: &Path, package: &str) -> PathBuf {
    folder.join(format!("{}.jsonl", for_file_name(package)))
}

/// Does the session start from the stored model, and leave its own for it?
fn reuses(planned: &Session) -> bool {
    let model = planned.strategy.kind.model();
    model.is_some_and(|model| model.save && model.files().next().is_none())
}

impl Reuse {
    /// The models of the plan's packages in their present state; for a run that continues, in the state that it started
    /// from. Nothing where models are not reused.
    ///
    /// # Errors
    /// A file cannot be read, is damaged or of another package.
    pub fn read(
        plan: &Plan,
        options: &Options,
        apps: &BTreeMap<String, Ready>,
    ) -> Result<Self, RunError> {
        let mut reuse = Self {
            store: options.base.join(STORE),
            models: BTreeMap::new(),
        };
        let earlier = options.earlier();
        let then = earlier.as_ref().and_then(|run| run.info().ok());
        // What the sessions of a merged run counted stays with it, as what shards count does.
        if !options.reuse || then.as_ref().is_some_and(|run| run.merged) {
            return Ok(reuse);
        }
        let ready = plan.entries.iter().filter(|planned| reuses(planned));
        let packages: BTreeSet<_> = ready
            .filter_map(|planned| apps.get(&planned.app.name))
            .map(|ready| ready.app.package.clone())
            .collect();
        for package in packages {
            let path = match &earlier {
                Some(run) => file(&run.path().join(REUSED), &package),
                None => file(&reuse.store, &package),
            };
            let refused = |place: String, reason: String| RunError::Model {
                path: format!("{}{place}", path.display()),
                reason,
            };
            let content = match read(&path) {
                Ok(content) => Some(content),
                Err(e) if e.kind() == io::ErrorKind::NotFound => None,
                Err(e) => return Err(refused(String::new(), e.to_string())),
            };
            if let Some(content) = &content {
                EventModel::from_bytes(content, &package).map_err(|e| {
                    let place = e.line.map(|line| format!(":{line}"));
                    refused(place.unwrap_or_default(), e.reason)
                })?;
            }
            let hash = content.as_deref().map(sha256::of_bytes);
            if let Some(then) = &then
                && then.models.get(&package) != hash.as_ref()
            {
                let reason = "it is not the model that the run started from".to_owned();
                return Err(refused(String::new(), reason));
            }
            reuse.models.insert(package, content);
        }
        Ok(reuse)
    }

    /// The SHA-256 of each model, by package: for `run.json`.
    pub fn hashes(&self) -> BTreeMap<String, String> {
        let known = self.models.iter();
        known
            .filter_map(|(package, model)| {
                Some((package.clone(), sha256::of_bytes(model.as_ref()?)))
            })
            .collect()
    }

    /// Keeps the models in the run's folder.
    ///
    /// # Errors
    /// They cannot be written.
    pub fn keep(&self, run: &RunFolder) -> io::Result<()> {
        let folder = run.path().join(REUSED);
        for (package, model) in &self.models {
            if let Some(model) = model {
                durable::create_folder(&folder)?;
                write_whole(&file(&folder, package), model)?;
            }
        }
        Ok(())
    }

    /// The model of a package that a session starts from.
    pub fn of(&self, run: &RunFolder, planned: &Session, package: &str) -> Option<PathBuf> {
        let model = self.models.get(package).filter(|_| reuses(planned))?;
        let model = model.as_ref();
        model.map(|_| file(&run.path().join(REUSED), package))
    }

    /// Adds what the completed sessions counted to the stored models; in a merged run, to its own ([`sum`]). A session that
    /// was added before, by a run that continues, is not added again: it has the names of its run and its own, and the
    /// time when its run started.
    ///
    /// # Errors
    /// A model cannot be read or written; the others are added.
    pub fn merge(
        &self,
        run: &RunFolder,
        plan: &Plan,
        apps: &BTreeMap<String, Ready>,
        ended: &[Ended],
    ) -> io::Result<Vec<String>> {
        let mut info = run.info()?;
        if info.merged {
            // The packages of the apps that no shard had prepared are not in it.
            for planned in &mut info.sessions {
                if let Some(ready) = apps.get(&planned.app) {
                    planned.package.clone_from(&ready.app.package);
                }
            }
            return sum(run, &info.sessions);
        }
        let mut failed = Ok(Vec::new());
        for package in self.models.keys() {
            let done = plan.entries.iter().zip(ended).filter(|(planned, ended)| {
                let complete = matches!(ended, Some(Ok(reason)) if reason.came_to_end());
                let own = apps.get(&planned.app.name);
                complete && reuses(planned) && own.is_some_and(|own| own.app.package == *package)
            });
            let done: Vec<_> = done.map(|(planned, _)| planned.name.as_str()).collect();
            if let Err(e) = self.add(run, package, &done) {
                failed = Err(e);
            }
        }
        failed
    }

    fn add(&self, run: &RunFolder, package: &str, sessions: &[&str]) -> io::Result<()> {
        let path = file(&self.store, package);
        durable::create_folder(&self.store)?;
        let _lock = hold(&path.with_extension("lock"))?;
        let mut sum = match open(&path, package) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => EventModel::new(package),
            read => read?,
        };
        let name = run.path().file_name().unwrap_or_default();
        // Another run may have the same name, such as a nightly one whose folder is not kept.
        let started = run.info()?.started.unwrap_or_default();
        let (mut new, mut failed) = (false, Ok(()));
        for session in sessions {
            let known = format!("{}/{session} {started}", name.to_string_lossy());
            let own = run.session(session).event_model();
            if !own.is_file() || sum.sessions.contains(&known) {
                continue;
            }
            match open(&own, package) {
                Ok(mut model) => {
                    model.sessions = vec![known];
                    sum.add(&model);
                    new = true;
                }
                Err(e) => failed = Err(e),
            }
        }
        if new {
            write_whole(&path, &sum.to_bytes()?)?;
        }
        failed
    }
}

/// Adds up what the sessions of a merged run counted, into `models` in its folder: a model to start from. Gives a warning
/// for each session whose model cannot be used.
///
/// # Errors
/// A sum cannot be written.
pub(super) fn sum(run: &RunFolder, sessions: &[PlannedSession]) -> io::Result<Vec<String>> {
    let mut sums: BTreeMap<&str, EventModel> = BTreeMap::new();
    let mut warnings = Vec::new();
    for planned in sessions {
        let package = planned.package.as_str();
        match open(&run.session(&planned.session).event_model(), package) {
            Ok(own) => {
                let sum = sums.entry(package);
                sum.or_insert_with(|| EventModel::new(package)).add(&own);
            }
            Err(e) if e.kind() == io::ErrorKind::NotFound => {}
            Err(e) => warnings.push(format!(
                "the event model of {} is left out: {}",
                for_terminal(&planned.session),
                for_terminal(&e.to_string())
            )),
        }
    }
    let folder = run.path().join(STORE);
    for (package, sum) in sums {
        durable::create_folder(&folder)?;
        write_whole(&file(&folder, package), &sum.to_bytes()?)?;
    }
    Ok(warnings)
}

/// A model's bytes; a run's folder may be from another machine: no link, no pipe, no endless file.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let name = path.file_name().unwrap_or_default();
    Folder::open(folder)?.read(Path::new(name), LARGEST)
}

fn open(path: &Path, package: &str) -> io::Result<EventModel> {
    if !path.try_exists()? {
        return Err(io::ErrorKind::NotFound.into());
    }
    EventModel::open(path, package)
        .map_err(|e| io::Error::other(format!("{}: {e}", path.display())))
}

/// The lock of a model, when another run has let go of it.
fn hold(path: &Path) -> io::Result<File> {
    let until = Instant::now() + PATIENCE;
    loop {
        match lock::take(path)? {
            Some(file) => return Ok(file),
            None if Instant::now() < until => thread::sleep(Duration::from_millis(50)),
            None => {
                let message = format!("another run holds {}", path.display());
                return Err(io::Error::other(message));
            }
        }
    }
}

#[cfg(test)]
mod tests;
