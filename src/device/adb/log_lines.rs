//! The log's lines as they pass: which are the app's, which report a death, and which were there before.
//!
//! Each is looked at without allocation: a flood brings tens of thousands a second.

use crate::android::logcat;
use crate::outcome::evidence::LogLine;
use std::collections::{BTreeSet, VecDeque};
use std::net::TcpStream;
use std::time::Instant;

/// Lines of the app kept between two observations.
pub const APP_LINES: usize = 1_000;
/// Lines known again when the stream breaks off: all that is read again of four logs.
pub const LATEST: usize = 1024;
/// Bytes of evidence kept between two observations.
const EVIDENCE: usize = 1 << 20;
/// The columns of `-v threadtime`: `MM-DD HH:MM:SS.mmm`, then process, thread, priority and tag.
const TIME: usize = 18;
/// Tags that report deaths, and what has to follow in the message where not all of them do.
const DEATHS: [(&[u8], &[u8]); 10] = [
    (b"AndroidRuntime", b""),
    (b"libc", b"Fatal"),
    (b"DEBUG", b""),
    (b"crash_dump64", b""),
    (b"ActivityManager", b""),
    (b"am_anr", b""),
    (b"am_crash", b""),
    (b"MessageQueue-JNI", b""),
    (b"lowmemorykiller", b""),
    (b"lmkd", b""),
];
/// How a death's text starts.
const BEGINNINGS: [&str; 4] = ["FATAL EXCEPTION", "Fatal signal", "*** ***", "ANR in "];

/// What has passed and was not requested yet.
#[derive(Debug, Default)]
pub struct State {
    /// The app's lines, as they came.
    lines: VecDeque<Vec<u8>>,
    /// Lines that may report a death.
    pub evidence: String,
    /// It is full from its first line on with what must be kept: a flood is not searched line by line for what may go.
    full: bool,
    /// When the last of these came.
    pub touched: Option<Instant>,
    pids: BTreeSet<u32>,
    /// Processes of the app that are another user's.
    pub others: BTreeSet<u32>,
    /// Time of the last line, as printed.
    pub last: Vec<u8>,
    /// The latest lines' hashes.
    latest: VecDeque<u64>,
    /// Lines to come that may have been there before the stream broke off.
    pub again: usize,
    /// The stream, to shut it down.
    pub stream: Option<TcpStream>,
    /// How often it was opened again.
    pub restarts: u64,
    /// Lines thrown away for their number.
    pub dropped: u64,
    /// Those of them that might have reported a death.
    pub lost: u64,
}

impl State {
    /// Lines of these processes are the app's.
    pub fn watch(&mut self, pids: impl IntoIterator<Item = u32>) {
        self.pids.extend(pids);
        // Numbers are used again; the latest are the app's.
        while self.pids.len() > 64 {
            self.pids.pop_first();
        }
    }

    /// Is this one of the app's processes?
    pub fn has(&self, pid: Option<u32>) -> bool {
        pid.is_some_and(|pid| self.pids.contains(&pid))
    }

    /// Does the evidence hold a death's start, whose end may still be coming?
    pub fn tells_of_death(&self) -> bool {
        BEGINNINGS.iter().any(|b| self.evidence.contains(b))
    }

    /// The app's lines since they were last requested.
    pub fn app_lines(&mut self) -> Vec<LogLine> {
        let read = |line: Vec<u8>| {
            let text = String::from_utf8_lossy(&line).into_owned();
            let record = logcat::record(text.trim_end_matches('\r'))?;
            Some(LogLine {
                priority: record.level(),
                tag: record.tag.to_owned(),
                message: record.message.to_owned(),
            })
        };
        self.lines.drain(..).filter_map(read).collect()
    }

    /// Makes room: the oldest lines go, up to the first that reports a death.
    fn forget_old_evidence(&mut self) {
        let begins = BEGINNINGS
            .iter()
            .filter_map(|b| self.evidence.find(b))
            .min();
        let most = begins.unwrap_or(EVIDENCE / 2).min(EVIDENCE / 2);
        let bytes = &self.evidence.as_bytes()[..most.min(self.evidence.len())];
        let cut = bytes
            .iter()
            .rposition(|&b| b == b'\n')
            .map_or(0, |at| at + 1);
        let gone = bytes[..cut].iter().filter(|&&b| b == b'\n').count();
        self.evidence.drain(..cut);
        self.full = cut == 0;
        self.dropped += gone as u64;
    }

    /// A line has come.
    pub fn take_line(&mut self, line: &[u8]) {
        let is_log =
            line.len() > TIME + 14 && line[2] == b'-' && line[8] == b':' && line[14] == b'.';
        if !is_log {
            return;
        }
        let hash = crate::util::hash::of_bytes(line);
        if self.again > 0 {
            self.again -= 1;
            if self.latest.contains(&hash) {
                return;
            }
        }
        if line[..TIME] != self.last[..] {
            self.last.clear();
            self.last.extend_from_slice(&line[..TIME]);
        }
        if self.latest.len() == LATEST {
            self.latest.pop_front();
        }
        self.latest.push_back(hash);
        let (pid, rest) = number(&line[TIME..]);
        let (_, rest) = number(rest);
        if is_deadly(rest) {
            let text = String::from_utf8_lossy(line);
            self.full &= !self.evidence.is_empty();
            if self.evidence.len() + text.len() >= EVIDENCE && !self.full {
                self.forget_old_evidence();
            }
            if self.evidence.len() + text.len() < EVIDENCE {
                self.evidence.push_str(&text);
                self.evidence.push('\n');
                self.touched = Some(Instant::now());
            } else {
                self.dropped += 1;
                self.lost += 1;
            }
        }
        if self.pids.contains(&pid) {
            let mut kept = Vec::new();
            if self.lines.len() >= APP_LINES {
                // Its memory is used again.
                kept = self.lines.pop_front().unwrap_or_default();
                kept.clear();
                self.dropped += 1;
            }
            kept.extend_from_slice(line);
            self.lines.push_back(kept);
        }
    }
}

/// A number after blanks, and what follows it.
fn number(text: &[u8]) -> (u32, &[u8]) {
    let text = text.trim_ascii_start();
    let end = text.iter().take_while(|b| b.is_ascii_digit()).count();
    let value = text[..end].iter().fold(0_u32, |n, b| {
        n.wrapping_mul(10).wrapping_add(u32::from(b - b'0'))
    });
    (value, &text[end..])
}

/// Is this, from the priority on, a line that reports deaths?
fn is_deadly(text: &[u8]) -> bool {
    let text = text.trim_ascii_start();
    let Some(text) = text.get(1..).map(<[u8]>::trim_ascii_start) else {
        return false;
    };
    DEATHS.iter().any(|(tag, message)| {
        text.strip_prefix(*tag)
            .map(<[u8]>::trim_ascii_start)
            .and_then(|rest| rest.strip_prefix(b":"))
            .is_some_and(|said| said.trim_ascii_start().starts_with(message))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_whole_words_in_their_column() {
        let line = |rest: &str| format!("03-13 10:01:23.827  7711  7767 {rest}");
        let deadly = |rest: &str| {
            let mut state = State::default();
            state.take_line(line(rest).as_bytes());
            !state.evidence.is_empty()
        };
        assert!(deadly("E AndroidRuntime: FATAL EXCEPTION: main"));
        assert!(deadly("F libc    : Fatal signal 11 (SIGSEGV)"));
        assert!(deadly("F DEBUG   : backtrace:"));
        assert!(!deadly("W libc    : Access denied finding property"));
        assert!(!deadly("I Chatter : AndroidRuntime: FATAL EXCEPTION: main"));
        assert!(!deadly("I DEBUGGER: AndroidRuntime: x"));
    }

    #[test]
    fn lines_that_tell_of_no_death_are_dropped_and_not_lost() {
        let mut state = State::default();
        state.watch([7711]);
        let pad = "x".repeat(200);
        for _ in 0..20_000 {
            let chatter = format!("03-13 10:01:22.000   700   701 I ActivityManager: {pad}");
            state.take_line(chatter.as_bytes());
            state.take_line(b"03-13 10:01:23.827  7711  7767 I Chatter : x");
        }
        assert!(state.dropped > 19_000);
        assert_eq!(state.lost, 0);
        // After a death's start nothing is thrown away for what comes later.
        for _ in 0..20_000 {
            let death =
                format!("03-13 10:01:22.000   700   701 E AndroidRuntime: FATAL EXCEPTION {pad}");
            state.take_line(death.as_bytes());
        }
        assert!(state.lost > 0);
    }

    #[test]
    fn a_death_that_only_begins_is_known_as_one() {
        let mut state = State::default();
        state.take_line(b"03-13 10:01:23.827  7711  7767 E AndroidRuntime: FATAL EXCEPTION: main");
        assert!(state.tells_of_death());
        let mut state = State::default();
        state.take_line(b"03-13 10:01:23.827   411   502 I ActivityManager: Start proc 99:com.x");
        assert!(!state.tells_of_death());
    }
}
