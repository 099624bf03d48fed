//! Starts of the app, what they show, and what is made of a device's answer.

use super::super::describe;
use super::super::judge::{evidence_of, judge};
use super::{Session, SessionError, Stop};
use crate::device::{Action, DeviceError, Observation, Reset};
use crate::gui::{Page, page, sketch};
use crate::outcome::run_event::{EndReason, RunEvent};
use crate::step::Step;

/// Starts in a row after which the app may be dead before a session gives up.
pub(super) const LAUNCHES: u32 = 3;

impl Session<'_> {
    /// Starts the app until it lives; findings met while starting count. `Some`: it cannot be started.
    pub(super) fn launch(
        &mut self,
        how: Reset,
        stop: &Stop,
    ) -> Result<Option<EndReason>, SessionError> {
        let mut how = match how {
            Reset::Relaunch => how,
            Reset::ClearData | Reset::Unanswered => self.clean_start,
        };
        let (mut dead, mut closed) = (0, 0);
        while dead < LAUNCHES {
            stop.wait(self.retries.take_pause());
            let failures = self.retries.failures();
            let done = self
                .device
                .reset(how)
                .and_then(|()| self.device.observe(&mut self.interner));
            let start = self.settings.budget.modelled.map(|m| m.cost.start);
            self.seen.counts.modelled += start.unwrap_or_default();
            let Some(after) = self.survived(done)? else {
                // What was no failure was the user.
                if stop.requested() || self.retries.failures() == failures {
                    return Ok(Some(EndReason::Interrupted));
                }
                if self.retries.are_used_up() {
                    return Ok(Some(EndReason::DeviceLost));
                }
                // What the app left on disk may be why it does not answer.
                how = self.clean_start;
                continue;
            };
            self.guide.launched(how);
            self.corpus.launched(how, self.seen.counts.events);
            let (activities, findings) = self.appeared(&after)?;
            self.recorder.event(&RunEvent::Launch {
                how,
                before: self.seen.counts.events + 1,
                page: self.page.id,
                exact: self.page.exact,
                probes: after.probes.clone(),
                activities,
                findings,
            })?;
            if self.saves {
                self.returns.launched(how, self.page.id);
            }
            if let Some(map) = &mut self.map {
                map.started();
            }
            if self.seen.counts.events == 0 {
                let took = self.elapsed();
                self.recorder.timing(0, took, took)?;
            }
            if after.alive {
                return Ok(None);
            }
            dead += 1;
            closed += u32::from(after.closed_itself());
            if how == Reset::ClearData && after.crashed_offline() {
                self.clean_start = Reset::Unanswered;
            }
            // What it left on disk may be what kills it.
            how = self.clean_start;
        }
        Ok(Some(if closed == dead {
            EndReason::ClosesAtStart
        } else {
            EndReason::CannotLaunch
        }))
    }

    /// Judges what a start or a restore shows, which is the page from now on. Gives the new activities and the
    /// fingerprints of all findings.
    pub(super) fn appeared(
        &mut self,
        after: &Observation,
    ) -> Result<(Vec<String>, Vec<String>), SessionError> {
        let whole = after.page();
        let (activities, new_pages) = self.sightings(after, &whole)?;
        let page = self.guide.open(&whole, &self.interner);
        let none = page::none();
        let step = Step {
            number: self.seen.counts.events,
            new_activities: activities.len(),
            new_pages,
            ..Step::to(&none, after, &page, &self.interner)
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
            group.no_step();
        }
        (self.page, self.whole) = (page, whole);
        Ok((activities, judged.fingerprints))
    }

    /// What is new in an observation: recorded and counted. Gives new activities and the number of new pages.
    pub(super) fn sightings(
        &mut self,
        after: &Observation,
        page: &Page,
    ) -> Result<(Vec<String>, usize), SessionError> {
        self.system.update(&after.listens);
        for (ix, name, probes) in &after.classes {
            let line = RunEvent::Class {
                ix: *ix,
                name: name.clone(),
                probes: *probes,
            };
            self.recorder.event(&line)?;
        }
        self.seen.coverage(after);
        if let Some(toward) = &mut self.toward {
            toward.saw(after, self.interner.get(self.page.activity));
        }
        let activities = self
            .seen
            .activities(after, &self.settings.header.activities_declared);
        let activity = self.interner.get(page.activity);
        if let Some(place) = self
            .seen
            .place(after, activity, || sketch::of(page, &self.interner))
        {
            self.recorder.event(&RunEvent::Place(place))?;
        }
        if let Some(group) = &mut self.exchange {
            group.saw(after, page, &activities);
        }
        let new_page = after.alive && self.seen.page(page);
        if new_page {
            self.recorder.event(&describe::page(page, &self.interner))?;
            if self.device.caps().screenshots
                && let Some(path) = self.recorder.page_picture(page)
            {
                // A picture is a help to the reader; its failure changes nothing.
                let _ = self.device.screenshot(&path);
            }
        }
        let measured = self.device.caps().coverage;
        let new = !after.probes.is_empty() || !activities.is_empty() || new_page && !measured;
        if new {
            self.seen.last_new = self.seen.counts.events;
        }
        if !after.log.is_empty() {
            self.recorder.log(self.seen.counts.events, &after.log);
        }
        Ok((activities, usize::from(new_page)))
    }

    /// The observation after an action and the suite's pause.
    pub(super) fn settled(&mut self) -> Result<Observation, DeviceError> {
        let throttle = self.settings.throttle;
        if !throttle.is_zero() {
            let ms = u64::try_from(throttle.as_millis()).unwrap_or(u64::MAX);
            self.device.perform(&Action::Wait { ms })?;
        }
        self.device.observe(&mut self.interner)
    }

    /// The observation, also where the device's error is itself evidence about the app. `None`: an infrastructure failure,
    /// recorded and counted.
    pub(super) fn survived(
        &mut self,
        done: Result<Observation, DeviceError>,
    ) -> Result<Option<Observation>, SessionError> {
        match done.or_else(evidence_of) {
            Ok(after) => {
                self.retries.went_well(self.seen.counts.events);
                Ok(Some(after))
            }
            // The loop sees the user's wish before it does anything else.
            Err(DeviceError::Interrupted) => Ok(None),
            Err(error) => {
                let at = self.seen.counts.events;
                self.retries.failed(at);
                let message = error.to_string();
                self.recorder
                    .event(&RunEvent::DeviceFailure { at, message })?;
                Ok(None)
            }
        }
    }
}
