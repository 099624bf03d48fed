//! Merges the runs of the shards of a plan, as if one machine had run all of it.
//!
//! The result does not depend on the order of the runs, and a run that is given twice counts once. The given folders
//! may be anyone's: they are only read, no link and no path in them is followed, and nothing of them runs.

mod choose;
mod copy;
mod coverage;
mod extra;
mod given;

use self::choose::Choice;
use self::given::Given;
use super::gate;
use super::identity::difference;
use super::local_files::LocalFiles;
use super::partition::shard_of;
use super::reuse;
use crate::outcome::folder::{
    PlannedSession, RUN_VERSION, RunFolder, RunInfo, Shard, WholePlan, pretty, write_whole,
};
use crate::util::durable;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Why runs cannot be merged. No folder is made or changed then.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// A run cannot be read, or it does not fit the others.
    #[error("{0}")]
    Runs(String),
    /// The merged run cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    Output {
        /// Its folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// Sessions without a complete record in any of the runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Missing {
    /// Their shard, if all runs divide the plan in the same way.
    pub shard: Option<Shard>,
    /// Sessions that no run has.
    pub absent: Vec<String>,
    /// Sessions that were cut off or lost their device; the longest record is in the merged run.
    pub cut: Vec<String>,
}

/// A merged run.
#[derive(Debug)]
pub struct Merged {
    /// Its folder.
    pub folder: RunFolder,
    /// Different runs in it.
    pub runs: usize,
    /// What is missing, by shard.
    pub missing: Vec<Missing>,
    /// What the user should know.
    pub warnings: Vec<String>,
}

/// Merges runs into a new folder. `files`: for the coverage reports.
///
/// # Errors
/// There is no run, one cannot be read, they are not parts of one plan, two hold different complete records of the same
/// session, `out` exists, or it cannot be written.
pub fn merge(runs: &[RunFolder], out: &Path, files: &LocalFiles) -> Result<Merged, MergeError> {
    let unwritten = |source| MergeError::Output {
        path: out.to_owned(),
        source,
    };
    if out.symlink_metadata().is_ok() {
        let there = io::Error::new(
            io::ErrorKind::AlreadyExists,
            "it exists; choose another folder, or delete this one",
        );
        return Err(unwritten(there));
    }
    let runs = given::read(runs)?;
    for (ix, run) in runs.iter().enumerate() {
        for other in &runs[..ix] {
            if let Some(why) = difference(&other.info, &run.info) {
                let (one, two) = (other.shown(), run.shown());
                return Err(MergeError::Runs(format!(
                    "{one} and {two} cannot be merged: {why}"
                )));
            }
        }
    }
    outside(&runs, out)?;
    let mut info = together(&runs, out);
    let mut chosen = Vec::new();
    let mut warnings = Vec::new();
    for planned in &mut info.sessions {
        let choice = choose::session(&runs, planned)?;
        warnings.extend(choice.as_ref().and_then(|choice| choice.warning.clone()));
        chosen.push(choice);
    }
    let missing = missing(&info, &chosen);
    let parent = out.parent().filter(|parent| *parent != Path::new(""));
    let parent = parent.unwrap_or(Path::new("."));
    durable::create_folder(parent).map_err(unwritten)?;
    let stage = tempfile::Builder::new()
        .prefix(".droidtest-merge-")
        .tempdir_in(parent)
        .map_err(unwritten)?;
    let staged = RunFolder::at(stage.path().join("run"));
    fs::create_dir_all(staged.path().join("sessions")).map_err(unwritten)?;
    for (planned, choice) in info.sessions.iter().zip(&chosen) {
        if let Some(choice) = choice {
            choice
                .copy(&staged.session(&planned.session))
                .map_err(|e| e.or(unwritten))?;
        }
    }
    extra::copy(&runs, &info, &staged).map_err(|e| e.or(unwritten))?;
    // All of them started from the same one, and the merged run can continue.
    let mut corpora = runs.iter().map(|run| run.folder.corpus());
    if let Some(corpus) = corpora.find(|corpus| corpus.is_dir()) {
        copy::folder(&corpus, &staged.corpus(), &|_| false).map_err(|e| e.or(unwritten))?;
    }
    warnings.extend(coverage::copy(&runs, &info, files, &staged).map_err(unwritten)?);
    warnings.extend(reuse::sum(&staged, &info.sessions).map_err(unwritten)?);
    gate::merge(runs.iter().map(|run| &run.folder), &staged).map_err(unwritten)?;
    let text = pretty(&info).map_err(unwritten)?;
    write_whole(&staged.info_path(), &text).map_err(unwritten)?;
    durable::rename_folder(staged.path(), out).map_err(unwritten)?;
    Ok(Merged {
        folder: RunFolder::at(out),
        runs: runs.len(),
        missing,
        warnings,
    })
}

/// The given runs are only read, so the new folder must not be in one of them.
fn outside(runs: &[Given], out: &Path) -> Result<(), MergeError> {
    let out = std::path::absolute(out).unwrap_or_else(|_| out.to_owned());
    let there = out
        .ancestors()
        .find_map(|above| fs::canonicalize(above).ok());
    let there = there.unwrap_or_default();
    let within = |run: &&Given| {
        fs::canonicalize(run.folder.path()).is_ok_and(|folder| there.starts_with(folder))
    };
    match runs.iter().find(within) {
        Some(run) => Err(MergeError::Runs(format!(
            "--out is in {}, which is one of the runs to merge; choose a folder outside",
            run.shown()
        ))),
        None => Ok(()),
    }
}

/// `run.json` of the merged run: all sessions of the plan.
fn together(runs: &[Given], out: &Path) -> RunInfo {
    let mut whole = WholePlan::default();
    let mut info = RunInfo {
        version: RUN_VERSION,
        merged: true,
        run: out
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned(),
        ..RunInfo::default()
    };
    let mut packages: BTreeMap<String, String> = BTreeMap::new();
    for run in runs {
        let of = &run.info;
        info.tool.clone_from(&of.tool);
        info.suite.clone_from(&of.suite);
        let least = |mine: Option<String>, theirs: Option<&String>| match (mine, theirs) {
            (Some(mine), Some(theirs)) => Some(mine.min(theirs.clone())),
            (mine, theirs) => mine.or_else(|| theirs.cloned()),
        };
        info.file = least(info.file, of.file.as_ref());
        if info.apks.is_empty() {
            info.apks.clone_from(&of.apks);
        }
        info.profile = least(info.profile, of.profile.as_ref());
        info.gate = info.gate.or_else(|| of.gate.clone());
        let sources = of.sources.iter();
        info.sources
            .extend(sources.map(|(app, folders)| (app.clone(), folders.clone())));
        info.started = [info.started, of.started].into_iter().flatten().min();
        for (device, words) in &of.confinement {
            let known = info
                .confinement
                .entry(device.clone())
                .or_insert_with(|| words.clone());
            if words < known {
                known.clone_from(words);
            }
        }
        whole.sessions.clone_from(&run.whole.sessions);
        for (to, from) in [
            (&mut whole.settings, &run.whole.settings),
            (&mut whole.contents, &run.whole.contents),
        ] {
            to.extend(from.iter().map(|(key, value)| (key.clone(), value.clone())));
        }
        let known = run
            .whole
            .sessions
            .iter()
            .filter(|planned| !planned.package.is_empty());
        packages.extend(known.map(|planned| (planned.app.clone(), planned.package.clone())));
    }
    for planned in &mut whole.sessions {
        if let Some(package) = packages.get(&planned.app) {
            planned.package.clone_from(package);
        }
    }
    whole.shard = division(runs);
    info.sessions.clone_from(&whole.sessions);
    info.whole = Some(whole);
    info
}

/// How all runs divide the plan, if they do it in the same way.
fn division(runs: &[Given]) -> Option<Shard> {
    let of = |run: &Given| {
        let shard = run.whole.shard.filter(|shard| shard.count > 0);
        shard.map(|shard| Shard {
            index: None,
            ..shard
        })
    };
    let first = of(runs.first()?);
    first.filter(|_| runs.iter().all(|run| of(run) == first))
}

/// What is missing of the plan, by shard.
fn missing(info: &RunInfo, chosen: &[Option<Choice<'_>>]) -> Vec<Missing> {
    let division = info.whole.as_ref().and_then(|whole| whole.shard);
    let mut all: Vec<Missing> = Vec::new();
    let sessions: &[PlannedSession] = &info.sessions;
    // A group is in one shard, by its first session.
    let (mut units, mut first) = (0_usize, "");
    for (planned, choice) in sessions.iter().zip(chosen) {
        if planned.seat == 0 {
            (units, first) = (units + 1, planned.session.as_str());
        }
        if choice.as_ref().is_some_and(Choice::is_complete) {
            continue;
        }
        let name = &planned.session;
        let shard = division.map(|shard| Shard {
            index: Some(shard_of(
                shard.by,
                shard.count,
                units.saturating_sub(1),
                first,
            )),
            ..shard
        });
        let at = all.iter().position(|missing| missing.shard == shard);
        let at = at.unwrap_or_else(|| {
            all.push(Missing {
                shard,
                absent: Vec::new(),
                cut: Vec::new(),
            });
            all.len() - 1
        });
        match choice {
            Some(_) => all[at].cut.push(name.clone()),
            None => all[at].absent.push(name.clone()),
        }
    }
    all.sort_by_key(|missing| missing.shard.and_then(|shard| shard.index));
    all
}
