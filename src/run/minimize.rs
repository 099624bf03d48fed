//! Minimizes the findings of a run: at the end of the run, or later from its folder.

mod confirm;
mod error;
mod follow;
mod job;
mod keep;
mod one;

use self::confirm::Pending;
pub use self::error::MinimizeError;
use self::follow::Met;
use self::job::{Cause, Job, in_order};
pub use self::keep::{Saved, conceal, save};
use self::keep::{given, is_done};
pub use self::one::{How, minimize};
use super::observer::Observer;
use super::prepare::Ready;
use super::replay_devices::{OnProgress, ReplayDevices};
use super::trace_targets::{TargetChoice, TraceTargets, substitutes};
use crate::config::{Screenshots, Suite};
use crate::device::DeviceError;
use crate::explore::Stop;
use crate::outcome::finding::FindingKind;
use crate::outcome::folder::{FindingFolder, RunFolder};
use crate::outcome::journal::JournalReader;
use crate::outcome::{Finding, Minimality};
use crate::repro::Spare;
use crate::trace::{Moves, SessionTraces, Trace, record};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;

/// Most traces of one cause to try until one reproduces it: each may use the full budget of a finding.
const TRACES: u32 = 3;

/// Inputs for minimizing a run's findings.
pub struct Task<'a> {
    /// The suite.
    pub suite: &'a Suite,
    /// The run's folder.
    pub folder: &'a RunFolder,
    /// Its apps.
    pub apps: &'a BTreeMap<String, Ready>,
    /// Causes that need no minimizing: the baseline has a trace of them.
    pub skip: BTreeSet<(String, String)>,
    /// Concurrent devices.
    pub jobs: usize,
    /// Do not download.
    pub offline: bool,
    /// Observes the progress.
    pub observer: &'a dyn Observer,
    /// Called with the progress of a device's preparation.
    pub on_progress: OnProgress,
    /// Set when the user interrupts.
    pub stop: &'a Stop,
    /// Minimize findings again that were minimized and confirmed before.
    pub again: bool,
    /// When to stop, beside the suite's limits; findings that were not reached keep their steps.
    pub until: Option<Instant>,
}

/// Findings observed while another was minimized, each with its trace.
type Others = Vec<(Finding, Trace)>;

impl Task<'_> {
    /// Minimizes every finding of the apps, each cause once, the shortest traces first.
    ///
    /// # Errors
    /// A device is not available, or a folder cannot be written. An interruption is not an error.
    pub fn run(&self) -> Result<(), MinimizeError> {
        self.run_only(&TargetChoice::default())
    }

    /// Does the user interrupt, or is the time used up?
    fn is_over(&self) -> bool {
        self.stop.requested() || self.until.is_some_and(|until| Instant::now() >= until)
    }

    /// The same for the chosen app, on the chosen device.
    ///
    /// # Errors
    /// As [`Task::run`].
    pub fn run_only(&self, only: &TargetChoice) -> Result<(), MinimizeError> {
        let targets = TraceTargets {
            suite: self.suite,
            apps: self.apps,
            only: only.clone(),
        };
        let work = Work {
            task: self,
            targets,
            sessions: self.folder.sessions()?,
            moves: BTreeMap::new(),
            traces: None,
            known: BTreeSet::new(),
            done: self.skip.clone(),
            tried: BTreeMap::new(),
            reported: BTreeSet::new(),
            spare: Spare::default(),
            spared: None,
            scratch: tempfile::tempdir()?,
            pending: Vec::new(),
            late: Vec::new(),
        };
        work.run()
    }
}

/// A task in progress.
struct Work<'a> {
    task: &'a Task<'a>,
    targets: TraceTargets<'a>,
    /// The run's sessions.
    sessions: Vec<String>,
    /// The moves between pages that they observed, by app and device.
    moves: BTreeMap<(String, String), Moves>,
    /// The traces of the session whose journal was read last.
    traces: Option<SessionTraces>,
    /// Causes that have, or will have, a finding in the run's folder.
    known: BTreeSet<Cause>,
    /// Causes that were reproduced. A session that replays observed findings may observe these again.
    done: BTreeSet<Cause>,
    /// Traces replayed of each cause.
    tried: BTreeMap<Cause, u32>,
    /// Substitutes for apps and devices that were reported to the user.
    reported: BTreeSet<String>,
    /// Devices left over from the last search, and what they fit: app, device and seed.
    spare: Spare,
    spared: Option<(String, String, u64)>,
    /// The devices' folders.
    scratch: tempfile::TempDir,
    /// Minimized findings to be confirmed.
    pending: Vec<Pending>,
    /// Findings observed in searches after a failed confirmation.
    late: Vec<(Job, FindingFolder, Others)>,
}

impl Work<'_> {
    fn run(mut self) -> Result<(), MinimizeError> {
        let mut jobs = Vec::new();
        for session in &self.sessions {
            jobs.extend(self.jobs_of(session)?);
        }
        if !self.task.again {
            let of = |job: &&Job| {
                self.task
                    .folder
                    .session(&job.session)
                    .finding(&job.finding.id)
            };
            let minimized = jobs.iter().filter(|job| is_done(&of(job)));
            let minimized: Vec<_> = minimized.map(Job::cause).collect();
            self.done.extend(minimized);
        }
        let mut done = Ok(());
        while !jobs.is_empty() && done.is_ok() {
            jobs = in_order(jobs);
            self.known.extend(jobs.iter().map(Job::cause));
            let mut met: BTreeMap<String, Vec<Met>> = BTreeMap::new();
            done = self.all(&jobs, &mut met);
            jobs = Vec::new();
            for (session, others) in met {
                if done.is_err() || self.task.is_over() {
                    for met in &others {
                        self.task.leave(met, "was not replayed")?;
                    }
                    continue;
                }
                match self.task.keep(&self.targets, &session, &others) {
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

    /// Minimizes these in order, each cause once, and collects other findings observed meanwhile by session.
    fn all(
        &mut self,
        jobs: &[Job],
        met: &mut BTreeMap<String, Vec<Met>>,
    ) -> Result<(), MinimizeError> {
        for job in jobs {
            if self.task.is_over() {
                break;
            }
            let cause = job.cause();
            let tried = self.tried.get(&cause).copied().unwrap_or(0);
            if !self.is_worth(job) || self.done.contains(&cause) || tried >= TRACES {
                continue;
            }
            let folder = self.task.folder.session(&job.session);
            let within = folder.finding(&job.finding.id);
            let others = self.one(job, &within, true)?;
            self.others(job, &within, others, met);
        }
        self.confirm()?;
        for (job, within, others) in std::mem::take(&mut self.late) {
            self.others(&job, &within, others, met);
        }
        Ok(())
    }

    /// Adds the findings observed while another was minimized, if they are new.
    fn others(
        &mut self,
        job: &Job,
        within: &FindingFolder,
        others: Others,
        met: &mut BTreeMap<String, Vec<Met>>,
    ) {
        for (finding, trace) in others {
            let cause = (job.app.clone(), finding.fingerprint.clone());
            if self.known.insert(cause) {
                met.entry(job.session.clone()).or_default().push(Met {
                    finding,
                    trace,
                    within: (within.clone(), job.finding.id.clone()),
                });
            }
        }
    }

    /// The findings of a session that belong to the chosen app.
    fn jobs_of(&self, session: &str) -> Result<Vec<Job>, MinimizeError> {
        let folder = self.task.folder.session(session);
        // The reports warn of a session that cannot be read; skip it here.
        let Ok(journal) = JournalReader::open(&folder.journal()) else {
            return Ok(Vec::new());
        };
        let header = journal.header();
        let (app, package) = header
            .map(|h| (h.app.clone(), h.package.clone()))
            .unwrap_or_default();
        let (device, seed) = header
            .map(|h| (h.device.clone(), h.seed))
            .unwrap_or_default();
        if !self.targets.wants(&app, &package) {
            return Ok(Vec::new());
        }
        let job = |(finding, steps)| Job {
            app: app.clone(),
            session: session.to_owned(),
            device: device.clone(),
            seed,
            finding,
            steps,
        };
        Ok(record::write_all(&folder)?.into_iter().map(job).collect())
    }

    /// The moves between pages of the trace's app on its device that the sessions observed.
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

    /// Is it a failure of the app, and does the suite minimize its level?
    fn is_worth(&self, job: &Job) -> bool {
        job.finding.environment.is_none()
            && job.finding.kind != FindingKind::Environment
            && (!job.finding.warning || self.task.suite.settings.minimize.warnings)
    }

    /// Minimizes one finding, saves the result in its folder, and returns other findings observed meanwhile. `later`:
    /// what reproduces each time is confirmed later, together with others.
    fn one(
        &mut self,
        job: &Job,
        folder: &FindingFolder,
        later: bool,
    ) -> Result<Others, MinimizeError> {
        let (task, id) = (self.task, &job.finding.id);
        // A trace may have been edited; one that cannot be read does not affect the others.
        let session = task.folder.session(&job.session);
        let trace = match given(&session, id, &mut self.traces)? {
            Ok(trace) => trace,
            Err(error) => {
                let help = error.help.as_ref().map(|help| format!("; {help}"));
                let said = format!("not minimized: {error}{}", help.unwrap_or_default());
                task.observer.warn(&said);
                return Ok(Vec::new());
            }
        };
        let (ready, device) = match self.targets.of(&trace) {
            Ok(found) => found,
            Err(why) => {
                let (of, session) = (&trace.app.package, &job.session);
                let said =
                    format!("{id} of {session} is not minimized: its package is {of}, and {why}");
                task.observer.warn(&said);
                return Ok(Vec::new());
            }
        };
        if let Some((script, _)) = ready.guide.asked_by(&trace).next() {
            let session = &job.session;
            task.observer.warn(&format!(
                "{id} of {session} is not minimized: the script `{script}` asks for what it types; `replay --ask` replays it"
            ));
            return Ok(Vec::new());
        }
        if let Some(substitutes) = substitutes(&trace, ready, device)
            && self.reported.insert(substitutes.clone())
        {
            task.observer
                .warn(&format!("minimizing with {substitutes}"));
        }
        let place = (
            trace.app.name.clone(),
            trace.device.name.clone(),
            trace.seed,
        );
        if !later || self.spared.as_ref() != Some(&place) {
            self.spare.clear();
            self.spared = Some(place);
        }
        let devices = ReplayDevices {
            suite: task.suite,
            ready,
            device,
            seed: trace.seed,
            folder: self.scratch.path().to_owned(),
            offline: task.offline,
            on_progress: Arc::clone(&task.on_progress),
            coverage: false,
            stop: task.stop,
        };
        let place = (trace.app.name.clone(), trace.device.name.clone());
        if !self.moves.contains_key(&place) {
            let moves = self.moves_of(&trace);
            self.moves.insert(place.clone(), moves);
        }
        task.observer.minimizing(&job.finding, trace.steps.len());
        if later {
            *self.tried.entry(job.cause()).or_default() += 1;
        }
        let pictures = tempfile::tempdir()?;
        let moves = &self.moves[&place];
        let folder_of = FindingFolder::at(pictures.path().to_owned());
        let how = How {
            jobs: task.jobs,
            spare: later.then_some(&self.spare),
            until: task.until,
        };
        let mut minimized = minimize(&devices, &trace, moves, how, &folder_of)?;
        conceal(&mut minimized, &ready.secrets);
        let others = std::mem::take(&mut minimized.others);
        if minimized.reproduction.minimality != Minimality::NotReproduced {
            self.done.insert(job.cause());
        }
        let done = Pending::new(job.clone(), folder.clone(), trace, minimized, pictures);
        if done.is_open() {
            // Save it in case the run is interrupted.
            done.save()?;
            self.pending.push(done);
        } else {
            self.keep(&done)?;
        }
        Ok(others)
    }

    /// Does the suite enable screenshots?
    fn pictures(&self) -> bool {
        self.task.suite.settings.report.screenshots != Screenshots::None
    }
}
