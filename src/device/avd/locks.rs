//! What we started, on disk: a run that was killed leaves its emulators behind, and the next ends them, and only them.

use serde::{Deserialize, Serialize};
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// A lock whose emulator is not yet named is being written; after this long nobody is.
const YOUNG: Duration = Duration::from_secs(60);

/// One emulator of ours.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Entry {
    /// The tool's process.
    owner: u32,
    /// The emulator's process; 0 while it is being started.
    emulator: u32,
    /// Console port.
    port: u16,
}

/// The right to a console port, until it is dropped.
#[derive(Debug)]
pub struct PortLock {
    file: PathBuf,
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
        let file = folder.join(format!("emulator-{port}.json"));
        let entry = Entry {
            owner: std::process::id(),
            emulator: 0,
            port,
        };
        let options = fs::OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&file);
        match options {
            Ok(opened) => {
                serde_json::to_writer(opened, &entry)?;
                Ok(Some(Self { file, port }))
            }
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => Ok(None),
            Err(e) => Err(e),
        }
    }

    /// Notes the process that was started.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn started(&self, emulator: u32) -> io::Result<()> {
        let entry = Entry {
            owner: std::process::id(),
            emulator,
            port: self.port,
        };
        fs::write(&self.file, serde_json::to_vec(&entry)?)
    }
}

impl Drop for PortLock {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.file);
    }
}

/// The right to an AVD, which no two emulators can run on, until it is dropped: a locked file, so that a run that
/// is killed holds none.
#[derive(Debug)]
pub struct AvdLock {
    /// The AVD's name.
    pub name: String,
    #[allow(dead_code)] // held, not read
    file: File,
}

impl AvdLock {
    /// Takes an AVD that nobody has, of this run or another; `None` when somebody has it.
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
        let file = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(folder.join(format!("avd-{file}.lock")))?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Self {
                name: name.to_owned(),
                file,
            })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(e)) => Err(e),
        }
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
    for file in entries.flatten().map(|e| e.path()).filter(is_entry) {
        let Ok(entry) =
            fs::read(&file).and_then(|bytes| Ok(serde_json::from_slice::<Entry>(&bytes)?))
        else {
            let young = fs::metadata(&file)
                .and_then(|m| m.modified())
                .is_ok_and(|at| SystemTime::now().duration_since(at).unwrap_or_default() < YOUNG);
            if !young {
                let _ = fs::remove_file(&file);
            }
            continue;
        };
        if entry.owner == std::process::id() || is_running(entry.owner, "droidtest") {
            continue;
        }
        // The number may be another process's by now: only one that was started for this port is ours.
        if entry.emulator != 0 && is_running(entry.emulator, &format!("-port {}", entry.port)) {
            kill(entry.emulator);
            ended.push(entry.port);
        }
        let _ = fs::remove_file(&file);
    }
    Ok(ended)
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
        let write = |port: u16, entry: &Entry| {
            fs::write(
                folder.path().join(format!("emulator-{port}.json")),
                serde_json::to_vec(entry).unwrap(),
            )
            .unwrap()
        };
        // No process has the highest number.
        write(
            5600,
            &Entry {
                owner: 4_194_303,
                emulator: left.id(),
                port: 5600,
            },
        );
        // Its number has gone to somebody else's process.
        write(
            5604,
            &Entry {
                owner: 4_194_303,
                emulator: other.id(),
                port: 5604,
            },
        );
        let held = PortLock::take(folder.path(), 5602).unwrap().unwrap();
        held.started(other.id()).unwrap();
        assert_eq!(clean(folder.path()).unwrap(), [5600]);
        assert!(!left.wait().unwrap().success());
        assert!(other.try_wait().unwrap().is_none());
        assert!(PortLock::take(folder.path(), 5602).unwrap().is_none());
        drop(held);
        assert!(PortLock::take(folder.path(), 5602).unwrap().is_some());
        other.kill().unwrap();
        other.wait().unwrap();
    }
}
