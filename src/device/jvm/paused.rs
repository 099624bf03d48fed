//! A process that does not run while its files are counted: it could move a folder, or what it has open, from where is
//! still to be looked to where was already looked, and never be seen with it.

use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::thread;
use std::time::{Duration, Instant};

/// The longest wait for all threads to stop: each has to run once more, on a machine that may be busy.
const STOP: Duration = Duration::from_secs(2);
const LOOK: Duration = Duration::from_millis(1);

/// Goes on when this is dropped.
#[derive(Debug)]
pub struct Paused {
    pid: u32,
}

impl Paused {
    /// Stops a process, and waits for its threads.
    pub fn new(pid: u32) -> Self {
        let paused = Self { pid };
        paused.send(Signal::STOP);
        let limit = Instant::now() + STOP;
        while !paused.is_still() && Instant::now() < limit {
            thread::sleep(LOOK);
        }
        paused
    }

    /// Whether no thread runs: they have stopped, wait for a disk, or have ended.
    pub fn is_still(&self) -> bool {
        let Ok(threads) = fs::read_dir(format!("/proc/{}/task", self.pid)) else {
            return true;
        };
        threads.flatten().all(|thread| {
            let stat = fs::read_to_string(thread.path().join("stat")).unwrap_or_default();
            // Behind the name in parentheses.
            let state = stat.rsplit(") ").next().unwrap_or_default();
            !state.starts_with(['R', 'S'])
        })
    }

    fn send(&self, signal: Signal) {
        if let Some(pid) = Pid::from_raw(self.pid.cast_signed()) {
            // It may have ended.
            let _ = kill_process(pid, signal);
        }
    }
}

impl Drop for Paused {
    fn drop(&mut self) {
        self.send(Signal::CONT);
    }
}
