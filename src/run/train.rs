//! Trains one policy on many apps: each session continues from the policy of the previous one. State graph and replay
//! memory belong to an app and are dropped with it; weights and optimiser state stay.

mod fit;
mod lock;

use super::execute::execute;
use super::inputs::Inputs;
use super::observer::Observer;
use super::options::{Options, RunError};
use super::plan::{Plan, Session};
use super::prepare;
use crate::config::{Strategy, Suite};
use crate::explore::Stop;
use crate::learn::policy_file::{Lesson, PolicyFile};
use crate::outcome::folder::write_whole;
use crate::outcome::run_event::EndReason;
use crate::strategy::definition::PolicyFiles;
use camino::{Utf8Path, Utf8PathBuf};
use serde_json::json;
use std::fs::{self, File};
use std::io;
use std::sync::Arc;

/// Why training stopped.
#[derive(Debug, thiserror::Error)]
pub enum TrainError {
    /// No session of the suite learns.
    #[error(
        "no selected strategy learns a policy (one inside `timemachine` or `portfolio` is not trained); add or select a [[strategy]] that does, such as `dinodroid` or `qbe`"
    )]
    NothingToLearn,
    /// Training cannot continue from the existing policy.
    #[error("{0}: {1}; name another file with --policy")]
    Policy(Utf8PathBuf, String),
    /// Another process trains the same file: each would overwrite what the other learned.
    #[error(
        "{0}: process {1} is training this policy (it holds {0}.lock); wait for it to end, or name another file with --policy"
    )]
    Taken(Utf8PathBuf, String),
    /// A run failed.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A session failed.
    #[error("{0}: {1}")]
    Session(String, String),
    /// The policy cannot be saved.
    #[error("{0}: {1}")]
    Unwritten(Utf8PathBuf, io::Error),
}

/// The outcome of a lesson.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Learned {
    /// The policy file has what it learned.
    Kept,
    /// Nothing to learn: the app did not start, or the strategy selected no event.
    Nothing,
}

/// A strategy that starts from the policy that the course will create starts without one until the file exists.
///
/// # Errors
/// A strategy does not work without.
pub fn start_without(suite: &mut Suite, policy: &Utf8Path) -> Result<(), String> {
    let absolute = |path: &Utf8Path| std::path::absolute(path).ok();
    let created = absolute(policy).filter(|path| !path.exists());
    for at in 0..suite.settings.strategies.len() {
        let kind = &suite.settings.strategies[at].kind;
        let load = kind.policy().filter(|_| !kind.entry().wraps);
        let load = load.and_then(|files| files.load.as_deref());
        let load = load.and_then(|path| absolute(&suite.on_disk(path)));
        if load.is_some() && load == created {
            let kind = kind.replace("/policy/load", serde_json::Value::Null)?;
            suite.settings.strategies[at].kind = kind;
        }
    }
    Ok(())
}

/// The sessions to train on, and the policy file, which lists those already used.
#[derive(Debug)]
pub struct Course {
    lessons: Vec<Session>,
    done: usize,
    changed: Vec<String>,
    /// The absolute path, as paths in the suite are relative to the suite's folder.
    policy: Utf8PathBuf,
    /// Held for the course's lifetime.
    _lock: File,
}

impl Course {
    /// The plan's sessions that learn, all apps with the first seed before any with the second. Skips sessions that the
    /// policy file lists already, unless their app has changed. The file also lists the sessions of the policy that
    /// the course starts from; they are not lessons of this course.
    ///
    /// Builds the apps once for all lessons.
    ///
    /// # Errors
    /// None learns; the file is not a policy that they can continue from, cannot be written, or is locked by another
    /// process; an app is not ready; the strategy learns texts by their numbers, and the apps' texts differ.
    pub fn new(
        suite: &Suite,
        plan: &Plan,
        inputs: &Inputs,
        policy: &Utf8Path,
        observer: &Arc<dyn Observer>,
        stop: &Stop,
    ) -> Result<Self, TrainError> {
        // The policy of a strategy inside another one is that one's to keep.
        let learns = |s: &&Session| {
            let kind = &s.strategy.kind;
            kind.policy().is_some() && !kind.entry().wraps
        };
        let mut lessons: Vec<Session> = plan.entries.iter().filter(learns).cloned().collect();
        let Some(first) = lessons.first() else {
            return Err(TrainError::NothingToLearn);
        };
        // One policy, one strategy: other strategies of the suite are for comparison.
        let strategy = Arc::clone(&first.strategy);
        lessons.retain(|lesson| lesson.strategy == strategy);
        lessons.sort_by_key(|lesson| lesson.seed);
        let lock = lock::hold(policy)?;
        let mut known = history(policy, &strategy)?;
        let before = before(suite, policy, &strategy)?;
        let names = known.iter().map(|lesson| &lesson.session);
        if names.take(before.len()).eq(&before) {
            known.drain(..before.len());
        }
        let mut course = Self {
            done: lessons.len(),
            lessons,
            changed: Vec::new(),
            policy: std::path::absolute(policy)
                .ok()
                .and_then(|path| Utf8PathBuf::from_path_buf(path).ok())
                .unwrap_or_else(|| policy.to_owned()),
            _lock: lock,
        };
        let taught = course.lessons.iter().map(|lesson| course.taught(lesson));
        let all = Plan::of(taught.collect::<Result<_, _>>()?);
        let wanted = Plan::of(course.lessons.clone());
        let apps = prepare::prepare_all(suite, inputs, &wanted.apps(), observer, stop)
            .map_err(RunError::Prepare)?;
        fit::check(suite, &all, &apps, policy, &course.policy)?;
        let mut changed = Vec::new();
        course.lessons.retain(|lesson| {
            let now = apps
                .get(&lesson.app.name)
                .map_or("", |ready| &ready.app.content);
            let mut own = known.iter().filter(|old| old.session == lesson.name);
            // Older policies do not record the app's content.
            let holds = |old: &Lesson| old.content.is_empty() || old.content == now;
            let met = own.clone().next().is_some();
            let done = own.any(holds);
            if met && !done {
                changed.push(lesson.name.clone());
            }
            !done
        });
        course.done -= course.lessons.len();
        course.changed = changed;
        Ok(course)
    }

    /// Remaining sessions, in order.
    pub fn lessons(&self) -> &[Session] {
        &self.lessons
    }

    /// Sessions used before.
    pub const fn done(&self) -> usize {
        self.done
    }

    /// Remaining sessions that were used before, with another version of the app.
    pub fn changed(&self) -> &[String] {
        &self.changed
    }

    /// The plan of one lesson: its session, with the current policy.
    ///
    /// # Errors
    /// The strategy does not accept the policy's files.
    pub fn plan(&self, lesson: &Session) -> Result<Plan, TrainError> {
        Ok(Plan::of(vec![self.taught(lesson)?]))
    }

    /// The session of a lesson.
    fn taught(&self, lesson: &Session) -> Result<Session, TrainError> {
        let mut session = lesson.clone();
        // Built at the start of the course.
        let mut app = (*session.app).clone();
        app.build = None;
        session.app = Arc::new(app);
        let mut strategy = (*session.strategy).clone();
        if let Some(policy) = strategy.kind.policy() {
            let files = PolicyFiles {
                // The first lesson starts from the suite's policy if it names one, else from the shipped policy,
                // unless disabled or incompatible.
                load: Some(self.policy.clone())
                    .filter(|file| file.exists())
                    .or_else(|| policy.load.clone()),
                fresh: policy.fresh,
                save: true,
            };
            let switch = strategy.kind.learning_switch();
            let set = strategy.kind.set(&["policy"], json!(files));
            let set = set.and_then(|kind| match switch {
                Some(key) => kind.set(&[key], true.into()),
                None => Ok(kind),
            });
            strategy.kind = set.map_err(|e| TrainError::Session(lesson.name.clone(), e))?;
        }
        session.strategy = Arc::new(strategy);
        Ok(session)
    }

    /// Executes a lesson's plan and saves the policy atomically.
    ///
    /// # Errors
    /// The session failed or lost its device, or the file cannot be written. An interrupted session does not change the
    /// policy.
    pub fn learn(
        &self,
        suite: &Suite,
        plan: &Plan,
        inputs: &Inputs,
        options: &Options,
        observer: &Arc<dyn Observer>,
        stop: &Stop,
    ) -> Result<Learned, TrainError> {
        let outcome = execute(suite, plan, inputs, options, observer, stop)?;
        let mut kept = Learned::Nothing;
        for (session, ended) in plan.entries.iter().zip(&outcome.ended) {
            let failed = |why: String| Err(TrainError::Session(session.name.clone(), why));
            match ended {
                Some(Err(error)) => return failed(error.to_string()),
                Some(Ok(EndReason::DeviceLost)) => {
                    return failed("the device failed too often".into());
                }
                None | Some(Ok(EndReason::Interrupted)) => continue,
                Some(Ok(reason)) if reason.is_failed_start() => continue,
                // The user may also have interrupted the minimization after the session.
                Some(Ok(_)) => {}
            }
            let unwritten = |e| TrainError::Unwritten(self.policy.clone(), e);
            match fs::read(outcome.folder.session(&session.name).policy()) {
                Ok(learned) => {
                    write_whole(self.policy.as_std_path(), &learned).map_err(unwritten)?;
                    kept = Learned::Kept;
                }
                Err(e) if e.kind() == io::ErrorKind::NotFound => {}
                Err(e) => return Err(unwritten(e)),
            }
        }
        Ok(kept)
    }
}

/// The sessions of the policy that a course starts from.
fn before(
    suite: &Suite,
    policy: &Utf8Path,
    strategy: &Strategy,
) -> Result<Vec<String>, TrainError> {
    let load = strategy
        .kind
        .policy()
        .and_then(|policy| policy.load.as_ref());
    match load.map(|load| suite.on_disk(load)) {
        // A resumed course.
        Some(load) if fs::canonicalize(&load).ok() == fs::canonicalize(policy).ok() => {
            Ok(Vec::new())
        }
        Some(load) => {
            let known = history(&load, strategy)?.into_iter();
            Ok(known.map(|lesson| lesson.session).collect())
        }
        None => Ok(strategy.kind.shipped_lessons()),
    }
}

/// The sessions that a policy was trained on; none if there is no file yet.
fn history(policy: &Utf8Path, strategy: &Strategy) -> Result<Vec<Lesson>, TrainError> {
    let refused = |e: String| TrainError::Policy(policy.to_owned(), e);
    match File::open(policy) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(e) => Err(refused(e.to_string())),
        Ok(mut file) => {
            let policy = PolicyFile::read(&mut file, strategy.kind_name());
            Ok(policy.map_err(|e| refused(e.to_string()))?.history)
        }
    }
}
