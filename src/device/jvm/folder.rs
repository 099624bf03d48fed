//! The device's own folder.

#[cfg(unix)]
use super::limits::NAMES;
use super::replay::Archive;
use super::settings::{JvmSettings, Network};
use crate::device::DeviceError;
use crate::device::Reset;
#[cfg(unix)]
use crate::util::untrusted::size_of;
use crate::util::untrusted::{Folder, remove_folder};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// Marks a folder as a device's own, which may be emptied.
const MARK: &str = "droidtest-device";
/// Where the app's files are.
pub(super) const FILES: &str = "files";
/// The names that resolve, for Java's own look-ups.
pub(super) const HOSTS: &str = "hosts";
/// The answers that stand for a network.
pub(super) const NETWORK: &str = "network";

/// Makes the device's folder, or empties it if it is one already. Anybody else's folder is left alone.
pub(super) fn claim(work: &Path) -> Result<(), DeviceError> {
    if work.exists() {
        let empty = Folder::open(work)?.names(1)?.is_empty();
        if !empty && work.join(MARK).symlink_metadata().is_err() {
            return Err(DeviceError::Setup(format!(
                "{} holds files that are not a device's; name another folder",
                work.display()
            )));
        }
        remove_folder(work)?;
    }
    fs::create_dir_all(work)?;
    // No other user of this machine has any use for what an app writes, programs that run as you least of all.
    #[cfg(unix)]
    fs::set_permissions(work, std::os::unix::fs::PermissionsExt::from_mode(0o700))?;
    fs::write(work.join(MARK), b"")?;
    fs::write(work.join(HOSTS), b"")?;
    Ok(())
}

/// A folder in it that is made anew for each process: what one left there is of no use to the next.
pub(super) fn anew(work: &Path, name: &str) -> Result<PathBuf, DeviceError> {
    Folder::open(work)?.remove(OsStr::new(name))?;
    let folder = work.join(name);
    // Not one that is there already, nor a link.
    fs::create_dir(&folder)?;
    Ok(folder)
}

/// Takes away what the app has written, where it is to begin without, or has written more than the device holds: its next
/// process would be ended at once.
pub(super) fn clear(settings: &JvmSettings, how: Reset) -> Result<(), DeviceError> {
    if how != Reset::Relaunch || full(settings) {
        Folder::open(&settings.work)?.remove(OsStr::new(FILES))?;
    }
    Ok(())
}

/// Measured where a device's disk has a limit.
fn full(settings: &JvmSettings) -> bool {
    #[cfg(unix)]
    return size_of(&settings.work, settings.disk(), NAMES)
        .map_or(true, |size| size > settings.disk());
    #[cfg(not(unix))]
    return settings.disk() == 0;
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
