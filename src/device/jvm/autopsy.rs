//! Explains from its remains how a process died.

use crate::device::DeviceError;
use crate::util::redact::Redactor;
use crate::util::untrusted::Folder;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;

/// Limit on a report, more than the stacks of a thousand threads.
const LONGEST: u64 = 8 << 20;
/// Most entries of the device's folder to check; it has about ten.
const LISTED: usize = 10_000;
/// Most reports to try; a process writes one.
const TRIED: usize = 8;

/// The JVM's crash report.
#[derive(Debug)]
pub struct CrashReport {
    text: String,
    path: PathBuf,
}

impl CrashReport {
    /// Copies the report from the device's folder to the logs, if there is one. The app can have put anything there
    /// under such a name, so anything but a regular file of limited size is ignored.
    pub fn keep(work: &Path, logs: &Path, number: u32, secrets: &Redactor) -> Option<Self> {
        let folder = Folder::open(work).ok()?;
        let names = folder.names(LISTED).ok()?;
        let mut reports: Vec<_> = names.into_iter().filter(|name| is_report(name)).collect();
        reports.sort_unstable();
        let read = |name: &OsString| folder.read(Path::new(name), LONGEST).ok();
        let bytes = reports.iter().take(TRIED).find_map(read);
        for report in &reports {
            let _ = folder.remove(report);
        }
        let text = String::from_utf8_lossy(&bytes?).into_owned();
        let text = secrets.redact(&text).into_owned();
        let path = logs.join(format!("hs_err-{number}.log"));
        fs::write(&path, &text).ok()?;
        Some(Self { text, path })
    }
}

fn is_report(name: &OsStr) -> bool {
    name.to_string_lossy().starts_with("hs_err")
}

/// How a process ended, in one error.
pub fn autopsy(
    status: Option<ExitStatus>,
    why: &str,
    tail: &str,
    report: Option<&CrashReport>,
    package: &str,
) -> DeviceError {
    let out_of_memory = tail.contains("java.lang.OutOfMemoryError")
        || report.is_some_and(|r| r.text.contains("Out of Memory Error"))
        || why.contains("OutOfMemoryError");
    let in_app = report.is_some_and(|r| frames_in(&r.text, package));
    let mut message = format!("{why}; it {}", words(status));
    if out_of_memory {
        message.push_str("; memory ran out");
    }
    if let Some(report) = report {
        if let Some(problem) = report.text.lines().find(|l| l.starts_with("# Problematic")) {
            message.push_str(&format!("; {}", problem.trim_start_matches("# ")));
        }
        message.push_str(&format!("; the JVM's report is {}", report.path.display()));
    }
    let last = last_lines(tail, 3);
    if !last.is_empty() {
        message.push_str(&format!("; its last output: {last}"));
    }
    DeviceError::Died {
        message: crate::util::text::for_terminal(&message).into_owned(),
        out_of_memory,
        in_app,
    }
}

/// Does the report's Java stack contain the app's code?
fn frames_in(report: &str, package: &str) -> bool {
    report
        .lines()
        .skip_while(|l| !l.starts_with("Java frames"))
        .take_while(|l| !l.trim().is_empty())
        .any(|l| l.contains(&format!(" {package}.")))
}

/// An exit status in words.
pub fn words(status: Option<ExitStatus>) -> String {
    let Some(status) = status else {
        return "was still running and was killed".to_owned();
    };
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        let name = match signal {
            4 => " (illegal instruction)",
            6 => " (abort)",
            7 => " (bus error)",
            9 => " (killed; perhaps the system ran out of memory)",
            11 => " (segmentation fault)",
            15 => " (terminated)",
            _ => "",
        };
        return format!("ended by signal {signal}{name}");
    }
    match status.code() {
        Some(code) => format!("exited with {code}"),
        None => "ended".to_owned(),
    }
}

/// The last non-empty lines, on one line.
pub fn last_lines(text: &str, count: usize) -> String {
    let mut lines: Vec<_> = text
        .lines()
        .map(str::trim)
        .filter(|l| !l.is_empty())
        .rev()
        .take(count)
        .collect();
    lines.reverse();
    lines.join(" | ")
}
