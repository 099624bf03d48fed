//! Who has which device: two runs on one machine, or two sessions of one run, never touch the same phone.
//!
//! A lease is a locked file, so that a run that is killed holds none. Losses are counted by serial for as long as
//! the program runs; a device that was lost too often is left alone from then on.

use super::error::AdbError;
use super::server::Server;
use crate::android::devices::AdbDevice;
use crate::device::avd;
use crate::util::lock;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The serial that stands for whichever device is free.
pub const ANY: &str = "any";

/// Losses after which a device is left alone.
pub const QUARANTINE: u32 = 2;

/// Between two looks whether a device is free.
const PAUSE: Duration = Duration::from_millis(200);

static LOSSES: Mutex<BTreeMap<String, u32>> = Mutex::new(BTreeMap::new());

/// Network devices that a server had, by its port. A server that is started again does not know them.
static NETWORK: Mutex<BTreeSet<(u16, String)>> = Mutex::new(BTreeSet::new());

/// Counts a loss of a device; gives how many there were.
pub fn lost(serial: &str) -> u32 {
    let mut losses = LOSSES.lock().unwrap_or_else(PoisonError::into_inner);
    let count = losses.entry(serial.to_owned()).or_default();
    *count += 1;
    *count
}

/// Was it lost too often?
pub fn is_quarantined(serial: &str) -> bool {
    let losses = LOSSES.lock().unwrap_or_else(PoisonError::into_inner);
    losses.get(serial).is_some_and(|count| *count >= QUARANTINE)
}

/// The right to a device, until it is dropped.
#[derive(Debug)]
pub struct Lease {
    /// Its serial.
    pub serial: String,
    /// Locked; `None` if leases are not kept.
    #[allow(dead_code)] // held, not read
    file: Option<File>,
}

impl Lease {
    /// The device with this serial, any free one, or without a serial the only one there is. Waits for as long as
    /// the server's patience where others have it. An emulator that a run of ours started (it is in `emulators`)
    /// is that run's own, also before an app is on it: any free device is another one.
    ///
    /// # Errors
    /// There is none, it was lost too often, or others do not give it back.
    pub fn take(
        server: &Server,
        serial: Option<&str>,
        folder: Option<&Path>,
        emulators: Option<&Path>,
        patience: Duration,
    ) -> Result<Self, AdbError> {
        let limit = server.limit(patience, "a free device");
        let mut reconnected = false;
        loop {
            let mut away = None;
            let found = match serial {
                Some(ANY) => {
                    let all = server.devices()?;
                    let forgotten = forgotten(server.port(), &all);
                    match Self::free(&all, folder, emulators) {
                        Ok(Some(lease)) => Some(lease),
                        // Once: a host that does not answer takes seconds.
                        _ if !reconnected && !forgotten.is_empty() => {
                            reconnected = true;
                            for serial in forgotten {
                                limit.check()?;
                                // Whether it helped shows in the list.
                                let _ = server.question(&format!("host:connect:{serial}"));
                            }
                            continue;
                        }
                        // All of them at once, as when their hub restarts: they come back.
                        Err(error) if error.is_passing() => {
                            away = Some(error);
                            None
                        }
                        done => done?,
                    }
                }
                named => {
                    let serial = server.persist("", || server.choose(named))?;
                    refuse_lost(&serial)?;
                    Self::lock(&serial, folder)?
                }
            };
            if let Some(lease) = found {
                return Ok(lease);
            }
            match limit.pause(PAUSE) {
                Err(AdbError::Timeout { seconds, .. }) => {
                    if let Some(error) = away {
                        return Err(error);
                    }
                    let which = serial.filter(|s| *s != ANY).unwrap_or("every device");
                    return Err(AdbError::Refused(format!(
                        "{which} has been in use by another session or run for {seconds} s: wait until that ends, or \
                         name another `serial`"
                    )));
                }
                other => other?,
            }
        }
    }

    fn free(
        all: &[AdbDevice],
        folder: Option<&Path>,
        emulators: Option<&Path>,
    ) -> Result<Option<Self>, AdbError> {
        let usable: Vec<_> = all.iter().filter(|d| d.state == "device").collect();
        let Some(first) = usable.first() else {
            // Names what is connected instead, and the fix.
            return Server::only(all).map(|_| None);
        };
        let mut sound = usable
            .iter()
            .filter(|d| !is_quarantined(&d.serial))
            .peekable();
        if sound.peek().is_none() {
            refuse_lost(&first.serial)?;
        }
        for device in sound {
            if emulators.is_some_and(|folder| avd::is_of_a_run(folder, &device.serial)) {
                continue;
            }
            if let Some(lease) = Self::lock(&device.serial, folder)? {
                return Ok(Some(lease));
            }
        }
        Ok(None)
    }

    fn lock(serial: &str, folder: Option<&Path>) -> Result<Option<Self>, AdbError> {
        let lease = |file| Self {
            serial: serial.to_owned(),
            file,
        };
        let Some(folder) = folder else {
            return Ok(Some(lease(None)));
        };
        let path = path(folder, serial);
        let failed = |e| AdbError::Refused(format!("{}: {e}", path.display()));
        fs::create_dir_all(folder).map_err(failed)?;
        let file = lock::take(&path).map_err(failed)?;
        Ok(file.map(|file| lease(Some(file))))
    }
}

/// The network devices that the server at this port had before, if it has none of them now: then it was started again,
/// and does not know them. Devices that were lost are left out. Also records the network devices that it has.
fn forgotten(port: u16, all: &[AdbDevice]) -> Vec<String> {
    let mut network = NETWORK.lock().unwrap_or_else(PoisonError::into_inner);
    let here = all
        .iter()
        .filter(|d| d.state == "device" && d.serial.contains(':'));
    network.extend(here.map(|d| (port, d.serial.clone())));
    let losses = LOSSES.lock().unwrap_or_else(PoisonError::into_inner);
    let of_port = network.iter().filter(|(of, _)| *of == port);
    let serials = of_port.map(|(_, serial)| serial);
    let kept: Vec<_> = serials.filter(|s| !losses.contains_key(*s)).collect();
    if kept.iter().any(|s| all.iter().any(|d| d.serial == **s)) {
        return Vec::new();
    }
    kept.into_iter().cloned().collect()
}

fn refuse_lost(serial: &str) -> Result<(), AdbError> {
    if is_quarantined(serial) {
        return Err(AdbError::Refused(format!(
            "{serial} was lost {QUARANTINE} times in this run and is not used any more: check its cable, its power \
             and `adb devices -l`"
        )));
    }
    Ok(())
}

fn path(folder: &Path, serial: &str) -> PathBuf {
    let safe = |c: char| {
        if c.is_ascii_alphanumeric() || "._-".contains(c) {
            c
        } else {
            '_'
        }
    };
    folder.join(format!(
        "{}.lock",
        serial.chars().map(safe).collect::<String>()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lease_keeps_others_away_until_it_ends() {
        let folder = tempfile::tempdir().unwrap();
        let take = || Lease::lock("10.0.0.1:5555", Some(folder.path())).unwrap();
        let first = take().unwrap();
        assert!(take().is_none());
        assert!(
            Lease::lock("emulator-5554", Some(folder.path()))
                .unwrap()
                .is_some()
        );
        drop(first);
        assert!(take().is_some());
    }

    #[test]
    fn a_device_lost_twice_is_left_alone() {
        let serial = "lease-test";
        assert_eq!(lost(serial), 1);
        assert!(!is_quarantined(serial) && refuse_lost(serial).is_ok());
        assert_eq!(lost(serial), 2);
        let error = refuse_lost(serial).unwrap_err().to_string();
        assert!(error.contains("lost 2 times"), "{error}");
    }
}
