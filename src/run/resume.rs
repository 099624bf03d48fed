//! The folder of a run: a fresh one, or, for `bench`, the one that an earlier bench of the same name left, with the
//! sessions in it that came to their end.

mod settings;

use super::execute::{Options, RunError};
use super::observer::Observer;
use super::plan::{Plan, Session as Planned};
use super::prepare::Ready;
use super::run_header;
use crate::config::{Suite, SuiteSection};
use crate::outcome::RunEvent;
use crate::outcome::folder::{RunFolder, SessionFolder, pretty, write_whole};
use crate::outcome::journal::JournalReader;
use crate::outcome::run_event::EndReason;
use crate::util::durable::rename;
use crate::util::lock::{self, Held};
use camino::Utf8PathBuf;
use serde_json::Value;
pub(super) use settings::Settings;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// Held by the process that runs a bench.
const LOCK: &str = "bench.lock";

/// How each session of a plan ended, where it has.
type Ended = Vec<Option<EndReason>>;

/// A run's folder as it is found.
pub(super) struct Found {
    pub folder: RunFolder,
    /// Sessions that need not be run again.
    pub ended: Ended,
    /// What the others are run with.
    pub settings: Settings,
    /// Held as long as sessions are run, so that no other bench clears them away.
    pub lock: Option<File>,
}

/// The run's folder. Sessions that came to their end and do not hold any more are put aside, with a word on why; what
/// is left of others is removed.
///
/// # Errors
/// The folder cannot be made, read or cleared; it is no bench's, another suite's, or another process runs it.
pub(super) fn folder(
    suite: &Suite,
    plan: &Plan,
    options: &Options,
    apps: &BTreeMap<String, Ready>,
    observer: &dyn Observer,
) -> Result<Found, RunError> {
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
        let folder = run_header::folder(suite, plan, options, apps)?;
        let lock = options.bench.then(|| hold(&folder).map_err(refused));
        return Ok(Found {
            lock: lock.transpose()?,
            folder,
            ended: vec![None; plan.entries.len()],
            settings,
        });
    };
    let folder = RunFolder::at(path);
    of_a_bench(&folder, suite)?;
    let lock = hold(&folder).map_err(refused)?;
    let again = || {
        let mut ended = Vec::new();
        let mut anew = Anew::default();
        for (session, now) in plan.entries.iter().zip(&settings.0) {
            ended.push(kept(&folder, session, now, apps, &mut anew)?);
        }
        let info = run_header::info(suite, plan, options, apps);
        write_whole(&folder.info_path(), &pretty(&info)?)?;
        if anew.sessions > 0 {
            observer.warn(&anew.words(&aside(&folder)));
        }
        Ok(ended)
    };
    let ended = again().map_err(refused)?;
    Ok(Found {
        folder,
        ended,
        settings,
        lock: Some(lock),
    })
}

/// Is the folder that of a bench of this suite? Another's sessions would be lost.
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
        // The lock and empty folders, as a bench leaves it that was killed at once.
        let empty =
            |path: &Path| fs::read_dir(path).is_ok_and(|mut within| within.next().is_none());
        let other = |entry: fs::DirEntry| entry.file_name() != LOCK && !empty(&entry.path());
        return if within.any(other) {
            refused("it holds something else".to_owned())
        } else {
            Ok(())
        };
    }
    let sessions = folder.sessions().map_err(unread)?;
    let noted = |name: &String| settings_path(&folder.session(name)).is_file();
    if !sessions.is_empty() && !sessions.iter().any(noted) {
        return refused("it is that of a run".to_owned());
    }
    let name = |file: &str| {
        Utf8PathBuf::from(file.replace('\\', "/"))
            .file_name()
            .map(str::to_owned)
    };
    // What cannot be read names nobody; the next run writes it anew.
    let info = folder.info().unwrap_or_default();
    // A suite with a name of its own is known by it, whatever its file is called now.
    let same = suite.name() == info.suite && suite.name() != SuiteSection::default().name;
    match info.file.as_deref().and_then(name) {
        // It may be somewhere else than it was, as on another machine.
        Some(then) if !same && Some(then.as_str()) != suite.file.file_name() => {
            refused(format!("it is that of the suite {then}"))
        }
        _ => Ok(()),
    }
}

fn hold(folder: &RunFolder) -> io::Result<File> {
    let path = folder.path().join(LOCK);
    match lock::hold(&path)? {
        Held::Ours(file) => Ok(file),
        Held::Theirs(holder) => Err(io::Error::other(format!(
            "{} is being run by process {holder}; wait for it, or choose another --run-id",
            folder.path().display()
        ))),
    }
}

/// Where sessions that do not hold any more are put, in place of earlier ones.
fn aside(folder: &RunFolder) -> PathBuf {
    folder.path().join("replaced")
}

/// Sessions of earlier runs that do not hold any more, and what has changed since.
#[derive(Default)]
struct Anew {
    sessions: usize,
    changed: BTreeSet<String>,
}

impl Anew {
    fn words(&self, aside: &Path) -> String {
        let changed: Vec<&str> = self.changed.iter().map(String::as_str).collect();
        let sessions = if self.sessions == 1 {
            "session is"
        } else {
            "sessions are"
        };
        format!(
            "{} earlier {sessions} run anew: changed since: {} (the old ones are in {})",
            self.sessions,
            changed.join(", "),
            aside.display()
        )
    }
}

/// How a session of an earlier run ended, if it did so in good order, with the same settings, on the same app. One that
/// was put aside and holds again comes back: a change that was a mistake costs nothing.
fn kept(
    run: &RunFolder,
    session: &Planned,
    now: &Value,
    apps: &BTreeMap<String, Ready>,
    anew: &mut Anew,
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
        anew.sessions += 1;
        anew.changed.append(&mut changed);
    }
    Ok(None)
}

/// Where a session can be put aside: under its name, or that with a number.
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
    /// How it came to its end, if it did.
    end: Option<EndReason>,
}

impl Earlier {
    fn read(
        folder: &SessionFolder,
        session: &Planned,
        now: &Value,
        content: Option<&String>,
    ) -> Self {
        let then = fs::read(settings_path(folder)).ok();
        let then = then.and_then(|text| serde_json::from_slice::<Value>(&text).ok());
        let mut changed = differing(&then.unwrap_or_default(), now);
        let (of, end) = journal(folder).unwrap_or_default();
        // Tools of before noted no content of models; that they are others is told.
        if of.as_ref().is_some_and(|of| !of.is_empty()) && of.as_ref() != content {
            changed.insert(format!("the file of app `{}`", session.app.name));
        }
        // What was learned is written behind the journal's end, and may have found no room.
        let learns = session.strategy.kind.policy();
        let unsaved = learns.is_some_and(|policy| policy.save) && !folder.policy().is_file();
        let lost = |reason| unsaved && reason != EndReason::CannotLaunch;
        let of = of.filter(|_| folder.why_failed().is_none());
        Self {
            changed,
            end: end.filter(|&reason| of.is_some() && reason.came_to_end() && !lost(reason)),
        }
    }
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

/// Notes with which settings a session begins, so that a later run can tell whether it still holds. `ix`: its place
/// in the plan.
pub(super) fn begin(folder: &SessionFolder, settings: &Settings, ix: usize) -> io::Result<()> {
    folder.create()?;
    write_whole(&settings_path(folder), &pretty(&settings.0[ix])?)
}

fn settings_path(folder: &SessionFolder) -> PathBuf {
    folder.path().join("settings.json")
}
