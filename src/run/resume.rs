//! The folder of a run: a new one, the folder of a run to continue, or, for `bench`, the folder of an earlier bench of
//! the same name with its completed sessions.

mod again;
pub(super) mod settings;

use super::observer::Observer;
use super::options::{Options, RunError};
use super::plan::{Plan, Session as Planned};
use super::prepare::Ready;
use super::reuse::Reuse;
use super::run_header;
use crate::config::{Suite, SuiteSection};
use crate::outcome::RunEvent;
use crate::outcome::folder::{RunFolder, SessionFolder, pretty, write_whole};
use crate::outcome::journal::JournalReader;
use crate::outcome::run_event::EndReason;
use crate::util::durable::rename;
use crate::util::foreign;
use crate::util::lock::{self, Held};
pub use again::plan as resumed;
use camino::Utf8PathBuf;
use serde_json::Value;
pub(super) use settings::Settings;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// Held by the process that runs a bench.
const LOCK: &str = "bench.lock";
/// Held by the process that performs a run.
const RUN_LOCK: &str = "run.lock";

/// How each session of a plan ended, if it did.
type Ended = Vec<Option<EndReason>>;

/// A run's folder and its completed sessions.
pub(super) struct Found {
    pub folder: RunFolder,
    /// Completed sessions.
    pub ended: Ended,
    /// Settings of the remaining sessions.
    pub settings: Settings,
    /// Held while sessions run, so that no other bench removes them.
    pub lock: Option<File>,
}

/// Creates or reopens the run's folder. For a bench, completed sessions that are outdated are moved aside, with a warning that says
/// why; incomplete sessions are removed.
///
/// # Errors
/// The folder cannot be created, read or cleared; it is not a bench's, belongs to another suite, or another process
/// runs it.
pub(super) fn folder(
    suite: &Suite,
    plan: &Plan,
    options: &Options,
    (apps, reuse): (&BTreeMap<String, Ready>, &Reuse),
    observer: &dyn Observer,
) -> Result<Found, RunError> {
    if let Some(earlier) = &options.resume {
        return again::folder(earlier, suite, plan, options, (apps, reuse), observer);
    }
    let there = options.run_id.as_ref().map(|id| options.base.join(id));
    let settings = if options.bench {
        Settings::gather(suite, plan)
    } else {
        Settings(Vec::new())
    };
    let refused = |source| RunError::Folder {
        base: options.base.display().to_string(),
        source,
    };
    let Some(path) = there.filter(|path| options.bench && path.is_dir()) else {
        let folder = run_header::folder(suite, plan, options, apps, reuse)?;
        let lock = if options.bench { LOCK } else { RUN_LOCK };
        return Ok(Found {
            lock: Some(hold(&folder, lock).map_err(refused)?),
            folder,
            ended: vec![None; plan.entries.len()],
            settings,
        });
    };
    let folder = RunFolder::at(path);
    of_a_bench(&folder, suite)?;
    let lock = hold(&folder, LOCK).map_err(refused)?;
    let again = || {
        let mut ended = Vec::new();
        let mut outdated = Outdated::default();
        for (session, now) in plan.entries.iter().zip(&settings.0) {
            ended.push(kept(&folder, session, now, apps, &mut outdated)?);
        }
        let mut info = run_header::info(suite, plan, options, apps, reuse);
        // It is still the same run: stored event models know its sessions by that.
        let started = folder.info().ok().and_then(|before| before.started);
        info.started = started.or(info.started);
        write_whole(&folder.info_path(), &pretty(&info)?)?;
        if outdated.sessions > 0 {
            observer.warn(&outdated.words(&aside(&folder)));
        }
        Ok(ended)
    };
    let ended = again().map_err(refused)?;
    let complete = ended.iter().flatten().count();
    if complete > 0 {
        observer.resumed(complete, ended.len());
    }
    Ok(Found {
        folder,
        ended,
        settings,
        lock: Some(lock),
    })
}

/// Checks that the folder belongs to a bench of this suite: the sessions of another would be lost.
///
/// # Errors
/// It is not.
pub fn of_a_bench(folder: &RunFolder, suite: &Suite) -> Result<(), RunError> {
    let refused = |why: String| {
        Err(RunError::NoBench {
            path: folder.path().display().to_string(),
            why,
        })
    };
    let unread = |e: io::Error| RunError::Folder {
        base: folder.path().display().to_string(),
        source: e,
    };
    if !folder.info_path().is_file() {
        let mut within = fs::read_dir(folder.path()).map_err(unread)?.flatten();
        // Only the lock and empty folders: a bench that was killed early.
        let empty =
            |path: &Path| fs::read_dir(path).is_ok_and(|mut within| within.next().is_none());
        let other = |entry: fs::DirEntry| entry.file_name() != LOCK && !empty(&entry.path());
        return if within.any(other) {
            refused("it contains other files".to_owned())
        } else {
            Ok(())
        };
    }
    let sessions = folder.sessions().map_err(unread)?;
    let noted = |name: &String| settings_path(&folder.session(name)).is_file();
    if !sessions.is_empty() && !sessions.iter().any(noted) {
        return refused("it belongs to a run".to_owned());
    }
    let name = |file: &str| {
        Utf8PathBuf::from(file.replace('\\', "/"))
            .file_name()
            .map(str::to_owned)
    };
    // An unreadable file names no suite; this run replaces it.
    let info = folder.info().unwrap_or_default();
    // A named suite is identified by its name, even if its file was renamed.
    let same = suite.name() == info.suite && suite.name() != SuiteSection::default().name;
    match info.file.as_deref().and_then(name) {
        // The path may differ, for example on another machine.
        Some(then) if !same && Some(then.as_str()) != suite.file.file_name() => {
            refused(format!("it belongs to the suite {then}"))
        }
        _ => Ok(()),
    }
}

fn hold(folder: &RunFolder, name: &str) -> io::Result<File> {
    let path = folder.path().join(name);
    match lock::hold(&path)? {
        Held::Ours(file) => Ok(file),
        Held::Theirs(holder) => {
            let other = match name {
                RUN_LOCK => "start a new run",
                _ => "choose another --run-id",
            };
            Err(io::Error::other(format!(
                "{} is in use by process {holder}; wait for it, or {other}",
                folder.path().display()
            )))
        }
    }
}

/// The folder for outdated sessions.
fn aside(folder: &RunFolder) -> PathBuf {
    folder.path().join("replaced")
}

/// Outdated sessions of earlier runs, and what has changed since.
#[derive(Default)]
struct Outdated {
    sessions: usize,
    changed: BTreeSet<String>,
}

impl Outdated {
    fn words(&self, aside: &Path) -> String {
        let changed: Vec<&str> = self.changed.iter().map(String::as_str).collect();
        let sessions = if self.sessions == 1 {
            "session is"
        } else {
            "sessions are"
        };
        format!(
            "{} earlier {sessions} outdated and will run again; changed: {} (the old results are in {})",
            self.sessions,
            changed.join(", "),
            aside.display()
        )
    }
}

/// How a session of an earlier run ended, if it completed with the same settings on the same app. A session that was
/// moved aside and is valid again comes back, so that reverting a change costs nothing.
fn kept(
    run: &RunFolder,
    session: &Planned,
    now: &Value,
    apps: &BTreeMap<String, Ready>,
    outdated: &mut Outdated,
) -> io::Result<Option<EndReason>> {
    let folder = run.session(&session.name);
    let content = apps.get(&session.app.name).map(|ready| &ready.app.content);
    let mut changed = BTreeSet::new();
    if folder.path().is_dir() {
        let earlier = Earlier::read(&folder, session, now, content);
        match earlier.end {
            end @ Some(_) if earlier.changed.is_empty() => return Ok(end),
            Some(_) => {
                changed = earlier.changed;
                let free = asides(run, &folder).find(|path| !path.exists());
                fs::create_dir_all(aside(run))?;
                rename(folder.path(), &free.unwrap_or_else(|| aside(run)))?;
            }
            None => fs::remove_dir_all(folder.path())?,
        }
    }
    for path in asides(run, &folder).take_while(|path| path.is_dir()) {
        let earlier = Earlier::read(&SessionFolder::at(&path), session, now, content);
        if earlier.changed.is_empty() && earlier.end.is_some() {
            rename(&path, folder.path())?;
            return Ok(earlier.end);
        }
    }
    if !changed.is_empty() {
        outdated.sessions += 1;
        outdated.changed.append(&mut changed);
    }
    Ok(None)
}

/// A free folder to move a session to: its name, or its name with a number.
fn asides(run: &RunFolder, session: &SessionFolder) -> impl Iterator<Item = PathBuf> {
    let plain = aside(run).join(session.path().file_name().unwrap_or_default());
    let numbered = plain.clone();
    let numbered = (1_u32..).map(move |number| {
        let mut path = numbered.clone().into_os_string();
        path.push(format!(".{number}"));
        PathBuf::from(path)
    });
    std::iter::once(plain).chain(numbered)
}

/// A session of an earlier run.
struct Earlier {
    /// What has changed since.
    changed: BTreeSet<String>,
    /// How it ended, if it completed.
    end: Option<EndReason>,
}

impl Earlier {
    fn read(
        folder: &SessionFolder,
        session: &Planned,
        now: &Value,
        content: Option<&String>,
    ) -> Self {
        let then = foreign::read(&settings_path(folder)).ok();
        let then = then.and_then(|text| serde_json::from_slice::<Value>(&text).ok());
        let mut changed = differing(&then.unwrap_or_default(), now);
        let (of, end) = journal(folder).unwrap_or_default();
        // Earlier versions recorded no content hash of models, so they count as changed.
        if of.as_ref().is_some_and(|of| !of.is_empty()) && of.as_ref() != content {
            changed.insert(format!("the file of app `{}`", session.app.name));
        }
        let lost = |reason| unsaved(folder, session, reason);
        let of = of.filter(|_| folder.why_failed().is_none());
        Self {
            changed,
            end: end.filter(|&reason| of.is_some() && reason.came_to_end() && !lost(reason)),
        }
    }
}

/// Is the policy of a session that ended missing? It is written after the journal's end, so a full disk or a kill may
/// prevent it. A network without a single step of its own has none to write.
fn unsaved(folder: &SessionFolder, session: &Planned, end: EndReason) -> bool {
    let kind = &session.strategy.kind;
    kind.policy().is_some_and(|policy| policy.save)
        && !folder.policy().is_file()
        && !end.is_failed_start()
        && chose(folder, kind.saver().as_deref())
}

/// Did the strategy, or this member of it, choose a step of the session?
fn chose(folder: &SessionFolder, member: Option<&str>) -> bool {
    let mut its_turn = member.is_none();
    let events = JournalReader::open(&folder.journal()).into_iter().flatten();
    for event in events.flatten() {
        match event {
            RunEvent::Member { name } => its_turn = Some(name.as_str()) == member,
            RunEvent::Step(step) if its_turn && step.led.is_none() => return true,
            _ => {}
        }
    }
    false
}

/// The content hash of a journal's app, and how the session ended; `None` if the journal is incomplete.
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

/// The differences between two sessions' settings, in words.
fn differing(then: &Value, now: &Value) -> BTreeSet<String> {
    let (Some(then), Some(now)) = (then.as_object(), now.as_object()) else {
        return BTreeSet::from(["settings".to_owned()]);
    };
    let mut all = BTreeSet::new();
    for (key, value) in now {
        match (key.as_str(), then.get(key)) {
            (_, Some(before)) if before == value => {}
            ("device", Some(before)) if settings::alike(before) == *value => {}
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

/// Records the settings of a session at its start, so that a later run can tell whether it is outdated. `ix`: its
/// index in the plan.
pub(super) fn begin(folder: &SessionFolder, settings: &Settings, ix: usize) -> io::Result<()> {
    folder.create()?;
    write_whole(&settings_path(folder), &pretty(&settings.0[ix])?)
}

fn settings_path(folder: &SessionFolder) -> PathBuf {
    folder.path().join("settings.json")
}
