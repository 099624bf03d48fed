//! The chain of exceptions in the lines of one crash: classes, messages of several lines, frames, causes.

use super::stack::{is_pseudo_cause, is_script_place};
use super::text::indent;
use regex::Regex;
use std::borrow::Cow;
use std::sync::LazyLock;

/// A class, and a message: any one word is one, too.
static EXCEPTION: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^((?:[\p{L}_$][\p{L}\p{N}_$]*\.)*[\p{L}_$][\p{L}\p{N}_$]*)(?:: ?(.*))?$")
        .expect("a valid pattern")
});

/// One exception of a chain.
#[derive(Clone, Default)]
pub struct Section {
    /// Class; empty if the line does not name one.
    pub class: String,
    /// Message, all its lines.
    pub message: Option<String>,
    /// Frames of its own, topmost first.
    pub frames: Vec<String>,
}

/// Does the line (trimmed) name an exception?
pub fn is_exception(line: &str) -> bool {
    // Frames of a thread in a dump of all threads; the process in a tombstone that is a message.
    let is_native = ["native: #", "kernel: ", "pid: "]
        .iter()
        .any(|start| line.starts_with(start));
    EXCEPTION.is_match(line) && !is_native
}

/// Does the line (trimmed) name an exception by a class that no word of a message looks like?
pub fn is_full_exception(line: &str) -> bool {
    EXCEPTION.captures(line).is_some_and(|found| {
        let class = &found[1];
        let behind = &line[class.len()..];
        (behind.is_empty() || behind == ":" || behind.starts_with(": "))
            && (class.contains('.') || class.ends_with("Exception") || class.ends_with("Error"))
    })
}

/// Is the line (trimmed) a frame? A script's (`at Button (file.js:1:2)`, `at async load(a.js:1:2)`) is none.
pub fn is_frame(line: &str) -> bool {
    let Some((name, place)) = line.strip_prefix("at ").and_then(|at| at.split_once('(')) else {
        return false;
    };
    // Kotlin's methods may have blanks within.
    let class = name.split(' ').next().unwrap_or("");
    let apart = name.ends_with(' ');
    class.contains('.')
        && !class.contains("://")
        && !is_script_place(place)
        && (!apart || is_java_place(place))
}

/// A frame's line as the runtime prints it: Google's consoles put a blank before the place.
pub fn plain_frame(line: &str) -> Cow<'_, str> {
    match line.split_once(" (") {
        Some((name, place)) if is_frame(line) && is_java_place(place) => {
            Cow::Owned(format!("{}({place}", name.trim_end()))
        }
        _ => Cow::Borrowed(line),
    }
}

/// Is what is behind a frame's opening bracket a place in Java or Kotlin, as the runtime writes it?
fn is_java_place(place: &str) -> bool {
    let starts = ["Native ", "Unknown Source", "SourceFile", "r8-map-id"];
    starts.iter().any(|start| place.starts_with(start))
        || [".java", ".kt"].iter().any(|end| {
            let behind = place.split_once(end).map(|(_, behind)| behind);
            behind.is_some_and(|behind| behind.starts_with([':', ')']))
        })
}

/// The cause that a line (trimmed) names; Google's consoles leave the colon out.
pub fn cause(line: &str) -> Option<&str> {
    let bare = || {
        line.strip_prefix("Caused by ")
            .filter(|of| is_full_exception(of))
    };
    line.strip_prefix("Caused by: ").or_else(bare)
}

/// `... 3 more`: the frames that it shares with the exception around it.
fn is_shared(line: &str) -> bool {
    let count = line
        .strip_prefix("... ")
        .and_then(|rest| rest.strip_suffix(" more"));
    count.is_some_and(|count| count.parse::<u32>().is_ok())
}

/// How many lines from an exception's on are its chain: what is behind frames and is none of its parts belongs
/// to something else that the same tag wrote.
pub fn end(lines: &[&str]) -> usize {
    let mut in_message = true;
    let part = |line: &str| {
        let starts = ["at ", "... ", "[CIRCULAR REFERENCE"];
        line.is_empty() || starts.iter().any(|start| line.starts_with(start))
    };
    let foreign = lines.iter().position(|line| {
        let line = line.trim();
        if is_frame(line) || is_shared(line) {
            in_message = false;
        } else if cause(line).is_some() || line.starts_with("Suppressed: ") {
            in_message = true;
        }
        !in_message && !part(line)
    });
    foreign.unwrap_or(lines.len())
}

/// The chain of causes; suppressed exceptions, which are nested deeper, are left out.
pub fn chain(lines: &[&str]) -> Vec<Section> {
    let mut chain: Vec<Section> = Vec::new();
    let mut suppressed: Option<usize> = None;
    for line in lines {
        let depth = indent(line);
        let line = line.trim();
        // Its cause is where it does; with no indentation left nothing tells, and the frames go.
        if suppressed.is_some_and(|outer| depth > outer || depth == outer && outer > 0) {
            continue;
        }
        suppressed = None;
        if line.is_empty() || is_shared(line) {
            continue;
        }
        if line.starts_with("Suppressed: ") {
            suppressed = Some(depth);
        } else if let Some(cause) = cause(line) {
            chain.push(section(cause));
        } else if chain.is_empty() {
            chain.push(section(line));
        } else if let Some(last) = chain.last_mut() {
            if is_frame(line) {
                last.frames.push(plain_frame(line).into_owned());
            } else if last.frames.is_empty() {
                // The message continues.
                let message = last.message.get_or_insert_default();
                message.push('\n');
                message.push_str(line);
            }
        }
    }
    chain
}

/// Which exception of a chain is its root: the last that was thrown.
pub fn root(chain: &[Section]) -> Option<usize> {
    // A cause without a class was cut out by hand: `Caused by: ...`.
    let thrown = |of: &Section| {
        !of.class.is_empty() && !is_pseudo_cause(&of.class, of.message.as_deref().unwrap_or(""))
    };
    let last = chain.iter().rposition(thrown).unwrap_or(0);
    (!chain.is_empty()).then_some(last)
}

fn section(line: &str) -> Section {
    match EXCEPTION.captures(line).filter(|_| is_exception(line)) {
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
