//! Uncaught exceptions in a log, a dropbox entry or a bare stack: who died of what.

use super::error::FormatError;
use super::logcat::{Record, records};
use super::stack;
use super::text::indent;
use crate::outcome::evidence::Crash;
use regex::Regex;
use serde::Serialize;
use std::sync::LazyLock;

/// Lines of one crash kept at most: a stack overflow has a thousand frames, a hostile file any number.
const MAX_LINES: usize = 5_000;

/// One uncaught exception as the log tells it.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct JavaCrash {
    /// Line of the text on which it begins.
    pub line: usize,
    /// Process name (the package, or `package:name`); Android before 4.4 does not say it.
    pub process: Option<String>,
    /// Process id.
    pub pid: Option<u32>,
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
    Regex::new(r"^\s*(?:\*\*\* )?FATAL EXCEPTION(?: IN SYSTEM PROCESS)?: ?(.*?)\s*$")
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
static EXCEPTION: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^((?:[\p{L}_$][\p{L}\p{N}_$]*\.)*[\p{L}_$][\p{L}\p{N}_$]*)(?:: ?(.*))?$")
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
/// Besides logs (any format, of several processes at once) it takes a dropbox entry and a bare stack, as people
/// paste them.
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
            let lines = Vec::new();
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
            // The process went on to something else: its next stack is another crash.
            close_finished(&mut open, &record, &mut done);
        }
    }
    for of in open {
        done.extend(finish(&of));
    }
    done.sort_by_key(|crash| crash.line);
    if done.is_empty() {
        done.extend(bare(text));
    }
    if done.is_empty() {
        let lines = text.lines().count().max(1);
        return Err(
            FormatError::new("no-crash", lines, "no uncaught exception up to here")
                .mend("a log of `adb logcat -b crash -d` has a line `FATAL EXCEPTION`"),
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
    let mut lines_kept: Vec<_> = header.filter(|line| HEADER.is_match(line)).collect();
    lines_kept.push("");
    lines_kept.extend(lines.take(MAX_LINES));
    let found = finish(&Open {
        first: Record::default(),
        thread: "",
        lines: lines_kept,
    });
    found.filter(|crash| crash.chain.iter().all(|cause| !cause.class.is_empty()))
}

/// A dropbox entry or a stack with nothing before it: from an exception's line that frames follow.
fn bare(text: &str) -> Option<JavaCrash> {
    let all: Vec<_> = records(text).collect();
    let frame =
        |r: &Record<'_>| r.message.trim_start().starts_with("at ") && r.message.contains('(');
    let at = (1..all.len()).find(|&ix| {
        frame(&all[ix]) && !frame(&all[ix - 1]) && EXCEPTION.is_match(all[ix - 1].message.trim())
    })? - 1;
    let tag = (all[at].tag, all[at].pid);
    let start = all[..at]
        .iter()
        .rposition(|r| !HEADER.is_match(r.message) && !r.message.trim().is_empty())
        .map_or(0, |ix| ix + 1);
    let lines = all[start..]
        .iter()
        .filter(|r| (r.tag, r.pid) == tag)
        .map(|r| r.message)
        .take(MAX_LINES)
        .collect();
    finish(&Open {
        first: all[start],
        thread: "",
        lines,
    })
}

fn finish(of: &Open<'_>) -> Option<JavaCrash> {
    let mut result = JavaCrash {
        line: of.first.line,
        process: of.first.package.map(str::to_owned),
        pid: of.first.pid,
        ..JavaCrash::default()
    };
    let mut lines = of.lines.iter().copied().peekable();
    while let Some(line) = lines.next_if(|l| l.trim().is_empty() || HEADER.is_match(l)) {
        header(line, &mut result);
    }
    let chain = chain(lines);
    let (first, root) = (chain.first()?.clone(), chain.last()?.clone());
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
        root_class: (chain.len() > 1).then_some(root.class),
        root_message: if chain.len() > 1 { root.message } else { None },
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

#[derive(Clone, Default)]
struct Section {
    class: String,
    message: Option<String>,
    frames: Vec<String>,
}

/// The chain of causes; suppressed exceptions, which are nested deeper, are left out.
fn chain<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<Section> {
    let mut chain: Vec<Section> = Vec::new();
    let mut suppressed: Option<usize> = None;
    for line in lines {
        let depth = indent(line);
        let line = line.trim();
        // Its own cause stands where it does; with no indentation left nothing tells, and the frames go.
        if suppressed.is_some_and(|outer| depth > outer || depth == outer && outer > 0) {
            continue;
        }
        suppressed = None;
        if line.is_empty() {
            continue;
        }
        if line.starts_with("Suppressed: ") {
            suppressed = Some(depth);
        } else if let Some(cause) = line.strip_prefix("Caused by: ") {
            chain.push(section(cause));
        } else if chain.is_empty() {
            chain.push(section(line));
        } else if let Some(last) = chain.last_mut() {
            if line.starts_with("at ") && line.contains('(') {
                last.frames.push(line.to_owned());
            } else if last.frames.is_empty() {
                // The message goes on.
                let message = last.message.get_or_insert_default();
                message.push('\n');
                message.push_str(line);
            }
        }
    }
    chain
}

fn section(line: &str) -> Section {
    match EXCEPTION.captures(line) {
        Some(found) => Section {
            class: found[1].to_owned(),
            message: found
                .get(2)
                .map(|m| m.as_str().to_owned())
                .filter(|m| !m.is_empty()),
            frames: Vec::new(),
        },
        None => Section {
            message: Some(line.to_owned()),
            ..Section::default()
        },
    }
}
