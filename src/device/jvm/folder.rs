//! The device's folder.

#[cfg(unix)]
use super::limits::NAMES;
use super::replay::Archive;
use super::settings::{JvmSettings, Network};
use crate::device::DeviceError;
use crate::device::Reset;
use crate::device::progress::Watch;
#[cfg(unix)]
use crate::util::untrusted::size_of;
use crate::util::untrusted::{Folder, remove_folder_unless};
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

/// Marks a device's folder, which may be emptied.
const MARK: &str = "droidtest-device";
/// The folder of the app's files.
pub(super) const FILES: &str = "files";
/// The hosts file for Java's resolver.
pub(super) const HOSTS: &str = "hosts";
/// The archive of a replayed network.
pub(super) const NETWORK: &str = "network";

/// The folder around those that an app and its pages write, which only the user enters: an app may change the mode of its
/// own.
const AROUND: &str = "device";
/// The device's folder in it.
const DEVICE: &str = "jvm";

/// The place of a device's folder in a session's.
pub fn in_session(session: &Path) -> PathBuf {
    session.join(AROUND).join(DEVICE)
}

/// The longest wait after an interruption for the removal of the device's folder.
const LEAVING: Duration = Duration::from_secs(2);
/// Attempts to remove it.
const TRIES: u32 = 5;

/// Creates the device's folder, or empties it if it is one already. Other folders are not touched.
pub(super) fn claim(work: &Path, watch: &Watch) -> Result<(), DeviceError> {
    if work.exists() {
        let empty = Folder::open(work)?.names(1)?.is_empty();
        if !empty && work.join(MARK).symlink_metadata().is_err() {
            return Err(DeviceError::Setup(format!(
                "{} holds files that do not belong to a device; name another folder",
                work.display()
            )));
        }
        remove_folder_unless(work, &|| watch.interrupted()).map_err(of_removal)?;
    }
    // Other users of this machine must not access what an app writes.
    if let Some(around) = work.parent() {
        fs::create_dir_all(around)?;
        if is_around(around) {
            close(around)?;
        }
    }
    fs::create_dir_all(work)?;
    close(work)?;
    fs::write(work.join(MARK), b"")?;
    fs::write(work.join(HOSTS), b"")?;
    Ok(())
}

/// Creates a device's folder; one that is there is removed, whatever its mode.
pub(super) fn renew(work: &Path, watch: &Watch) -> Result<(), DeviceError> {
    if work.join(MARK).symlink_metadata().is_ok() {
        remove_folder_unless(work, &|| watch.interrupted()).map_err(of_removal)?;
    }
    claim(work, watch)
}

fn is_around(folder: &Path) -> bool {
    folder.file_name().is_some_and(|name| name == AROUND)
}

#[cfg_attr(not(unix), allow(clippy::unnecessary_wraps))]
fn close(folder: &Path) -> io::Result<()> {
    #[cfg(unix)]
    fs::set_permissions(folder, std::os::unix::fs::PermissionsExt::from_mode(0o700))?;
    #[cfg(not(unix))]
    let _ = folder;
    Ok(())
}

/// A folder in it that is recreated for each process.
pub(super) fn recreate(work: &Path, name: &str, watch: &Watch) -> Result<PathBuf, DeviceError> {
    remove(work, name, watch)?;
    let folder = work.join(name);
    // Neither an existing folder nor a link.
    fs::create_dir(&folder)?;
    Ok(folder)
}

/// Removes the app's files if it is to start without them, or if they exceed the device's disk, as its next process
/// would be killed at once.
pub(super) fn clear(settings: &JvmSettings, how: Reset, watch: &Watch) -> Result<(), DeviceError> {
    if how != Reset::Relaunch || full(settings) {
        remove(&settings.work, FILES, watch)?;
    }
    Ok(())
}

/// Removes an entry of the device's folder; gives up after the longest wait.
pub(super) fn remove(work: &Path, name: &str, watch: &Watch) -> Result<(), DeviceError> {
    let folder = Folder::open(work)?;
    folder
        .remove_unless(OsStr::new(name), &|| watch.interrupted())
        .map_err(of_removal)
}

/// Removes a device's folder at its end. After an interruption, for two seconds at most, with a notice of what is left.
pub(super) fn leave(work: &Path, watch: &Watch) {
    leave_within(work, watch, LEAVING);
}

fn leave_within(work: &Path, watch: &Watch, limit: Duration) {
    let end = Instant::now() + limit;
    let stopped = || watch.interrupted() && Instant::now() > end;
    for _ in 0..TRIES {
        match remove_folder_unless(work, &stopped) {
            Ok(()) => {
                // Another device's folder may still be in it.
                if let Some(around) = work.parent().filter(|around| is_around(around)) {
                    let _ = fs::remove_dir(around);
                }
                return;
            }
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {
                return watch.report("left behind:", &work.to_string_lossy(), 0, 0);
            }
            // The last of its processes may end later and still write.
            Err(_) => thread::sleep(Duration::from_millis(20)),
        }
    }
}

fn of_removal(error: io::Error) -> DeviceError {
    match error.kind() {
        io::ErrorKind::Interrupted => DeviceError::Interrupted,
        _ => error.into(),
    }
}

/// The size of the folder, for the limit on the device's disk.
fn full(settings: &JvmSettings) -> bool {
    #[cfg(unix)]
    return size_of(&settings.work, settings.disk(), NAMES)
        .map_or(true, |size| size > settings.disk());
    #[cfg(not(unix))]
    return settings.disk() == 0;
}

/// Writes the archive of a replayed network, if there is one.
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;
    use std::sync::{Arc, Mutex};

    /// A watch whose user has had enough, and what it reports.
    fn impatient() -> (Watch, Arc<Mutex<Vec<String>>>) {
        let heard = Arc::new(Mutex::new(Vec::new()));
        let to = Arc::clone(&heard);
        let listener = move |p: crate::device::progress::Progress<'_>| {
            to.lock().unwrap().push(format!("{} {}", p.stage, p.detail));
        };
        (Watch::new(listener, Arc::new(AtomicBool::new(true))), heard)
    }

    #[cfg(unix)]
    #[test]
    fn an_app_that_opens_its_folder_lets_nobody_in() {
        use std::os::unix::fs::PermissionsExt as _;
        let base = tempfile::tempdir().unwrap();
        let work = in_session(base.path());
        claim(&work, &Watch::silent()).unwrap();
        fs::set_permissions(&work, fs::Permissions::from_mode(0o777)).unwrap();
        let around = work.parent().unwrap();
        let mode = around.metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
        leave(&work, &Watch::silent());
        assert!(base.path().exists() && !around.exists());
    }

    #[test]
    fn a_little_is_removed_though_the_user_has_had_enough() {
        let base = tempfile::tempdir().unwrap();
        let work = base.path().join("device");
        claim(&work, &Watch::silent()).unwrap();
        let (watch, heard) = impatient();
        leave(&work, &watch);
        assert!(!work.exists() && heard.lock().unwrap().is_empty());
    }

    #[test]
    fn who_has_had_enough_does_not_wait_for_much_to_be_removed() {
        let base = tempfile::tempdir().unwrap();
        let work = base.path().join("device");
        claim(&work, &Watch::silent()).unwrap();
        fs::create_dir(work.join(FILES)).unwrap();
        fs::write(work.join(FILES).join("a"), "").unwrap();
        let (watch, _) = impatient();
        let kept = JvmSettings::new(&work, base.path());
        for done in [
            clear(&kept, Reset::ClearData, &watch),
            claim(&work, &watch),
            recreate(&work, FILES, &watch).map(|_| ()),
        ] {
            assert!(matches!(done, Err(DeviceError::Interrupted)), "{done:?}");
        }
    }

    #[test]
    fn what_takes_long_is_left_with_a_notice() {
        let base = tempfile::tempdir().unwrap();
        let work = base.path().join("device");
        claim(&work, &Watch::silent()).unwrap();
        let (watch, heard) = impatient();
        leave_within(&work, &watch, Duration::ZERO);
        assert!(work.join(MARK).exists());
        let notice = format!("left behind: {}", work.display());
        assert_eq!(*heard.lock().unwrap(), [notice]);
    }
}
