//! The device's own folder.

use crate::device::DeviceError;
use std::fs;
use std::path::Path;

/// Marks a folder as a device's own, which may be emptied.
const MARK: &str = "droidtest-device";
/// Makes the device's folder, or empties it if it is one already. Anybody else's folder is left alone.
pub(super) fn claim(work: &Path) -> Result<(), DeviceError> {
    if work.exists() {
        let empty = fs::read_dir(work)?.next().is_none();
        if !empty && !work.join(MARK).exists() {
            return Err(DeviceError::Setup(format!(
                "{} holds files that are not a device's; name another folder",
                work.display()
            )));
        }
        fs::remove_dir_all(work)?;
    }
    fs::create_dir_all(work)?;
    fs::write(work.join(MARK), b"")?;
    fs::write(work.join("hosts"), b"")?;
    Ok(())
}
