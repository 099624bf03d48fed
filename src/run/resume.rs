//! The folder of a run: a fresh one, or, for `bench`, the one that an earlier run of the same name left, with the
//! sessions in it that came to their end.

use super::begin;
use super::execute::{Options, RunError};
use super::plan::{Plan, Session as Planned};
use super::prepare::Ready;
use crate::config::Suite;
use crate::outcome::RunEvent;
use crate::outcome::folder::{RunFolder, SessionFolder, pretty, write_whole};
use crate::outcome::journal::JournalReader;
use crate::outcome::run_event::EndReason;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::PathBuf;

/// How each session of a plan ended, where it has.
type Ended = Vec<Option<EndReason>>;

/// The run's folder, and the sessions that need not be run again. What is left of others is removed.
///
/// # Errors
/// The folder cannot be made, read or cleared.
pub(super) fn folder(
    suite: &Suite,
    plan: &Plan,
    options: &Options,
    apps: &BTreeMap<String, Ready>,
) -> Result<(RunFolder, Ended), RunError> {
    let there = options.run_id.as_ref().map(|id| options.base.join(id));
    let Some(path) = there.filter(|path| options.bench && path.is_dir()) else {
        let none = vec![None; plan.entries.len()];
        return begin::folder(suite, plan, options, apps).map(|folder| (folder, none));
    };
    let folder = RunFolder::at(path);
    let again = || {
        let kept = |session| kept(&folder, suite, session, apps);
        let kept = plan.entries.iter().map(kept).collect::<io::Result<_>>()?;
        let info = begin::info(suite, plan, options, apps);
        write_whole(&folder.info_path(), &pretty(&info)?)?;
        Ok(kept)
    };
    match again() {
        Ok(kept) => Ok((folder, kept)),
        Err(source) => Err(RunError::Folder {
            base: options.base.display().to_string(),
            source,
        }),
    }
}

/// How a session of an earlier run ended, if it did so in good order, with the same settings, on the same app.
fn kept(
    run: &RunFolder,
    suite: &Suite,
    session: &Planned,
    apps: &BTreeMap<String, Ready>,
) -> io::Result<Option<EndReason>> {
    let folder = run.session(&session.name);
    if !folder.path().is_dir() {
        return Ok(None);
    }
    let content = apps.get(&session.app.name).map(|ready| &ready.app.content);
    let same = fs::read(settings_path(&folder))
        .ok()
        .and_then(|text| serde_json::from_slice::<Value>(&text).ok())
        .is_some_and(|then| then == settings(suite, session));
    if same && let Some(ended) = ended(&folder, content) {
        return Ok(Some(ended));
    }
    fs::remove_dir_all(folder.path())?;
    Ok(None)
}

fn ended(folder: &SessionFolder, content: Option<&String>) -> Option<EndReason> {
    let mut same_app = false;
    let mut end = None;
    for event in JournalReader::open(&folder.journal()).ok()? {
        match event.ok()? {
            RunEvent::Session(header) => same_app = content == Some(&header.content),
            RunEvent::End { reason, .. } => end = Some(reason),
            _ => {}
        }
    }
    let lost =
        |reason: &EndReason| matches!(reason, EndReason::Interrupted | EndReason::DeviceLost);
    end.filter(|reason| same_app && !lost(reason))
}

/// Notes with which settings a session begins, so that a later run can tell whether it still holds.
pub(super) fn begin(folder: &SessionFolder, suite: &Suite, session: &Planned) -> io::Result<()> {
    folder.create()?;
    write_whole(&settings_path(folder), &pretty(&settings(suite, session))?)
}

fn settings_path(folder: &SessionFolder) -> PathBuf {
    folder.path().join("settings.json")
}

/// What a session's course depends on beside the app itself. Values from the environment stand here by their
/// names only.
fn settings(suite: &Suite, session: &Planned) -> Value {
    let all = &suite.settings;
    json!({
        "tool": env!("CARGO_PKG_VERSION"),
        "app": *session.app,
        "device": *session.device,
        "strategy": *session.strategy,
        "budget": all.suite.budget,
        "reward": all.reward,
        "oracles": all.oracles,
        "coverage": all.coverage,
        "retries": all.retries,
        "bench": all.bench,
    })
}
