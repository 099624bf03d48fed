//! Limits that the kernel cannot enforce: the total size of the folders that a process writes, of its removed files, the
//! number of threads, and the kernel's memory for its sockets and page tables. A watching thread kills a process that
//! exceeds them.

#[path = "kernel_memory.rs"]
mod kernel_memory;
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
/// Interval between checks of the files, which pause the process (its memory map is read); longer if a check is slow.
const FILES: Duration = Duration::from_secs(2);
/// The share of time for checks of the files.
const SHARE: u32 = 100;
/// The longest interval.
const LONGEST: Duration = Duration::from_secs(5);
/// Bytes written that trigger an early check of the files.
const WRITTEN: u64 = 8 << 20;

/// The most threads; a typical app has about fifty.
const THREADS: u64 = 1000;
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
        let mut all = 0_u64;
        for folder in &self.folders {
            match untrusted::size_of(folder, self.disk, self.names) {
                Ok(bytes) => all = all.saturating_add(bytes),
                Err(e) if e.kind() == ErrorKind::InvalidData => return hidden(&e),
                // Check again if a folder was removed meanwhile.
                Err(_) => {}
            }
        }
        let removed = match pid.map_or(
            Ok(removed_files::Removed::default()),
            removed_files::of_process,
        ) {
            Ok(removed) => removed,
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
mod tests {
    use super::*;
    use crate::util::process::Owned;
    use std::process::{Command, Stdio};

    const MB: u64 = 1 << 20;

    /// What ends a shell with this script in a folder of at most a megabyte, if anything does.
    fn ended(script: &str) -> Option<String> {
        let folder = tempfile::tempdir().unwrap();
        let mut command = Command::new("sh");
        command
            .args(["-c", script])
            .current_dir(folder.path())
            .stdin(Stdio::null());
        let mut shell = Owned::spawn(&mut command).unwrap();
        let limits = Limits::of_device(vec!["/nonexistent".into(), folder.path().to_owned()], MB);
        let pid = shell.child().id();
        let mut watched = Watched::start(limits, pid, move || Some(pid));
        let status = shell.wait_until(Instant::now() + Duration::from_secs(60));
        let why = watched.finish();
        assert_eq!(why.is_none(), status.unwrap().unwrap().success(), "{why:?}");
        why
    }

    /// Set in the process of many threads that the test below kills.
    const DYING: &str = "DROIDTEST_LIMITS_DYING";

    #[test]
    fn a_process_that_dies_is_not_one_that_hides() {
        const THREADS: u64 = 200;
        if std::env::var_os(DYING).is_some() {
            for _ in 0..THREADS {
                thread::spawn(|| thread::sleep(Duration::from_secs(60)));
            }
            thread::sleep(Duration::from_secs(60));
            return;
        }
        for _ in 0..10 {
            let mut command = Command::new(std::env::current_exe().unwrap());
            command
                .args([
                    "device::jvm::limits::tests::a_process_that_dies_is_not_one_that_hides",
                    "--exact",
                ])
                .env(DYING, "1")
                .stdin(Stdio::null())
                .stdout(Stdio::null());
            let mut process = Owned::spawn(&mut command).unwrap();
            let pid = process.child().id();
            let limit = Instant::now() + Duration::from_secs(30);
            while threads(pid).unwrap() < THREADS {
                assert!(Instant::now() < limit, "no threads");
            }
            kill_group(pid);
            while threads(pid).is_some_and(|count| count > 1) {
                removed_files::of_process(pid).unwrap();
                assert!(Instant::now() < limit, "it does not die");
            }
            process.wait_until(limit).unwrap();
        }
    }

    #[test]
    fn who_fills_the_folder_is_ended() {
        let fill = "i=0; while [ $i -lt 40 ]; do i=$((i+1)); head -c 65536 /dev/zero > f$i; done; sleep 60";
        let why = ended(fill).unwrap();
        assert_eq!(why, "the app's files take more than 1 MB (device.disk)");
        for other in [
            // Many files of nothing.
            "i=0; while [ $i -lt 300 ]; do i=$((i+1)); : > f$i; done; sleep 60",
            // One that has no name any more.
            "exec 3> f; rm f; head -c 2000000 /dev/zero >&3; sleep 60",
            // Far down.
            "i=0; while [ $i -lt 200 ]; do i=$((i+1)); mkdir d; cd d; done; sleep 60",
            "mkdir d; head -c 2000000 /dev/zero > d/f; sleep 60",
        ] {
            assert!(ended(other).is_some(), "{other}");
        }
    }

    /// What ends a program in Python, if anything does; nothing to say where there is no Python.
    fn python_ended(script: &str) -> Option<Option<String>> {
        let found = which::which("python3").is_ok();
        if !found {
            crate::skip::skip("no python3");
        }
        found.then(|| ended(&format!("exec python3 -c '{script}'")))
    }

    #[test]
    fn a_page_of_a_removed_file_counts_as_the_file() {
        let script = r#"
import mmap, os, time, ctypes
f = open("f", "w+b")
f.write(b"x" * 4_000_000); f.flush()
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
assert libc.mmap(None, 4096, 1, 1, f.fileno(), 0) > 0
os.remove("f"); f.close()
time.sleep(8)
"#;
        let Some(why) = python_ended(script) else {
            return;
        };
        assert!(why.unwrap().contains("more than 1 MB"));
    }

    #[test]
    fn full_sockets_end_the_process() {
        let script = r#"
import socket, time
all = [socket.socketpair() for _ in range(400)]
time.sleep(8)
"#;
        let Some(why) = python_ended(script) else {
            return;
        };
        assert!(why.unwrap().contains("sockets"));
    }

    #[test]
    fn who_takes_little_lives_and_links_do_not_count() {
        assert_eq!(
            ended("ln -s / l; head -c 1000 /dev/zero > f; sleep 1"),
            None
        );
    }

    #[test]
    fn threads_are_counted() {
        let limits = Limits {
            threads: 1,
            ..Limits::of_device(vec![], MB)
        };
        let (stop, stopped) = mpsc::channel::<()>();
        let more = thread::spawn(move || stopped.recv());
        let why = limits.too_many_threads(std::process::id()).unwrap();
        assert!(why.ends_with("threads, more than 1"), "{why}");
        drop(stop);
        let _ = more.join().unwrap();
    }
}
