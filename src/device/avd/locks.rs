//! What we started, on disk: a run that was killed leaves its emulators behind, and the next ends them, and only them.
//!
//! A run is alive while it holds a lock on its entry; the system releases the lock with the process:
//! neither a process's number nor its name tells that, since containers give the same ones again.

use crate::util::lock;
use serde::{Deserialize, Serialize};
use std::fs::{self, File, TryLockError};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long an emulator that was killed may take to be gone, and its AVD free.
const GONE: Duration = Duration::from_secs(5);

/// One emulator of ours.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Entry {
    /// The emulator's process; 0 while it is being started.
    emulator: u32,
    /// Console port.
    port: u16,
}

/// A locked file. The lock goes with it: to close it would not be enough while a process that another thread is just
/// starting has a copy of it.
#[derive(Debug)]
struct Locked(File);

impl Drop for Locked {
    fn drop(&mut self) {
        let _ = self.0.unlock();
    }
}

/// The right to a console port, until it is dropped.
#[derive(Debug)]
pub struct PortLock {
    path: PathBuf,
    file: Locked,
    /// The port.
    pub port: u16,
}

impl PortLock {
    /// Takes a port that no run of ours has; `None` when one has it.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub fn take(folder: &Path, port: u16) -> io::Result<Option<Self>> {
        fs::create_dir_all(folder)?;
        let path = folder.join(format!("emulator-{port}.json"));
        let Some(mut file) = locked(&path)? else {
            return Ok(None);
        };
        // What a killed run left there is the next clean-up's affair.
        if read(&mut file.0).is_some() {
            return Ok(None);
        }
        let mut this = Self { path, file, port };
        this.started(0)?;
        Ok(Some(this))
    }

    /// Notes the process that was started.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn started(&mut self, emulator: u32) -> io::Result<()> {
        let entry = Entry {
            emulator,
            port: self.port,
        };
        self.file.0.set_len(0)?;
        self.file.0.rewind()?;
        self.file.0.write_all(&serde_json::to_vec(&entry)?)
    }
}

impl Drop for PortLock {
    fn drop(&mut self) {
        // Empty if it cannot be removed, which says as much.
        let _ = self.file.0.set_len(0);
        let _ = fs::remove_file(&self.path);
    }
}

/// The file, made where it is missing and locked; `None`: someone holds it.
fn locked(path: &Path) -> io::Result<Option<Locked>> {
    loop {
        let Some(file) = lock::take(path)?.map(Locked) else {
            return Ok(None);
        };
        if is_there(&file.0)? {
            return Ok(Some(file));
        }
        // Its last owner removed it between our two calls: the name is another file's by now, or nobody's.
    }
}

#[cfg(unix)]
fn is_there(file: &File) -> io::Result<bool> {
    Ok(std::os::unix::fs::MetadataExt::nlink(&file.metadata()?) > 0)
}

/// Where an open file cannot be removed under its name.
#[cfg(not(unix))]
#[allow(clippy::unnecessary_wraps)] // as the other is
fn is_there(_: &File) -> io::Result<bool> {
    Ok(true)
}

fn read(file: &mut File) -> Option<Entry> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).ok()?;
    serde_json::from_slice(&bytes).ok()
}

/// The right to an AVD, which no two emulators can run on, until it is dropped: a locked file, so that a run that
/// is killed holds none.
#[derive(Debug)]
pub struct AvdLock {
    /// The AVD's name.
    pub name: String,
    #[allow(dead_code)] // held, not read
    file: Locked,
}

impl AvdLock {
    /// Takes an AVD that nobody has, of this run or another; `None` when someone has it.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub fn take(folder: &Path, name: &str) -> io::Result<Option<Self>> {
        fs::create_dir_all(folder)?;
        let safe = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
        let file: String = name
            .chars()
            .map(|c| if safe(c) { c } else { '_' })
            .collect();
        let file = lock::take(&folder.join(format!("avd-{file}.lock")))?;
        Ok(file.map(|file| Self {
            name: name.to_owned(),
            file: Locked(file),
        }))
    }
}

/// Ends emulators whose tool is dead; gives their console ports.
///
/// # Errors
/// The folder cannot be read.
pub fn clean(folder: &Path) -> io::Result<Vec<u16>> {
    let mut ended = Vec::new();
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(ended),
        Err(e) => return Err(e),
    };
    let is_entry = |file: &PathBuf| file.extension().is_some_and(|e| e == "json");
    for path in entries.flatten().map(|e| e.path()).filter(is_entry) {
        let Some(mut file) = locked(&path)? else {
            continue;
        };
        if let Some(entry) = read(&mut file.0) {
            // The number may be another process's by now: only one that was started for this port is ours.
            let ours = format!("-port {}", entry.port);
            if entry.emulator != 0 && is_running(entry.emulator, &ours) {
                kill(entry.emulator);
                let until = Instant::now() + GONE;
                while is_running(entry.emulator, &ours) && Instant::now() < until {
                    std::thread::sleep(Duration::from_millis(20));
                }
                ended.push(entry.port);
            }
        }
        let _ = fs::remove_file(&path);
    }
    Ok(ended)
}

/// Is the emulator with this serial in the folder: as one that a run holds, or one that a killed run has left
/// and that still runs?
pub fn is_of_a_run(folder: &Path, serial: &str) -> bool {
    let port: Option<u16> = serial
        .strip_prefix("emulator-")
        .and_then(|port| port.parse().ok());
    let Some(port) = port else {
        return false;
    };
    let Ok(mut file) = File::open(folder.join(format!("emulator-{port}.json"))) else {
        return false;
    };
    // Shared: two that look at once do not take each other for its owner.
    match file.try_lock_shared() {
        Err(TryLockError::WouldBlock) => true,
        _ => read(&mut file)
            .is_some_and(|entry| is_running(entry.emulator, &format!("-port {}", entry.port))),
    }
}

/// Does a process of this number run, with these words in its command line?
fn is_running(pid: u32, words: &str) -> bool {
    let line = fs::read(format!("/proc/{pid}/cmdline")).map(|bytes| {
        let text: Vec<_> = bytes
            .split(|b| *b == 0)
            .map(String::from_utf8_lossy)
            .collect();
        text.join(" ")
    });
    let line = line.or_else(|_| {
        let mut ps = std::process::Command::new("ps");
        ps.args(["-o", "command=", "-p", &pid.to_string()]);
        crate::util::process::run(&mut ps, Duration::from_secs(10))
            .map(|out| String::from_utf8_lossy(&out.stdout).into_owned())
    });
    line.is_ok_and(|line| line.contains(words))
}

#[cfg(unix)]
fn kill(pid: u32) {
    if let Some(pid) = rustix::process::Pid::from_raw(pid.cast_signed()) {
        let _ = rustix::process::kill_process_group(pid, rustix::process::Signal::KILL);
        let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
    }
}

#[cfg(not(unix))]
fn kill(pid: u32) {
    let mut command = std::process::Command::new("taskkill");
    command.args(["/F", "/T", "/PID", &pid.to_string()]);
    let _ = crate::util::process::run(&mut command, Duration::from_secs(10));
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_dead_run_left_is_ended() {
        let folder = tempfile::tempdir().unwrap();
        let sleeper = |port: u16| {
            std::process::Command::new("sh")
                .args(["-c", "sleep 100; true", "x", "-port", &port.to_string()])
                .spawn()
                .unwrap()
        };
        let (mut left, mut other) = (sleeper(5600), sleeper(5602));
        // The system shows a process's arguments only some time after it has started.
        let until = Instant::now() + Duration::from_secs(30);
        while !is_running(left.id(), "-port 5600") && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(5));
        }
        let left_entry = |port: u16, emulator: u32| {
            let text = serde_json::to_vec(&Entry { emulator, port }).unwrap();
            fs::write(folder.path().join(format!("emulator-{port}.json")), text).unwrap();
        };
        left_entry(5600, left.id());
        // Its number has gone to another party's process.
        left_entry(5604, other.id());
        // Killed before anything was started.
        fs::write(folder.path().join("emulator-5606.json"), "").unwrap();
        // One that lives, whatever its number and name are: of this process.
        let mut held = PortLock::take(folder.path(), 5602).unwrap().unwrap();
        held.started(other.id()).unwrap();
        assert!(PortLock::take(folder.path(), 5600).unwrap().is_none());
        let named = |port: u16| is_of_a_run(folder.path(), &format!("emulator-{port}"));
        assert!(named(5600) && named(5602), "one left, one held");
        assert!(!named(5604) && !named(5606) && !named(5608));
        assert!(!is_of_a_run(folder.path(), "10.0.0.1:5555"));
        assert_eq!(clean(folder.path()).unwrap(), [5600]);
        assert!(!left.wait().unwrap().success());
        assert!(PortLock::take(folder.path(), 5600).unwrap().is_some());
        assert!(PortLock::take(folder.path(), 5606).unwrap().is_some());
        assert!(other.try_wait().unwrap().is_none());
        assert!(PortLock::take(folder.path(), 5602).unwrap().is_none());
        drop(held);
        assert!(PortLock::take(folder.path(), 5602).unwrap().is_some());
        other.kill().unwrap();
        other.wait().unwrap();
    }
}
