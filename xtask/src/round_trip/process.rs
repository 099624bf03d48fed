//! Child processes with a time limit, whose output goes to a file.

use crate::Result;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How often a child is looked at.
const PAUSE: Duration = Duration::from_millis(50);
/// How many lines of a failed program's output are shown.
const SHOWN: usize = 6;

/// How a child ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// With this code; a signal counts as -1.
    Code(i32),
    /// It was killed at its limit.
    Limit,
}

/// Runs a command to its end, or kills it and its children at the limit.
pub fn run(command: &mut Command, limit: Duration, log: &Path) -> Result<Ended> {
    let unusable = |e: std::io::Error| format!("{}: {e}", log.display());
    let out = File::create(log).map_err(unusable)?;
    command
        .stdin(Stdio::null())
        .stdout(out.try_clone().map_err(unusable)?)
        .stderr(out);
    // A group of its own, so that what it started ends with it.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    let program = command.get_program().to_string_lossy().into_owned();
    let mut child = command
        .spawn()
        .map_err(|e| format!("cannot run {program}: {e}"))?;
    let end = Instant::now() + limit;
    loop {
        if let Some(status) = child.try_wait().map_err(|e| format!("{program}: {e}"))? {
            return Ok(Ended::Code(status.code().unwrap_or(-1)));
        }
        if Instant::now() >= end {
            #[cfg(unix)]
            let _ = Command::new("kill")
                .args(["-9", "--", &format!("-{}", child.id())])
                .status();
            let _ = child.kill();
            let _ = child.wait();
            return Ok(Ended::Limit);
        }
        thread::sleep(PAUSE);
    }
}

/// As [`run`], where all but code 0 is an error with the end of the output.
pub fn must(command: &mut Command, limit: Duration, log: &Path) -> Result {
    let program = command.get_program().to_string_lossy().into_owned();
    match run(command, limit, log)? {
        Ended::Code(0) => Ok(()),
        ended => Err(format!(
            "{program} ended with {ended:?}:\n{}\n(all of it in {})",
            tail(log),
            log.display()
        )),
    }
}

/// The last lines of a file.
fn tail(log: &Path) -> String {
    let text = fs::read(log).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let lines: Vec<&str> = text.lines().filter(|l| !l.trim().is_empty()).collect();
    let from = lines.len().saturating_sub(SHOWN);
    lines[from..].join("\n")
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(20);

    #[test]
    fn a_failure_is_reported_with_the_end_of_the_output() {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("log");
        let mut command = Command::new("sh");
        command.args(["-c", "echo before; echo reason >&2; exit 7"]);
        let error = must(&mut command, LONG, &log).unwrap_err();
        assert!(
            error.contains("Code(7)") && error.contains("reason"),
            "{error}"
        );
    }

    #[test]
    fn the_limit_ends_the_children_too() {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("log");
        let mut command = Command::new("sh");
        command.args(["-c", "sleep 30 & echo $!; wait"]);
        let limit = Duration::from_millis(500);
        assert_eq!(run(&mut command, limit, &log).unwrap(), Ended::Limit);
        let child = fs::read_to_string(&log).unwrap();
        let stat = || fs::read_to_string(format!("/proc/{}/stat", child.trim()));
        let gone = || stat().map_or(true, |stat| stat.contains(") Z"));
        let start = Instant::now();
        while !gone() && start.elapsed() < LONG {
            thread::sleep(PAUSE);
        }
        assert!(gone(), "{:?}", stat());
    }
}
