//! An emulator of ours with an app on it, behind the [`Device`] trait.

use super::emulator::Emulator;
use super::pool;
use super::senses;
use super::settings::AvdSettings;
use crate::device::adb::{AdbDevice, AdbSettings, CAPS};
use crate::device::progress::Watch;
use crate::device::{
    Action, App, Caps, Device, DeviceError, Observation, Reset, SnapshotId, Snapshots,
};
use crate::outcome::SnapshotWork;
use crate::util::intern::Interner;
use std::path::Path;
use std::time::Duration;

/// How long the app's listeners may take to hear of a place or a sensor.
const SENSING_MS: u64 = 300;
/// The process of an emulator that was killed has ended by then.
const ENDING: Duration = Duration::from_secs(2);

/// One app on one emulator, which goes back to the pool at the end.
#[derive(Debug)]
pub struct AvdDevice {
    id: String,
    settings: AvdSettings,
    watch: Watch,
    app: Option<App>,
    /// Dropped before the emulator is given back.
    inner: Option<AdbDevice>,
    emulator: Option<Emulator>,
    saved: u32,
}

impl AvdDevice {
    /// A device with no emulator yet.
    pub fn new(id: impl Into<String>, settings: AvdSettings, watch: Watch) -> Self {
        Self {
            id: id.into(),
            settings,
            watch,
            app: None,
            inner: None,
            emulator: None,
            saved: 0,
        }
    }

    fn inner(&mut self) -> Result<&mut AdbDevice, DeviceError> {
        self.inner
            .as_mut()
            .ok_or_else(|| DeviceError::Setup("a reset needs an installed app".to_owned()))
    }

    /// A new emulator with the app on it, where the old one has died.
    fn revive(&mut self) -> Result<(), DeviceError> {
        let Some(app) = self.app.clone() else {
            return Ok(());
        };
        if self.emulator.as_mut().is_some_and(Emulator::is_running) {
            return Ok(());
        }
        self.watch
            .report("restarting", "an emulator to replace one that died", 0, 0);
        if let Some(mut inner) = self.inner.take() {
            // Nothing must be restored on it, and it is not waited for.
            inner.give_up();
        }
        if let Some(dead) = self.emulator.take() {
            pool::give_back(dead);
        }
        self.install(&app)
    }

    fn snapshot(&mut self, what: SnapshotWork, id: SnapshotId) -> Result<(), DeviceError> {
        let name = format!("droidtest-{}", id.0);
        let emulator = self
            .emulator
            .as_mut()
            .ok_or_else(|| DeviceError::Protocol("no emulator".to_owned()))?;
        let took = emulator.snapshot(what, &name, &self.watch)?;
        let reported = format!(
            "snapshot {name} of {} took {} ms",
            emulator.serial(),
            took.as_millis()
        );
        let stage = match what {
            SnapshotWork::Save => "saved",
            SnapshotWork::Load => "restored",
            SnapshotWork::Delete => "deleted",
        };
        self.watch.report(stage, &reported, 0, 0);
        Ok(())
    }
}

impl Device for AvdDevice {
    fn id(&self) -> &str {
        &self.id
    }

    fn caps(&self) -> Caps {
        Caps {
            snapshots: true,
            ..self.inner.as_ref().map_or(CAPS, Device::caps)
        }
    }

    fn install(&mut self, app: &App) -> Result<(), DeviceError> {
        let emulator = match self.emulator.take() {
            Some(emulator) => emulator,
            None => pool::take(&self.settings, &self.watch)?,
        };
        let settings = AdbSettings {
            serial: Some(emulator.serial()),
            console: &senses::TYPES,
            ..self.settings.adb.clone()
        };
        self.emulator = Some(emulator);
        let mut inner = AdbDevice::new(self.id.clone(), settings, self.watch.clone());
        inner.install(app)?;
        self.inner = Some(inner);
        self.app = Some(app.clone());
        Ok(())
    }

    fn reset(&mut self, how: Reset) -> Result<(), DeviceError> {
        self.revive()?;
        let done = self.inner()?.reset(how);
        // A killed emulator's connections end before its process has.
        let ends = |emulator: &mut Emulator| emulator.ends_within(ENDING);
        match done {
            Err(DeviceError::Interrupted) | Ok(()) => done,
            Err(_) if !self.emulator.as_mut().is_some_and(ends) => done,
            Err(_) => {
                self.revive()?;
                self.inner()?.reset(how)
            }
        }
    }

    fn perform(&mut self, action: &Action) -> Result<(), DeviceError> {
        let Some(line) = senses::command(action) else {
            return self.inner()?.perform(action);
        };
        let emulator = self
            .emulator
            .as_mut()
            .ok_or_else(|| DeviceError::Protocol("no emulator".to_owned()))?;
        match emulator.tell(&line, &self.watch) {
            Ok(()) => {}
            // Refused by the console, as where the image has no such sensor.
            Err(DeviceError::Protocol(why)) => self.inner()?.limit("senses-refused", &why),
            Err(error) => return Err(error),
        }
        // What the app makes of it comes by its listeners, a moment later.
        self.inner()?.perform(&Action::Wait { ms: SENSING_MS })
    }

    fn observe(&mut self, interner: &mut Interner) -> Result<Observation, DeviceError> {
        self.inner()?.observe(interner)
    }

    fn exec_data(&mut self, to: &Path) -> Result<bool, DeviceError> {
        self.inner()?.exec_data(to)
    }

    fn screenshot(&mut self, to: &Path) -> Result<bool, DeviceError> {
        self.inner()?.screenshot(to)
    }

    fn leave(&mut self) -> Vec<String> {
        (self.inner.as_mut()).map(Device::leave).unwrap_or_default()
    }

    fn snapshots(&mut self) -> Option<&mut dyn Snapshots> {
        Some(self)
    }
}

impl Snapshots for AvdDevice {
    fn save(&mut self) -> Result<SnapshotId, DeviceError> {
        let id = SnapshotId(self.saved);
        self.snapshot(SnapshotWork::Save, id)?;
        self.saved += 1;
        Ok(id)
    }

    fn restore(&mut self, id: SnapshotId) -> Result<(), DeviceError> {
        self.inner()?.keep_coverage()?;
        self.snapshot(SnapshotWork::Load, id)?;
        // Whatever ran on the device runs as it did then; the agent's connection does not.
        self.inner()?.forget_connections()
    }

    fn delete(&mut self, id: SnapshotId) {
        if let Err(why) = self.snapshot(SnapshotWork::Delete, id) {
            self.watch.report("not deleted", &why.to_string(), 0, 0);
        }
    }
}

impl Drop for AvdDevice {
    fn drop(&mut self) {
        self.inner = None;
        if let Some(emulator) = self.emulator.take() {
            pool::give_back(emulator);
        }
    }
}
