//! "Application not responding": ActivityManager's report in the log, the event log's line, a dropbox entry, and
//! the stacks in `traces.txt`.

use super::dropbox;
use super::error::FormatError;
use super::logcat::{Record, records};
use super::thread_dump::{self, Dump};
use serde::Serialize;

/// One report of an app that does not respond.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct AnrReport {
    /// Line of the text on which it starts.
    pub line: usize,
    /// Process name.
    pub process: Option<String>,
    /// Process id; Android 4.0 does not say it.
    pub pid: Option<u32>,
    /// Activity, as `package/class`.
    pub activity: Option<String>,
    /// Why Android lost patience.
    pub reason: Option<String>,
    /// `input`, `broadcast`, `service`, `provider`, `start-up` or `other`.
    pub kind: Option<&'static str>,
    /// How long it waited in milliseconds, where the reason reports it.
    pub waited_ms: Option<u64>,
    /// The load averages as printed.
    pub load: Option<String>,
    /// When the stacks were taken.
    pub traced_at: Option<String>,
    /// State of the main thread.
    pub main_state: Option<String>,
    /// The main thread's frames, topmost first, native ones included.
    pub main_stack: Vec<String>,
    /// The topmost frame in the app's code.
    pub app_frame: Option<String>,
    /// What reports it, as bits.
    #[serde(skip)]
    pub sources: u8,
}

/// The event log.
const EVENT_LOG: u8 = 1;
/// ActivityManager's lines in the log.
const LOG: u8 = 2;
/// An entry of the dropbox, or the first lines of a file of /data/anr.
const ENTRY: u8 = 4;
/// Stacks.
pub const STACKS: u8 = 8;

impl AnrReport {
    /// Is it the event log's line alone, without `ANR in`?
    pub const fn is_event(&self) -> bool {
        self.activity.is_none() && self.load.is_none()
    }

    /// The reason and the frames, as a finding's evidence holds them: `main: REASON`, then a frame a line.
    pub fn words(&self) -> String {
        let frames: String = self.main_stack.iter().map(|f| format!("\n  {f}")).collect();
        format!(
            "main: {}{frames}",
            self.reason.as_deref().unwrap_or_default()
        )
    }
}

pattern!(
    ANR_IN,
    r"^\s*ANR (?:\(application not responding\) )?in (?:process: )?(\S+?)(?: \(([^()\s]+)\))?(?:, time=\d+)?\s*$"
);
pattern!(EVENT, r"^\[(?:\d+,)?(\d+),([\w.:]+),-?\d+,(.*)\]$");
pattern!(
    WAITED,
    r"(?:Waited |waited |after |for )(\d+)(?:\.\d+)? ?ms"
);
// `{ act=com.x.A cmp=com.x/.B }` of an intent, a process's record.
pattern!(RECORD, r"\{[^{}]*\}");
// `com.x/.Main`, `com.x:sync`.
pattern!(NAME, r"\w[./:]+\w|/\.");
pattern!(TRACED, r"^----- pid (\d+) at (.*?) -----$");
// A crash reporter in the app has the same text from the runtime, under its own header.
pattern!(REPORTED, r"^pid: (\d+) +>>> \S+ <<<$");
pattern!(
    FIELD,
    r"^\s*(PID|Process|Activity|Subject|Reason|Load): ?(.*?)\s*$"
);

/// Android's phrases for what it waited for.
const PHRASES: [(&str, &str); 20] = [
    ("input dispatching", "input"),
    ("input event", "input"),
    ("keydispatch", "input"),
    ("key dispatch", "input"),
    ("not have a focused window", "input"),
    ("no focused window", "input"),
    ("no window has focus", "input"),
    ("broadcast of", "broadcast"),
    ("executing service", "service"),
    ("startforeground", "service"),
    ("foreground service", "service"),
    ("job service", "service"),
    ("onstartjob", "service"),
    ("onstopjob", "service"),
    ("contentprovider", "provider"),
    ("content provider", "provider"),
    ("failed to complete startup", "start-up"),
    ("bg anr: process", "start-up"),
    ("failed to attach", "start-up"),
    ("failed to start", "start-up"),
];
/// Words that tell where there is no phrase of Android's.
const WORDS: [(&str, &str); 4] = [
    ("broadcast", "broadcast"),
    ("service", "service"),
    ("provider", "provider"),
    ("start", "start-up"),
];

/// What the app did not answer to, from Android's reason: `input`, `broadcast`, `service` and so on. Names of
/// components and processes do not count.
pub fn kind(reason: &str) -> &'static str {
    let mut words = reason.to_lowercase();
    // Records may hold records.
    for _ in 0..4 {
        words = RECORD.replace_all(&words, " ").into_owned();
    }
    let named = |word: &&str| !NAME.is_match(word) || word.contains("()");
    let words: Vec<&str> = words.split_whitespace().filter(named).collect();
    let words = words.join(" ");
    let phrases = PHRASES
        .iter()
        .filter_map(|(phrase, kind)| Some((words.find(phrase)?, *kind)));
    let first = phrases.min_by_key(|(at, _)| *at).map(|(_, kind)| kind);
    let word = || WORDS.iter().find(|(word, _)| words.contains(word));
    first
        .or_else(|| word().map(|(_, kind)| *kind))
        .unwrap_or("other")
}

/// A report whose lines are still coming.
struct Open<'a> {
    writer: Writer<'a>,
    raw: bool,
    at: usize,
}

/// Every report of a text, in its order; the stacks of `traces.txt` join the report of the same process.
///
/// # Errors
/// `no-anr` when there is none.
pub fn parse(text: &str) -> Result<Vec<AnrReport>, FormatError> {
    let mut found: Vec<AnrReport> = Vec::new();
    let mut open: Vec<Open<'_>> = Vec::new();
    let mut dump: Option<Dump<'_>> = None;
    // The report whose first line alone has the log's prefix, as people copy it.
    let mut pasted: Option<usize> = None;
    // Is the entry of the dropbox that the lines are in an ANR?
    let mut in_anr: Option<bool> = None;
    for record in records(text) {
        let line = record.message;
        let continues = record.priority.is_none() && !line.trim().is_empty();
        pasted = pasted.filter(|_| continues);
        if let Some(f) = TRACED.captures(line.trim()) {
            close(&mut dump, &mut found);
            dump = Some(Dump::new(writer(&record), record.line, &f[1], Some(&f[2])));
        } else if let Some(f) = REPORTED.captures(line.trim()) {
            close(&mut dump, &mut found);
            dump = Some(Dump::new(writer(&record), record.line, &f[1], None));
        } else if let Some((_, tag)) = dropbox::head(line) {
            close(&mut dump, &mut found);
            in_anr = Some(tag.ends_with("_anr"));
            open.retain(|o| !o.raw);
        } else if let Some(dump) = dump.as_mut().filter(|d| d.goes_on(writer(&record))) {
            dump.take(line);
        } else if record.priority.is_none() && thread_dump::starts_without_header(line) {
            // Google's consoles show the threads without the header of the process.
            close(&mut dump, &mut found);
            let started = Dump::without_header(writer(&record), record.line, line);
            dump = Some(started);
        } else if let Some(f) = ANR_IN.captures(line) {
            found.push(AnrReport {
                line: record.line,
                process: Some(f[1].to_owned()),
                activity: f.get(2).map(|m| m.as_str().to_owned()),
                sources: LOG,
                ..AnrReport::default()
            });
            pasted = record.priority.map(|_| found.len() - 1);
            open.retain(|o| o.writer != writer(&record));
            open.push(Open {
                writer: writer(&record),
                raw: record.priority.is_none(),
                at: found.len() - 1,
            });
        } else if record.tag == "am_anr" {
            if let Some(f) = EVENT.captures(line.trim()) {
                let mut report = AnrReport {
                    line: record.line,
                    pid: f[1].parse().ok(),
                    process: Some(f[2].to_owned()),
                    sources: EVENT_LOG,
                    ..AnrReport::default()
                };
                reason(&mut report, &f[3]);
                found.push(report);
            }
        } else if let Some(f) = FIELD.captures(line) {
            let mine =
                |o: &&Open<'_>| o.writer == writer(&record) || o.raw && record.priority.is_none();
            // The log's report has no such field: an entry of the dropbox starts.
            pasted = pasted.filter(|_| &f[1] != "Process");
            match pasted.or_else(|| open.iter().rev().find(mine).map(|o| o.at)) {
                Some(at) => field(&mut found[at], &f[1], &f[2]),
                // A dropbox entry starts with its fields.
                None if record.priority.is_none()
                    && in_anr != Some(false)
                    && matches!(&f[1], "Process" | "Subject") =>
                {
                    let mut report = AnrReport {
                        line: record.line,
                        sources: ENTRY,
                        ..AnrReport::default()
                    };
                    field(&mut report, &f[1], &f[2]);
                    found.push(report);
                    open.push(Open {
                        writer: writer(&record),
                        raw: true,
                        at: found.len() - 1,
                    });
                }
                None => {}
            }
        }
    }
    // A crash has such a header, too, and a list of the dropbox the first of it: an ANR says what for.
    found.retain(|report| report.reason.is_some() || report.sources != ENTRY);
    found.extend(dump.and_then(Dump::report));
    let found = join(found);
    if found.is_empty() {
        let lines = text.lines().count().max(1);
        return Err(FormatError::new(
            "no-anr",
            lines,
            "no `ANR in` line and no stack traces of a process up to here",
        ));
    }
    Ok(found)
}

fn close(dump: &mut Option<Dump<'_>>, found: &mut Vec<AnrReport>) {
    found.extend(dump.take().and_then(Dump::report));
}

/// Who wrote a line: process and tag; both are empty outside a log.
pub type Writer<'a> = (Option<u32>, &'a str);

fn writer<'a>(record: &Record<'a>) -> Writer<'a> {
    (record.pid, record.tag)
}

fn reason(report: &mut AnrReport, text: &str) {
    report.kind = Some(kind(text));
    report.waited_ms = WAITED.captures(text).and_then(|f| f[1].parse().ok());
    report.reason = Some(text.to_owned());
}

fn field(report: &mut AnrReport, name: &str, value: &str) {
    match name {
        "PID" => report.pid = report.pid.or(value.parse().ok()),
        "Process" => report.process = report.process.take().or(Some(value.to_owned())),
        "Activity" => report.activity = report.activity.take().or(Some(value.to_owned())),
        "Load" => report.load = report.load.take().or(Some(value.to_owned())),
        _ if report.reason.is_none() => reason(report, value),
        _ => {}
    }
}

/// The event log, the report and the stacks report one ANR; each of them reports a second time what is another.
fn join(all: Vec<AnrReport>) -> Vec<AnrReport> {
    let mut joined: Vec<AnrReport> = Vec::with_capacity(all.len());
    for report in all {
        // From Android 11 on a file of /data/anr says why before its first process, which is the one meant.
        let nameless = |a: &AnrReport| {
            report.traced_at.is_some()
                && a.process.is_none()
                && a.pid.is_none()
                && a.reason.is_some()
        };
        let fits = |a: &AnrReport| {
            a.sources & report.sources == 0
                && (a.process == report.process || nameless(a))
                && (a.pid.is_none() || report.pid.is_none() || a.pid == report.pid)
                && (a.reason.is_none() || report.reason.is_none() || a.reason == report.reason)
        };
        match joined.iter_mut().rev().take(16).find(|a| fits(a)) {
            Some(of) => {
                of.sources |= report.sources;
                of.process = of.process.take().or(report.process);
                of.pid = of.pid.or(report.pid);
                of.activity = of.activity.take().or(report.activity);
                of.kind = of.kind.or(report.kind);
                of.waited_ms = of.waited_ms.or(report.waited_ms);
                of.reason = of.reason.take().or(report.reason);
                of.load = of.load.take().or(report.load);
                of.traced_at = of.traced_at.take().or(report.traced_at);
                of.main_state = of.main_state.take().or(report.main_state);
                of.app_frame = of.app_frame.take().or(report.app_frame);
                if of.main_stack.is_empty() {
                    of.main_stack = report.main_stack;
                }
            }
            None => joined.push(report),
        }
    }
    joined
}
