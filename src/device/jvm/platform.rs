//! What the device has of Android's system services and native methods: the tables in the documentation.

use super::JvmDevice;
use crate::device::DeviceError;
use crate::device::message::Request;

impl JvmDevice {
    /// Android's system services, as `docs/platform.md` lists them: name, class of the manager, what answers its calls.
    ///
    /// # Errors
    /// The device does not run, or does not answer.
    pub fn services(&mut self) -> Result<Vec<(String, String, String)>, DeviceError> {
        let limit = self.settings.step_limit;
        Ok(self.call(limit, |id| Request::Services { id })?.services)
    }

    /// The native methods of these classes of the framework, as `docs/natives.md` lists them: class, method, what
    /// implements it.
    ///
    /// # Errors
    /// The device does not run, or does not answer.
    pub fn natives(
        &mut self,
        classes: &[String],
    ) -> Result<Vec<(String, String, String)>, DeviceError> {
        let limit = self.settings.step_limit;
        Ok(self
            .call(limit, |id| Request::Natives { id, classes })?
            .natives)
    }
}
