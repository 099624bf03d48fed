//! What the log left out: crashes and ANRs that the system has written into its dropbox.
//!
//! Asked only where the log cannot be all there is, since a question takes a phone longer than an event does: it
//! broke off or ran over, it names a signal without frames or an ANR without stacks, a process ended and it says
//! nothing of it, or a step took as long as an ANR does.

use super::handle::Handle;
use super::quote::quote;
use super::watch_log::{Told, is_of};
use crate::android::{anr, dropbox, java_crash, native};
use std::collections::BTreeSet;
use std::thread;
use std::time::Duration;

/// What the shell answers at once, seven questions in a row.
const SHORT: Duration = Duration::from_secs(30);
/// An entry is written by another thread of the system's, after the process has ended and its stacks are taken.
const ATTEMPTS: u32 = 4;
/// Between two of them.
const PAUSE: Duration = Duration::from_millis(500);
/// Entries read in full at one time, the latest.
const MOST: usize = 16;

/// What a death or hang was.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Kind {
    Java,
    Native,
    Anr,
}

/// What the session knows of the dropbox.
#[derive(Debug, Default)]
pub struct Dropbox {
    /// When the app was started last, on the device's clock: `YYYY-MM-DD HH:MM:SS`. Only what is later counts.
    since: String,
    /// Deaths and hangs told, by process: the log and the dropbox tell of the same.
    told: BTreeSet<(Kind, u32)>,
    /// Was an uncaught exception told since the start? Before Android 10 an entry does not name the process.
    crashed: bool,
    /// Troubles of the log known.
    troubles: u64,
}

impl Dropbox {
    /// The app is started now, by the device's clock. Without a clock nothing in the box is known to be of this
    /// start, and it is not asked.
    pub fn begin(&mut self, now: &str) {
        self.since.clear();
        if now.len() == "YYYY-MM-DD HH:MM:SS".len() && now.as_bytes()[4] == b'-' {
            self.since.push_str(now);
        }
        self.crashed = false;
    }

    /// Adds to what the log told what it left out. `alive`: does the app's process live? `troubles`: how often the
    /// log broke off or lost lines until now. `slow`: did the step take as long as an ANR does?
    pub fn complete(
        &mut self,
        handle: &Handle,
        package: &str,
        mut told: Told,
        (alive, troubles, slow): (bool, u64, bool),
    ) -> Told {
        let broke_off = std::mem::replace(&mut self.troubles, troubles) < troubles;
        let bare = |told: &Told| {
            let native = told.native.iter().any(|c| c.backtrace.is_empty());
            native || told.anrs.iter().any(|a| a.main_stack.is_empty())
        };
        let unexplained =
            |told: &Told| !alive && !told.is_death() && !told.ended && !told.short_of_memory;
        let ended_quietly = !alive && !told.is_death() && told.ended;
        if broke_off || ended_quietly || slow && !told.is_death() {
            self.read(handle, package, &mut told);
        }
        for attempt in 0..ATTEMPTS {
            if !bare(&told) && !unexplained(&told) {
                break;
            }
            if attempt > 0 {
                thread::sleep(PAUSE);
            }
            if !self.read(handle, package, &mut told) {
                break;
            }
        }
        self.note(&told);
        told
    }

    fn note(&mut self, told: &Told) {
        let java = told.crashes.iter().map(|c| (Kind::Java, c.pid));
        let native = told.native.iter().map(|c| (Kind::Native, c.pid));
        let anrs = told.anrs.iter().map(|a| (Kind::Anr, a.pid));
        let all = java.chain(native).chain(anrs);
        self.told
            .extend(all.filter_map(|(kind, pid)| Some((kind, pid?))));
        self.crashed |= !told.crashes.is_empty();
    }

    /// Reads the entries since the app's start; false where the device does not give them.
    fn read(&self, handle: &Handle, package: &str, told: &mut Told) -> bool {
        if self.since.is_empty() {
            return false;
        }
        let lists = dropbox::TAGS.map(|tag| format!("dumpsys dropbox {tag} 2>/dev/null"));
        let Ok(said) = handle.shell(&lists.join("; "), SHORT) else {
            return false;
        };
        let text = said.text();
        if !text.contains("Drop box contents: ") {
            return false;
        }
        let mut fresh: Vec<_> = dropbox::listed(&text)
            .into_iter()
            .filter(|(time, tag)| *time >= self.since.as_str() && dropbox::TAGS.contains(tag))
            .collect();
        fresh.sort_unstable();
        fresh.dedup();
        let latest = &fresh[fresh.len().saturating_sub(MOST)..];
        for (time, tag) in latest {
            // The time is one word for dumpsys, or each half would be looked for by itself.
            let line = format!("dumpsys dropbox --print {} {tag}", quote(time));
            let Ok(said) = handle.shell(&line, SHORT) else {
                return false;
            };
            for entry in dropbox::printed(&said.text()) {
                self.join(&entry, package, told);
            }
        }
        true
    }

    /// Adds an entry of the app's that was not told yet; what the log has begun is completed.
    fn join(&self, entry: &dropbox::Entry<'_>, package: &str, told: &mut Told) {
        let (process, pid) = entry.process();
        let ours = |name: Option<&str>| name.or(process).is_some_and(|n| is_of(n, package));
        let is_new = |kind, pid: Option<u32>| pid.is_none_or(|p| !self.told.contains(&(kind, p)));
        if entry.tag.ends_with("native_crash") || entry.tag == "SYSTEM_TOMBSTONE" {
            for crash in native::parse(&entry.text).unwrap_or_default() {
                if !ours(crash.process.as_deref()) || !is_new(Kind::Native, crash.pid) {
                    continue;
                }
                match told.native.iter_mut().find(|c| c.pid == crash.pid) {
                    Some(bare) if bare.backtrace.is_empty() => *bare = crash,
                    Some(_) => {}
                    None => told.native.push(crash),
                }
            }
        } else if entry.tag.ends_with("_anr") {
            for mut report in anr::parse(&entry.text).unwrap_or_default() {
                report.pid = report.pid.or(pid);
                if !ours(report.process.as_deref()) || !is_new(Kind::Anr, report.pid) {
                    continue;
                }
                let same = |a: &&mut anr::AnrReport| a.pid.is_none() || a.pid == report.pid;
                match told.anrs.iter_mut().find(same) {
                    Some(bare) if bare.main_stack.is_empty() => bare.main_stack = report.main_stack,
                    Some(_) => {}
                    None => told.anrs.push(report),
                }
            }
        } else {
            for mut crash in java_crash::parse(&entry.text).unwrap_or_default() {
                crash.pid = crash.pid.or(pid);
                let known = match crash.pid {
                    Some(_) => !is_new(Kind::Java, crash.pid),
                    None => self.crashed || entry.time == self.since,
                };
                let same = |c: &java_crash::JavaCrash| crash.pid.is_none() || c.pid == crash.pid;
                if ours(crash.process.as_deref()) && !known && !told.crashes.iter().any(same) {
                    told.crashes.push(crash);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STONE: &str = "Process: com.x\nPID: 77\nFlags: 0x38c8be46\nPackage: com.x v1 (1.0)\n\n\
        *** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***\n\
        pid: 77, tid: 78, name: Thread-2  >>> com.x <<<\n\
        signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x10\nbacktrace:\n\
        \x20     #00 pc 0000000000012345  /data/app/lib/arm64/libx.so (draw+20)\n";

    fn joined(box_: &Dropbox, tag: &str, text: &str, told: &mut Told) {
        let entry = dropbox::Entry {
            time: "2026-11-22 13:45:01",
            tag,
            text: text.to_owned(),
        };
        box_.join(&entry, "com.x", told);
    }

    #[test]
    fn a_crash_that_two_entries_tell_is_one_and_frames_complete_what_the_log_began() {
        let mut told = Told::default();
        let mut known = Dropbox::default();
        told.native.push(native::NativeCrash {
            pid: Some(77),
            ..native::NativeCrash::default()
        });
        joined(&known, "data_app_native_crash", STONE, &mut told);
        joined(&known, "SYSTEM_TOMBSTONE", STONE, &mut told);
        assert_eq!(told.native.len(), 1);
        assert_eq!(told.native[0].backtrace.len(), 1);
        known.note(&told);
        let mut later = Told::default();
        joined(&known, "SYSTEM_TOMBSTONE", STONE, &mut later);
        let others = STONE.replace("com.x", "com.xy").replace("77", "79");
        joined(&known, "SYSTEM_TOMBSTONE", &others, &mut later);
        assert!(!later.is_death());
    }

    #[test]
    fn an_exception_without_its_process_number_counts_once_for_each_start() {
        let text = "Process: com.x\nFlags: 0x1\n\njava.lang.Error: e\n\tat com.x.A.b(A.java:3)\n";
        let mut known = Dropbox::default();
        known.begin("2026-11-22 13:45:00");
        let mut told = Told::default();
        joined(&known, "data_app_crash", text, &mut told);
        joined(&known, "data_app_crash", text, &mut told);
        assert_eq!(told.crashes.len(), 1);
        assert_eq!(told.crashes[0].crash.class, "java.lang.Error");
        known.note(&told);
        let mut later = Told::default();
        joined(&known, "data_app_crash", text, &mut later);
        assert!(!later.is_death());
        // Of the second in which the app was started: of its life before.
        known.begin("2026-11-22 13:45:01");
        joined(&known, "data_app_crash", text, &mut later);
        assert!(!later.is_death());
    }
}
