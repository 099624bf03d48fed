//! What the log left out: crashes and ANRs that the system has written into its dropbox.
//!
//! Asked only where the log cannot be all there is, since a question takes a phone longer than an event does: it
//! broke off or ran over, it names a signal without frames or an ANR without stacks, a process ended and it says
//! nothing of it, or a step took as long as an ANR does.

use super::handle::Handle;
use super::quote::quote;
use super::user::User;
use super::watch_log::{Told, is_of};
use crate::android::{anr, dropbox, java_crash, native};
use std::collections::{BTreeMap, BTreeSet};
use std::thread;
use std::time::{Duration, Instant};

/// What all questions after one look may take: a device that is slow to answer must not stop the session.
const LIMIT: Duration = Duration::from_secs(10);
/// Between two questions for no other reason than that the log broke off: it may do so ten times a second.
const BETWEEN: Duration = Duration::from_secs(5);
/// An entry is written by another thread of the system's, after the process has ended and its stacks are taken.
const ATTEMPTS: u32 = 4;
/// Between two of them.
const PAUSE: Duration = Duration::from_millis(500);
/// Entries read in full at one time, the latest.
const MOST: usize = 16;

/// What a death was: a process dies once.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Kind {
    Java,
    Native,
}

/// What the session knows of the dropbox.
#[derive(Debug, Default)]
pub struct Dropbox {
    /// Which of the device's lives this is: in the next, process numbers restart.
    life: String,
    /// When the app was started last, on the device's clock: `YYYY-MM-DD HH:MM:SS`. Only what is later counts.
    since: String,
    /// Reported deaths, by process: the log and the dropbox both have them.
    reported: BTreeSet<(Kind, u32)>,
    /// Reported ANRs, by process and reason, and whether the dropbox had them before the log. A process may have
    /// several.
    anrs: BTreeMap<(Option<u32>, String), Source>,
    /// The app's processes since its start, and those before: an entry may be written after its process's life.
    processes: BTreeSet<u32>,
    earlier: BTreeSet<u32>,
    /// Entries read since the start, by time and tag: how many there were.
    read: BTreeMap<(String, String), usize>,
    /// Entries of another user's processes are left out.
    user: User,
    /// Was an uncaught exception reported since the start? Before Android 10 an entry does not name the process.
    crashed: bool,
    /// Troubles of the log for which it was asked.
    troubles: u64,
    /// When it was last queried for these alone.
    asked: Option<Instant>,
}

/// What an ANR is known by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Source {
    /// The line of the event log, and the dropbox's stack: `ANR in` comes when all stacks are written, seconds later.
    Event,
    /// The log. The same reason may come again.
    Log,
    /// The dropbox, before the log.
    Dropbox,
}

fn key(anr: &anr::AnrReport) -> (Option<u32>, String) {
    (anr.pid, anr.reason.clone().unwrap_or_default())
}

impl Dropbox {
    /// What the app does for this user.
    pub fn for_user(user: &User) -> Self {
        Self {
            user: user.clone(),
            ..Self::default()
        }
    }

    /// The app is started now, by the device's clock, in this life of the device. Without a clock nothing in the
    /// box is known to be of this start, and it is not asked.
    pub fn begin(&mut self, life: &str, now: &str) {
        self.since.clear();
        if now.len() == "YYYY-MM-DD HH:MM:SS".len() && now.as_bytes()[4] == b'-' {
            self.since.push_str(now);
        }
        self.earlier.append(&mut self.processes);
        if self.life != life {
            life.clone_into(&mut self.life);
            self.reported.clear();
            self.anrs.clear();
            self.earlier.clear();
        }
        self.read.clear();
        self.crashed = false;
    }

    /// The app's processes right after its start: their numbers are theirs now, whoever had them before.
    pub fn started(&mut self, pids: &[u32]) {
        self.earlier.retain(|pid| !pids.contains(pid));
        self.reported.retain(|(_, pid)| !pids.contains(pid));
        self.anrs
            .retain(|(pid, _), _| pid.is_none_or(|pid| !pids.contains(&pid)));
    }

    /// These are the app's processes.
    pub fn processes(&mut self, pids: &[u32]) {
        self.processes.extend(pids);
    }

    /// Adds what the log left out, and removes what the dropbox reported before the log. `alive`: does the
    /// app's process live? `troubles`: how often the log broke off or lost lines about deaths until now. `slow`:
    /// did the step take as long as an ANR does?
    pub fn complete(
        &mut self,
        handle: &Handle,
        package: &str,
        mut reported: Told,
        (alive, troubles, slow): (bool, u64, bool),
    ) -> Told {
        let until = Instant::now() + LIMIT;
        self.leave_known(&mut reported);
        let bare = |reported: &Told| {
            let native = reported.native.iter().any(|c| c.backtrace.is_empty());
            native || reported.anrs.iter().any(|a| a.main_stack.is_empty())
        };
        let unexplained = |reported: &Told| {
            !alive && !reported.is_death() && !reported.ended && !reported.short_of_memory
        };
        let ended_quietly = |reported: &Told| !alive && !reported.is_death() && reported.ended;
        // A log that is followed again counts from 0.
        self.troubles = self.troubles.min(troubles);
        let troubled = self.troubles < troubles;
        let broke_off = troubled && self.asked.is_none_or(|at| at.elapsed() >= BETWEEN);
        if broke_off {
            self.asked = Some(Instant::now());
        }
        if broke_off || ended_quietly(&reported) || slow && !reported.is_death() {
            let mut done = self.read(handle, package, until, &mut reported);
            if done && troubled && ended_quietly(&reported) {
                // The end may be known before its entry is written.
                thread::sleep(PAUSE);
                done = self.read(handle, package, until, &mut reported);
            }
            if done {
                self.troubles = troubles;
            }
        }
        for attempt in 0..ATTEMPTS {
            if !bare(&reported) && !unexplained(&reported) {
                break;
            }
            if attempt > 0 {
                thread::sleep(PAUSE);
            }
            if !self.read(handle, package, until, &mut reported) {
                break;
            }
        }
        self.note(&reported);
        reported
    }

    /// What was reported is not reported again.
    pub fn note(&mut self, reported: &Told) {
        let java = reported.crashes.iter().map(|c| (Kind::Java, c.pid));
        let native = reported.native.iter().map(|c| (Kind::Native, c.pid));
        let all = java.chain(native);
        self.reported
            .extend(all.filter_map(|(kind, pid)| Some((kind, pid?))));
        for anr in &reported.anrs {
            let source = match anr.is_event() && !anr.main_stack.is_empty() {
                true => Source::Event,
                false => Source::Log,
            };
            let known = self.anrs.entry(key(anr)).or_insert(source);
            if *known != Source::Dropbox {
                *known = source;
            }
        }
        self.crashed |= !reported.crashes.is_empty();
    }

    fn is_new(&self, kind: Kind, pid: Option<u32>) -> bool {
        pid.is_none_or(|p| !self.reported.contains(&(kind, p)) && !self.earlier.contains(&p))
    }

    /// After the log is reopened, removes deaths that the dropbox reported or that belong to earlier processes of the app.
    fn leave_known(&mut self, reported: &mut Told) {
        reported.crashes.retain(|c| self.is_new(Kind::Java, c.pid));
        reported.native.retain(|c| self.is_new(Kind::Native, c.pid));
        let Self { anrs, earlier, .. } = self;
        reported.anrs.retain(|a| {
            let old = a.pid.is_some_and(|pid| earlier.contains(&pid));
            match anrs.get_mut(&key(a)) {
                Some(Source::Dropbox) => false,
                Some(known) if *known == Source::Event && !a.is_event() => {
                    *known = Source::Log;
                    false
                }
                _ => !old,
            }
        });
    }

    /// Reads the entries since the app's start that were not read yet; false if the device does not give them
    /// in time.
    fn read(
        &mut self,
        handle: &Handle,
        package: &str,
        until: Instant,
        reported: &mut Told,
    ) -> bool {
        if self.since.is_empty() {
            return false;
        }
        let ask = |line: &str| {
            let left = until.saturating_duration_since(Instant::now());
            let said = (!left.is_zero()).then(|| handle.shell(line, left))?;
            Some(said.ok()?.text())
        };
        let lists = dropbox::TAGS.map(|tag| format!("dumpsys dropbox {tag} 2>/dev/null"));
        let Some(text) = ask(&lists.join("; ")) else {
            return false;
        };
        if !text.contains("Drop box contents: ") {
            return false;
        }
        let mut fresh: BTreeMap<(String, String), usize> = BTreeMap::new();
        for (time, tag) in dropbox::listed(&text) {
            if time >= self.since.as_str() && dropbox::TAGS.contains(&tag) {
                *fresh.entry((time.to_owned(), tag.to_owned())).or_default() += 1;
            }
        }
        // A second entry of the same second is read with the first.
        fresh.retain(|entry, count| self.read.get(entry) != Some(count));
        let skipped = fresh.len().saturating_sub(MOST);
        for ((time, tag), count) in fresh.into_iter().skip(skipped) {
            // The time is one word for dumpsys, or each half would be looked for by itself.
            let Some(text) = ask(&format!("dumpsys dropbox --print {} {tag}", quote(&time))) else {
                return false;
            };
            for entry in dropbox::printed(&text) {
                if !entry.uid().is_some_and(|uid| self.user.is_other(uid)) {
                    self.join(&entry, package, reported);
                }
            }
            self.read.insert((time, tag), count);
        }
        true
    }

    /// Adds an entry of the app that was not reported yet; completes what the log has started.
    fn join(&mut self, entry: &dropbox::Entry<'_>, package: &str, reported: &mut Told) {
        let (process, pid) = entry.process();
        let ours = |name: Option<&str>| name.or(process).is_some_and(|n| is_of(n, package));
        if entry.tag.ends_with("native_crash") || entry.tag == "SYSTEM_TOMBSTONE" {
            for crash in native::parse(&entry.text).unwrap_or_default() {
                let dead = ours(crash.process.as_deref()) && !crash.was_requested();
                if !dead || !self.is_new(Kind::Native, crash.pid) {
                    continue;
                }
                match reported.native.iter_mut().find(|c| c.pid == crash.pid) {
                    Some(bare) if bare.backtrace.is_empty() => *bare = crash,
                    Some(_) => {}
                    None => reported.native.push(crash),
                }
            }
        } else if entry.tag.ends_with("_anr") {
            if let Some(report) = anr_of(entry).filter(|_| ours(None)) {
                self.join_anr(report, reported);
            }
        } else if let Some(mut crash) = java_crash::of_entry(&entry.text) {
            crash.pid = crash.pid.or(pid);
            let known = match crash.pid {
                Some(_) => !self.is_new(Kind::Java, crash.pid),
                None => self.crashed || entry.time == self.since,
            };
            let same = |c: &java_crash::JavaCrash| crash.pid.is_none() || c.pid == crash.pid;
            if ours(crash.process.as_deref()) && !known && !reported.crashes.iter().any(same) {
                reported.crashes.push(crash);
            }
        }
    }

    fn join_anr(&mut self, report: anr::AnrReport, reported: &mut Told) {
        if report.pid.is_some_and(|pid| self.earlier.contains(&pid)) {
            return;
        }
        let process =
            |a: &anr::AnrReport| a.pid.is_none() || report.pid.is_none() || a.pid == report.pid;
        let known = self.anrs.contains_key(&key(&report));
        // The log's words for the reason may be others.
        let found = reported
            .anrs
            .iter()
            .position(|a| process(a) && a.reason == report.reason)
            .or_else(|| {
                let bare = |a: &anr::AnrReport| process(a) && a.main_stack.is_empty() && !known;
                reported.anrs.iter().position(bare)
            });
        match found.map(|at| &mut reported.anrs[at]) {
            Some(bare) if bare.main_stack.is_empty() => {
                bare.main_stack = report.main_stack;
                bare.app_frame = report.app_frame;
            }
            Some(_) => {}
            None if known => {}
            None => {
                self.anrs.insert(key(&report), Source::Dropbox);
                reported.anrs.push(report);
            }
        }
    }
}

/// The ANR of an entry: the header's. Behind it stand the stacks of the system's and of busy processes, any app's.
fn anr_of(entry: &dropbox::Entry<'_>) -> Option<anr::AnrReport> {
    let (process, pid) = entry.process();
    let mut all = anr::parse(&entry.text).ok()?.into_iter();
    let mut report = all.find(|r| r.process.as_deref() == process)?;
    report.pid = report.pid.or(pid);
    if report.main_stack.is_empty()
        // A process that has no name yet, or whose name was cut off.
        && let Some(stacks) = all.find(|r| r.pid.is_some() && r.pid == report.pid)
    {
        report.main_stack = stacks.main_stack;
        report.app_frame = stacks.app_frame;
    }
    Some(report)
}

#[cfg(test)]
#[path = "dropbox_tests.rs"]
mod tests;
