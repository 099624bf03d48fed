//! The findings of a run cut down to the fewest steps: by the run itself at its end, or later from its folder.

mod follow;
mod keep;

use self::follow::Met;
pub use self::keep::{Saved, conceal, save};
use super::cast::{Cast, Only, stand_ins};
use super::prepare::Ready;
use super::stage::{Stage, Told};
use super::watch::Watch;
use crate::config::{Screenshots, Suite};
use crate::device::DeviceError;
use crate::explore::{SessionError, Stop};
use crate::outcome::finding::FindingKind;
use crate::outcome::folder::{FindingFolder, RunFolder};
use crate::outcome::journal::JournalReader;
use crate::outcome::{Finding, Minimality};
use crate::repro::{Means, Minimized, task};
use crate::trace::{self, Moves, Trace, record};
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::Arc;

/// So many traces of one cause are tried at most, until one leads there: each may cost the whole budget of a finding.
const TRACES: u32 = 3;

/// What minimizing a run's findings needs.
pub struct Task<'a> {
    /// The suite.
    pub suite: &'a Suite,
    /// The run's folder.
    pub folder: &'a RunFolder,
    /// Its apps.
    pub apps: &'a BTreeMap<String, Ready>,
    /// Devices at once.
    pub jobs: usize,
    /// Fetch nothing.
    pub offline: bool,
    /// Is told what goes on.
    pub watch: &'a dyn Watch,
    /// Hears of a device's preparation.
    pub told: Told,
    /// The user's wish to stop.
    pub stop: &'a Stop,
}

/// Why findings could not be minimized.
#[derive(Debug, thiserror::Error)]
pub enum MinimizeError {
    /// The run's folder cannot be read or written.
    #[error("cannot keep what came of minimizing: {0}")]
    Folder(#[from] io::Error),
    /// A device cannot be had.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// The session of findings met by chance failed.
    #[error(transparent)]
    Session(#[from] SessionError),
}

/// A finding in a session's folder.
struct Job {
    app: String,
    session: String,
    finding: Finding,
    steps: usize,
}

/// An app's failure, whichever session met it.
type Cause = (String, String);

impl Job {
    fn cause(&self) -> Cause {
        (self.app.clone(), self.finding.fingerprint.clone())
    }
}

impl Task<'_> {
    /// Minimizes every finding of the apps, each cause once, the shortest traces first.
    ///
    /// # Errors
    /// A device that cannot be had, a folder that cannot be written. Interruption ends it in good order.
    pub fn run(&self) -> Result<(), MinimizeError> {
        self.run_only(&Only::default())
    }

    /// The same for the findings, and on the device, that the user chose.
    ///
    /// # Errors
    /// As [`Task::run`].
    pub fn run_only(&self, only: &Only) -> Result<(), MinimizeError> {
        let cast = Cast {
            suite: self.suite,
            apps: self.apps,
            only: only.clone(),
        };
        let work = Work {
            task: self,
            cast,
            sessions: self.folder.sessions()?,
            moves: BTreeMap::new(),
            known: BTreeSet::new(),
            done: BTreeSet::new(),
            tried: BTreeMap::new(),
            told: BTreeSet::new(),
        };
        work.run()
    }
}

/// A task under way.
struct Work<'a> {
    task: &'a Task<'a>,
    cast: Cast<'a>,
    /// The run's own sessions.
    sessions: Vec<String>,
    /// What they have seen lead where, by app and device.
    moves: BTreeMap<(String, String), Moves>,
    /// Causes that have a finding in the run's folder, or are about to get one.
    known: BTreeSet<Cause>,
    /// Causes that have come again. A session that follows what was met on the way meets these, too.
    done: BTreeSet<Cause>,
    /// Traces replayed of each cause.
    tried: BTreeMap<Cause, u32>,
    /// Stand-ins that the user has heard of.
    told: BTreeSet<String>,
}

impl Work<'_> {
    fn run(mut self) -> Result<(), MinimizeError> {
        let mut jobs = Vec::new();
        for session in &self.sessions {
            jobs.extend(self.jobs_of(session)?);
        }
        let mut done = Ok(());
        while !jobs.is_empty() && done.is_ok() {
            jobs.sort_by_key(|job| job.steps);
            self.known.extend(jobs.iter().map(Job::cause));
            let mut met: BTreeMap<String, Vec<Met>> = BTreeMap::new();
            done = self.all(&jobs, &mut met);
            jobs = Vec::new();
            for (session, others) in met {
                if done.is_err() || self.task.stop.requested() {
                    for met in &others {
                        self.task.leave(met, "was not followed")?;
                    }
                    continue;
                }
                match self.task.keep(&self.cast, &session, &others) {
                    Ok(Some(name)) => jobs.extend(self.jobs_of(&name)?),
                    Ok(None) => {}
                    Err(error) => done = Err(error),
                }
            }
        }
        match done {
            Err(MinimizeError::Device(DeviceError::Interrupted)) => Ok(()),
            done => done,
        }
    }

    /// Minimizes these in order, each cause once, and gathers by their sessions what was met on the way.
    fn all(
        &mut self,
        jobs: &[Job],
        met: &mut BTreeMap<String, Vec<Met>>,
    ) -> Result<(), MinimizeError> {
        for job in jobs {
            if self.task.stop.requested() {
                break;
            }
            let cause = job.cause();
            let tried = self.tried.get(&cause).copied().unwrap_or(0);
            if !self.is_worth(job) || self.done.contains(&cause) || tried >= TRACES {
                continue;
            }
            let folder = self.task.folder.session(&job.session);
            let within = folder.finding(&job.finding.id);
            for (finding, trace) in self.one(job, &within)? {
                if self
                    .known
                    .insert((job.app.clone(), finding.fingerprint.clone()))
                {
                    met.entry(job.session.clone()).or_default().push(Met {
                        finding,
                        trace,
                        within: (within.clone(), job.finding.id.clone()),
                    });
                }
            }
        }
        Ok(())
    }

    /// All findings of a session that are wanted.
    fn jobs_of(&self, session: &str) -> Result<Vec<Job>, MinimizeError> {
        let folder = self.task.folder.session(session);
        // A session that cannot be read is the reports' affair; the others are minimized all the same.
        let Ok(journal) = JournalReader::open(&folder.journal()) else {
            return Ok(Vec::new());
        };
        let header = journal.header();
        let (app, package) = header
            .map(|h| (h.app.clone(), h.package.clone()))
            .unwrap_or_default();
        if !self.cast.wants(&app, &package) {
            return Ok(Vec::new());
        }
        let job = |(finding, steps)| Job {
            app: app.clone(),
            session: session.to_owned(),
            finding,
            steps,
        };
        Ok(record::write_all(&folder)?.into_iter().map(job).collect())
    }

    /// What these sessions saw lead from page to page of the trace's app on its device.
    fn moves_of(&self, trace: &Trace) -> Moves {
        let mut moves = Moves::default();
        for session in &self.sessions {
            let folder = self.task.folder.session(session);
            let header = JournalReader::open(&folder.journal())
                .ok()
                .and_then(|journal| journal.header().cloned());
            if header.is_some_and(|h| h.app == trace.app.name && h.device == trace.device.name) {
                moves.add(&folder);
            }
        }
        moves
    }

    /// Is it the app's fault, and of a kind that the suite wants short?
    fn is_worth(&self, job: &Job) -> bool {
        job.finding.environment.is_none()
            && job.finding.kind != FindingKind::Environment
            && (!job.finding.warning || self.task.suite.settings.minimize.warnings)
    }

    /// Minimizes one finding and keeps what came of it in its folder; gives the others met on the way.
    fn one(
        &mut self,
        job: &Job,
        folder: &FindingFolder,
    ) -> Result<Vec<(Finding, Trace)>, MinimizeError> {
        let (task, id) = (self.task, &job.finding.id);
        let file = folder.trace();
        // A trace may have been edited; one that cannot be read costs the others nothing.
        let trace = match trace::load(&file) {
            Ok(trace) => trace,
            Err(error) => {
                let help = error.help.as_ref().map(|help| format!("; {help}"));
                let said = format!("not minimized: {error}{}", help.unwrap_or_default());
                task.watch.warn(&said);
                return Ok(Vec::new());
            }
        };
        let (ready, device) = match self.cast.of(&trace) {
            Ok(found) => found,
            Err(why) => {
                let (of, session) = (&trace.app.package, &job.session);
                let said = format!("{id} of {session} is not minimized: it is of {of}, and {why}");
                task.watch.warn(&said);
                return Ok(Vec::new());
            }
        };
        if let Some(told) = stand_ins(&trace, ready, device)
            && self.told.insert(told.clone())
        {
            task.watch.warn(&format!("minimizing on {told}"));
        }
        let scratch = tempfile::tempdir()?;
        let stage = Stage {
            suite: task.suite,
            ready,
            device,
            seed: trace.seed,
            folder: scratch.path().to_owned(),
            offline: task.offline,
            told: Arc::clone(&task.told),
            stop: task.stop,
        };
        let place = (trace.app.name.clone(), trace.device.name.clone());
        if !self.moves.contains_key(&place) {
            let moves = self.moves_of(&trace);
            self.moves.insert(place.clone(), moves);
        }
        task.watch.minimizing(&job.finding, trace.steps.len());
        *self.tried.entry(job.cause()).or_default() += 1;
        let pictures = FindingFolder::at(scratch.path().join("pictures"));
        pictures.create()?;
        let moves = &self.moves[&place];
        let mut minimized = minimize(&stage, &trace, moves, task.jobs, &pictures)?;
        conceal(&mut minimized, &ready.secrets);
        task.watch.minimized(&job.finding, &minimized.reproduction);
        let saved = save(folder, &file, &pictures, &minimized)?;
        if let Some(said) = saved.words() {
            task.watch.warn(&format!("{id}: {said}"));
        }
        if minimized.reproduction.minimality != Minimality::NotReproduced {
            self.done.insert(job.cause());
        }
        Ok(minimized.others)
    }
}

/// Minimizes the finding of a trace by the suite's means, by ways that `moves` know too; pictures go to this
/// folder.
///
/// # Errors
/// A device that cannot be had, the user's wish to stop.
pub fn minimize(
    stage: &Stage<'_>,
    trace: &Trace,
    moves: &Moves,
    jobs: usize,
    folder: &FindingFolder,
) -> Result<Minimized, DeviceError> {
    let settings = &stage.suite.settings;
    let means = Means {
        replays: settings.minimize.replays,
        time: settings.minimize.time.0,
        confirm: settings.minimize.confirm,
        workers: jobs.min(stage.device.at_once() as usize),
    };
    let pictures = settings.report.screenshots != Screenshots::None;
    let picture = |number| pictures.then(|| folder.step_image(number));
    let make = |number, turn| stage.runner(number, turn, trace.finding.kind);
    task::minimize(trace, moves, &make, &means, &picture)
}
