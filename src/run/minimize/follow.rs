//! Findings met by chance while another was minimized: their traces are followed in a session of their own, so that
//! they have all that findings have.

use super::{MinimizeError, Task};
use crate::config::Device;
use crate::explore::text::TextGenerator;
use crate::explore::{Budget, Guide, Session, Settings};
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

/// The strategy's name in the session that holds what minimizing met by chance.
const STRATEGY: &str = "minimize";

/// A trace is followed so often at most until its finding comes: as often as minimizing tries the steps as they are.
const TIMES: u32 = 5;

/// A finding met on the way to another.
pub(super) struct Met {
    pub finding: Finding,
    pub trace: Trace,
    /// The other's folder, and its id.
    pub within: (FindingFolder, String),
}

/// Fingerprints of the findings that have come.
type Came = Arc<Mutex<BTreeSet<String>>>;

fn has(came: &Came, trace: &Trace) -> bool {
    let print = trace.finding.fingerprint.as_ref();
    let came = came.lock().unwrap_or_else(PoisonError::into_inner);
    print.is_some_and(|print| came.contains(print))
}

impl Task<'_> {
    /// Makes a session of findings that were met on the way to those of this one, and gives its name. One that does
    /// not come again has its trace beside what it was met in.
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
                _ if self.stop.requested() => "was not followed to its end".to_owned(),
                Err(error) => format!("was lost: {error}"),
                Ok(Err(why)) => format!("gets no session: {why}"),
                Ok(Ok(_)) => format!("did not come again in {TIMES} tries"),
            };
            self.leave(met, &why)?;
        }
        Ok(done?.ok())
    }

    /// Says that a finding met on the way gets no session, and puts its trace where it was met.
    pub(super) fn leave(&self, met: &Met, why: &str) -> io::Result<()> {
        let (folder, id) = &met.within;
        let file = folder.path().join(format!("other-{}.toml", met.finding.id));
        write_whole(&file, write(&met.trace).as_bytes())?;
        self.observer.warn(&format!(
            "met on the way to {id}: {}: it {why}; its steps are in {}",
            met.finding.title,
            file.display()
        ));
        Ok(())
    }

    /// The session's name; else why there can be none.
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
            return Ok(Err(format!("the journal of {session} has no beginning")));
        };
        let (ready, device) = match targets.of(&first.trace) {
            Ok(found) => found,
            Err(why) => {
                let of = &first.trace.app.package;
                return Ok(Err(format!("it is of {of}, and {why}")));
            }
        };
        let mut header = SessionHeader {
            strategy: STRATEGY.into(),
            device: device.name.clone(),
            device_kind: device.kind_name().into(),
            // Their steps are in the traces.
            scripts: Vec::new(),
            ..header
        };
        let (name, folder) = self.free_name(&header);
        header.session.clone_from(&name);
        let traces = others.iter().map(|met| &met.trace);
        let again = Again::new(traces, Arc::new(ready.texts.clone()), Arc::clone(came));
        self.follow(header, again, ready, device, &folder)?;
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

    /// A session that follows these traces.
    fn follow(
        &self,
        header: SessionHeader,
        mut traces: Again<'_>,
        ready: &Ready,
        device: &Device,
        folder: &SessionFolder,
    ) -> Result<(), MinimizeError> {
        let settings = &self.suite.settings;
        let heard = Heard(Arc::clone(&traces.came));
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
                texts: TextGenerator::default(),
                faults: 0.0,
                throttle: Duration::ZERO,
                backoff: settings.retries.backoff.0,
            },
            made.device.as_mut(),
            &mut traces,
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

/// Follows traces one after another, each from cleared data; then once more those whose findings have not come. A
/// crash that depends on chance may need that, and on one device: a fresh one draws the same chances again.
struct Again<'t> {
    now: Script,
    /// Traces to be followed, and how often each.
    waiting: VecDeque<(&'t Trace, u32)>,
    texts: Arc<Vec<(String, String)>>,
    came: Came,
}

impl<'t> Again<'t> {
    fn new(
        traces: impl IntoIterator<Item = &'t Trace>,
        texts: Arc<Vec<(String, String)>>,
        came: Came,
    ) -> Self {
        let mut again = Self {
            now: Script::new([], Arc::clone(&texts)),
            waiting: traces.into_iter().map(|trace| (trace, TIMES)).collect(),
            texts,
            came,
        };
        again.turn();
        again
    }

    /// Turns to the next trace whose finding has not come; false: there is none.
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

/// Hears which findings come.
struct Heard(Came);

impl Observer for Heard {
    fn finding(&self, _: usize, finding: &Finding) {
        let mut came = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        came.insert(finding.fingerprint.clone());
    }
}
