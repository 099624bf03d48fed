//! Findings observed while another was minimized: a separate session replays their traces, so that they get all the
//! artifacts of a finding.

use super::{MinimizeError, Task};
use crate::config::Device;
use crate::explore::follow::Texts;
use crate::explore::text::TextGenerator;
use crate::explore::{Budget, Corpus, Guide, Session, Settings};
use crate::oracle;
use crate::outcome::Finding;
use crate::outcome::folder::{FindingFolder, SessionFolder, write_whole};
use crate::outcome::journal::JournalReader;
use crate::outcome::run_event::SessionHeader;
use crate::repro::Script;
use crate::reward::Novelty;
use crate::run::devices::{self, Request};
use crate::run::observer::Observer;
use crate::run::prepare::Ready;
use crate::run::record::SessionRecorder;
use crate::run::trace_targets::TraceTargets;
use crate::step::{Decision, View};
use crate::strategy::{Strategy, StrategyError};
use crate::trace::{Trace, write};
use crate::util::seed::{self, Rng};
use std::collections::{BTreeSet, VecDeque};
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The strategy's name in the session for these findings.
const STRATEGY: &str = "minimize";

/// Most replays of a trace until its finding is observed: as many as minimization does of the complete trace.
const TIMES: u32 = 5;

/// A finding observed while another was minimized.
pub(super) struct Met {
    pub finding: Finding,
    pub trace: Trace,
    /// The folder and the id of the other.
    pub within: (FindingFolder, String),
}

/// Fingerprints of the reproduced findings.
type Came = Arc<Mutex<BTreeSet<String>>>;

fn has(came: &Came, trace: &Trace) -> bool {
    let finding = trace.finding.as_ref();
    let print = finding.and_then(|finding| finding.fingerprint.as_ref());
    let came = came.lock().unwrap_or_else(PoisonError::into_inner);
    print.is_some_and(|print| came.contains(print))
}

impl Task<'_> {
    /// Makes a session of the findings that were observed while this session's were minimized; returns its name. The
    /// trace of one that is not reproduced goes to the folder of the finding that was being minimized.
    pub(super) fn keep(
        &self,
        targets: &TraceTargets<'_>,
        session: &str,
        others: &[Met],
    ) -> Result<Option<String>, MinimizeError> {
        let came = Came::default();
        let done = self.session_of(targets, session, others, &came);
        for met in others.iter().filter(|met| !has(&came, &met.trace)) {
            let why = match &done {
                _ if self.stop.requested() => "was not replayed completely".to_owned(),
                Err(error) => format!("was lost: {error}"),
                Ok(Err(why)) => format!("cannot be replayed: {why}"),
                Ok(Ok(_)) => format!("was not reproduced in {TIMES} replays"),
            };
            self.leave(met, &why)?;
        }
        Ok(done?.ok())
    }

    /// Warns that an observed finding gets no session, and saves its trace with the finding that was being minimized.
    pub(super) fn leave(&self, met: &Met, why: &str) -> io::Result<()> {
        let (folder, id) = &met.within;
        let file = folder.path().join(format!("other-{}.toml", met.finding.id));
        write_whole(&file, write(&met.trace).as_bytes())?;
        self.observer.warn(&format!(
            "observed while minimizing {id}: {}: it {why}; its steps are in {}",
            met.finding.title,
            file.display()
        ));
        Ok(())
    }

    /// The session's name; else why it cannot be created.
    fn session_of(
        &self,
        targets: &TraceTargets<'_>,
        session: &str,
        others: &[Met],
        came: &Came,
    ) -> Result<Result<String, String>, MinimizeError> {
        let header = JournalReader::open(&self.folder.session(session).journal())
            .map_err(io::Error::other)?
            .header()
            .cloned();
        let (Some(header), Some(first)) = (header, others.first()) else {
            return Ok(Err(format!("the journal of {session} has no header")));
        };
        let (ready, device) = match targets.of(&first.trace) {
            Ok(found) => found,
            Err(why) => {
                let of = &first.trace.app.package;
                return Ok(Err(format!("its package is {of}, and {why}")));
            }
        };
        let mut header = SessionHeader {
            strategy: STRATEGY.into(),
            device: device.name.clone(),
            device_kind: device.kind_name().into(),
            // The traces contain the scripts' steps.
            scripts: Vec::new(),
            ..header
        };
        let (name, folder) = self.free_name(&header);
        header.session.clone_from(&name);
        let traces = others.iter().map(|met| &met.trace);
        let again = Again::new(traces, Arc::new(ready.trace_texts()), Arc::clone(came));
        self.replay_session(header, again, ready, device, &folder)?;
        Ok(Ok(name))
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

    /// Runs a session that replays these traces.
    fn replay_session(
        &self,
        header: SessionHeader,
        mut traces: Again<'_>,
        ready: &Ready,
        device: &Device,
        folder: &SessionFolder,
    ) -> Result<(), MinimizeError> {
        let settings = &self.suite.settings;
        let heard = Reproduced(Arc::clone(&traces.came));
        let screenshots = settings.report.screenshots;
        let mut recorder =
            SessionRecorder::create(folder.clone(), &ready.secrets, screenshots, &heard, 0)?;
        let request = Request {
            device,
            seed: header.seed,
            folder,
            offline: self.offline,
            anr: settings.oracles.anr.after.0,
            coverage: false,
            retries: settings.retries,
        };
        let on_progress = Arc::clone(&self.on_progress);
        let on_progress = move |what: &str, done, total| on_progress(what, done, total);
        let mut made = devices::make(&request, ready, on_progress, self.stop)?;
        let rng = seed::generator(header.seed, &header.app, STRATEGY, 0);
        let session = Session::new(
            Settings {
                budget: Budget::default(),
                retries: settings.retries.count,
                header,
                manifest_events: ready.events.clone(),
                guide: Guide::default(),
                corpus: Corpus::default(),
                texts: TextGenerator::default(),
                changed: None,
                faults: 0.0,
                throttle: Duration::ZERO,
                backoff: settings.retries.backoff.0,
            },
            made.device.as_mut(),
            &mut traces,
            oracle::registry::with_assertions(&settings.oracles, &ready.program, &ready.assertions),
            Box::new(Novelty::default()),
            &mut recorder,
            rng,
        );
        session.run(self.stop)?;
        recorder.finish()?;
        Ok(())
    }
}

/// A strategy that replays traces in turn, each from cleared data, then again those whose findings were not reproduced.
/// A crash that depends on chance may need that, on the same device: a new one would draw the same random numbers.
struct Again<'t> {
    now: Script,
    /// Traces, and the number of replays of each.
    waiting: VecDeque<(&'t Trace, u32)>,
    texts: Arc<Texts>,
    came: Came,
}

impl<'t> Again<'t> {
    fn new(traces: impl IntoIterator<Item = &'t Trace>, texts: Arc<Texts>, came: Came) -> Self {
        let mut again = Self {
            now: Script::new([], Arc::clone(&texts)),
            waiting: traces.into_iter().map(|trace| (trace, TIMES)).collect(),
            texts,
            came,
        };
        again.turn();
        again
    }

    /// Moves to the next trace whose finding was not reproduced; false if there is none.
    fn turn(&mut self) -> bool {
        while let Some((trace, times)) = self.waiting.pop_front() {
            if !has(&self.came, trace) {
                self.now = Script::new([trace], Arc::clone(&self.texts));
                self.waiting
                    .extend((times > 1).then_some((trace, times - 1)));
                return true;
            }
        }
        false
    }
}

impl Strategy for Again<'_> {
    fn decide(&mut self, view: &View<'_>, rng: &mut Rng) -> Result<Decision, StrategyError> {
        Ok(match self.now.decide(view, rng)? {
            Decision::Stop if self.turn() => Decision::Restart,
            decision => decision,
        })
    }
}

/// Records the fingerprints of reproduced findings.
struct Reproduced(Came);

impl Observer for Reproduced {
    fn finding(&self, _: usize, finding: &Finding) {
        let mut came = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        came.insert(finding.fingerprint.clone());
    }
}
