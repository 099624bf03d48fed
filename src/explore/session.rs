//! One session: one app on one device under one strategy with one seed.

mod decide;
mod exchange;
mod hold;
mod launch;
mod lead;
mod map;
mod restore;
mod show;

use self::decide::kept_secret;
pub use self::exchange::Offer;
use self::launch::LAUNCHES;
use super::corpus::Corpus;
use super::describe;
use super::faults;
use super::guide::{Guide, Turn};
use super::hand::Hand;
use super::judge::judge;
use super::lower::Lowered;
use super::retries::Retries;
use super::returns::Returns;
use super::seen::Seen;
pub use super::settings::{SessionError, Settings};
use super::system::SystemEvents;
use super::toward::Toward;
use super::{Recorder, Stop};
use crate::device::{Device, DeviceError, Observation, Reset};
use crate::graph::Tracker;
use crate::gui::{ExactId, Page, SystemEvent, page};
use crate::oracle::Oracle;
use crate::outcome::run_event::{Did, EndReason, LedBy, RunEvent, StepRecord};
use crate::reward::Reward;
use crate::step::{Decision, Step};
use crate::strategy::Strategy;
use crate::util::intern::Interner;
use crate::util::seed::Rng;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Saves and restores in a row, without an event, after which a strategy counts as finished.
const IDLE: u32 = 100;

/// The loop and all it works with.
pub struct Session<'a> {
    settings: Settings,
    device: &'a mut dyn Device,
    strategy: &'a mut dyn Strategy,
    oracles: Vec<Box<dyn Oracle>>,
    reward: Box<dyn Reward>,
    recorder: &'a mut dyn Recorder,
    rng: Rng,
    interner: Interner,
    system: SystemEvents,
    seen: Seen,
    retries: Retries,
    /// How the app is started with cleared data: `ClearData`, or `Unanswered` once it has crashed at such a start offline.
    clean_start: Reset,
    started: Instant,
    waited: Duration,
    /// Was the last step not the strategy's?
    interrupted: bool,
    guide: Guide,
    /// Does the strategy save states?
    saves: bool,
    /// What it saved, and the ways there.
    returns: Returns,
    corpus: Corpus,
    /// The state graph, where the strategy or the way to changed code reads one.
    map: Option<Tracker>,
    /// The way to changed code.
    toward: Option<Toward>,
    /// What the strategy sees: the page without what the suite blocks.
    page: Arc<Page>,
    /// The page as it is.
    whole: Arc<Page>,
    /// A person's control of the session.
    hand: Option<Arc<Hand>>,
    /// The number of events at which a person let the strategy have one more.
    once: Option<u64>,
    /// Since when a person has been in control.
    held: Option<Instant>,
    /// When a page was last shown to those who watch, and which.
    shown: Option<(Instant, ExactId)>,
    /// The session's part in a group that runs side by side.
    exchange: Option<exchange::Exchange>,
}

impl<'a> Session<'a> {
    /// A session ready to run; the app must be installed on the device.
    pub fn new(
        mut settings: Settings,
        device: &'a mut dyn Device,
        strategy: &'a mut dyn Strategy,
        oracles: Vec<Box<dyn Oracle>>,
        reward: Box<dyn Reward>,
        recorder: &'a mut dyn Recorder,
        rng: Rng,
    ) -> Self {
        let guide = std::mem::take(&mut settings.guide);
        let corpus = std::mem::take(&mut settings.corpus);
        settings.texts.keep_secret(&settings.header.secrets);
        let blocked = |event: &SystemEvent| match event {
            SystemEvent::Activity { component, .. } => {
                guide.blocks(component.rsplit('/').next().unwrap_or_default())
            }
            _ => false,
        };
        settings.manifest_events.retain(|event| !blocked(event));
        let system = SystemEvents::new(&settings.manifest_events, device.caps());
        Self {
            map: map::tracker(&*strategy, settings.changed.is_some()),
            saves: strategy.saves(),
            returns: Returns::default(),
            toward: settings.changed.take().map(Toward::new),
            retries: Retries::new(settings.retries, settings.backoff),
            settings,
            device,
            strategy,
            oracles,
            reward,
            recorder,
            rng,
            interner: Interner::default(),
            system,
            seen: Seen::default(),
            clean_start: Reset::ClearData,
            started: Instant::now(),
            waited: Duration::ZERO,
            interrupted: false,
            guide,
            corpus,
            page: Arc::new(page::none()),
            whole: Arc::new(page::none()),
            hand: None,
            once: None,
            held: None,
            shown: None,
            exchange: None,
        }
    }

    /// Runs until the budget is spent or the user stops it, and says why it ended.
    ///
    /// # Errors
    /// Outputs that cannot be written, a strategy that fails. Device failures are recorded and end the session in good order.
    pub fn run(mut self, stop: &Stop) -> Result<EndReason, SessionError> {
        self.recorder
            .event(&RunEvent::Session(self.settings.header.clone()))?;
        self.join(stop)?;
        let reason = self.explore(stop)?;
        if reason.came_to_end() {
            self.exchange(true, stop)?;
        }
        let snapshots: Vec<_> = self.returns.snapshots().collect();
        self.forget(snapshots);
        let events = self.seen.counts.events;
        self.recorder.event(&RunEvent::End { reason, events })?;
        Ok(reason)
    }

    fn explore(&mut self, stop: &Stop) -> Result<EndReason, SessionError> {
        if let Some(end) = self.launch(Reset::ClearData, stop)? {
            return Ok(end);
        }
        let (mut idle_restarts, mut idle) = (0, 0);
        loop {
            self.exchange(false, stop)?;
            if let Some(end) = self.over(stop) {
                return Ok(end);
            }
            if let Some(end) = self.hold(stop)? {
                return Ok(end);
            }
            self.arrive();
            let (decision, led) = match self.turn()? {
                Turn::Stuck => return Ok(EndReason::Blocked),
                Turn::Led(decision, by) => (decision, Some(by)),
                Turn::Free => {
                    match faults::draw(self.settings.faults, self.device.caps(), &mut self.rng) {
                        Some(fault) => (fault, Some(LedBy::Fault)),
                        None => match self.toward_changed() {
                            Some(event) => (event, Some(LedBy::Changed)),
                            None => (self.decide()?, None),
                        },
                    }
                }
            };
            if led.is_some() {
                self.interrupt()?;
            }
            match decision {
                Decision::Save(_) | Decision::Restore(_) if idle == IDLE => {
                    return Ok(EndReason::Strategy);
                }
                Decision::Save(id) => {
                    idle += 1;
                    self.save(id)?;
                }
                Decision::Restore(id) => {
                    idle += 1;
                    if let Some(end) = self.restore(id, stop)? {
                        return Ok(end);
                    }
                }
                Decision::Stop => return Ok(EndReason::Strategy),
                Decision::Restart => {
                    idle_restarts += u32::from(led.is_none());
                    let end = self.launch(Reset::ClearData, stop)?;
                    if end.is_some() || idle_restarts >= LAUNCHES {
                        return Ok(end.unwrap_or(EndReason::CannotLaunch));
                    }
                }
                decision => {
                    (idle_restarts, idle) = (0, 0);
                    if led.is_none()
                        && let Some(name) = self.strategy.next_member()
                    {
                        let name = name.to_owned();
                        if let Some(group) = &mut self.exchange {
                            group.turn(&name);
                        }
                        self.recorder.event(&RunEvent::Member { name })?;
                    }
                    if led.is_none()
                        && let Some(why) = self.strategy.explanation()
                    {
                        self.recorder.event(&RunEvent::Explain(Box::new(why)))?;
                    }
                    if !self.step(&decision, led)?
                        && !self.retries.are_used_up()
                        && let Some(end) = self.launch(Reset::Relaunch, stop)?
                    {
                        return Ok(end);
                    }
                }
            }
        }
    }

    /// Performs one decision and judges what comes of it. False: the app's process is dead.
    fn step(&mut self, decision: &Decision, led: Option<LedBy>) -> Result<bool, SessionError> {
        let (before, lowered) = match led {
            None | Some(LedBy::Corpus(_)) => {
                let page = self.page.clone();
                let lowered = self.lower_own(decision, &page);
                (page, lowered)
            }
            Some(_) => {
                let page = self.whole.clone();
                let lowered = self.lower(decision, &page);
                (page, lowered)
            }
        };
        self.announce(&before, &lowered, led.as_ref());
        let mut lost = false;
        let (after, did) = match lowered {
            Lowered::Perform(action, did) => {
                if let Some(kept) = kept_secret(&before, &did) {
                    self.recorder.secret_typed(&kept);
                }
                let asked = Instant::now();
                let done = match self.device.perform(&action) {
                    Ok(()) | Err(DeviceError::StaleWidget) => self.settled(),
                    Err(error) => Err(error),
                };
                self.waited += asked.elapsed();
                let after = self.survived(done)?;
                lost = after.is_none();
                (after.unwrap_or_default(), did)
            }
            // The process ends here; the loop starts it again.
            Lowered::Relaunch(did) => (Observation::default(), did),
            Lowered::Nothing(did) => {
                let unchanged = Observation {
                    page: Some(self.whole.clone()),
                    alive: true,
                    ..Observation::default()
                };
                (unchanged, did)
            }
        };
        self.seen.counts.events += u64::from(led.as_ref().is_none_or(LedBy::counts));
        self.record_step(&before, decision, (did, led, lost), &after)?;
        Ok(after.alive)
    }

    /// `lost`: the device failed, so that nobody saw what came of the decision.
    fn record_step(
        &mut self,
        before: &Arc<Page>,
        decision: &Decision,
        (did, led, lost): (Did, Option<LedBy>, bool),
        after: &Observation,
    ) -> Result<(), SessionError> {
        let number = self.seen.counts.events;
        if let Some(modelled) = &self.settings.budget.modelled
            && led != Some(LedBy::Person)
        {
            let kind = || match &did {
                Did::Event { ix, .. } => before.events.get(*ix as usize).map(|e| e.kind),
                _ => None,
            };
            self.seen.counts.modelled += modelled.cost.done(&did, kind);
        }
        if self.seen.turned(before) {
            self.recorder.event(&RunEvent::Screen {
                page: before.id,
                size: before.screen,
            })?;
        }
        let whole = after.page();
        let (activities, new_pages) = self.sightings(after, &whole)?;
        let page = self.guide.open(&whole, &self.interner);
        if let Did::Event { k, ix, .. } = &did
            && let event = before.events[*ix as usize]
            && self
                .seen
                .event(*k, describe::fingerprint(before, &event, &self.interner))
        {
            let line = RunEvent::define(&event, describe::identity(before, &event, &self.interner));
            self.recorder.event(&line)?;
        }
        let mut step = Step {
            number,
            decision: Some(decision),
            new_activities: activities.len(),
            new_pages,
            ..Step::to(before, after, &page, &self.interner)
        };
        let judged = judge(
            &mut self.oracles,
            &step,
            &mut self.seen,
            self.recorder,
            self.device,
        )?;
        if let Some(group) = &mut self.exchange {
            group.found(&judged.fingerprints);
        }
        step.new_changed = self.toward.as_ref().map_or(0, Toward::new_probes);
        (step.new_findings, step.known_findings) = (judged.new, judged.known);
        let reward = self.reward.score(&step);
        let by_others = led.is_some();
        if !by_others && !lost {
            self.strategy.learn(&step, reward)?;
        }
        let changed = page.exact != before.exact
            || after.redrawn
            || after.exit.is_some()
            || !after.alive
            || !after.probes.is_empty()
            || !after.left.is_empty()
            || !after.toasts.is_empty();
        let record = StepRecord {
            i: number,
            did,
            led,
            from: before.id,
            to: page.id,
            exact: page.exact,
            changed,
            probes: after.probes.clone(),
            activities,
            reward,
            left: after.left.clone(),
            toasts: after.toasts.clone(),
            findings: judged.fingerprints,
        };
        self.seen.counts.unchanged += u64::from(!changed && record.counts());
        if self.saves {
            let (from, to) = (before.id, page.id);
            self.returns.stepped(from, &record.did, to, after.alive);
        }
        self.recorder.event(&RunEvent::Step(record))?;
        let waited = std::mem::take(&mut self.waited);
        self.recorder.timing(number, self.elapsed(), waited)?;
        self.recorder.progress(&self.seen.counts);
        self.moved(before, decision, by_others, after.alive, reward);
        (self.page, self.whole) = (page, whole);
        Ok(())
    }
}

#[cfg(test)]
mod hold_tests;
#[cfg(test)]
mod interrupted_tests;
#[cfg(test)]
mod restore_tests;
#[cfg(test)]
mod secret_tests;
