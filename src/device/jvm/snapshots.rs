//! Snapshots without an emulator: a restore repeats the actions since the data were cleared.
//!
//! The app gets the same events at the same virtual times; if it does not reach the saved page (it depends on a thread,
//! or the real clock), the restore fails with an error.

use super::JvmDevice;
use crate::device::{Action, Device as _, DeviceError, Reset, SnapshotId, Snapshots};
use crate::gui::{Page, PageId};
use crate::util::intern::Interner;

/// One action on the app.
#[derive(Clone, Debug)]
enum Deed {
    Perform(Action),
    Relaunch,
}

/// The reset that cleared the data, and the actions since; none if the data were not cleared.
#[derive(Clone, Debug, Default)]
pub(super) struct Course(Option<(Reset, Vec<Deed>)>);

impl Course {
    /// The app was restarted.
    pub(super) fn reset(&mut self, how: Reset) {
        match how {
            Reset::ClearData | Reset::Unanswered => self.0 = Some((how, Vec::new())),
            Reset::Relaunch => self.add(Deed::Relaunch),
        }
    }

    /// Does the app's network give no responses ([`Reset::Unanswered`])?
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

/// A state: the actions that lead to it, and its page.
#[derive(Clone, Debug)]
pub(super) struct Saved {
    start: Reset,
    deeds: Vec<Deed>,
    page: Option<PageId>,
}

impl Snapshots for JvmDevice {
    fn save(&mut self) -> Result<SnapshotId, DeviceError> {
        let Some((start, deeds)) = self.course.0.clone() else {
            let why = "a snapshot needs a reset that clears the app's data first";
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
                // The app's failures on the way occurred before, too: the next action restarts it.
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
            return Err(DeviceError::Protocol("no observation".to_owned()));
        };
        // Reported when it occurred first.
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
            "repeating the {} steps since the app's data were cleared leads to another page",
            saved.deeds.len()
        )))
    }

    fn delete(&mut self, id: SnapshotId) {
        if let Some(slot) = self.saved.get_mut(id.0 as usize) {
            *slot = None;
        }
    }
}
