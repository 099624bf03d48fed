//! The device's log: a ring of lines, printed in each of logcat's formats, followed by as many as want to.

use crate::pipe::lock;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Lines kept.
const KEPT: usize = 200_000;

/// One line.
#[derive(Clone, Debug)]
pub struct Line {
    /// Number since the start.
    pub number: u64,
    /// `MM-DD HH:MM:SS.mmm`.
    pub time: String,
    /// Process.
    pub pid: u32,
    /// Thread.
    pub tid: u32,
    /// Priority.
    pub priority: char,
    /// Tag.
    pub tag: String,
    /// Message, one line.
    pub message: String,
}

impl Line {
    /// As `logcat -v FORMAT` prints it.
    pub fn print(&self, format: &str) -> String {
        let Self {
            time,
            pid,
            tid,
            priority,
            tag,
            message,
            ..
        } = self;
        match format {
            "brief" => format!("{priority}/{tag:<8}({pid:5}): {message}\n"),
            "time" => format!("{time} {priority}/{tag:<8}({pid:5}): {message}\n"),
            "raw" => format!("{message}\n"),
            "tag" => format!("{priority}/{tag:<8}: {message}\n"),
            _ => format!("{time} {pid:5} {tid:5} {priority} {tag:<8}: {message}\n"),
        }
    }
}

/// The log.
#[derive(Debug, Default)]
pub struct Log {
    lines: Mutex<(u64, VecDeque<Line>)>,
    more: Condvar,
    /// How far the device's clock is from ours, in milliseconds.
    pub skew_ms: AtomicI64,
    /// Is what is written lost? As where a maker has turned the log off, or other apps fill it.
    pub lost: AtomicBool,
}

impl Log {
    /// Writes a message, a line each.
    pub fn write(&self, pid: u32, priority: char, tag: &str, message: &str) {
        if self.lost.load(Ordering::Relaxed) {
            return;
        }
        let time = self.now();
        let mut lines = lock(&self.lines);
        for message in message.lines() {
            lines.0 += 1;
            let number = lines.0;
            lines.1.push_back(Line {
                number,
                time: time.clone(),
                pid,
                tid: pid,
                priority,
                tag: tag.to_owned(),
                message: message.to_owned(),
            });
            if lines.1.len() > KEPT {
                lines.1.pop_front();
            }
        }
        drop(lines);
        self.more.notify_all();
    }

    /// Lines after this number; waits a while for some.
    pub fn after(&self, number: u64, wait: Duration) -> Vec<Line> {
        let lines = lock(&self.lines);
        let (lines, _) = self
            .more
            .wait_timeout_while(lines, wait, |(last, _)| *last <= number)
            .unwrap_or_else(PoisonError::into_inner);
        // Numbers are without gaps: the place of the first is known.
        let first = lines.1.front().map_or(1, |l| l.number);
        let skip = usize::try_from((number + 1).saturating_sub(first)).unwrap_or(usize::MAX);
        lines.1.iter().skip(skip).take(5_000).cloned().collect()
    }

    /// The number of the last line.
    pub fn last(&self) -> u64 {
        lock(&self.lines).0
    }

    /// Forgets all lines.
    pub fn clear(&self) {
        lock(&self.lines).1.clear();
    }

    /// The device's time as its log prints it.
    pub fn now(&self) -> String {
        let (ms, time) = self.clock();
        format!("{}.{:03}", &time[5..], ms % 1000)
    }

    /// The device's time as its dropbox prints it: `YYYY-MM-DD HH:MM:SS`.
    pub fn stamp(&self) -> String {
        self.clock().1
    }

    fn clock(&self) -> (i64, String) {
        let real = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        let ms =
            i64::try_from(real.as_millis()).unwrap_or(0) + self.skew_ms.load(Ordering::Relaxed);
        let (days, in_day) = (ms.div_euclid(86_400_000), ms.rem_euclid(86_400_000));
        let (year, month, day) = date(days);
        let (h, m, s) = (in_day / 3_600_000, in_day / 60_000 % 60, in_day / 1000 % 60);
        let time = format!("{year:04}-{month:02}-{day:02} {h:02}:{m:02}:{s:02}");
        (in_day, time)
    }
}

/// Year, month and day of a day since 1970 (Howard Hinnant's `civil_from_days`).
fn date(days: i64) -> (i64, i64, i64) {
    let z = days + 719_468;
    let of_era = z.rem_euclid(146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let shifted = (5 * of_year + 2) / 153;
    let month = if shifted < 10 {
        shifted + 3
    } else {
        shifted - 9
    };
    let year = year + z.div_euclid(146_097) * 400 + i64::from(month <= 2);
    (year, month, of_year - (153 * shifted + 2) / 5 + 1)
}
