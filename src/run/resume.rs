//! The folder of a run: a fresh one, or, for `bench`, the one that an earlier run of the same name left, with the
//! sessions in it that came to their end.

use super::begin;
use super::execute::{Options, RunError};
use super::plan::{Plan, Session as Planned};
use super::prepare::Ready;
use super::watch::Watch;
use crate::config::{StrategyKind, Suite};
use crate::device::jvm::cache::hash_file;
use crate::outcome::RunEvent;
use crate::outcome::folder::{RunFolder, SessionFolder, pretty, write_whole};
use crate::outcome::journal::JournalReader;
use crate::outcome::run_event::EndReason;
use camino::Utf8PathBuf;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs;
use std::io;
use std::path::PathBuf;

/// How each session of a plan ended, where it has.
type Ended = Vec<Option<EndReason>>;

/// What each session of a plan depends on beside its app's content, in the plan's order.
pub(super) struct Settings(Vec<Value>);

/// The run's folder, the sessions that need not be run again, and what the others are run with. What is left of
/// sessions that do not hold is removed; why, where it is something other than an unfinished run, is said.
///
/// # Errors
/// The folder cannot be made, read or cleared.
pub(super) fn folder(
    suite: &Suite,
    plan: &Plan,
    options: &Options,
    apps: &BTreeMap<String, Ready>,
    watch: &dyn Watch,
) -> Result<(RunFolder, Ended, Settings), RunError> {
    let there = options.run_id.as_ref().map(|id| options.base.join(id));
    let settings = if options.bench {
        Settings::gather(suite, plan)
    } else {
        Settings(Vec::new())
    };
    let Some(path) = there.filter(|path| options.bench && path.is_dir()) else {
        let none = vec![None; plan.entries.len()];
        return begin::folder(suite, plan, options, apps).map(|folder| (folder, none, settings));
    };
    let folder = RunFolder::at(path);
    let again = || {
        let mut ended = Vec::new();
        let mut anew = Anew::default();
        for (session, now) in plan.entries.iter().zip(&settings.0) {
            ended.push(kept(&folder, session, now, apps, &mut anew)?);
        }
        let info = begin::info(suite, plan, options, apps);
        write_whole(&folder.info_path(), &pretty(&info)?)?;
        if anew.sessions > 0 {
            watch.warn(&anew.words());
        }
        Ok(ended)
    };
    match again() {
        Ok(ended) => Ok((folder, ended, settings)),
        Err(source) => Err(RunError::Folder {
            base: options.base.display().to_string(),
            source,
        }),
    }
}

/// Sessions of earlier runs that do not hold any more, and what has changed since.
#[derive(Default)]
struct Anew {
    sessions: usize,
    changed: BTreeSet<String>,
}

impl Anew {
    fn words(&self) -> String {
        let changed: Vec<&str> = self.changed.iter().map(String::as_str).collect();
        let sessions = if self.sessions == 1 {
            "session is"
        } else {
            "sessions are"
        };
        format!(
            "{} earlier {sessions} run anew: changed since: {}",
            self.sessions,
            changed.join(", ")
        )
    }
}

/// How a session of an earlier run ended, if it did so in good order, with the same settings, on the same app.
fn kept(
    run: &RunFolder,
    session: &Planned,
    now: &Value,
    apps: &BTreeMap<String, Ready>,
    anew: &mut Anew,
) -> io::Result<Option<EndReason>> {
    let folder = run.session(&session.name);
    if !folder.path().is_dir() {
        return Ok(None);
    }
    let then = fs::read(settings_path(&folder)).ok();
    let then = then.and_then(|text| serde_json::from_slice::<Value>(&text).ok());
    let mut changed = differing(&then.unwrap_or_default(), now);
    let content = apps.get(&session.app.name).map(|ready| &ready.app.content);
    let (of, end) = journal(&folder).unwrap_or_default();
    if of.is_some() && of.as_ref() != content {
        changed.insert(format!("the file of app `{}`", session.app.name));
    }
    let end = end.filter(|reason| reason.came_to_end());
    if changed.is_empty() && of.is_some() && end.is_some() {
        return Ok(end);
    }
    if !changed.is_empty() && end.is_some() {
        anew.sessions += 1;
        anew.changed.append(&mut changed);
    }
    fs::remove_dir_all(folder.path())?;
    Ok(None)
}

/// The app's content that a journal is about, and how it ended; `None`: it cannot be read to its end.
fn journal(folder: &SessionFolder) -> Option<(Option<String>, Option<EndReason>)> {
    let (mut content, mut end) = (None, None);
    for event in JournalReader::open(&folder.journal()).ok()? {
        match event.ok()? {
            RunEvent::Session(header) => content = Some(header.content),
            RunEvent::End { reason, .. } => end = Some(reason),
            _ => {}
        }
    }
    Some((content, end))
}

/// What differs between two sessions' settings, in words.
fn differing(then: &Value, now: &Value) -> BTreeSet<String> {
    let (Some(then), Some(now)) = (then.as_object(), now.as_object()) else {
        return BTreeSet::from(["settings".to_owned()]);
    };
    let mut all = BTreeSet::new();
    for (key, value) in now {
        match (key.as_str(), then.get(key)) {
            (_, Some(before)) if before == value => {}
            ("files", Some(Value::Object(before))) => {
                let others = value.as_object().into_iter().flatten();
                let others = others.filter(|(path, hash)| before.get(*path) != Some(hash));
                all.extend(others.map(|(path, _)| path.clone()));
            }
            ("build", _) => drop(all.insert("the build of cargo-droidtest".to_owned())),
            _ => drop(all.insert(format!("`{key}`"))),
        }
    }
    all
}

/// Notes with which settings a session begins, so that a later run can tell whether it still holds. `ix`: its place
/// in the plan.
pub(super) fn begin(folder: &SessionFolder, settings: &Settings, ix: usize) -> io::Result<()> {
    folder.create()?;
    write_whole(&settings_path(folder), &pretty(&settings.0[ix])?)
}

fn settings_path(folder: &SessionFolder) -> PathBuf {
    folder.path().join("settings.json")
}

impl Settings {
    /// Values from the environment stand here by their names only. Files are read once, not by every session: what
    /// the suite names, and the tool's own, which holds all that ships with it.
    fn gather(suite: &Suite, plan: &Plan) -> Self {
        let mut hashes: BTreeMap<Utf8PathBuf, Option<String>> = BTreeMap::new();
        let build = env::current_exe().and_then(|own| hash_file(&own)).ok();
        let all = &suite.settings;
        let one = |session: &Planned| {
            let kind = &session.strategy.kind;
            let mut files: Vec<&Utf8PathBuf> = session.app.mapping.iter().collect();
            files.extend(kind.policy().and_then(|policy| policy.load.as_ref()));
            if let StrategyKind::Dinodroid(own) = kind {
                files.extend(&own.embedding);
            }
            let mut contents = BTreeMap::new();
            for path in files {
                let hash = hashes
                    .entry(path.clone())
                    .or_insert_with(|| hash_file(suite.on_disk(path).as_std_path()).ok());
                contents.insert(path.clone(), hash.clone());
            }
            json!({
                "tool": env!("CARGO_PKG_VERSION"),
                "build": build,
                "app": *session.app,
                "device": *session.device,
                "strategy": *session.strategy,
                "files": contents,
                "budget": all.suite.budget,
                "torch-device": all.suite.torch_device,
                "reward": all.reward,
                "oracles": all.oracles,
                "coverage": all.coverage,
                "retries": all.retries,
                // What events cost only decides when a session ends by modelled time.
                "bench": all.bench.time.map(|time| json!({
                    "time": time,
                    "cost": all.bench.cost,
                    "think": all.bench.think.get(session.strategy.name()),
                })),
            })
        };
        Self(plan.entries.iter().map(one).collect())
    }
}
