//! Saving and restoring without an emulator: what was done since the data were cleared is done again.
//!
//! The app gets the same events at the same times of its own clock; where it does not come to the page that was
//! saved (it asked a thread, or the real clock), the restore fails and says so.

use super::JvmDevice;
use crate::device::{Action, Device as _, DeviceError, Reset, SnapshotId, Snapshots};
use crate::gui::{Page, PageId};
use crate::util::intern::Interner;

/// One thing done to the app.
#[derive(Clone, Debug)]
enum Deed {
    Perform(Action),
    Relaunch,
}

/// How the data were cleared, and what was done since; none where they were not.
#[derive(Clone, Debug, Default)]
pub(super) struct Course(Option<(Reset, Vec<Deed>)>);

impl Course {
    /// The app was started anew.
    pub(super) fn reset(&mut self, how: Reset) {
        match how {
            Reset::ClearData | Reset::Unanswered => self.0 = Some((how, Vec::new())),
            Reset::Relaunch => self.add(Deed::Relaunch),
        }
    }

    /// Does nobody answer on the app's network ([`Reset::Unanswered`])?
    pub(super) fn unanswered(&self) -> bool {
        let start = self.0.as_ref().map(|(start, _)| *start);
        start == Some(Reset::Unanswered)
    }

    /// An action is carried out.
    pub(super) fn perform(&mut self, action: &Action) {
        self.add(Deed::Perform(action.clone()));
    }

    fn add(&mut self, deed: Deed) {
        if let Some((_, deeds)) = &mut self.0 {
            deeds.push(deed);
        }
    }
}

/// A state: the way to it, and the page that was there.
#[derive(Clone, Debug)]
pub(super) struct Saved {
    start: Reset,
    deeds: Vec<Deed>,
    page: Option<PageId>,
}

impl Snapshots for JvmDevice {
    fn save(&mut self) -> Result<SnapshotId, DeviceError> {
        let Some((start, deeds)) = self.course.0.clone() else {
            let why = "a state can be saved once the app's data have been cleared";
            return Err(DeviceError::Protocol(why.to_owned()));
        };
        let page = self.page.as_ref().map(|page| page.id);
        let free = self.saved.iter().position(Option::is_none);
        let at = free.unwrap_or(self.saved.len());
        if free.is_none() {
            self.saved.push(None);
        }
        self.saved[at] = Some(Saved { start, deeds, page });
        u32::try_from(at)
            .map(SnapshotId)
            .map_err(|_| DeviceError::Protocol("too many snapshots".to_owned()))
    }

    fn restore(&mut self, id: SnapshotId) -> Result<(), DeviceError> {
        let Some(Some(saved)) = self.saved.get(id.0 as usize).cloned() else {
            return Err(DeviceError::Protocol(format!("no snapshot {}", id.0)));
        };
        self.reset(saved.start)?;
        for deed in &saved.deeds {
            let done = match deed {
                Deed::Perform(action) => self.perform(action),
                Deed::Relaunch => self.reset(Reset::Relaunch),
            };
            match done {
                Ok(()) | Err(DeviceError::StaleWidget) => {}
                // The app's own failures were met on the way there, too: the next deed starts it again.
                Err(
                    DeviceError::Blocked(_)
                    | DeviceError::Died { .. }
                    | DeviceError::Timeout { .. }
                    | DeviceError::Protocol(_),
                ) => {}
                Err(error) => return Err(error),
            }
        }
        let Some(obs) = self.pending.as_mut() else {
            return Err(DeviceError::Protocol("nothing was seen".to_owned()));
        };
        // Told when it happened first.
        (obs.crash, obs.anr, obs.exit) = (None, None, None);
        obs.left.clear();
        obs.toasts.clear();
        obs.env.clear();
        let mut own = Interner::default();
        let page =
            obs.page.as_ref().filter(|_| obs.alive).map(|nodes| {
                Page::build(nodes, &obs.activity, obs.rotation, obs.screen, &mut own).id
            });
        if page == saved.page {
            return Ok(());
        }
        Err(DeviceError::Protocol(format!(
            "the {} steps since the data were cleared lead to another page now",
            saved.deeds.len()
        )))
    }

    fn delete(&mut self, id: SnapshotId) {
        if let Some(slot) = self.saved.get_mut(id.0 as usize) {
            *slot = None;
        }
    }
}
