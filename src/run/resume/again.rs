//! Continues a run that was killed or interrupted: complete sessions stay, any other starts again.

use super::{Found, Settings, asides, unsaved};
use crate::config::Suite;
use crate::outcome::RunEvent;
use crate::outcome::folder::{RunFolder, SessionFolder};
use crate::outcome::journal::JournalReader;
use crate::outcome::run_event::{EndReason, SessionHeader};
use crate::run::Options;
use crate::run::RunError;
use crate::run::identity::difference;
use crate::run::observer::Observer;
use crate::run::partition::Partition;
use crate::run::plan::{Plan, Session as Planned};
use crate::run::prepare::Ready;
use crate::run::reuse::Reuse;
use crate::run::run_header;
use crate::trace::record;
use crate::util::durable::rename;
use std::collections::BTreeMap;
use std::fs;
use std::io;

/// The sessions of the plan that an earlier run was to perform: its shard, unless another is requested.
///
/// # Errors
/// The run cannot be resumed, or it is another shard.
pub fn plan(folder: &RunFolder, plan: Plan) -> Result<Plan, RunError> {
    let refused = |why: String| refused(folder, why);
    let info = folder.info().map_err(|e| refused(e.to_string()))?;
    let whole = info.whole.ok_or_else(|| {
        refused(
            "its run.json does not contain the plan; older runs, benches and training have none"
                .to_owned(),
        )
    })?;
    let of = |by, index, count| Partition::new(by, index, count).map_err(refused);
    let own = match whole.shard.map(|shard| (shard, shard.index)) {
        Some((shard, Some(index))) => Some(of(shard.by, index, shard.count)?),
        // A merged run has all sessions.
        _ => None,
    };
    match (own, plan.shard) {
        (Some(own), None) => Ok(plan.shard(own)),
        (Some(own), Some(wanted)) if own != wanted => Err(refused(format!(
            "it is the shard {own}, not {wanted}; leave out --partition"
        ))),
        _ => Ok(plan),
    }
}

fn refused(folder: &RunFolder, why: String) -> RunError {
    RunError::NotResumed {
        path: folder.path().display().to_string(),
        why,
    }
}

/// Reopens the folder of an earlier run. What is left of sessions that did not complete is moved to the folder's
/// `replaced`.
///
/// # Errors
/// The run is of another suite, app or version, a process still runs it, or its folder cannot be changed.
pub(super) fn folder(
    earlier: &RunFolder,
    suite: &Suite,
    plan: &Plan,
    options: &Options,
    (apps, reuse): (&BTreeMap<String, Ready>, &Reuse),
    observer: &dyn Observer,
) -> Result<Found, RunError> {
    let unwritten = |source| RunError::Folder {
        base: options.base.display().to_string(),
        source,
    };
    let info = earlier
        .info()
        .map_err(|e| refused(earlier, e.to_string()))?;
    let now = run_header::info(suite, plan, options, apps, reuse);
    if let Some(why) = difference(&info, &now) {
        let why = format!(
            "compared with the suite as it is now, {why}; undo the change, or start a new run"
        );
        return Err(refused(earlier, why));
    }
    let lock = super::hold(earlier, super::RUN_LOCK).map_err(unwritten)?;
    let reopen = || {
        let of = |planned: &Planned| earlier.session(&planned.name);
        let all = plan.entries.iter();
        let mut ended: Vec<_> = all.map(|planned| complete(&of(planned), planned)).collect();
        // What a session got from the others of its group is not there again without them.
        for group in plan.units() {
            if ended[group.clone()].contains(&None) {
                ended[group].fill(None);
            }
        }
        for (planned, end) in plan.entries.iter().zip(&ended) {
            match end {
                Some(_) => drop(record::write_all(&of(planned))?),
                None => aside(earlier, &of(planned))?,
            }
        }
        extras(earlier, plan)?;
        Ok(ended)
    };
    let ended = reopen().map_err(unwritten)?;
    observer.resumed(ended.iter().flatten().count(), ended.len());
    Ok(Found {
        folder: earlier.clone(),
        ended,
        settings: Settings(Vec::new()),
        lock: Some(lock),
    })
}

/// How the session ended, if nothing is missing in its folder.
fn complete(folder: &SessionFolder, planned: &Planned) -> Option<EndReason> {
    let (header, end) = ends(folder)?;
    let end = end.filter(|reason| reason.came_to_end() && folder.why_failed().is_none())?;
    let own = header.session == planned.name && !unsaved(folder, planned, end);
    own.then_some(end)
}

/// The first and the last line of a session's journal; nothing if it is damaged.
fn ends(folder: &SessionFolder) -> Option<(SessionHeader, Option<EndReason>)> {
    let (mut first, mut end) = (None, None);
    for event in JournalReader::open(&folder.journal()).ok()? {
        match event.ok()? {
            RunEvent::Session(header) => first = Some(header),
            RunEvent::End { reason, .. } => end = Some(reason),
            _ => {}
        }
    }
    Some((first?, end))
}

/// Minimizing makes sessions of its own. One that was cut off has findings that minimizing observes again.
fn extras(run: &RunFolder, plan: &Plan) -> io::Result<()> {
    for name in run.sessions()? {
        let folder = run.session(&name);
        let planned = |one: &Planned| run.session(&one.name) == folder;
        if !plan.whole.iter().any(planned) && !matches!(ends(&folder), Some((_, Some(_)))) {
            aside(run, &folder)?;
        }
    }
    Ok(())
}

fn aside(run: &RunFolder, folder: &SessionFolder) -> io::Result<()> {
    if folder.path().is_dir() {
        fs::create_dir_all(super::aside(run))?;
        let free = asides(run, folder).find(|path| !path.exists());
        rename(folder.path(), &free.unwrap_or_else(|| super::aside(run)))?;
    }
    Ok(())
}
