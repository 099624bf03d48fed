//! Limits that the kernel cannot enforce: the total size of the folders that a process writes, of its removed files, the
//! number of threads, and the kernel's memory for its sockets and page tables. A watching thread kills a process that
//! exceeds them.

#[path = "kernel_memory.rs"]
mod kernel_memory;
#[path = "paused.rs"]
mod paused;
#[path = "removed_files.rs"]
mod removed_files;

use super::process::only_child;
use crate::util::process::kill_group;
use crate::util::untrusted;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::PathBuf;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Interval between checks of the kernel's counters: threads, and bytes written.
const PAUSE: Duration = Duration::from_millis(200);
/// Interval between checks of the files, which pause the process; longer if a check is slow.
const FILES: Duration = Duration::from_secs(2);
/// The share of time for checks of the files.
const SHARE: u32 = 100;
/// The longest interval.
const LONGEST: Duration = Duration::from_secs(5);
/// Bytes written that trigger an early check of the files.
const WRITTEN: u64 = 8 << 20;

/// The most threads; a typical app has about fifty.
const THREADS: u64 = 1000;
/// Most attempts to count the files of a process that goes on while it is paused, as by a timer that wakes it.
const ATTEMPTS: u32 = 3;
/// Most entries in folders that an app writes: more would take seconds to check, and minutes to remove.
pub const NAMES: u64 = 100_000;
/// The same for our tools: a page for each class of a large app.
const NAMES_OF_TOOLS: u64 = 1_000_000;
/// Bytes in the folder of one of our tools: several times the largest apps, in each of their forms.
const DISK_OF_TOOLS: u64 = 8 << 30;

/// The limits of a process.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The owner of the files, for messages.
    who: &'static str,
    /// The setting to name in messages.
    setting: &'static str,
    /// The folders that it writes.
    folders: Vec<PathBuf>,
    /// Bytes in them.
    disk: u64,
    /// Names in each.
    names: u64,
    /// Threads.
    threads: u64,
}

/// A thread that watches a process, until it is asked for its result.
#[derive(Debug)]
pub struct Watched {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<Option<String>>>,
}

impl Watched {
    /// Watches the process group `leader` of a sandbox, whose program is its child after the start.
    pub fn of_sandbox(limits: Limits, leader: u32) -> Self {
        Self::start(limits, leader, move || only_child(leader))
    }

    /// Watches the process group `leader`, whose program is `program` after the start.
    fn start(
        limits: Limits,
        leader: u32,
        program: impl Fn() -> Option<u32> + Send + 'static,
    ) -> Self {
        let (stop, stopped) = mpsc::channel();
        let thread = thread::spawn(move || {
            let mut due = Instant::now();
            let mut known = 0;
            let mut unseen = removed_files::Unseen::default();
            loop {
                match stopped.recv_timeout(PAUSE) {
                    Err(RecvTimeoutError::Timeout) => {}
                    _ => return None,
                }
                let pid = program();
                let start = Instant::now();
                let written = pid.map_or(0, written);
                let mut why = pid.and_then(|pid| {
                    let threads = limits.too_many_threads(pid);
                    threads.or_else(|| kernel_memory::excess(limits.who, pid))
                });
                if why.is_none() && (start >= due || written.saturating_sub(known) > WRITTEN) {
                    why = limits.too_many_bytes(pid, written, &mut unseen);
                    known = written;
                    due = Instant::now() + FILES.max((start.elapsed() * SHARE).min(LONGEST));
                }
                if why.is_some() {
                    kill_group(leader);
                    return why;
                }
            }
        });
        Self {
            stop: Some(stop),
            thread: Some(thread),
        }
    }

    /// Stops watching, and returns why it killed the process, if it did.
    pub fn finish(&mut self) -> Option<String> {
        self.stop = None;
        self.thread.take()?.join().ok()?
    }
}

impl Limits {
    /// The limits of a device's process, with its setting `disk` in bytes.
    pub fn of_device(folders: Vec<PathBuf>, disk: u64) -> Self {
        Self {
            who: "the app",
            setting: " (device.disk)",
            folders,
            disk,
            names: NAMES,
            threads: THREADS,
        }
    }

    /// The limits of a tool that reads an app and writes one folder.
    pub fn of_tool(who: &'static str, folder: PathBuf) -> Self {
        Self {
            who,
            setting: "",
            folders: vec![folder],
            disk: DISK_OF_TOOLS,
            names: NAMES_OF_TOOLS,
            threads: THREADS,
        }
    }

    /// The limits of a tool that may write a megabyte.
    #[cfg(test)]
    pub fn small(who: &'static str, folder: PathBuf) -> Self {
        Self {
            disk: 1 << 20,
            ..Self::of_tool(who, folder)
        }
    }

    /// # Arguments
    /// `written`: bytes that the process has written so far.
    fn too_many_bytes(
        &self,
        pid: Option<u32>,
        written: u64,
        unseen: &mut removed_files::Unseen,
    ) -> Option<String> {
        let who = self.who;
        let hidden = |e: &io::Error| Some(format!("{who}'s files cannot be measured: {e}"));
        let count = || -> Result<(u64, removed_files::Removed), io::Error> {
            let mut all = 0_u64;
            for folder in &self.folders {
                match untrusted::size_of(folder, self.disk, self.names) {
                    Ok(bytes) => all = all.saturating_add(bytes),
                    Err(e) if e.kind() == ErrorKind::InvalidData => return Err(e),
                    // Check again if a folder was removed meanwhile.
                    Err(_) => {}
                }
            }
            let removed = pid.map_or(
                Ok(removed_files::Removed::default()),
                removed_files::of_process,
            )?;
            Ok((all, removed))
        };
        let still = || {
            let paused = pid.map(paused::Paused::new);
            let counted = count();
            paused
                .is_none_or(|paused| paused.is_still())
                .then_some(counted)
        };
        let Some(counted) = (0..ATTEMPTS).find_map(|_| still()) else {
            return hidden(&io::Error::other("it does not stop"));
        };
        let (mut all, removed) = match counted {
            Ok(counted) => counted,
            Err(e) => return hidden(&e),
        };
        all = all.saturating_add(removed.bytes);
        all = all.saturating_add(unseen.update(removed.hides, written, all));
        (all > self.disk).then(|| {
            format!(
                "{who}'s files take more than {} MB{}",
                self.disk >> 20,
                self.setting
            )
        })
    }

    fn too_many_threads(&self, pid: u32) -> Option<String> {
        threads(pid)
            .filter(|&count| count > self.threads)
            .map(|count| {
                format!(
                    "{} has {count} threads, more than {}",
                    self.who, self.threads
                )
            })
    }
}

/// Bytes that a process has handed to the system to write, and those of files that it has written in its memory.
fn written(pid: u32) -> u64 {
    let counts = fs::read_to_string(format!("/proc/{pid}/io")).unwrap_or_default();
    let count = |name: &str| {
        let line = counts.lines().find_map(|l| l.strip_prefix(name))?;
        line.trim().parse::<u64>().ok()
    };
    let (handed, dirtied) = (count("wchar:"), count("write_bytes:"));
    handed.unwrap_or(0).saturating_add(dirtied.unwrap_or(0))
}

/// A line of a process's status, without its name.
fn status(pid: u32, name: &str) -> Option<String> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|l| l.strip_prefix(name))?;
    Some(line.trim().to_owned())
}

fn threads(pid: u32) -> Option<u64> {
    status(pid, "Threads:")?.parse().ok()
}

#[cfg(all(test, target_os = "linux"))]
#[path = "limits_tests.rs"]
mod tests;
