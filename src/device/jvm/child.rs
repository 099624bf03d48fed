//! Helper programs (Maven, javac, the translator): streams their output, with a deadline and interruption.

use super::limits::{Limits, Watched};
use crate::device::DeviceError;
use crate::device::progress::Watch;
use crate::util::process::Owned;
use crate::util::text::for_terminal;
use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// The longest line to keep; a program may never end a line.
const LINE_LIMIT: u64 = 64 << 10;
/// Number of last lines to keep for messages.
const TAIL: usize = 40;

/// How a helper ended.
#[derive(Debug)]
pub struct Ended {
    /// Its status.
    pub status: ExitStatus,
    /// The last lines it wrote, to either stream.
    pub tail: Vec<String>,
    /// The exceeded limit, if it was killed for one.
    pub exceeded: Option<String>,
}

impl Ended {
    /// The last lines as text.
    pub fn text(&self) -> String {
        self.tail.join("\n")
    }

    /// Why it failed, safe for a terminal.
    pub fn reason(&self) -> String {
        self.exceeded.clone().unwrap_or_else(|| {
            let last = self.tail.last().map_or("", String::as_str);
            format!("ended with {}: {}", self.status, for_terminal(last))
        })
    }
}

/// Runs a helper to completion; `line` receives every line of both streams.
///
/// # Errors
/// It cannot be started, or was killed at the time limit or by the user.
pub fn run(
    command: &mut Command,
    limit: Duration,
    watch: &Watch,
    line: impl FnMut(&str),
) -> Result<Ended, DeviceError> {
    run_within(command, limit, None, watch, line)
}

/// The same for a program in a sandbox, which is also killed when it exceeds these limits.
///
/// # Errors
/// Those of [`run`].
pub fn run_within(
    command: &mut Command,
    limit: Duration,
    limits: Option<Limits>,
    watch: &Watch,
    mut line: impl FnMut(&str),
) -> Result<Ended, DeviceError> {
    let name = command.get_program().to_string_lossy().into_owned();
    command
        // Kept open while it runs: a sandbox ends when it is closed.
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut owned = Owned::spawn(command)
        .map_err(|e| DeviceError::Setup(format!("{name} cannot be started: {e}")))?;
    let mut watched = limits.map(|limits| Watched::of_sandbox(limits, owned.id()));
    let (send, lines) = mpsc::sync_channel::<String>(1024);
    let readers = [
        owned
            .child()
            .stdout
            .take()
            .map(|p| forward(p, send.clone())),
        owned.child().stderr.take().map(|p| forward(p, send)),
    ];
    let deadline = Instant::now() + limit;
    let mut tail = VecDeque::with_capacity(TAIL);
    loop {
        match lines.recv_timeout(Duration::from_millis(100)) {
            Ok(text) => {
                line(&text);
                if tail.len() == TAIL {
                    tail.pop_front();
                }
                tail.push_back(text);
            }
            Err(mpsc::RecvTimeoutError::Disconnected) => break,
            Err(mpsc::RecvTimeoutError::Timeout) => {}
        }
        if watch.interrupted() {
            return Err(DeviceError::Interrupted);
        }
        if Instant::now() >= deadline {
            return Err(DeviceError::Timeout {
                what: format!("{name} to end"),
                seconds: limit.as_secs(),
            });
        }
    }
    for reader in readers.into_iter().flatten() {
        let _ = reader.join();
    }
    // Both streams are closed; a program that does not exit now is killed.
    let status = match owned.wait_until(Instant::now() + Duration::from_secs(10))? {
        Some(status) => status,
        None => {
            owned.kill();
            owned.child().wait()?
        }
    };
    Ok(Ended {
        status,
        tail: tail.into(),
        exceeded: watched.as_mut().and_then(Watched::finish),
    })
}

fn forward(
    pipe: impl Read + Send + 'static,
    to: mpsc::SyncSender<String>,
) -> thread::JoinHandle<()> {
    thread::spawn(move || {
        let mut pipe = BufReader::new(pipe);
        let mut bytes = Vec::new();
        loop {
            bytes.clear();
            match pipe.by_ref().take(LINE_LIMIT).read_until(b'\n', &mut bytes) {
                Ok(0) | Err(_) => return,
                Ok(_) => {
                    let text = String::from_utf8_lossy(&bytes);
                    if to.send(text.trim_end().to_owned()).is_err() {
                        return;
                    }
                }
            }
        }
    })
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    fn sh(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn lines_of_both_streams_arrive_and_the_last_are_kept() {
        let mut seen = Vec::new();
        let ended = run(
            &mut sh("seq 1 100; echo wrong >&2; exit 3"),
            Duration::from_secs(20),
            &Watch::silent(),
            |l| seen.push(l.to_owned()),
        )
        .unwrap();
        assert_eq!(ended.status.code(), Some(3));
        assert_eq!((seen.len(), ended.tail.len()), (101, TAIL));
        assert!(seen.contains(&"wrong".to_owned()));
    }

    #[test]
    fn a_helper_that_fills_its_folder_is_ended() {
        let folder = tempfile::tempdir().unwrap();
        let limits = Limits::small("the translator", folder.path().to_owned());
        let script = "i=0; while [ $i -lt 40 ]; do i=$((i+1)); head -c 65536 /dev/zero > f$i; done; sleep 60";
        let mut command = sh(script);
        command.current_dir(folder.path());
        let limit = Duration::from_secs(50);
        let silent = Watch::silent();
        let ended = run_within(&mut command, limit, Some(limits), &silent, |_| {}).unwrap();
        assert!(!ended.status.success());
        let why = "the translator's files take more than 1 MB";
        assert_eq!(ended.reason(), why);
    }

    #[test]
    fn a_helper_ends_at_its_deadline_and_at_an_interrupt() {
        let start = Instant::now();
        let limit = Duration::from_millis(200);
        let late = run(&mut sh("sleep 600"), limit, &Watch::silent(), |_| {});
        assert!(matches!(late, Err(DeviceError::Timeout { .. })));
        let watch = Watch::new(|_| {}, Arc::new(AtomicBool::new(true)));
        let limit = Duration::from_secs(600);
        let stopped = run(&mut sh("sleep 600"), limit, &watch, |_| {});
        assert!(matches!(stopped, Err(DeviceError::Interrupted)));
        assert!(start.elapsed() < Duration::from_secs(60));
    }
}
