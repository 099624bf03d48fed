//! A session's strategy: created from the suite, and its policy saved afterwards.

use super::devices;
use super::plan::{Plan, Session};
use super::prepare::Ready;
use crate::config::Suite;
use crate::config::diagnose::{Code, Problem, Problems};
use crate::config::source::Segment;
use crate::explore::session::SessionError;
use crate::learn::shown;
use crate::outcome::folder::{SessionFolder, write_whole};
use crate::outcome::run_event::EndReason;
use crate::strategy::definition::{Context, Key, StartFile, Texts};
use crate::strategy::{Strategy, StrategyError};
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::time::SystemTime;

/// The event models of a session.
#[derive(Debug, Default)]
pub struct Models {
    /// The one to start from.
    pub reused: Option<PathBuf>,
    /// Where its own is written.
    pub keep: Option<PathBuf>,
}

/// The files that a run's strategies load, as they were at its start: all sessions must load the same content.
pub struct Origins<'a> {
    suite: &'a Suite,
    files: BTreeMap<&'a Utf8Path, Origin>,
}

struct Origin {
    /// Where it was at the start: a link such as `latest` may lead elsewhere later.
    path: Utf8PathBuf,
    /// Is it a demonstration, which may be the folder of a run?
    demonstration: bool,
    stamp: Option<Stamp>,
}

/// The length and modification time of a file, or of each journal of a run's folder with its path.
type Stamp = Vec<(PathBuf, u64, Option<SystemTime>)>;

impl Origin {
    fn new(path: Utf8PathBuf, demonstration: bool) -> Self {
        let found = path.canonicalize_utf8().ok().filter(|_| demonstration);
        let mut origin = Self {
            path: found.unwrap_or(path),
            demonstration,
            stamp: None,
        };
        origin.stamp = origin.present().ok();
        origin
    }

    /// As it is now.
    fn present(&self) -> io::Result<Stamp> {
        let path = self.path.as_std_path();
        let files = match self.demonstration && path.is_dir() {
            true => {
                let journals = shown::journals(path)?.into_iter();
                journals.map(|name| path.join(name)).collect()
            }
            false => vec![path.to_owned()],
        };
        let stamp = |file: PathBuf| {
            let there = fs::metadata(&file)?;
            Ok((file, there.len(), there.modified().ok()))
        };
        files.into_iter().map(stamp).collect()
    }
}

impl<'a> Origins<'a> {
    /// The files of this plan in their present state.
    pub fn new(suite: &'a Suite, plan: &'a Plan) -> Self {
        let kinds = plan.entries.iter().map(|planned| &planned.strategy.kind);
        let mut files = BTreeMap::new();
        for file in kinds.flat_map(|kind| kind.files()) {
            let origin = || Origin::new(suite.on_disk(file.path), file.folder);
            files.entry(file.path).or_insert_with(origin);
        }
        Self { suite, files }
    }

    /// The path to open for one that the suite writes.
    fn on_disk(&self, path: &Utf8Path) -> Utf8PathBuf {
        match self.files.get(path) {
            Some(origin) => origin.path.clone(),
            None => self.suite.on_disk(path),
        }
    }

    /// Are this session's files unchanged since the start of the run?
    ///
    /// # Errors
    /// One has changed.
    pub fn unchanged(&self, planned: &Session) -> Result<(), StrategyError> {
        let same = |path: &Utf8Path| {
            let origin = self.files.get(path);
            origin.is_some_and(|origin| origin.stamp == origin.present().ok())
        };
        let files = planned.strategy.kind.files().into_iter();
        let mut changed = files.map(|file| file.path).filter(|path| !same(path));
        match changed.next() {
            None => Ok(()),
            Some(path) => Err(StrategyError::Io(io::Error::other(format!(
                "{path} was written, moved or deleted during the run; sessions that start from different files cannot \
                 be compared: run it again"
            )))),
        }
    }

    /// The strategy of a session with its policy loaded. `pool`: all texts that can be typed, if known.
    ///
    /// # Errors
    /// A file that it loads cannot be read or does not fit.
    pub fn strategy(
        &self,
        planned: &Session,
        ready: &Ready,
        pool: Option<&[String]>,
        models: Models,
    ) -> Result<Box<dyn Strategy>, StrategyError> {
        planned.strategy.kind.make(&Context {
            session: &planned.name,
            package: &ready.app.package,
            content: &ready.app.content,
            seed: planned.seed,
            pool,
            shipped: true,
            engine: &self.suite.settings.suite.engine,
            texts: &|| ready.static_texts(),
            model: models.reused.as_deref(),
            keep: models.keep,
            demonstrations: &[],
            may_leave_out: false,
            on_disk: &|path| self.on_disk(path),
        })
    }
}

/// Can each strategy of the plan load the policy and the embedding that the suite names for it, and use the device
/// that it computes on? Checked before anything runs, so that a run does not fail an hour in.
///
/// # Errors
/// Unusable files and devices, each at its key of the suite.
pub fn check(
    origins: &Origins<'_>,
    plan: &Plan,
    apps: &BTreeMap<String, Ready>,
) -> Result<(), Problems> {
    let suite = origins.suite;
    let mut seen = Vec::new();
    let mut problems = Vec::new();
    for planned in &plan.entries {
        let kind = &planned.strategy.kind;
        let Some(ready) = apps.get(&planned.app.name) else {
            continue;
        };
        // For a strategy that learns texts by their numbers, the texts are part of the policy.
        let numbered = kind.texts() != Texts::Any;
        let pool = devices::pool(&planned.app, &planned.device, ready).filter(|_| numbered);
        let of_app = kind.files().iter().any(|file| file.of_app);
        let this = (kind, pool, of_app.then_some(&ready.app.package));
        if seen.contains(&this) {
            continue;
        }
        match origins.strategy(planned, ready, this.1.as_deref(), Models::default()) {
            Err(error @ StrategyError::File { .. }) => {
                problems.push(unusable(origins, planned, &error));
            }
            Err(StrategyError::Engine(reason)) => problems.push(no_engine(suite, planned, &reason)),
            // Other errors are not in the suite; the session reports them.
            Ok(_)
            | Err(
                StrategyError::Policy(_)
                | StrategyError::Io(_)
                | StrategyError::Diverged(_)
                | StrategyError::NoGraph,
            ) => {}
        }
        seen.push(this);
    }
    if problems.is_empty() {
        Ok(())
    } else {
        Err(problems.into())
    }
}

/// The problem of a file that a strategy cannot load, at the key that names it.
fn unusable(origins: &Origins<'_>, planned: &Session, error: &StrategyError) -> Problem {
    let suite = origins.suite;
    let name = planned.strategy.name();
    let problem = Problem::new(
        Code::BadFile,
        format!("the strategy `{name}` cannot start: {error}"),
    );
    let files = planned.strategy.kind.files();
    let is_it = |file: &&StartFile<'_>| {
        matches!(error, StrategyError::File { what, path, .. }
            if *what == file.what && *path == origins.on_disk(file.path))
    };
    match files.iter().find(is_it) {
        None => problem,
        Some(file) => {
            let key = key_of(suite, planned, &file.keys);
            problem
                .at(suite.place(&key, "this file"))
                .help(file.unusable.to_owned())
        }
    }
}

/// The path to these keys of a session's strategy.
fn key_of(suite: &Suite, planned: &Session, keys: &[Key]) -> Vec<Segment> {
    let name = planned.strategy.name();
    let all = &suite.settings.strategies;
    let number = all.iter().position(|one| one.name() == name);
    std::iter::once(Segment::from("strategy"))
        .chain(number.map(Segment::from))
        .chain(keys.iter().copied().map(Segment::from))
        .collect()
}

/// The engine that the suite names cannot be used here.
fn no_engine(suite: &Suite, planned: &Session, reason: &str) -> Problem {
    let message = format!(
        "the strategy `{}` cannot start: {reason}",
        planned.strategy.name()
    );
    let key = ["suite", "engine"].map(Segment::from).to_vec();
    Problem::new(Code::UnknownValue, message)
        .at(suite.place(&key, "not available"))
        .help("`rust` is always available".to_owned())
}

/// Saves the policy or the event model in the session's folder, if the suite enables it.
///
/// # Errors
/// It cannot be written.
pub fn keep(
    planned: &Session,
    strategy: &dyn Strategy,
    folder: &SessionFolder,
    end: EndReason,
) -> Result<(), SessionError> {
    let kind = &planned.strategy.kind;
    let (mut policy, mut model) = (Vec::new(), Vec::new());
    // A session that never saw a page has learned nothing.
    if !end.is_failed_start() && kind.policy().is_some_and(|policy| policy.save) {
        strategy.save(&mut policy)?;
    }
    if kind.model().is_some_and(|model| model.save) {
        strategy.save_model(&mut model)?;
    }
    for (file, learned) in [(folder.policy(), policy), (folder.event_model(), model)] {
        // A network that was never asked has no layers yet, and an event model without events is none.
        if !learned.is_empty() {
            write_whole(&file, &learned)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_the_folder_of_a_run_the_journals_must_stay_as_they_were() {
        let folder = tempfile::tempdir().unwrap();
        let run = Utf8PathBuf::from_path_buf(folder.path().join("run")).unwrap();
        let journal = run.join("sessions/s/journal.jsonl");
        fs::create_dir_all(journal.parent().unwrap()).unwrap();
        fs::create_dir_all(run.join("sessions/unstarted")).unwrap();
        fs::write(&journal, "a\n").unwrap();
        let same =
            |origin: &Origin| origin.stamp.is_some() && origin.stamp == origin.present().ok();
        let demonstration = Origin::new(run.clone(), true);
        let of_journal = Origin::new(journal.clone(), true);
        fs::write(run.join("report.html"), "new").unwrap();
        fs::write(run.join("sessions/s/failed.txt"), "new").unwrap();
        assert!(same(&demonstration) && same(&of_journal));
        fs::write(&journal, "a\nb\n").unwrap();
        assert!(!same(&demonstration) && !same(&of_journal));
        let demonstration = Origin::new(run.clone(), true);
        fs::write(run.join("sessions/unstarted/journal.jsonl"), "a\n").unwrap();
        assert!(!same(&demonstration));
    }

    #[cfg(unix)]
    #[test]
    fn a_demonstration_stays_what_its_link_led_to_at_the_start() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| Utf8PathBuf::from_path_buf(folder.path().join(name)).unwrap();
        fs::create_dir_all(at("first/sessions")).unwrap();
        fs::create_dir_all(at("second/sessions")).unwrap();
        std::os::unix::fs::symlink("first", at("latest")).unwrap();
        let origin = Origin::new(at("latest"), true);
        fs::remove_file(at("latest")).unwrap();
        std::os::unix::fs::symlink("second", at("latest")).unwrap();
        assert_eq!(origin.path, at("first").canonicalize_utf8().unwrap());
        assert_eq!(origin.stamp, Some(Vec::new()));
    }
}
