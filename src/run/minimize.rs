//! The findings of a run cut down to the fewest steps: by the run itself at its end, or later from its folder.

use super::devices::{self, Request};
use super::prepare::Ready;
use super::record::SessionRecorder;
use super::stage::{Stage, Told};
use super::watch::{Silent, Watch};
use crate::config::{Device, Screenshots, Suite};
use crate::device::DeviceError;
use crate::explore::text::TextGenerator;
use crate::explore::{Budget, Guide, Session, SessionError, Settings, Stop};
use crate::oracle;
use crate::outcome::Finding;
use crate::outcome::finding::FindingKind;
use crate::outcome::folder::{FindingFolder, RunFolder, SessionFolder, pretty, write_whole};
use crate::outcome::journal::JournalReader;
use crate::outcome::run_event::SessionHeader;
use crate::repro::{Means, Minimized, Script, task};
use crate::reward::Novelty;
use crate::trace::{self, Moves, Trace, record, write};
use crate::util::seed;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::Arc;
use std::time::Duration;

/// The strategy's name in the session that holds what minimizing met by chance.
const STRATEGY: &str = "minimize";

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

impl Job {
    /// An app's failure, whichever session met it.
    fn cause(&self) -> (String, String) {
        (self.app.clone(), self.finding.fingerprint.clone())
    }
}

impl Task<'_> {
    /// Minimizes every finding of the apps, each cause once, the shortest traces first.
    ///
    /// # Errors
    /// A device that cannot be had, a folder that cannot be written. Interruption ends it in good order.
    pub fn run(&self) -> Result<(), MinimizeError> {
        let mut known = BTreeSet::new();
        // A session that follows what was met on the way meets what was minimized before, too.
        let mut done = BTreeSet::new();
        let mut jobs = Vec::new();
        let sessions = self.folder.sessions()?;
        for session in &sessions {
            jobs.extend(self.jobs_of(session)?);
        }
        let mut moves = BTreeMap::new();
        while !jobs.is_empty() {
            jobs.sort_by_key(|job| job.steps);
            known.extend(jobs.iter().map(Job::cause));
            let mut met: BTreeMap<String, Vec<(Finding, Trace)>> = BTreeMap::new();
            for job in &jobs {
                if !self.is_worth(job) || !done.insert(job.cause()) || self.stop.requested() {
                    continue;
                }
                let others = match self.one(job, &sessions, &mut moves) {
                    Err(MinimizeError::Device(DeviceError::Interrupted)) => return Ok(()),
                    done => done?,
                };
                for (finding, trace) in others {
                    if known.insert((job.app.clone(), finding.fingerprint.clone())) {
                        let met = met.entry(job.session.clone()).or_default();
                        met.push((finding, trace));
                    }
                }
            }
            jobs = Vec::new();
            for (session, others) in met {
                if !self.stop.requested() {
                    jobs.extend(self.keep(&session, &others)?);
                }
            }
        }
        Ok(())
    }

    /// All findings of a session.
    fn jobs_of(&self, session: &str) -> Result<Vec<Job>, MinimizeError> {
        let folder = self.folder.session(session);
        // A session that cannot be read is the reports' affair; the others are minimized all the same.
        let Ok(journal) = JournalReader::open(&folder.journal()) else {
            return Ok(Vec::new());
        };
        let app = journal.header().map(|h| h.app.clone()).unwrap_or_default();
        let job = |(finding, steps)| Job {
            app: app.clone(),
            session: session.to_owned(),
            finding,
            steps,
        };
        Ok(record::write_all(&folder)?.into_iter().map(job).collect())
    }

    /// What these sessions saw lead from page to page of the trace's app on its device.
    fn moves_of(&self, trace: &Trace, sessions: &[String]) -> Moves {
        let mut moves = Moves::default();
        for session in sessions {
            let folder = self.folder.session(session);
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
            && (!job.finding.warning || self.suite.settings.minimize.warnings)
            && self.apps.contains_key(&job.app)
    }

    /// Minimizes one finding and keeps what came of it; gives the others met on the way.
    fn one(
        &self,
        job: &Job,
        sessions: &[String],
        known: &mut BTreeMap<(String, String), Moves>,
    ) -> Result<Vec<(Finding, Trace)>, MinimizeError> {
        let folder = self.folder.session(&job.session).finding(&job.finding.id);
        let file = folder.trace();
        // A trace may have been edited; one that cannot be read costs the others nothing.
        let trace = match trace::load(&file) {
            Ok(trace) => trace,
            Err(error) => {
                let help = error.help.as_ref().map(|help| format!("; {help}"));
                let said = format!("not minimized: {error}{}", help.unwrap_or_default());
                self.watch.warn(&said);
                return Ok(Vec::new());
            }
        };
        let Some((ready, device)) = self.cast(&trace) else {
            return Ok(Vec::new());
        };
        let scratch = tempfile::tempdir()?;
        let stage = Stage {
            suite: self.suite,
            ready,
            device,
            seed: trace.seed,
            folder: scratch.path().to_owned(),
            offline: self.offline,
            told: Arc::clone(&self.told),
            stop: self.stop,
        };
        let moves = known
            .entry((trace.app.name.clone(), trace.device.name.clone()))
            .or_insert_with(|| self.moves_of(&trace, sessions));
        self.watch.minimizing(&job.finding, trace.steps.len());
        let minimized = minimize(&stage, &trace, moves, self.jobs, &folder)?;
        self.watch.minimized(&job.finding, &minimized.reproduction);
        save(&folder, &minimized)?;
        Ok(minimized.others)
    }

    fn cast(&self, trace: &Trace) -> Option<(&Ready, &Device)> {
        let devices = &self.suite.settings.devices;
        let device = devices
            .iter()
            .find(|device| device.name == trace.device.name)?;
        Some((self.apps.get(&trace.app.name)?, device))
    }

    /// A session of its own for findings met by chance, so that they have all that findings have.
    fn keep(&self, session: &str, others: &[(Finding, Trace)]) -> Result<Vec<Job>, MinimizeError> {
        let header = JournalReader::open(&self.folder.session(session).journal())
            .map_err(io::Error::other)?
            .header()
            .cloned();
        let traces: Vec<&Trace> = others.iter().map(|(_, trace)| trace).collect();
        let (Some(header), Some(trace)) = (header, traces.first()) else {
            return Ok(Vec::new());
        };
        let Some((ready, device)) = self.cast(trace) else {
            return Ok(Vec::new());
        };
        let (name, folder) = self.free_name(&header);
        let header = SessionHeader {
            session: name.clone(),
            strategy: STRATEGY.into(),
            // Their steps are in the traces.
            scripts: Vec::new(),
            ..header
        };
        self.follow(header, &traces, ready, device, &folder)?;
        self.jobs_of(&name)
    }

    /// A name that no session of the run has yet.
    fn free_name(&self, header: &SessionHeader) -> (String, SessionFolder) {
        let base = format!(
            "{}-{}-{STRATEGY}-{}",
            header.app, header.device, header.seed
        );
        let numbered = (2..).map(|n| format!("{base}-{n}"));
        let mut names = std::iter::once(base.clone()).chain(numbered);
        let free = names.find(|name| !self.folder.session(name).path().exists());
        let name = free.unwrap_or(base);
        let folder = self.folder.session(&name);
        (name, folder)
    }

    /// A session that follows these traces.
    fn follow(
        &self,
        header: SessionHeader,
        traces: &[&Trace],
        ready: &Ready,
        device: &Device,
        folder: &SessionFolder,
    ) -> Result<(), MinimizeError> {
        let settings = &self.suite.settings;
        let silent = Silent;
        let screenshots = settings.report.screenshots;
        let mut recorder =
            SessionRecorder::create(folder.clone(), &ready.secrets, screenshots, &silent, 0)?;
        let request = Request {
            device,
            seed: header.seed,
            folder,
            offline: self.offline,
            anr: settings.oracles.anr.after.0,
            coverage: false,
            retries: settings.retries,
        };
        let told = Arc::clone(&self.told);
        let told = move |what: &str, done, total| told(what, done, total);
        let mut made = devices::make(&request, ready, told, self.stop)?;
        let mut script = Script::new(traces.iter().copied(), Arc::new(ready.texts.clone()));
        let rng = seed::generator(header.seed, &header.app, STRATEGY, 0);
        let session = Session::new(
            Settings {
                budget: Budget::default(),
                retries: settings.retries.count,
                header,
                manifest_events: ready.events.clone(),
                guide: Guide::default(),
                texts: TextGenerator::default(),
                throttle: Duration::ZERO,
                backoff: settings.retries.backoff.0,
            },
            made.device.as_mut(),
            &mut script,
            oracle::registry::make(&settings.oracles, ready.mapping.as_ref()),
            Box::new(Novelty::default()),
            &mut recorder,
            rng,
        );
        session.run(self.stop)?;
        recorder.finish()?;
        Ok(())
    }
}

/// Minimizes the finding of a trace by the suite's means, by ways that `moves` know too; pictures go to this folder.
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
        workers: jobs.min(stage.device.count as usize),
    };
    let pictures = settings.report.screenshots != Screenshots::None;
    let picture = |number| pictures.then(|| folder.step_image(number));
    let make = |number| stage.runner(number, trace.finding.kind);
    task::minimize(trace, moves, &make, &means, &picture)
}

/// Writes what came of a finding into its folder, in place of what came of it before: where it did not come again,
/// nothing short is left there.
///
/// # Errors
/// A file cannot be written or deleted.
pub fn save(folder: &FindingFolder, minimized: &Minimized) -> io::Result<()> {
    match &minimized.trace {
        Some(trace) => write_whole(&folder.minimized(), write(trace).as_bytes())?,
        None => folder.forget_minimized()?,
    }
    let steps = minimized.trace.as_ref().map_or(0, |t| t.steps.len());
    folder.forget_step_images(steps)?;
    write_whole(&folder.reproduction(), &pretty(&minimized.reproduction)?)
}
