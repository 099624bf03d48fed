//! A device that is replaced by another when it is lost: the session continues with what it has learned and found.

use super::device::AdbDevice;
use super::lease::{self, ANY};
use super::settings::AdbSettings;
use crate::device::progress::Watch;
use crate::device::{Action, App, Caps, Device, DeviceError, Observation, Reset, Snapshots};
use crate::util::intern::Interner;
use std::path::Path;

/// One app on one phone at a time.
#[derive(Debug)]
pub struct SpareDevice {
    id: String,
    settings: AdbSettings,
    watch: Watch,
    app: Option<App>,
    inner: AdbDevice,
}

impl SpareDevice {
    /// A device with no app yet.
    pub fn new(id: impl Into<String>, settings: AdbSettings, watch: Watch) -> Self {
        let id = id.into();
        Self {
            inner: AdbDevice::new(id.clone(), settings.clone(), watch.clone()),
            id,
            settings,
            watch,
            app: None,
        }
    }

    /// Another device instead of one that does not come back, where the suite takes any. Where none was there
    /// at the last attempt, it is looked for one again.
    fn replace(&mut self, why: DeviceError) -> Result<(), DeviceError> {
        if let Some(serial) = self.inner.serial() {
            let times = lease::lost(&serial);
            let detail = format!("{serial} for the {times}. time: {why}");
            self.watch.report("lost", &detail, 0, 0);
        }
        let any = self.settings.serial.as_deref() == Some(ANY);
        let Some(app) = self.app.clone().filter(|_| any) else {
            return Err(why);
        };
        // Nothing can be restored on a device that does not answer, and it is not waited for.
        self.inner.give_up();
        self.inner = AdbDevice::new(self.id.clone(), self.settings.clone(), self.watch.clone());
        self.inner.install(&app)?;
        self.watch.report(
            "continuing",
            &format!("with {}", self.inner.serial().unwrap_or_default()),
            0,
            0,
        );
        Ok(())
    }
}

/// Does it say that the device is gone, and not that the app or the suite is wrong?
const fn is_loss(error: &DeviceError) -> bool {
    matches!(
        error,
        DeviceError::Timeout { .. }
            | DeviceError::Died { .. }
            | DeviceError::Protocol(_)
            | DeviceError::Setup(_)
            | DeviceError::Io(_)
    )
}

impl Device for SpareDevice {
    fn id(&self) -> &str {
        &self.id
    }

    fn caps(&self) -> Caps {
        self.inner.caps()
    }

    fn install(&mut self, app: &App) -> Result<(), DeviceError> {
        self.app = Some(app.clone());
        self.inner.install(app)
    }

    fn reset(&mut self, how: Reset) -> Result<(), DeviceError> {
        match self.inner.reset(how) {
            Err(error) if is_loss(&error) => {
                self.replace(error)?;
                // What the app had kept stayed on the other.
                self.inner.reset(Reset::ClearData)
            }
            done => done,
        }
    }

    fn perform(&mut self, action: &Action) -> Result<(), DeviceError> {
        self.inner.perform(action)
    }

    fn observe(&mut self, interner: &mut Interner) -> Result<Observation, DeviceError> {
        self.inner.observe(interner)
    }

    fn exec_data(&mut self, to: &Path) -> Result<bool, DeviceError> {
        self.inner.exec_data(to)
    }

    fn screenshot(&mut self, to: &Path) -> Result<bool, DeviceError> {
        self.inner.screenshot(to)
    }

    fn leave(&mut self) -> Vec<String> {
        self.inner.leave()
    }

    fn snapshots(&mut self) -> Option<&mut dyn Snapshots> {
        self.inner.snapshots()
    }
}
