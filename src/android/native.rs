//! Native crashes: the `Fatal signal` line of libc and the tombstone, as a file or as lines of the log.

use super::error::FormatError;
use super::java_crash::JavaCrash;
use super::logcat::{Record, records};
pub use super::native_frame::NativeFrame;
use super::native_frame::of_line;
use crate::util::hash;
use serde::Serialize;

/// Frames kept at most.
const MAX_FRAMES: usize = 1_000;

/// A process ended by a signal.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)] // the fields are the tombstone's words
pub struct NativeCrash {
    /// Line of the text on which it starts.
    pub line: usize,
    /// Process name; before Android 9 the `Fatal signal` line alone does not say it.
    pub process: Option<String>,
    pub pid: Option<u32>,
    pub tid: Option<u32>,
    /// Thread name, cut to 15 characters by the kernel.
    pub thread: Option<String>,
    pub uid: Option<u32>,
    pub signal: Option<i32>,
    pub signal_name: Option<String>,
    pub code: Option<i32>,
    pub code_name: Option<String>,
    pub fault_address: Option<String>,
    pub abort_message: Option<String>,
    pub cause: Option<String>,
    pub build: Option<String>,
    pub abi: Option<String>,
    pub timestamp: Option<String>,
    pub command_line: Option<String>,
    /// The crashing thread's frames, topmost first.
    pub backtrace: Vec<NativeFrame>,
}

/// How the names of frames start that are on top of every abort, in the C and C++ libraries, the log and the runtime.
const ABORTING: [&str; 22] = [
    "abort",
    "tgkill",
    "pthread_kill",
    "raise",
    "__assert",
    "__rt_sigreturn",
    "__libc_",
    "__android_log_assert",
    "__cxa_",
    "std::terminate",
    "std::__",
    "android::base::DefaultAborter",
    "android::base::LogMessage",
    "android::base::SetAborter",
    "__android_log_call_aborter",
    "__android_log_set_aborter",
    "google::LogMessage",
    "logging::LogMessage",
    "art::Runtime::Abort",
    "art::JavaVMExt::JniAbort",
    "art::ScopedCheck::",
    "art::(anonymous namespace)::ScopedCheck::",
];
/// Libraries whose nameless frames on top of an abort say only that it was one.
const ABORTING_FILES: [&str; 3] = ["libart.so", "libbase.so", "liblog.so"];
/// Where every thread starts: it tells nothing of what went wrong.
const BEGINNING: [&str; 3] = ["__pthread_start", "__start_thread", "__libc_init"];
/// Frames that tell a crash from others.
const TELLING: usize = 5;

impl NativeCrash {
    /// The frames from the first below what every abort has, by [`NativeFrame::place`].
    pub fn places(&self) -> Vec<String> {
        let all: Vec<String> = self.backtrace.iter().map(NativeFrame::place).collect();
        let aborted = self.signal_name.as_deref() == Some("SIGABRT");
        let aborting = |name: &String| {
            aborted && ABORTING_FILES.contains(&name.as_str())
                || ABORTING.iter().any(|start| {
                    // A function of the app's may start with `abort`, too.
                    name == start || start.contains(['_', ':']) && name.starts_with(start)
                })
        };
        let from = all.iter().position(|name| !aborting(name)).unwrap_or(0);
        let reported = all[from..]
            .iter()
            .take_while(|name| !BEGINNING.iter().any(|start| name.starts_with(start)));
        reported.take(TELLING).cloned().collect()
    }

    /// Was the process only asked to write its stacks down? It goes on.
    pub fn was_requested(&self) -> bool {
        self.signal_name.as_deref() == Some("<debuggerd signal>")
    }

    /// The fingerprint: signal, then [`NativeCrash::places`].
    pub fn fingerprint(&self) -> u64 {
        let signal = self.signal_name.as_deref().unwrap_or("");
        let hash = hash::mix(hash::of_bytes(b"native"), hash::of_bytes(signal.as_bytes()));
        let places = self.places();
        places.iter().fold(hash, |hash, name| {
            hash::mix(hash, hash::of_bytes(name.as_bytes()))
        })
    }
}

/// Leaves out tombstones of no death of their own: those that were requested, and those that are a Java exception's
/// message (engines catch the signal and throw an `Error` with its text, and the process dies once).
pub fn keep_deaths(native: &mut Vec<NativeCrash>, java: &[JavaCrash]) {
    let quotes = |crash: &&JavaCrash| {
        let mut lines = crash.chain.iter().filter_map(|c| c.message.as_deref());
        crash.uncaught && lines.any(|m| m.lines().any(|l| PID.is_match(l) || SIGNAL.is_match(l)))
    };
    let quoting: Vec<_> = java.iter().filter(quotes).collect();
    native.retain(|found| {
        !found.was_requested()
            && !quoting.iter().any(|crash| match (crash.pid, found.pid) {
                (Some(java), Some(native)) => java == native,
                _ => crash.process.is_some() && crash.process == found.process,
            })
    });
}

pattern!(STARS, r"^\s*(?:\*\*\* ){5,}\*\*\*\s*$");
pattern!(
    FATAL,
    r"Fatal signal (\d+) \(([^)]*)\)(?:,? (?:at (?P<at>0x[0-9a-f]+)\s*)?(?:\(code=(?P<c2>-?\d+)\)|code (?P<c>-?\d+)(?: \((?P<cn>[^)]*)\))?)?)?(?:, fault addr (?P<addr>\S+))?(?:,? (?:in tid|thread) (?P<tid>\d+)(?: \((?P<tn>[^)]*)\))?)?(?:, pid (?P<pid>\d+) \((?P<pn>[^)]*)\))?"
);
pattern!(
    PID,
    r"^\s*pid: (\d+), tid: (\d+)(?:, name: (.*?))?\s+>>> (.*?) <<<\s*$"
);
pattern!(
    SIGNAL,
    r"^\s*signal:? (-?\d+) \(([^)]*)\)(?:, code (-?\d+)(?: \(([^)]*)\))?)?(?:, fault ?[aA]ddr (\S+))?"
);
// What a text without the line of the process may start with: the signal, a stack alone, and GrapheneOS's log viewer.
pattern!(
    BEGINS,
    r"^\s*(?:backtrace:|type: crash|signal -?\d+ \(SIG[A-Z]+\), code .*)\s*$"
);
pattern!(
    BEHIND_MESSAGE,
    r"^\s*(?:backtrace:|Cause: |pid: \d+, tid: \d|#\d+\s+pc\s|\d+ total frames|(?:[rx]\d+|[er]ax|zr)\s+[0-9a-f]{8})"
);
pattern!(
    FIELD,
    r"^\s*(Build fingerprint|osVersion|ABI|Timestamp|Cmdline|cmdline|threadName|uid|Abort message|Cause): ?'?(.*?)'?\s*$"
);

/// Every native crash of a text, in its order.
///
/// # Errors
/// `no-native-crash` when there is none; `cut-off` when a tombstone ends before it says whose it is.
pub fn parse(text: &str) -> Result<Vec<NativeCrash>, FormatError> {
    let mut found: Vec<NativeCrash> = Vec::new();
    let mut stones: Vec<Stone<'_>> = Vec::new();
    for record in records(text) {
        let mut begin = || {
            found.push(NativeCrash {
                line: record.line,
                ..NativeCrash::default()
            });
            Stone {
                writer: writer(&record),
                at: found.len() - 1,
                has_pid: false,
                frames: Frames::Before,
                in_message: false,
            }
        };
        if STARS.is_match(record.message) {
            stones.retain(|s| s.writer != writer(&record) || s.has_pid);
            stones.push(begin());
        } else if let Some(crash) = fatal(&record) {
            found.push(crash);
        } else if let Some(stone) = stones
            .iter_mut()
            .rev()
            .find(|s| s.writer == writer(&record))
        {
            stone.take(record.message, &mut found[stone.at]);
        } else if PID.is_match(record.message) || BEGINS.is_match(record.message) {
            // Old systems and cut files have no line of stars.
            let mut stone = begin();
            stone.take(record.message, &mut found[stone.at]);
            stones.push(stone);
        }
    }
    let lines = text.lines().count().max(1);
    let started = found.len();
    found.retain(|crash| {
        let is_named = crash.process.is_some() || crash.pid.is_some() || crash.tid.is_some();
        is_named || crash.signal.is_some() || !crash.backtrace.is_empty()
    });
    if found.is_empty() {
        return Err(if started > 0 {
            FormatError::new(
                "cut-off",
                lines,
                "the tombstone ends before the line `pid: .., tid: .., name: .. >>> process <<<`",
            )
        } else {
            FormatError::new("no-native-crash", lines, "no tombstone and no `Fatal signal` line up to here")
                .fix("a tombstone in text form begins with a line of stars; one ending in .pb is its binary form")
        });
    }
    Ok(join(found))
}

fn writer<'a>(record: &Record<'a>) -> (Option<u32>, &'a str) {
    (record.pid, record.tag)
}

/// A tombstone whose lines are still coming.
struct Stone<'a> {
    writer: (Option<u32>, &'a str),
    at: usize,
    has_pid: bool,
    frames: Frames,
    /// Does the abort message continue?
    in_message: bool,
}

#[derive(PartialEq)]
enum Frames {
    Before,
    Within,
    After,
}

impl Stone<'_> {
    fn take(&mut self, line: &str, crash: &mut NativeCrash) {
        let text = |m: &str| Some(m.to_owned()).filter(|m| !m.is_empty());
        // Only a quotation mark ends it, or what is behind it where a log has cut it off.
        if std::mem::take(&mut self.in_message) && !BEHIND_MESSAGE.is_match(line) {
            let line = line.trim_end();
            let last = line.strip_suffix('\'');
            self.in_message = last.is_none();
            let message = crash.abort_message.get_or_insert_default();
            message.push('\n');
            message.push_str(last.unwrap_or(line));
            return;
        }
        if let Some(f) = PID.captures(line) {
            // Other threads follow the crashing one under the same kind of line.
            if self.has_pid {
                self.frames = Frames::After;
                return;
            }
            self.has_pid = true;
            // Google's console does not know them and writes 0.
            let number = |n: usize| f[n].parse().ok().filter(|&n: &u32| n > 0);
            (crash.pid, crash.tid) = (number(1), number(2));
            crash.thread = f.get(3).and_then(|m| text(m.as_str()));
            crash.process = text(&f[4]);
        } else if let Some(frame) = of_line(line) {
            if self.frames != Frames::After && crash.backtrace.len() < MAX_FRAMES {
                self.frames = Frames::Within;
                crash.backtrace.push(frame);
            }
        } else if self.frames == Frames::Within {
            self.frames = Frames::After;
        } else if let Some(f) = SIGNAL.captures(line).filter(|_| crash.signal.is_none()) {
            let part = |n| f.get(n).map(|m| m.as_str().to_owned());
            crash.signal = f[1].parse().ok();
            crash.signal_name = part(2);
            crash.code = f.get(3).and_then(|m| m.as_str().parse().ok());
            crash.code_name = part(4);
            crash.fault_address = part(5).filter(|a| !a.starts_with("---"));
        } else if let Some(f) = FIELD.captures(line) {
            let value = text(&f[2]);
            match &f[1] {
                "Build fingerprint" | "osVersion" => crash.build = value,
                "ABI" => crash.abi = value,
                "Timestamp" => crash.timestamp = value,
                "Cmdline" => crash.command_line = value,
                "cmdline" => crash.process = crash.process.take().or(value),
                "threadName" => crash.thread = crash.thread.take().or(value),
                "uid" => crash.uid = f[2].split(' ').next().and_then(|uid| uid.parse().ok()),
                "Abort message" => {
                    crash.abort_message = value;
                    self.in_message = opens_message(line);
                }
                _ => crash.cause = crash.cause.take().or(value),
            }
        }
    }
}

/// Does the message that starts on this line continue on the next?
fn opens_message(line: &str) -> bool {
    let message = line.split_once('\'').map(|(_, message)| message.trim_end());
    message.is_some_and(|message| !message.ends_with('\''))
}

fn fatal(record: &Record<'_>) -> Option<NativeCrash> {
    let f = FATAL.captures(record.message)?;
    let part = |name| f.name(name).map(|m| m.as_str().to_owned());
    let number = |name| f.name(name).and_then(|m| m.as_str().parse().ok());
    let code = f.name("c").or(f.name("c2"));
    Some(NativeCrash {
        line: record.line,
        // The name in brackets is the main thread's, at most 15 characters: no process name to go by.
        process: record.package.map(str::to_owned),
        pid: number("pid").or(record.pid),
        tid: number("tid"),
        thread: part("tn"),
        signal: f[1].parse().ok(),
        signal_name: Some(f[2].to_owned()),
        code: code.and_then(|m| m.as_str().parse().ok()),
        code_name: part("cn"),
        fault_address: part("addr")
            .or(part("at"))
            .filter(|a| !a.starts_with("---")),
        ..NativeCrash::default()
    })
}

/// A `Fatal signal` line and the tombstone after it are one crash.
fn join(all: Vec<NativeCrash>) -> Vec<NativeCrash> {
    let mut joined: Vec<NativeCrash> = Vec::with_capacity(all.len());
    for crash in all {
        let same = |before: &&mut NativeCrash| {
            before.backtrace.is_empty()
                && before.build.is_none()
                && (before.signal == crash.signal || crash.signal.is_none())
                && (before.pid == crash.pid || before.tid.is_some() && before.tid == crash.tid)
        };
        match joined.iter_mut().rev().take(8).find(same) {
            Some(before) => {
                let fatal = std::mem::replace(before, crash);
                before.line = fatal.line;
                before.process = before.process.take().or(fatal.process);
                before.thread = before.thread.take().or(fatal.thread);
                if before.signal.is_none() {
                    // The tombstone was cut off before it says why.
                    (before.signal, before.signal_name) = (fatal.signal, fatal.signal_name);
                    (before.code, before.code_name) = (fatal.code, fatal.code_name);
                    before.fault_address = fatal.fault_address;
                }
            }
            None => joined.push(crash),
        }
    }
    joined
}
