//! The device's own folder.

use super::replay::Archive;
use super::settings::{JvmSettings, Network};
use crate::device::DeviceError;
use std::fs;
use std::path::Path;

/// Marks a folder as a device's own, which may be emptied.
const MARK: &str = "droidtest-device";
/// The names that resolve, for Java's own look-ups.
pub(super) const HOSTS: &str = "hosts";
/// The answers that stand for a network.
pub(super) const NETWORK: &str = "network";

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
    fs::write(work.join(HOSTS), b"")?;
    Ok(())
}

/// Lays out the archive that stands for the network, where there is one.
pub(super) fn network(settings: &JvmSettings) -> Result<(), DeviceError> {
    let Network::Replay(path) = &settings.network else {
        return Ok(());
    };
    let archive = Archive::read(path)
        .map_err(|error| DeviceError::Setup(format!("{error}; {}", error.fix)))?;
    archive.write(&settings.work.join(NETWORK))?;
    fs::write(settings.work.join(HOSTS), archive.host_table())?;
    Ok(())
}
