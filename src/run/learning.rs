//! A session's strategy: made as the suite says, and what it learned kept after.

use super::devices;
use super::plan::{Plan, Session};
use super::prepare::Ready;
use crate::config::diagnose::{Code, Problem, Problems};
use crate::config::source::Step;
use crate::config::{StrategyKind, Suite};
use crate::explore::session::SessionError;
use crate::outcome::folder::{SessionFolder, write_whole};
use crate::strategy::registry::{self, Setting};
use crate::strategy::{Strategy, StrategyError};
use camino::Utf8PathBuf;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::time::SystemTime;

/// The strategy of a session, its policy loaded; `pool`: all that can be typed, where that is known.
///
/// # Errors
/// A file that it starts from cannot be read or does not fit.
pub fn strategy(
    suite: &Suite,
    planned: &Session,
    ready: &Ready,
    pool: Option<&[String]>,
) -> Result<Box<dyn Strategy>, StrategyError> {
    registry::make(
        &planned.strategy.kind,
        &Setting {
            session: &planned.name,
            package: &ready.app.package,
            content: &ready.app.content,
            seed: planned.seed,
            pool,
            torch_device: &suite.settings.suite.torch_device,
            on_disk: &|path| suite.on_disk(path),
        },
    )
}

/// Can each strategy of the plan start from the policy and the embedding that the suite names for it, and where it is
/// to compute? Asked before anything runs, so that a run does not fail an hour in.
///
/// # Errors
/// Files and devices that cannot be used, each at its key of the suite.
pub fn check(suite: &Suite, plan: &Plan, apps: &BTreeMap<String, Ready>) -> Result<(), Problems> {
    let mut seen = Vec::new();
    let mut problems = Vec::new();
    for planned in &plan.entries {
        let kind = &planned.strategy.kind;
        let (policy, embedding) = files(kind);
        let Some(ready) = apps.get(&planned.app.name) else {
            continue;
        };
        // What can be typed is part of an ARES policy.
        let apart = !matches!(kind, StrategyKind::Dinodroid(_));
        let pool = devices::pool(&planned.app, &planned.device, ready).filter(|_| apart);
        let this = (kind, pool);
        let starts_from_nothing = apart && policy.or(embedding).is_none();
        if starts_from_nothing || seen.contains(&this) {
            continue;
        }
        match strategy(suite, planned, ready, this.1.as_deref()) {
            Err(StrategyError::Policy(said)) => problems.push(unusable(suite, planned, &said)),
            Err(StrategyError::Engine(said)) => problems.push(no_engine(suite, planned, &said)),
            // What else may be wrong is no fault of the suite's; the session says it.
            Ok(_) | Err(StrategyError::Io(_) | StrategyError::RanAway(_)) => {}
        }
        seen.push(this);
    }
    if problems.is_empty() {
        Ok(())
    } else {
        Err(problems.into())
    }
}

/// The files that a run's strategies start from, as they were when it began: all its sessions start from the same.
pub struct Origins<'a> {
    suite: &'a Suite,
    files: BTreeMap<&'a Utf8PathBuf, Stamp>,
}

/// A file's length and when it was last written; `None`: it is not there.
type Stamp = Option<(u64, Option<SystemTime>)>;

impl<'a> Origins<'a> {
    /// Those of this plan, as they are now.
    pub fn new(suite: &'a Suite, plan: &'a Plan) -> Self {
        let kinds = plan.entries.iter().map(|planned| &planned.strategy.kind);
        let files = kinds.flat_map(|kind| <[_; 2]>::from(files(kind)));
        let files = files.flatten().map(|path| (path, stamp(suite, path)));
        Self {
            files: files.collect(),
            suite,
        }
    }

    /// Are this session's files still those of the run's beginning?
    ///
    /// # Errors
    /// One was written since.
    pub fn unchanged(&self, planned: &Session) -> Result<(), StrategyError> {
        let (policy, embedding) = files(&planned.strategy.kind);
        let other = |path: &&Utf8PathBuf| self.files.get(path) != Some(&stamp(self.suite, path));
        match policy.into_iter().chain(embedding).find(other) {
            None => Ok(()),
            Some(path) => Err(StrategyError::Io(io::Error::other(format!(
                "{path} was written, moved or deleted while the run went on; sessions that start from different \
                 files are not to be compared: run it again"
            )))),
        }
    }
}

fn stamp(suite: &Suite, path: &Utf8PathBuf) -> Stamp {
    let there = fs::metadata(suite.on_disk(path)).ok()?;
    Some((there.len(), there.modified().ok()))
}

/// Policy and embedding that the suite names for a strategy.
fn files(kind: &StrategyKind) -> (Option<&Utf8PathBuf>, Option<&Utf8PathBuf>) {
    let policy = kind.policy().and_then(|policy| policy.load.as_ref());
    match kind {
        StrategyKind::Dinodroid(own) => (policy, own.embedding.as_ref()),
        _ => (policy, None),
    }
}

/// What the strategy said of one of its files, at the key that names the file.
fn unusable(suite: &Suite, planned: &Session, said: &str) -> Problem {
    let kind = &planned.strategy.kind;
    let (policy, embedding) = files(kind);
    let is_policy = policy.is_some_and(|path| said.starts_with(suite.on_disk(path).as_str()));
    let (keys, help) = if embedding.is_some() && !is_policy {
        (["embedding"].as_slice(), EMBEDDING)
    } else if matches!(kind, StrategyKind::Dinodroid(_)) {
        (["policy", "load"].as_slice(), POLICY)
    } else {
        (["policy", "load"].as_slice(), ARES)
    };
    let said = format!(
        "the strategy `{}` cannot start: {said}",
        planned.strategy.name()
    );
    Problem::new(Code::BadFile, said)
        .at(suite.place(&key_of(suite, planned, keys), "this file"))
        .help(help.to_owned())
}

/// The way to these keys of a session's strategy.
fn key_of(suite: &Suite, planned: &Session, keys: &[&'static str]) -> Vec<Step> {
    let name = planned.strategy.name();
    let all = &suite.settings.strategies;
    let number = all.iter().position(|one| one.name() == name);
    std::iter::once(Step::from("strategy"))
        .chain(number.map(Step::from))
        .chain(keys.iter().copied().map(Step::from))
        .collect()
}

/// The tensor engine is not there, or not on the device that the suite wants.
fn no_engine(suite: &Suite, planned: &Session, said: &str) -> Problem {
    let said = format!(
        "the strategy `{}` cannot start: {said}",
        planned.strategy.name()
    );
    let (place, label, help) = if cfg!(feature = "deep") {
        let key = ["suite", "torch-device"].map(Step::from).to_vec();
        (
            key,
            "not there",
            "`cpu` is always there; `auto` takes a GPU where there is one",
        )
    } else {
        let key = key_of(suite, planned, &["kind"]);
        (
            key,
            "this one learns",
            "choose another strategy, or install the tool with the feature `deep`",
        )
    };
    Problem::new(Code::UnknownValue, said)
        .at(suite.place(&place, label))
        .help(help.to_owned())
}

/// The ways out.
const EMBEDDING: &str = "without `embedding` the strategy takes the one that ships; \
    `cargo droidtest train embeddings` makes others";
const POLICY: &str = "without `policy` the strategy starts from the one that ships, where that fits; \
    `cargo droidtest train policy --policy FILE` trains one with these settings into a new file";
const ARES: &str = "without `policy.load` the strategy starts with nothing learned; \
    a run with `policy = { save = true }` keeps what it learned in its session's folder";

/// Keeps the policy in the session's folder, where the suite wants it.
///
/// # Errors
/// It cannot be written.
pub fn keep(
    planned: &Session,
    strategy: &dyn Strategy,
    folder: &SessionFolder,
) -> Result<(), SessionError> {
    if planned
        .strategy
        .kind
        .policy()
        .is_some_and(|policy| policy.save)
    {
        let mut policy = Vec::new();
        strategy.save(&mut policy)?;
        // One that never saw a page has nothing to keep.
        if !policy.is_empty() {
            write_whole(&folder.policy(), &policy)?;
        }
    }
    Ok(())
}
