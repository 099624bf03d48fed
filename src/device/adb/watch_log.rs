//! The device's log as it comes, on a separate thread: what the app says, and how it dies.
//!
//! Floods of ten megabytes a second must not lose the crash in them: each line is inspected once, without
//! allocation, and only the app's lines and the system's words about deaths are kept, both bounded. When the
//! stream breaks (the server was killed, the device was away) it is opened again from the last time seen.

use super::error::AdbError;
use super::handle::Handle;
use super::log_lines::{LATEST, State};
use super::user::User;
use crate::android::{anr, java_crash, native};
use crate::outcome::evidence::LogLine;
use std::net::Shutdown;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The longest line looked at; logd cuts at 4 KB.
const LONGEST: usize = 64 << 10;
/// How long a crash's text must have been quiet to be complete.
const QUIET: Duration = Duration::from_millis(60);
/// How long a signal's frames may take to follow it: the tombstone is written while the process still stands.
const FRAMES: Duration = Duration::from_secs(3);
/// What the log reported about the app since the last query.
#[derive(Debug, Default)]
pub struct Told {
    /// The app's lines.
    pub lines: Vec<LogLine>,
    /// Its uncaught exceptions.
    pub crashes: Vec<java_crash::JavaCrash>,
    /// Its native crashes.
    pub native: Vec<native::NativeCrash>,
    /// Its ANRs.
    pub anrs: Vec<anr::AnrReport>,
    /// Did the system end it for want of memory?
    pub short_of_memory: bool,
    /// Did the system say that its main process has ended?
    pub ended: bool,
}

/// Is this a process of the package: of its name, or `package:name`?
pub fn is_of(process: &str, package: &str) -> bool {
    process
        .strip_prefix(package)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
}

impl Told {
    /// Is there a signal whose frames have not come?
    fn lacks_frames(&self) -> bool {
        self.native.iter().any(|crash| crash.backtrace.is_empty())
    }

    /// Did the app die or hang?
    pub fn is_death(&self) -> bool {
        !self.crashes.is_empty() || !self.native.is_empty() || !self.anrs.is_empty()
    }
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
    end: AtomicBool,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The log's watcher; its thread ends when this is dropped.
#[derive(Debug)]
pub struct LogWatch {
    shared: Arc<Shared>,
    package: String,
    user: User,
    thread: Option<thread::JoinHandle<()>>,
}

impl LogWatch {
    /// Watches the device's log from now on for what concerns `package`, as far as it runs for this user.
    ///
    /// # Errors
    /// The device cannot be reached.
    pub fn start(handle: Arc<Handle>, package: &str, user: &User) -> Result<Self, AdbError> {
        // The device's clock: ours may be another.
        let now = handle.run("date '+%m-%d %H:%M:%S.000'", Duration::from_secs(10))?;
        let shared = Arc::<Shared>::default();
        shared.lock().last = now.trim().as_bytes().to_vec();
        let of_thread = shared.clone();
        let thread = thread::Builder::new()
            .name("logcat".to_owned())
            .spawn(move || follow(&handle, &of_thread))
            .map_err(|e| AdbError::ServerGone(e.to_string()))?;
        Ok(Self {
            shared,
            package: package.to_owned(),
            user: user.clone(),
            thread: Some(thread),
        })
    }

    /// Lines of these processes are the app's.
    pub fn processes(&self, pids: impl IntoIterator<Item = u32>) {
        let mut state = self.shared.lock();
        state.watch(pids);
    }

    /// Waits until the log reports a death of the app, at most so long, and until its text is complete.
    pub fn wait_for_death(&self, limit: Duration) -> Told {
        let until = Instant::now() + limit;
        let mut state = self.shared.lock();
        loop {
            let quiet = state.touched.is_some_and(|at| at.elapsed() >= QUIET);
            // A process that ended itself leaves one line of the system's, and no crash.
            let known = || {
                let reported = self.judge(&state);
                (reported.ended || reported.is_death()) && !reported.lacks_frames()
            };
            if quiet && known() || Instant::now() >= until {
                break;
            }
            let (next, _) = self
                .shared
                .changed
                .wait_timeout(state, Duration::from_millis(10))
                .unwrap_or_else(PoisonError::into_inner);
            state = next;
        }
        drop(state);
        self.take()
    }

    /// What has come since it was last asked. A death whose text is still coming is waited for.
    pub fn take(&self) -> Told {
        let started = Instant::now();
        let mut state = self.shared.lock();
        loop {
            let quiet = state.touched.is_none_or(|at| at.elapsed() >= QUIET);
            let begins = state.tells_of_death();
            let judged = (begins || !quiet).then(|| self.judge(&state));
            let frames_come = judged.as_ref().is_some_and(Told::lacks_frames)
                && state.touched.is_some_and(|at| at.elapsed() < FRAMES);
            let coming = !quiet && (begins || judged.is_some_and(|reported| reported.is_death()));
            let limit = if frames_come { FRAMES } else { 10 * QUIET };
            if !(coming || frames_come) || started.elapsed() >= limit {
                break;
            }
            let (next, _) = self
                .shared
                .changed
                .wait_timeout(state, Duration::from_millis(10))
                .unwrap_or_else(PoisonError::into_inner);
            state = next;
        }
        let mut reported = self.judge(&state);
        // Their process may live longer than the line that says whose it is.
        let others = self.user.others(&state.evidence, &self.package);
        state.others.extend(others);
        state.evidence.clear();
        state.touched = None;
        reported.lines = state.app_lines();
        reported
    }

    /// How often the stream broke off and was opened again, lines that might report a death and found no room,
    /// and all lines thrown away for their number.
    pub fn troubles(&self) -> (u64, u64, u64) {
        let state = self.shared.lock();
        (state.restarts, state.lost, state.dropped)
    }

    fn judge(&self, state: &State) -> Told {
        let evidence = state.evidence.as_str();
        if evidence.is_empty() {
            return Told::default();
        }
        let process =
            |name: Option<&String>| name.is_some_and(|name| is_of(name, self.package.as_str()));
        // `Kill 'com.x' (4242), uid 10100, ...`; `Killing` before Android 10.
        let quoted = format!("'{}' (", self.package);
        let killed = |line: &str| {
            [" lowmemorykiller", " lmkd"]
                .iter()
                .any(|tag| line.contains(tag))
                && line.contains("Kill")
                && line.contains(&quoted)
        };
        // `Process com.x (pid 4242) has died: fg TOP`
        let name = format!("Process {} (pid ", self.package);
        let others = self.user.others(evidence, &self.package);
        let is_other = |pid: Option<u32>| {
            pid.is_some_and(|p| others.contains(&p) || state.others.contains(&p))
        };
        let died = |line: &str| {
            let behind = line
                .split_once(&name)
                .and_then(|(_, at)| at.split_once(')'));
            behind.is_some_and(|(pid, rest)| {
                rest.trim_start().starts_with("has died") && !is_other(pid.parse().ok())
            })
        };
        let mut reported = Told {
            short_of_memory: evidence.lines().any(killed),
            crashes: java_crash::parse(evidence).unwrap_or_default(),
            native: native::parse(evidence).unwrap_or_default(),
            anrs: anr::parse(evidence).unwrap_or_default(),
            ended: evidence.lines().any(died),
            ..Told::default()
        };
        native::keep_deaths(&mut reported.native, &reported.crashes);
        reported
            .crashes
            .retain(|c| process(c.process.as_ref()) && !is_other(c.pid));
        // Before Android 9 a signal's line names no process.
        reported
            .native
            .retain(|c| process(c.process.as_ref()) || c.process.is_none() && state.has(c.pid));
        reported.native.retain(|c| !is_other(c.pid));
        reported
            .anrs
            .retain(|a| process(a.process.as_ref()) && !is_other(a.pid));
        reported
    }
}

impl Drop for LogWatch {
    fn drop(&mut self) {
        self.shared.end.store(true, Ordering::Relaxed);
        if let Some(stream) = self.shared.lock().stream.take() {
            let _ = stream.shutdown(Shutdown::Both);
        }
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Reads the stream, and reopens it, until asked to stop.
fn follow(handle: &Handle, shared: &Shared) {
    while !shared.end.load(Ordering::Relaxed) {
        let _ = read(handle, shared);
        if !shared.end.load(Ordering::Relaxed) {
            let mut state = shared.lock();
            state.restarts += 1;
            state.again = LATEST;
            drop(state);
            thread::sleep(Duration::from_millis(100));
        }
    }
}

fn read(handle: &Handle, shared: &Shared) -> Result<(), AdbError> {
    let since = String::from_utf8_lossy(&shared.lock().last).into_owned();
    // A clock that was set back while nobody listened: nothing is later than what was last seen, so the last
    // lines are read again, and those known are left out.
    let restarted = shared.lock().restarts > 0;
    let jumped = restarted && handle.run(NOW, Duration::from_secs(10))?.trim() < since.as_str();
    let since = if jumped { AGAIN.to_owned() } else { since };
    let since = super::quote::quote(&since);
    let mut connection = handle.open(&format!(
        "exec:exec logcat -v threadtime -b main -b system -b crash -b events -T {since} 2>/dev/null"
    ))?;
    shared.lock().stream = Some(connection.handle()?);
    let mut buffer = vec![0; 256 << 10];
    let mut held = 0;
    loop {
        if shared.end.load(Ordering::Relaxed) {
            return Ok(());
        }
        // A log may be silent for hours; only the end of the watch ends the wait.
        let tick = handle.server.limit(Duration::from_millis(500), "the log");
        let n = match connection.read(&mut buffer[held..], &tick) {
            Ok(0) => return Ok(()),
            Ok(n) => n,
            Err(AdbError::Timeout { .. }) => continue,
            Err(error) => return Err(error),
        };
        let end = held + n;
        let Some(whole) = buffer[..end]
            .iter()
            .rposition(|&b| b == b'\n')
            .map(|at| at + 1)
        else {
            held = if end >= LONGEST { 0 } else { end };
            continue;
        };
        let mut state = shared.lock();
        for line in buffer[..whole].split(|&b| b == b'\n') {
            state.take_line(line);
        }
        drop(state);
        shared.changed.notify_all();
        buffer.copy_within(whole..end, 0);
        held = end - whole;
    }
}

/// The device's clock as its log prints it.
const NOW: &str = "date '+%m-%d %H:%M:%S.999'";
/// Lines of each log that are read again after the clock was set back.
const AGAIN: &str = "200";

#[cfg(test)]
mod tests {
    use super::*;

    fn reported(lines: &str, pids: &[u32]) -> Told {
        let shared = Arc::<Shared>::default();
        let watch = LogWatch {
            shared: shared.clone(),
            package: "com.x".into(),
            user: User::default(),
            thread: None,
        };
        watch.processes(pids.iter().copied());
        for line in lines.lines() {
            shared.lock().take_line(line.as_bytes());
        }
        watch.take()
    }

    const CRASH: &str = "03-13 10:01:23.827  7711  7767 E AndroidRuntime: FATAL EXCEPTION: main\n\
        03-13 10:01:23.827  7711  7767 E AndroidRuntime: Process: com.x, PID: 7711\n\
        03-13 10:01:23.827  7711  7767 E AndroidRuntime: java.lang.Error: e\n\
        03-13 10:01:23.827  7711  7767 E AndroidRuntime: \tat com.x.A.b(A.java:3)\n";

    #[test]
    fn a_crash_is_found_in_a_flood_and_memory_is_bounded() {
        let flood: String = (0..20_000)
            .map(|i| {
                format!(
                    "03-13 10:01:23.{:03}  7711  7711 I flood: line {i}\n",
                    i % 1000
                )
            })
            .collect();
        let reported = reported(&format!("{flood}{CRASH}{flood}"), &[7711]);
        assert_eq!(reported.crashes.len(), 1);
        assert_eq!(reported.lines.len(), super::super::log_lines::APP_LINES);
    }

    #[test]
    fn a_crash_is_found_behind_megabytes_of_what_might_tell_of_one() {
        let chatter: String = (0..20_000)
            .map(|i| {
                format!("03-13 10:01:22.000   700   701 I ActivityManager: Killing 1234:com.other/u0a9 (adj 900): empty #{i}\n")
            })
            .collect();
        assert!(chatter.len() > 3 << 19);
        let reported = reported(&format!("{chatter}{CRASH}{chatter}"), &[7711]);
        assert_eq!(reported.crashes.len(), 1);
        assert!(reported.crashes[0].crash.stack.contains("A.java:3"));
    }

    #[test]
    fn a_kill_for_want_of_memory_is_told_where_it_is_the_apps() {
        let line = |rest: &str| format!("03-13 10:01:23.827   411   411 I {rest}\n");
        let short = |rest: &str| reported(&line(rest), &[]).short_of_memory;
        assert!(short(
            "lowmemorykiller: Kill 'com.x' (7711), uid 10100, oom_score_adj 0 to free 81234kB rss"
        ));
        assert!(short(
            "lowmemorykiller: Killing 'com.x' (7711), uid 10100, adj 0"
        ));
        assert!(short("lmkd    : Kill 'com.x' (7711), uid 10100"));
        assert!(!short("lowmemorykiller: Kill 'com.xy' (7711), uid 10100"));
        assert!(!short("Chatter : lowmemorykiller: Kill 'com.x' (7711)"));
    }

    #[test]
    fn the_end_of_another_process_is_not_the_apps() {
        let line = |rest: &str| {
            format!("03-13 10:01:23.827   700   701 I ActivityManager: Process {rest}\n")
        };
        let other =
            line("com.x (pid 31) is still starting") + &line("com.y (pid 32) has died: cch");
        assert!(!reported(&other, &[]).ended);
        assert!(reported(&line("com.x (pid 31) has died: fg TOP"), &[]).ended);
        assert!(reported(&line("com.x (pid 31) has died."), &[]).ended);
    }

    #[test]
    fn other_apps_do_not_count() {
        let other = reported(&CRASH.replace("Process: com.x,", "Process: com.xy,"), &[]);
        assert!(!other.is_death() && other.lines.is_empty());
        let service = reported(
            &CRASH.replace("Process: com.x,", "Process: com.x:sync,"),
            &[],
        );
        assert!(service.is_death());
    }
}
