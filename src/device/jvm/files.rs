//! Files that the process writes on request: treated as untrusted, since an app may have replaced them, and copied by
//! content.

use super::{JvmDevice, folder, places};
use crate::device::DeviceError;
use crate::device::message::Request;
use crate::outcome::folder::write_whole;
use crate::util::durable::{self, Lasting};
use crate::util::png;
use crate::util::untrusted::Folder;
use std::path::Path;

/// Limit on JaCoCo's data, more than for an app with a hundred thousand classes.
const LARGEST_EXEC: u64 = 256 << 20;
/// Limit on a screenshot.
const LARGEST_PICTURE: u64 = 64 << 20;

impl JvmDevice {
    /// Writes JaCoCo's execution data; `false` if there is none.
    pub(super) fn write_exec(&mut self, to: &Path) -> Result<bool, DeviceError> {
        let bytes = self.call_for_file("exec", LARGEST_EXEC, |id, path| Request::Exec { id, path });
        let Some(bytes) = bytes? else {
            return Ok(false);
        };
        write_whole(to, &bytes)?;
        Ok(true)
    }

    /// Writes a screenshot; `false` if there is none.
    pub(super) fn write_picture(&mut self, to: &Path) -> Result<bool, DeviceError> {
        let bytes = self.call_for_file("screen.png", LARGEST_PICTURE, |id, path| {
            Request::Screenshot { id, path }
        });
        let Some(bytes) = bytes? else {
            return Ok(false);
        };
        let clean = png::cleaned(&bytes).map_err(|why| {
            DeviceError::Protocol(format!("screen.png is not a valid picture: {why}"))
        })?;
        // Not durable: nothing depends on a screenshot, and there may be one per step.
        durable::write(to, &clean, Lasting::Likely)?;
        Ok(true)
    }

    /// Reads a file that the process wrote in its folder. Untrusted, as the app can write there too.
    fn call_for_file(
        &mut self,
        name: &'static str,
        most: u64,
        request: impl for<'r> FnOnce(u64, &'r str) -> Request<'r>,
    ) -> Result<Option<Vec<u8>>, DeviceError> {
        let made = places::device(&self.settings).join(name);
        let path = made.to_string_lossy().into_owned();
        match self.call(self.settings.step_limit, |id| request(id, &path)) {
            Ok(_) => {}
            Err(DeviceError::Protocol(what)) if is_refused(&what) => return Ok(None),
            Err(error) => return Err(error),
        }
        let bytes = Folder::open(&self.settings.work)?.read(Path::new(name), most);
        folder::remove(&self.settings.work, name, &self.watch)?;
        Ok(Some(bytes?))
    }
}

fn is_refused(what: &str) -> bool {
    what.starts_with("not-alive") || what.starts_with("no-picture")
}

#[cfg(all(test, unix))]
#[path = "files_tests.rs"]
mod tests;
