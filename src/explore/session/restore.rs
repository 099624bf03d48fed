//! Saving a state and returning to it: by the device's snapshots, else by a start with cleared data and a known way.

use super::{Session, SessionError, Stop};
use crate::device::{DeviceError, Observation, Reset, SnapshotId};
use crate::outcome::RestoreCost;
use crate::outcome::run_event::{EndReason, LedBy, Return, RunEvent, SaveId};
use std::time::Instant;

/// Ways tried to return to one state.
const TRIES: usize = 3;

impl Session<'_> {
    /// Saves the state that is shown now. Without a snapshot of the device, the steps that led to it are what is saved.
    pub(super) fn save(&mut self, id: SaveId) -> Result<(), SessionError> {
        let snapshots = self.device.snapshots().filter(|_| !self.returns.refused);
        let snapshot = match snapshots.map(|snapshots| snapshots.save()) {
            None => None,
            Some(Ok(snapshot)) => Some(snapshot),
            Some(Err(error)) => {
                self.returns.refused = true;
                self.failed(&error)?;
                None
            }
        };
        let replaced = self
            .returns
            .save(id, self.page.id, snapshot, self.guide.clone());
        self.forget(replaced);
        self.recorder.event(&RunEvent::Save {
            id,
            before: self.seen.counts.events + 1,
            page: self.page.id,
            exact: self.page.exact,
        })?;
        Ok(())
    }

    /// Deletes snapshots of the device.
    pub(super) fn forget(&mut self, snapshots: impl IntoIterator<Item = SnapshotId>) {
        if let Some(device) = self.device.snapshots() {
            snapshots.into_iter().for_each(|id| device.delete(id));
        }
    }

    /// Returns to a saved state. If that does not succeed, the session goes on where the last way led to. What others do
    /// behind it interrupts the strategy again. `Some`: the session cannot go on.
    pub(super) fn restore(
        &mut self,
        id: SaveId,
        stop: &Stop,
    ) -> Result<Option<EndReason>, SessionError> {
        self.interrupt()?;
        let Some(saved) = self.returns.get(id) else {
            return Ok(None);
        };
        let (page, guide) = (saved.page, saved.guide.clone());
        if let Some(snapshot) = saved.snapshot
            && self.by_snapshot(id, snapshot)?
        {
            self.guide = guide;
            self.interrupted = false;
            return Ok(None);
        }
        for number in 0..TRIES {
            let way = match self.returns.way(id) {
                Some(way) => way,
                // A start at least: a snapshot may have left the device anywhere, and a start may lead there by itself.
                None if number == 0 => Vec::new(),
                None => break,
            };
            let began = Instant::now();
            if let Some(end) = self.launch(Reset::ClearData, stop)? {
                return Ok(Some(end));
            }
            let (mut steps, mut all) = (0, true);
            for &step in &way {
                if let Some(end) = self.over(stop) {
                    return Ok(Some(end));
                }
                self.arrive();
                let Some(decision) = self.returns.decision(step, &self.whole) else {
                    all = false;
                    break;
                };
                steps += 1;
                if !self.step(&decision, Some(LedBy::Restore))?
                    && !self.retries.are_used_up()
                    && let Some(end) = self.launch(Reset::Relaunch, stop)?
                {
                    return Ok(Some(end));
                }
            }
            let arrived = all && self.page.id == page;
            let only_started = way.is_empty();
            self.returns.tried(id, way, arrived);
            self.returned(id, (Return::Way, steps), arrived, None, began)?;
            if arrived {
                self.guide = guide;
                break;
            }
            if only_started {
                break;
            }
        }
        self.interrupted = false;
        Ok(None)
    }

    /// False: the device failed, or what the snapshot held does not run.
    fn by_snapshot(&mut self, id: SaveId, snapshot: SnapshotId) -> Result<bool, SessionError> {
        let began = Instant::now();
        let Some(snapshots) = self.device.snapshots() else {
            return Ok(false);
        };
        if let Err(error) = snapshots.restore(snapshot) {
            self.failed(&error)?;
            let damaged = self.returns.without_snapshot(id);
            self.forget(damaged);
            return Ok(false);
        }
        let done = self.device.observe(&mut self.interner);
        let start = self.settings.budget.modelled.map(|m| m.cost.start);
        self.seen.counts.modelled += start.unwrap_or_default();
        let Some(after) = self.survived(done)? else {
            return Ok(false);
        };
        self.returns.restored(id);
        let by = (Return::Snapshot, 0);
        self.returned(id, by, after.alive, Some(&after), began)?;
        Ok(after.alive)
    }

    /// Records a restore; `after`: what a snapshot's showed.
    fn returned(
        &mut self,
        id: SaveId,
        (by, steps): (Return, u32),
        arrived: bool,
        after: Option<&Observation>,
        began: Instant,
    ) -> Result<(), SessionError> {
        let (activities, findings) = match after {
            Some(after) => self.appeared(after)?,
            None => Default::default(),
        };
        self.recorder.event(&RunEvent::Restore {
            id,
            before: self.seen.counts.events + 1,
            by,
            steps,
            arrived,
            page: self.page.id,
            exact: self.page.exact,
            probes: after.map_or_else(Vec::new, |after| after.probes.clone()),
            activities,
            findings,
        })?;
        let cost = RestoreCost {
            restore: id,
            took_us: u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX),
        };
        Ok(self.recorder.restored(&cost)?)
    }

    /// Records that a snapshot failed. The app can be restarted all the same: no retry is used up.
    fn failed(&mut self, error: &DeviceError) -> Result<(), SessionError> {
        let at = self.seen.counts.events;
        let message = error.to_string();
        Ok(self
            .recorder
            .event(&RunEvent::DeviceFailure { at, message })?)
    }
}
