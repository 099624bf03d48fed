//! The replays of the gate: known findings before the app is explored; new ones on a base build and on another device.

mod base;
mod stored;

use super::observer::Observer;
use super::prepare::Ready;
use super::replay_devices::ReplayDevices;
use super::slots::Slots;
use super::trace_targets::{TargetChoice, TraceTargets};
use crate::config::{self, Suite};
use crate::device::DeviceError;
use crate::explore::Stop;
use crate::outcome::Reproduction;
use crate::outcome::folder::RunFolder;
use crate::outcome::journal::JournalReader;
use crate::outcome::verdict::{GateReplay, Purpose};
use crate::repro::End;
use crate::repro::replay::Gone;
use crate::trace::find::Fit;
use crate::trace::{self, Expected, SessionTraces, Trace, record};
use crate::util::foreign;
use crate::util::text::Redactor;
use camino::Utf8PathBuf;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

pub(super) use base::base_builds;
pub use stored::read;
use stored::write;
pub(super) use stored::{merge, reproduced};

/// A finding of the baseline with its trace.
#[derive(Clone, Debug)]
pub struct Known {
    /// App's name in the suite.
    pub app: String,
    /// Fingerprint.
    pub fingerprint: String,
    /// The steps that lead to it.
    pub trace: Trace,
}

/// What the gate replays.
#[derive(Clone, Debug, Default)]
pub struct Replays {
    /// Findings of the baseline that have a trace.
    pub known: Vec<Known>,
    /// App and fingerprint of every entry of the baseline: these need no base build.
    pub listed: BTreeSet<(String, String)>,
    /// Base builds: APKs, or models for the sim device.
    pub base: Vec<Utf8PathBuf>,
    /// The `mapping.txt` of the base build.
    pub base_mapping: Option<Utf8PathBuf>,
    /// The device that confirms new findings.
    pub confirm: Option<String>,
    /// Replays of a finding, each in a new process, until one shows it.
    pub replays: u32,
}

/// The gate of a run in progress.
pub(super) struct Gate<'a> {
    pub suite: &'a Suite,
    pub wanted: &'a Replays,
    pub apps: &'a BTreeMap<String, Ready>,
    /// The apps' base builds, by the app's name.
    pub base: &'a BTreeMap<String, Ready>,
    pub jobs: usize,
    pub offline: bool,
    pub observer: &'a dyn Observer,
    pub stop: &'a Stop,
}

/// One trace to replay.
struct Job<'a> {
    purpose: Purpose,
    fingerprint: String,
    trace: Trace,
    ready: &'a Ready,
    device: &'a config::Device,
}

impl<'a> Gate<'a> {
    /// Replays the known findings of the run's apps.
    ///
    /// # Errors
    /// The results cannot be written.
    pub(super) fn known(&self, folder: &RunFolder) -> io::Result<()> {
        let targets = self.targets(self.apps, None);
        let mut jobs = Vec::new();
        let mut results = Vec::new();
        let known = self.wanted.known.iter();
        for known in known.filter(|known| self.apps.contains_key(&known.app)) {
            match targets.of(&known.trace) {
                Ok((ready, device)) => jobs.push(Job {
                    purpose: Purpose::Known,
                    fingerprint: known.fingerprint.clone(),
                    trace: known.trace.clone(),
                    ready,
                    device,
                }),
                Err(why) => results.push(GateReplay {
                    purpose: Purpose::Known,
                    app: known.app.clone(),
                    fingerprint: known.fingerprint.clone(),
                    device: String::new(),
                    reproduced: 0,
                    of: 0,
                    wanted: u64::from(self.wanted.replays),
                    problem: Some(format!(
                        "the package of its trace is {}, and {why}",
                        known.trace.app.package
                    )),
                }),
            }
        }
        results.extend(self.all(&jobs));
        write(folder, &results)
    }

    /// Replays the new findings on the base builds and on the device that confirms, and adds the results.
    ///
    /// # Errors
    /// The run's folder cannot be read or written.
    pub(super) fn fresh(&self, folder: &RunFolder) -> io::Result<()> {
        let confirm = self.wanted.confirm.as_ref();
        if self.base.is_empty() && confirm.is_none() {
            return Ok(());
        }
        let bases = self.targets(self.base, None);
        let second = self.targets(self.apps, confirm.cloned());
        let mut jobs = Vec::new();
        let mut results = read(folder);
        for (fingerprint, trace, devices) in self.new_findings(folder)? {
            let mut add = |purpose, targets: &TraceTargets<'a>| {
                // An app that the second device cannot run keeps its findings as they are.
                if let Ok((ready, device)) = targets.of(&trace) {
                    jobs.push(Job {
                        purpose,
                        fingerprint: fingerprint.clone(),
                        trace: trace.clone(),
                        ready,
                        device,
                    });
                }
            };
            if self.base.contains_key(&trace.app.name) {
                add(Purpose::Base, &bases);
            }
            match confirm {
                Some(name) if devices.contains(name) => results.push(GateReplay {
                    purpose: Purpose::Confirm,
                    app: trace.app.name.clone(),
                    fingerprint: fingerprint.clone(),
                    device: name.clone(),
                    reproduced: 1,
                    of: 1,
                    wanted: 1,
                    problem: None,
                }),
                Some(_) => add(Purpose::Confirm, &second),
                None => {}
            }
        }
        results.extend(self.all(&jobs));
        write(folder, &results)
    }

    fn targets(
        &self,
        apps: &'a BTreeMap<String, Ready>,
        device: Option<String>,
    ) -> TraceTargets<'a> {
        TraceTargets {
            suite: self.suite,
            apps,
            only: TargetChoice { app: None, device },
        }
    }

    /// Fingerprint, shortest trace and devices of each finding that is not in the baseline and may fail: no warning, no device
    /// limitation, not known to be flaky.
    fn new_findings(
        &self,
        folder: &RunFolder,
    ) -> io::Result<Vec<(String, Trace, BTreeSet<String>)>> {
        let mut found: BTreeMap<(String, String), (Trace, BTreeSet<String>)> = BTreeMap::new();
        for session in folder.sessions()? {
            let session = folder.session(&session);
            // The reports name a session that cannot be read.
            if JournalReader::open(&session.journal()).is_err() {
                continue;
            }
            let mut traces = None;
            for (finding, _) in record::write_all(&session)? {
                let files = session.finding(&finding.id);
                let shortest = [files.minimized(), files.trace()];
                let trace = match shortest.iter().find(|file| file.is_file()) {
                    Some(file) => trace::load(file).ok(),
                    // Too long to be written for each finding.
                    None => SessionTraces::cached(&mut traces, &session)?.trace(&finding.id),
                };
                let Some(trace) = trace else { continue };
                let cause = (trace.app.name.clone(), finding.fingerprint.clone());
                if finding.warning
                    || finding.environment.is_some()
                    || self.wanted.listed.contains(&cause)
                    || is_flaky(&files.reproduction())
                {
                    continue;
                }
                let known = found.entry(cause);
                let (shortest, devices) = known.or_insert_with(|| (trace.clone(), BTreeSet::new()));
                devices.insert(trace.device.name.clone());
                if trace.steps.len() < shortest.steps.len() {
                    *shortest = trace;
                }
            }
        }
        let found = found.into_iter();
        Ok(found
            .map(|((_, print), (trace, devices))| (print, trace, devices))
            .collect())
    }

    /// Replays all jobs, as many side by side as the devices and `-j` allow.
    fn all(&self, jobs: &[Job<'_>]) -> Vec<GateReplay> {
        let most = Slots::new(self.jobs);
        let slots = jobs.iter().map(|job| most.of(job.device)).min();
        let workers = slots.unwrap_or(1).min(self.jobs).min(jobs.len()).max(1);
        let next = AtomicUsize::new(0);
        let results = Mutex::new(vec![None; jobs.len()]);
        let work = |worker: usize| {
            while let Some((at, job)) = {
                let at = next.fetch_add(1, Ordering::Relaxed);
                jobs.get(at).map(|job| (at, job))
            } {
                if self.stop.requested() {
                    break;
                }
                let result = self.one(worker, job);
                self.observer.replayed(&job.trace, &result);
                results.lock().unwrap_or_else(PoisonError::into_inner)[at] = Some(result);
            }
        };
        thread::scope(|scope| {
            for worker in 1..workers {
                scope.spawn({
                    let work = &work;
                    move || work(worker)
                });
            }
            work(0);
        });
        let results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
        results.into_iter().flatten().collect()
    }

    /// Replays a trace in new processes until one shows its finding, at most `replays` times.
    fn one(&self, worker: usize, job: &Job<'_>) -> GateReplay {
        let mut result = GateReplay {
            purpose: job.purpose,
            app: job.ready.app.name.clone(),
            fingerprint: job.fingerprint.clone(),
            device: job.device.name.clone(),
            reproduced: 0,
            of: 0,
            wanted: u64::from(self.wanted.replays),
            problem: None,
        };
        let failed = |error: &dyn std::fmt::Display| Some(format!("the device failed: {error}"));
        let scratch = match tempfile::tempdir() {
            Ok(folder) => folder,
            Err(error) => {
                result.problem = failed(&error);
                return result;
            }
        };
        let devices = ReplayDevices {
            suite: self.suite,
            ready: job.ready,
            device: job.device,
            seed: job.trace.seed,
            folder: scratch.path().to_owned(),
            offline: self.offline,
            on_progress: Arc::new(|_, _, _| {}),
            coverage: false,
            stop: self.stop,
        };
        let trace = &job.trace;
        let kind = trace.kind();
        let wanted = trace.finding.clone().map(|finding| Expected {
            fingerprint: Some(job.fingerprint.clone()),
            ..finding
        });
        for turn in 0..self.wanted.replays {
            let replay = devices
                .runner(worker, u64::from(turn), kind)
                .and_then(|mut runner| {
                    runner.replay(
                        &trace.steps,
                        wanted.as_ref(),
                        (Fit::Loose, Gone::Ends),
                        None,
                    )
                });
            match replay.map(|replay| replay.end) {
                Ok(End::Reproduced { .. }) => {
                    result.of += 1;
                    result.reproduced += 1;
                    result.problem = None;
                    break;
                }
                Ok(End::NotMet) => result.of += 1,
                Ok(End::Diverged { step, why }) => {
                    result.problem = Some(format!("step {step} no longer fits the app: {why}"));
                }
                Err(DeviceError::Interrupted) => {
                    result.problem = Some("interrupted".into());
                    break;
                }
                Err(error) => {
                    result.problem = failed(&error);
                    break;
                }
            }
        }
        // The words of a step may hold what the suite types.
        let secrets = Redactor::new(job.ready.secrets.iter().cloned()).and_words();
        result.problem = result
            .problem
            .map(|text| secrets.redact(&text).into_owned());
        result
    }
}

fn is_flaky(reproduction: &Path) -> bool {
    let found = foreign::read(reproduction).ok();
    let found = found.and_then(|text| serde_json::from_slice::<Reproduction>(&text).ok());
    found.is_some_and(|found| found.reproduced < found.of)
}
