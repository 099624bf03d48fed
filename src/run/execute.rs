//! Executes a plan: workers take sessions, each with a separate device and strategy.

mod subject;
mod work;

mod people;

use super::budget::budget;
use super::changed::{self, Comparison};
use super::corpus;
use super::devices;
use super::failed::{self, SessionFailed};
use super::gate::{self, Gate};
use super::inputs::Inputs;
use super::learning::{self, Models, Origins};
use super::merged_apk;
use super::minimize::Task;
use super::observer::{Observer, Phase};
use super::options::{Options, Outcome, RunError};
use super::plan::Plan;
use super::pool::Pool;
use super::prepare::{self, Ready};
use super::record::SessionRecorder;
use super::redacting_observer::RedactingObserver;
use super::resume;
use super::reuse::Reuse;
use super::run_header;
use super::slots::{self, Slots};
use super::total::{self, Pot};
use crate::config::Suite;
use crate::explore::budget::{Budget, Share};
use crate::explore::corpus::Kept;
use crate::explore::group::Seat;
use crate::explore::session::{Offer, SessionError};
use crate::explore::text::TextGenerator;
use crate::explore::{Corpus, Session, Settings, Stop};
use crate::oracle;
use crate::outcome::folder::{RunFolder, SessionFolder};
use crate::outcome::run_event::{EndReason, SessionHeader};
use crate::reward::Novelty;
use crate::trace::record;
use crate::util::{seed, text::Redactor};
use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Instant;

/// How a session ended; `None` if it never started.
pub(super) type Ended = Option<Result<EndReason, SessionFailed>>;

/// Runs all sessions of the plan.
///
/// # Errors
/// An app is not ready, or a folder cannot be created. An error inside a session ends only that session; the
/// outcome reports it.
pub fn execute(
    suite: &Suite,
    plan: &Plan,
    inputs: &Inputs,
    options: &Options,
    observer: &Arc<dyn Observer>,
    stop: &Stop,
) -> Result<Outcome, RunError> {
    let secrets = Redactor::new(inputs.secrets().map(str::to_owned));
    let observer: &Arc<dyn Observer> = &(Arc::new(RedactingObserver::new(observer, secrets)) as _);
    merged_apk::fetch_for_plan(suite, plan, options.offline, observer, stop)?;
    let apps = prepare::prepare_all(suite, inputs, &plan.apps(), observer, stop)?;
    let base = match &options.gate {
        Some(wanted) => gate::base_builds(suite, wanted, inputs, &apps, (observer, stop))?,
        None => BTreeMap::new(),
    };
    let changed = changed::compare_all(suite, &apps, observer, stop)?;
    let origins = Origins::new(suite, plan);
    learning::check(&origins, plan, &apps).map_err(RunError::Learned)?;
    let reuse = Reuse::read(plan, options, &apps)?;
    let found = resume::folder(suite, plan, options, (&apps, &reuse), observer.as_ref())?;
    let (folder, kept, resumable) = (found.folder, found.ended, found.settings);
    let _lock = found.lock;
    let unwritten = |source| RunError::Folder {
        base: folder.path().display().to_string(),
        source,
    };
    reuse.keep(&folder).map_err(unwritten)?;
    let corpus = options.corpus.as_ref();
    corpus
        .into_iter()
        .for_each(|corpus| corpus.report_others(&apps, observer.as_ref()));
    if let Some(corpus) = corpus.filter(|_| options.resume.is_none()) {
        corpus.keep(&folder).map_err(unwritten)?;
    }
    let preferred = changed
        .iter()
        .filter(|(_, found)| found.is_preferred(suite))
        .map(|(name, found)| (apps[name].app.package.as_str(), &*found.changed))
        .collect();
    let gate = options.gate.as_ref().map(|wanted| Gate {
        suite,
        wanted,
        apps: &apps,
        base: &base,
        jobs: options.jobs,
        offline: options.offline,
        observer: observer.as_ref(),
        stop,
    });
    run_header::report_capability(plan, &apps, observer.as_ref());
    if let Some(gate) = &gate {
        gate.known(&folder).map_err(unwritten)?;
    }
    let units = plan.units().into_iter().map(|sessions| {
        let device = &plan.entries[sessions.start].device;
        (sessions, slots::group(device).to_owned())
    });
    let pool = Pool::new(units, Slots::new(options.jobs).groups(&plan.entries));
    let pot = Pot::of(suite, plan, options, &kept);
    let last_start = total::last_start(suite, options);
    let kept = kept.into_iter().map(|ended| ended.map(Ok)).collect();
    let ended: Mutex<Vec<Ended>> = Mutex::new(kept);
    let run = Run {
        suite,
        plan,
        options,
        observer,
        stop,
        apps: &apps,
        changed: &changed,
        origins: &origins,
        folder: &folder,
        reuse: &reuse,
        resumable: &resumable,
        pot: pot.clone(),
        last_start,
        corpus: corpus
            .map(|corpus| corpus.ordered(&folder, &preferred))
            .unwrap_or_default(),
    };
    thread::scope(|scope| {
        for worker in 0..options.jobs.clamp(1, plan.entries.len().max(1)) {
            let name = format!("worker-{worker}");
            let work = || run.work(&pool, &ended);
            thread::Builder::new()
                .name(name)
                .spawn_scoped(scope, work)
                .map_err(RunError::Worker)?;
        }
        Ok::<_, RunError>(())
    })?;
    let ended = ended.into_inner().unwrap_or_default();
    match reuse.merge(&folder, plan, &apps, &ended) {
        Ok(warnings) => warnings.iter().for_each(|warning| observer.warn(warning)),
        Err(e) => observer.warn(&format!(
            "the event models for the next run are not complete: {e}"
        )),
    }
    // A comparison is about what strategies find; it needs no minimized findings.
    if suite.settings.minimize.enabled && !options.bench && !stop.requested() {
        run.minimize();
    }
    if let Some(gate) = &gate
        && !stop.requested()
    {
        gate.fresh(&folder).map_err(unwritten)?;
    }
    let added = match corpus.filter(|corpus| corpus.grows) {
        Some(corpus) => corpus::add(&corpus.folder, std::slice::from_ref(&folder)),
        None => Ok(Vec::new()),
    };
    Ok(Outcome {
        added,
        folder,
        ended,
        interrupted: stop.requested(),
        used_up: (pot.map(|pot| pot.until()).or(last_start))
            .is_some_and(|end| Instant::now() >= end),
    })
}

/// A session's place in its group.
type OfGroup = Seat<Offer>;

struct Run<'a> {
    suite: &'a Suite,
    plan: &'a Plan,
    options: &'a Options,
    observer: &'a Arc<dyn Observer>,
    stop: &'a Stop,
    apps: &'a BTreeMap<String, Ready>,
    /// What changed in each app since an earlier build, by the app's name.
    changed: &'a BTreeMap<String, Comparison>,
    origins: &'a Origins<'a>,
    folder: &'a RunFolder,
    reuse: &'a Reuse,
    resumable: &'a resume::Settings,
    pot: Option<Arc<Pot>>,
    /// When the last session of a bench may start.
    last_start: Option<Instant>,
    /// The traces of the corpus, by package.
    corpus: BTreeMap<String, Arc<Vec<Kept>>>,
}

impl Run<'_> {
    fn session(
        &self,
        ix: usize,
        share: Option<&Share>,
        seat: Option<OfGroup>,
    ) -> Result<EndReason, SessionFailed> {
        let planned = &self.plan.entries[ix];
        // The plan's apps are prepared before any session starts.
        let ready = &self.apps[&planned.app.name];
        self.observer.started(ix);
        self.observer.keeper(ix, self.keeper(planned, ready));
        let folder = self.folder.session(&planned.name);
        let settings = &self.suite.settings;
        let unwritten = |e: io::Error| SessionFailed::Output(e.to_string());
        if self.options.bench {
            resume::begin(&folder, self.resumable, ix).map_err(unwritten)?;
        }
        let mut recorder = SessionRecorder::create(
            folder.clone(),
            &ready.secrets,
            settings.report.screenshots,
            self.observer.as_ref(),
            ix,
        )
        .map_err(unwritten)?;
        let observer = Arc::clone(self.observer);
        let on_progress = move |what: &str, done, total| {
            observer.phase(ix, Phase::Preparing { what, done, total })
        };
        let request = devices::Request {
            device: &planned.device,
            seed: planned.seed,
            folder: &folder,
            offline: self.options.offline,
            anr: settings.oracles.anr.after.0,
            coverage: settings.coverage.enabled,
            retries: settings.retries,
        };
        let done = match devices::make(&request, ready, on_progress, self.stop) {
            Ok(mut made) => {
                self.keep_subject(planned, ready, &made)
                    .map_err(unwritten)?;
                self.observer.phase(ix, Phase::Starting);
                for note in self.notes(planned, made.device.caps()) {
                    self.observer.note(ix, note);
                }
                let done = self.explore(ix, ready, &mut made, &mut recorder, (share, seat));
                self.keep_coverage(&mut made, &folder, ix);
                for undone in made.device.leave() {
                    self.observer.note(ix, &undone);
                }
                self.keep_pulled_subject(planned, ready, &folder)
                    .map_err(unwritten)?;
                done.map_err(SessionFailed::from)
            }
            Err(_) if self.stop.requested() => Ok(EndReason::Interrupted),
            Err(error) => {
                run_header::record_unavailable(
                    &mut recorder,
                    run_header::header(planned, ready),
                    &error,
                )
                .map_err(unwritten)?;
                let secrets = Redactor::new(ready.secrets.iter().cloned());
                let said = secrets.redact(&error.to_string()).into_owned();
                Err(SessionFailed::Device(said))
            }
        };
        recorder.finish().map_err(unwritten)?;
        record::write_all(&folder).map_err(unwritten)?;
        done
    }

    fn explore(
        &self,
        ix: usize,
        ready: &Ready,
        made: &mut devices::Made,
        recorder: &mut SessionRecorder<'_>,
        (share, seat): (Option<&Share>, Option<OfGroup>),
    ) -> Result<EndReason, SessionError> {
        let planned = &self.plan.entries[ix];
        let settings = &self.suite.settings;
        let pool = devices::pool(&planned.app, &planned.device, ready);
        let folder = self.folder.session(&planned.name);
        let models = Models {
            reused: self.reuse.of(self.folder, planned, &ready.app.package),
            keep: planned.strategy.kind.model().map(|_| folder.event_model()),
        };
        let strategy = self
            .origins
            .strategy(planned, ready, pool.as_deref(), models);
        // Report a changed file first: an error from its new content would mislead.
        self.origins.unchanged(planned)?;
        let mut strategy = strategy?;
        let reward = Novelty {
            changed_code: settings.reward.changed_code as f32,
            new_coverage: settings.reward.new_coverage as f32,
            new_finding: settings.reward.new_finding as f32,
            nothing: settings.reward.nothing as f32,
            measured: made.device.caps().coverage,
        };
        let changed = self.target(planned, made, ix);
        let session = Session::new(
            Settings {
                budget: Budget {
                    shared: share.cloned(),
                    ..budget(self.suite, planned, self.options.bench)
                },
                retries: settings.retries.count,
                header: SessionHeader {
                    notes: (self.notes(planned, made.device.caps()).into_iter())
                        .map(str::to_owned)
                        .collect(),
                    ..run_header::header(planned, ready)
                },
                manifest_events: ready.events.clone(),
                guide: ready.guide.clone().asking(self.asking(&planned.name)),
                corpus: (self.corpus.get(&ready.app.package))
                    .map(|traces| Corpus::new(Arc::clone(traces), ready.trace_texts()))
                    .unwrap_or_default(),
                texts: match pool {
                    Some(pool) => TextGenerator::from_pool(pool),
                    None => TextGenerator::with_values(ready.texts.clone()),
                },
                changed,
                faults: (settings.faults)
                    .rate_of(planned.strategy.kind.faults(), self.options.bench),
                throttle: planned.strategy.kind.throttle(),
                backoff: settings.retries.backoff.0,
            },
            made.device.as_mut(),
            strategy.as_mut(),
            oracle::registry::with_assertions(&settings.oracles, &ready.program, &ready.assertions),
            Box::new(reward),
            recorder,
            seed::generator(
                planned.seed,
                &planned.app.name,
                planned.strategy.name(),
                planned.seat,
            ),
        );
        let mut session = session.with_hand(self.observer.hand(ix));
        if let (Some(seat), Some(group)) = (seat, planned.strategy.kind.group()) {
            session = session.with_group(seat, group.segment);
        }
        let reason = session.run(self.stop)?;
        // Word vectors are read lazily, so check again.
        self.origins.unchanged(planned)?;
        learning::keep(planned, strategy.as_ref(), &folder, reason)?;
        Ok(reason)
    }

    /// Writes why a session failed into its folder, for every report.
    fn keep_failure(&self, ix: usize, failed: &SessionFailed) {
        let planned = &self.plan.entries[ix];
        let secrets = Redactor::new(self.apps[&planned.app.name].secrets.clone());
        let base = self.suite.on_disk("".into());
        let folder = self.folder.session(&planned.name);
        if let Err(e) = failed::keep(&folder, failed, &secrets, &base) {
            self.observer
                .note(ix, &format!("cannot write why it failed: {e}"));
        }
    }

    /// An error here loses no finding; the findings are only longer.
    fn minimize(&self) {
        let task = Task {
            suite: self.suite,
            folder: self.folder,
            apps: self.apps,
            skip: gate::reproduced(self.folder),
            jobs: self.options.jobs,
            offline: self.options.offline,
            observer: self.observer.as_ref(),
            on_progress: Arc::new(|_, _, _| {}),
            stop: self.stop,
            again: false,
            until: self.pot.as_ref().map(|pot| pot.until()),
        };
        if let Err(error) = task.run() {
            self.observer
                .warn(&format!("findings are not minimized: {error}"));
        }
    }

    /// Coverage of a process that died or hangs is rebuilt from the journal, so a failure here is only a note.
    fn keep_coverage(&self, made: &mut devices::Made, folder: &SessionFolder, ix: usize) {
        if let Err(e) = made.device.exec_data(&folder.exec()) {
            self.observer.note(ix, &format!("coverage data: {e}"));
        }
    }
}
