//! Memory that a process takes past the kernel's limits: the tables of its pages, what waits in its sockets, the kernel's
//! records of its locks and of what it waits for, which count as nobody's, and pages that it has written and may no longer
//! write, which its limit of memory does not count.
//!
//! What a socket holds cannot be seen from outside. Each holds some 400 KB at most (`net.core.wmem_max`, twice, with the
//! default of the kernel), so their number is limited: those that are open, and in the sandbox's network those that were
//! closed and not read, too.

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader};

/// The most sockets: 200 MB.
const SOCKETS: u64 = 512;
/// The most epoll instances: 200 MB if each watches all files that a process may have open.
const EPOLLS: u64 = 256;
/// The most locks of files: 2 MB; a typical app has a few for each database.
const LOCKS: u64 = 10_000;
/// The most memory for page tables, in KB; a typical app takes five thousand.
const TABLES: u64 = 128 << 10;

/// Why a process has more than it may; `who` it is.
pub fn excess(who: &str, pid: u32) -> Option<String> {
    let in_kb = |name| kilobytes(pid, name).unwrap_or(0);
    let (tables, most) = (in_kb("VmPTE:") >> 10, TABLES >> 10);
    if tables > most {
        return Some(format!(
            "{who}'s page tables take {tables} MB, more than {most}"
        ));
    }
    let memory = in_kb("RssAnon:").saturating_add(in_kb("VmSwap:")) >> 10;
    if let Some(most) = memory_limit(pid).map(|bytes| bytes >> 20)
        && memory > most
    {
        return Some(format!(
            "{who} takes {memory} MB of memory, more than {most}"
        ));
    }
    let open = Open::of_process(pid);
    let counts = [
        ("sockets", open.sockets.max(in_network(pid)), SOCKETS),
        ("epoll instances", open.epolls, EPOLLS),
        ("locks of files", locks(pid), LOCKS),
    ];
    counts
        .into_iter()
        .find(|(_, count, most)| count > most)
        .map(|(what, count, most)| format!("{who} has {count} {what}, more than {most}"))
}

/// A line of a process's status that is in KB.
fn kilobytes(pid: u32, name: &str) -> Option<u64> {
    let line = super::status(pid, name)?;
    line.trim_end_matches(" kB").parse().ok()
}

/// Bytes of memory of its own that a process may take (`RLIMIT_DATA`), if that is limited.
fn memory_limit(pid: u32) -> Option<u64> {
    let limits = fs::read_to_string(format!("/proc/{pid}/limits")).ok()?;
    let line = limits
        .lines()
        .find_map(|line| line.strip_prefix("Max data size"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// What a process has open.
#[derive(Default)]
struct Open {
    sockets: u64,
    epolls: u64,
}

impl Open {
    fn of_process(pid: u32) -> Self {
        let mut open = Self::default();
        let Ok(all) = fs::read_dir(format!("/proc/{pid}/fd")) else {
            return open;
        };
        for each in all.flatten() {
            let link = fs::read_link(each.path()).unwrap_or_default();
            let link = link.to_string_lossy();
            open.sockets += u64::from(link.starts_with("socket:"));
            open.epolls += u64::from(link == "anon_inode:[eventpoll]");
        }
        open
    }
}

/// Locks that a process has or waits for. Those of open files (`F_OFD_SETLK`), which the list has without a process, are
/// refused in the sandbox.
fn locks(pid: u32) -> u64 {
    let Ok(list) = File::open("/proc/locks") else {
        return 0;
    };
    let pid = pid.to_string();
    // As bytes: the names of filesystems' own locks may be anything.
    let lines = BufReader::new(list).split(b'\n').map_while(Result::ok);
    let held = lines.filter(|line| is_lock_of(line, &pid));
    // No more than are needed to see that there are too many.
    held.zip(0..=LOCKS).count() as u64
}

/// A line such as `1: POSIX  ADVISORY  WRITE 4711 fd:01:1234 0 EOF`, with `->` after the number of one that waits.
fn is_lock_of(line: &[u8], pid: &str) -> bool {
    let line = String::from_utf8_lossy(line);
    let mut words = line
        .split_whitespace()
        .skip(1)
        .skip_while(|&word| word == "->");
    words.nth(3) == Some(pid)
}

/// Sockets in folders and without a name, in the network of the sandbox; none if it is this machine's.
fn in_network(pid: u32) -> u64 {
    let network = |pid: &str| fs::read_link(format!("/proc/{pid}/ns/net")).ok();
    let theirs = network(&pid.to_string());
    if theirs.is_none() || theirs == network("self") {
        return 0;
    }
    let list = fs::read_to_string(format!("/proc/{pid}/net/unix")).unwrap_or_default();
    list.lines().count().saturating_sub(1) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_belongs_to_the_process_that_has_it_or_waits_for_it() {
        let has = "1: POSIX  ADVISORY  WRITE 4711 fd:01:815 0 EOF";
        let waits = "1: -> FLOCK  ADVISORY  WRITE 4711 fd:01:815 0 EOF";
        for line in [has, waits] {
            assert!(is_lock_of(line.as_bytes(), "4711"), "{line}");
            assert!(!is_lock_of(line.as_bytes(), "815"), "{line}");
        }
        assert!(!is_lock_of(b"", "4711"));
    }
}
