//! Uncaught exceptions in a log, a dropbox entry or a bare stack: who died of what.

use super::error::FormatError;
use super::java_chain::{chain, end, is_exception, is_frame, is_full_exception, root};
use super::logcat::{Record, records};
use super::stack;
use crate::outcome::evidence::Crash;
use regex::Regex;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Lines of one crash kept at most: a stack overflow has a thousand frames, a hostile file any number.
const MAX_LINES: usize = 5_000;

/// How the classes start of what the system only reports: nobody throws them.
const REPORTS: [&str; 2] = ["android.util.Log$TerribleFailure", "android.os.strictmode."];

/// Lines of a message at most, looked through for the exception above a bare stack.
const MAX_MESSAGE: usize = 50;

/// One exception as the log tells it.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct JavaCrash {
    /// Line of the text on which it starts.
    pub line: usize,
    /// Process name (the package, or `package:name`); Android before 4.4 does not say it.
    pub process: Option<String>,
    /// Process id.
    pub pid: Option<u32>,
    /// Did it end the process? Where nothing reports it, a stack that is in a log under a tag of an app's was
    /// caught and written down, and one that is in no log was not.
    pub uncaught: bool,
    /// Exception, stack, root cause.
    #[serde(flatten)]
    pub crash: Crash,
    /// Exceptions of the chain, outermost first.
    pub chain: Vec<Cause>,
}

/// One exception of a chain.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize)]
pub struct Cause {
    /// Class.
    pub class: String,
    /// Message, all its lines.
    pub message: Option<String>,
    /// How many frames of its own it has.
    pub frames: usize,
}

static BEGINS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?x)^\s*(?:[EFA]\ )?(?:\*\*\*\ )?FATAL\ EXCEPTION(?:\ IN\ SYSTEM\ PROCESS)?:\ ?(.*?)
        # Android Studio's offer to explain it, copied along.
        (?:\ \((?:Ask\ Gemini|Fix\ with\ AI|Explain\ with\ AI)\))?
        # Lines that were joined.
        (?:\s+(Process:\ \S+,\ PID:\ \d+))?\s*$",
    )
    .expect("a valid pattern")
});
static HEADER: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"^\s*(Process|PID|UID|Frozen|Flags|Package|Foreground|Build|Lifetime|Theme|SystemUptimeMs|Process-Runtime|Timestamp|Crash-Handler|Loading-Progress|Dropped-Count|Activity|Subject|Parent-Activity|ErrorId|Instant-App|Killed-Process): ?(.*?)\s*$",
    )
    .expect("a valid pattern")
});
static PROCESS: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^(.*?)(?:, PID: (\d+))?$").expect("a valid pattern"));
// What is before the exception: Java's words with the thread, or those of Google's consoles.
static INTRODUCED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"^(?:Exception in thread "([^"]*)"|Fatal Exception:|Exception) (.*)$"#)
        .expect("a valid pattern")
});

/// A crash whose lines are still coming.
struct Open<'a> {
    first: Record<'a>,
    thread: &'a str,
    lines: Vec<&'a str>,
}

/// Every uncaught exception of a text, in its order.
///
/// Besides logs (any format, of several processes at once) it takes a dropbox entry and bare stacks, as people
/// paste them. Where there is none, exceptions that were caught and logged are given.
///
/// # Errors
/// `no-crash` when there is none.
pub fn parse(text: &str) -> Result<Vec<JavaCrash>, FormatError> {
    let mut done: Vec<JavaCrash> = Vec::new();
    let mut open: Vec<Open<'_>> = Vec::new();
    for record in records(text) {
        if let Some(found) = BEGINS.captures(record.message) {
            close(&mut open, record.pid, &mut done);
            let thread = found.get(1).map_or("", |m| m.as_str());
            let lines = found.get(2).map(|m| m.as_str()).into_iter().collect();
            open.push(Open {
                first: record,
                thread,
                lines,
            });
            continue;
        }
        if record.message.starts_with("---------") && record.priority.is_none() {
            continue;
        }
        let mine = |o: &Open<'_>| {
            record.priority.is_none()
                || (o.first.priority.is_none()
                    || o.first.pid == record.pid && o.first.tag == record.tag)
        };
        if let Some(of) = open.iter_mut().rev().find(|o| mine(o)) {
            if of.lines.len() < MAX_LINES {
                of.lines.push(record.message);
            }
        } else {
            // The process continued to something else: its next stack is another crash.
            close_finished(&mut open, &record, &mut done);
        }
    }
    for of in open {
        done.extend(finish(&of));
    }
    done.sort_by_key(|crash| crash.line);
    if done.is_empty() {
        let entry = text.starts_with("Process:").then(|| of_entry(text));
        done.extend(entry.flatten());
    }
    if done.is_empty() {
        done = bare(text);
    }
    if done.is_empty() {
        let lines = text.lines().count().max(1);
        return Err(
            FormatError::new("no-crash", lines, "no uncaught exception up to here")
                .fix("a log of `adb logcat -b crash -d` has a line `FATAL EXCEPTION`"),
        );
    }
    Ok(done)
}

fn close(open: &mut Vec<Open<'_>>, pid: Option<u32>, done: &mut Vec<JavaCrash>) {
    let mut ix = 0;
    while ix < open.len() {
        if open[ix].first.pid == pid {
            done.extend(finish(&open.remove(ix)));
        } else {
            ix += 1;
        }
    }
}

fn close_finished(open: &mut Vec<Open<'_>>, record: &Record<'_>, done: &mut Vec<JavaCrash>) {
    // Without process ids another tag is all that tells the end.
    if record.pid.is_none() {
        close(open, None, done);
    }
}

/// The exception of a dropbox entry: up to the first blank line its header stands, then the stack.
pub fn of_entry(text: &str) -> Option<JavaCrash> {
    let mut lines = text.lines();
    let header = lines.by_ref().take_while(|line| !line.trim().is_empty());
    let header: Vec<_> = header.collect();
    if header.iter().any(|line| is_frame(line.trim())) {
        return None;
    }
    let mut lines_kept: Vec<_> = header.into_iter().filter(|l| HEADER.is_match(l)).collect();
    lines_kept.push("");
    lines_kept.extend(lines.take(MAX_LINES));
    let first = Record {
        line: 1,
        ..Record::default()
    };
    let found = finish(&Open {
        first,
        thread: "",
        lines: lines_kept,
    });
    found.filter(|crash| crash.chain.iter().all(|cause| !cause.class.is_empty()))
}

/// Stacks with nothing before them: each from an exception's line that frames follow, by who wrote it.
fn bare(text: &str) -> Vec<JavaCrash> {
    let mut writers: BTreeMap<(&str, Option<u32>), Vec<Record<'_>>> = BTreeMap::new();
    for record in records(text) {
        let writer = (record.tag, record.pid);
        writers.entry(writer).or_default().push(record);
    }
    let mut found: Vec<_> = writers.values().flat_map(|all| stacks(all)).collect();
    found.sort_by_key(|crash| crash.line);
    found
}

/// The stacks among the lines of one writer.
fn stacks(all: &[Record<'_>]) -> Vec<JavaCrash> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = (from..all.len()).find(|&ix| is_frame(all[ix].message.trim())) {
        let Some(thrown) = exception_above(&all[from..at]).map(|ix| from + ix) else {
            from = at + 1;
            continue;
        };
        let mut thread = "";
        let mut lines: Vec<_> = all[thrown..]
            .iter()
            .map(|r| r.message)
            .take(MAX_LINES)
            .collect();
        if let Some(parts) = INTRODUCED.captures(lines[0].trim()) {
            thread = parts.get(1).map_or("", |m| m.as_str());
            lines[0] = parts.get(2).map_or("", |m| m.as_str());
        }
        lines.truncate(end(&lines));
        let next = thrown + lines.len();
        let heads = |r: &Record<'_>| HEADER.is_match(r.message) || r.message.trim().is_empty();
        let above = &all[from..thrown];
        let start = from + above.iter().rposition(|r| !heads(r)).map_or(0, |ix| ix + 1);
        let header = all[start..thrown].iter().map(|r| r.message);
        lines.splice(0..0, header);
        let first = all[start];
        // The runtime says so of what it only reports, as of `Log.wtf`.
        let before = start.checked_sub(1).map(|ix| all[ix].message.trim());
        let is_report = before.is_some_and(|line| line.starts_with("Error reporting "));
        let crash = finish(&Open {
            first,
            thread,
            lines,
        });
        found.extend(crash.map(|crash| JavaCrash {
            uncaught: crash.uncaught
                && (first.priority.is_none() || first.tag == "AndroidRuntime" && !is_report),
            ..crash
        }));
        from = next.max(at + 1);
    }
    found
}

/// The exception whose frames start behind these lines. Its message may have several; obfuscated names look like any
/// word and count right above the frames alone.
fn exception_above(lines: &[Record<'_>]) -> Option<usize> {
    let last = lines.len().checked_sub(1)?;
    let lowest = lines.len().saturating_sub(MAX_MESSAGE);
    let full = |&ix: &usize| is_full_exception(line_of_exception(lines[ix].message));
    (lowest..lines.len())
        .rev()
        .take_while(|&ix| !is_frame(lines[ix].message.trim()))
        .find(full)
        .or_else(|| is_exception(line_of_exception(lines[last].message)).then_some(last))
}

fn line_of_exception(line: &str) -> &str {
    let line = line.trim();
    let behind = INTRODUCED.captures(line).and_then(|parts| parts.get(2));
    behind.map_or(line, |m| m.as_str())
}

fn finish(of: &Open<'_>) -> Option<JavaCrash> {
    let mut result = JavaCrash {
        line: of.first.line,
        process: of.first.package.map(str::to_owned),
        pid: of.first.pid,
        ..JavaCrash::default()
    };
    let heads = |line: &&&str| line.trim().is_empty() || HEADER.is_match(line);
    let headers = of.lines.iter().take_while(heads).count();
    let (headers, lines) = of.lines.split_at(headers);
    for line in headers {
        header(line, &mut result);
    }
    let chain = chain(&lines[..end(lines)]);
    let root_at = root(&chain)?;
    let (first, root) = (chain.first()?.clone(), chain[root_at].clone());
    result.uncaught = !REPORTS.iter().any(|class| first.class.starts_with(class));
    let mut text = format!("FATAL EXCEPTION: {}\n", of.thread);
    if let Some(process) = &result.process {
        let pid = result
            .pid
            .map(|pid| format!(", PID: {pid}"))
            .unwrap_or_default();
        text += &format!("Process: {process}{pid}\n");
    }
    for (ix, section) in chain.iter().enumerate() {
        let cause = if ix > 0 { "Caused by: " } else { "" };
        let message = section
            .message
            .as_ref()
            .map(|m| format!(": {m}"))
            .unwrap_or_default();
        text += &format!("{cause}{}{message}\n", section.class);
        for frame in &section.frames {
            text += &format!("\t{frame}\n");
        }
    }
    let parsed = stack::parse(&text);
    let own = parsed
        .iter()
        .rev()
        .flat_map(|thrown| &thrown.frames)
        .find(|f| !stack::is_platform(f.class));
    let app_frame = own.map(|f| format!("{}.{}({})", f.class, f.method, f.place));
    text.truncate(text.trim_end().len());
    result.crash = Crash {
        thread: of.thread.to_owned(),
        class: first.class,
        message: first.message,
        root_class: (root_at > 0).then_some(root.class),
        root_message: root.message.filter(|_| root_at > 0),
        app_frame,
        stack: text,
        ..Crash::default()
    };
    result.chain = chain
        .into_iter()
        .map(|s| Cause {
            class: s.class,
            message: s.message,
            frames: s.frames.len(),
        })
        .collect();
    Some(result)
}

fn header(line: &str, result: &mut JavaCrash) {
    let Some(found) = HEADER.captures(line) else {
        return;
    };
    match &found[1] {
        "Process" => {
            if let Some(parts) = PROCESS.captures(&found[2]) {
                result.process = Some(parts[1].to_owned());
                result.pid = parts
                    .get(2)
                    .and_then(|pid| pid.as_str().parse().ok())
                    .or(result.pid);
            }
        }
        "PID" => result.pid = found[2].parse().ok().or(result.pid),
        _ => {}
    }
}
