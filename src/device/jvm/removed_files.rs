//! Files of a process that were removed and still take room, since it has them open or mapped.
//!
//! An open one tells its size. One that is only mapped tells it to the administrator alone (`/proc/PID/map_files`); of
//! any other process all that can be seen is how much of it is mapped, which may be a single page.

use std::collections::HashMap;
use std::fs::{self, Metadata};
use std::io::{self, ErrorKind};
use std::os::unix::fs::MetadataExt as _;
use std::thread;
use std::time::Duration;

/// The flag of a thread that ends (`PF_EXITING` of the kernel, in proc(5)'s `flags`).
const EXITING: u32 = 4;
/// The bit of `SIGKILL` in a mask of pending signals.
const KILLED: u64 = 1 << 8;

/// What a process has of removed files.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Removed {
    /// Bytes that they take, as far as can be seen.
    pub bytes: u64,
    /// Whether they may take more.
    pub hides: bool,
}

/// Looks at the files of a process.
///
/// # Errors
/// The process hides what it has open.
pub fn of_process(pid: u32) -> io::Result<Removed> {
    let ended = super::status(pid, "State:").is_some_and(|state| state.starts_with('Z'));
    if ended {
        // Between taking the signal and ending, a thread shows neither.
        let stays = |look| {
            thread::sleep(Duration::from_millis(10) * look);
            runs_on(pid)
        };
        return if (0..3).all(stays) {
            Err(io::Error::other("its main thread has ended"))
        } else {
            Ok(Removed::default())
        };
    }
    let (open, maps) = match (
        fs::read_dir(format!("/proc/{pid}/fd")),
        fs::read_to_string(format!("/proc/{pid}/maps")),
    ) {
        (Err(e), _) | (_, Err(e)) if e.kind() == ErrorKind::PermissionDenied => return Err(e),
        (Ok(open), Ok(maps)) => (open, maps),
        // It has ended.
        _ => return Ok(Removed::default()),
    };
    // By device and number: a file counts once.
    let mut files: HashMap<(u64, u64), u64> = HashMap::new();
    let mut count = |found: &Metadata| {
        if found.is_file() && found.nlink() == 0 {
            let bytes = found.blocks().saturating_mul(512);
            files.insert((found.dev(), found.ino()), bytes);
        }
    };
    for entry in open.flatten() {
        if let Ok(found) = fs::metadata(entry.path()) {
            count(&found);
        }
    }
    let mut mapped: HashMap<(&str, &str), u64> = HashMap::new();
    for line in maps.lines().filter(|line| line.ends_with(" (deleted)")) {
        let mut words = line.split_ascii_whitespace();
        let Some(range) = words.next() else { continue };
        match fs::metadata(format!("/proc/{pid}/map_files/{range}")) {
            Ok(found) => count(&found),
            Err(_) => {
                let (Some(device), Some(number)) = (words.nth(2), words.next()) else {
                    continue;
                };
                *mapped.entry((device, number)).or_default() += length(range).unwrap_or(0);
            }
        }
    }
    // The two lists write devices differently; a number alone is enough to know a file that is open, too.
    let is_open = |number: &str| {
        let number = number.parse::<u64>().ok();
        files.keys().any(|(_, open)| Some(*open) == number)
    };
    mapped.retain(|(_, number), _| !is_open(number));
    let bytes = files.values().chain(mapped.values());
    Ok(Removed {
        bytes: bytes.copied().fold(0, u64::saturating_add),
        hides: !mapped.is_empty(),
    })
}

/// Does a thread run that the kernel is not ending? When a process dies, its first thread may be gone before the others.
fn runs_on(pid: u32) -> bool {
    let Ok(threads) = fs::read_dir(format!("/proc/{pid}/task")) else {
        return false;
    };
    threads.flatten().any(|thread| {
        let read = |name| fs::read_to_string(thread.path().join(name));
        let (Ok(stat), Ok(status)) = (read("stat"), read("status")) else {
            return false;
        };
        // Behind the name in parentheses: the state, five numbers, the flags.
        let mut fields = stat.rsplit(')').next().unwrap_or("").split_whitespace();
        let gone = fields.next().is_none_or(|state| matches!(state, "Z" | "X"));
        let flags: u32 = fields
            .nth(5)
            .and_then(|flags| flags.parse().ok())
            .unwrap_or(0);
        let pending = status.lines().find_map(|line| line.strip_prefix("SigPnd:"));
        let pending = pending.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        !gone && flags & EXITING == 0 && pending.unwrap_or(0) & KILLED == 0
    })
}

/// The length of a range of addresses.
fn length(range: &str) -> Option<u64> {
    let (from, to) = range.split_once('-')?;
    let number = |text| u64::from_str_radix(text, 16).ok();
    number(to)?.checked_sub(number(from)?)
}

/// Bytes that a process may have in files whose size cannot be seen: all that it has written while it had such, except
/// for what can be seen to have grown meanwhile.
#[derive(Clone, Copy, Default, Debug)]
pub struct Unseen {
    bytes: u64,
    written: u64,
    seen: u64,
}

impl Unseen {
    /// # Arguments
    /// - `hides`: whether it has such files now
    /// - `written`: bytes that it has written since its start
    /// - `seen`: bytes of its files that can be seen
    pub fn update(&mut self, hides: bool, written: u64, seen: u64) -> u64 {
        let more = written.saturating_sub(self.written);
        let grown = seen.saturating_sub(self.seen);
        self.bytes = match hides {
            true => self.bytes.saturating_add(more.saturating_sub(grown)),
            false => 0,
        };
        (self.written, self.seen) = (written, seen);
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_and_cannot_be_seen_counts_while_something_is_hidden() {
        let mut unseen = Unseen::default();
        assert_eq!(unseen.update(false, 100, 100), 0);
        // A file of 50 is filled, removed, and unmapped but for a page.
        assert_eq!(unseen.update(true, 150, 100), 50);
        // One that is there to be seen is written.
        assert_eq!(unseen.update(true, 250, 200), 50);
        assert_eq!(unseen.update(true, 300, 200), 100);
        assert_eq!(unseen.update(false, 300, 200), 0);
    }

    #[test]
    fn a_range_has_a_length() {
        assert_eq!(length("7f00-8f00"), Some(0x1000));
        assert_eq!(length("x-y"), None);
    }
}
