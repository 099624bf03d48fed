//! Child processes that always end: every wait has a deadline, every child is killed and reaped.

use std::io::{self, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// What a finished child left behind.
#[derive(Debug)]
pub struct Output {
    /// How it ended.
    pub status: ExitStatus,
    /// Its standard output.
    pub stdout: Vec<u8>,
    /// Its standard error.
    pub stderr: Vec<u8>,
}

/// A child that is killed (with its process group where there are any) and reaped when dropped.
#[derive(Debug)]
pub struct Owned {
    child: Child,
}

impl Owned {
    /// Starts `command` in a process group of its own, so that Ctrl-C in the
    /// terminal reaches us first and we end the child in good order.
    pub fn spawn(command: &mut Command) -> io::Result<Self> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        Ok(Self {
            child: command.spawn()?,
        })
    }

    /// The child itself, for its pipes and its id.
    pub fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// Its number in the system.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// How the child ended, if it has.
    pub fn exited(&mut self) -> io::Result<Option<ExitStatus>> {
        self.child.try_wait()
    }

    /// Waits until the child ends or the deadline passes (then `None`).
    pub fn wait_until(&mut self, deadline: Instant) -> io::Result<Option<ExitStatus>> {
        self.wait_unless(deadline, &|| false)
    }

    /// The same, but not once the user interrupted: that is [`io::ErrorKind::Interrupted`].
    pub fn wait_unless(
        &mut self,
        deadline: Instant,
        stopped: &dyn Fn() -> bool,
    ) -> io::Result<Option<ExitStatus>> {
        let mut pause = Duration::from_micros(200);
        loop {
            if let Some(status) = self.child.try_wait()? {
                return Ok(Some(status));
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(None);
            }
            if stopped() {
                return Err(io::ErrorKind::Interrupted.into());
            }
            thread::sleep(pause.min(left));
            pause = (pause * 2).min(Duration::from_millis(20));
        }
    }

    /// Ends the child now, with whatever it started, and reaps it.
    pub fn kill(&mut self) {
        #[cfg(unix)]
        kill_group(self.child.id());
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Ends a process group now; `leader` is the process it was made for.
#[cfg(unix)]
pub fn kill_group(leader: u32) {
    if let Some(pid) = rustix::process::Pid::from_raw(leader.cast_signed()) {
        let _ = rustix::process::kill_process_group(pid, rustix::process::Signal::KILL);
    }
}

impl Drop for Owned {
    fn drop(&mut self) {
        if !matches!(self.child.try_wait(), Ok(Some(_))) {
            self.kill();
        }
    }
}

/// Runs a command to its end, or kills it at the deadline with [`io::ErrorKind::TimedOut`]. What it leaves behind in its
/// process group is killed, too, if it keeps the output open.
pub fn run(command: &mut Command, limit: Duration) -> io::Result<Output> {
    run_unless(command, limit, &|| false)
}

/// The same, killed too once the user interrupted, with [`io::ErrorKind::Interrupted`].
pub fn run_unless(
    command: &mut Command,
    limit: Duration,
    stopped: &dyn Fn() -> bool,
) -> io::Result<Output> {
    collect(
        command.stdin(Stdio::null()),
        limit,
        stopped,
        usize::MAX,
        |_| {},
    )
}

/// The same for a program in a sandbox. Its input is held open: it ends with that, also when we are killed. What it writes
/// is somebody else's: of each stream the last 64 KB are kept. `started` hears the number of the child.
pub fn run_held(
    command: &mut Command,
    limit: Duration,
    stopped: &dyn Fn() -> bool,
    started: impl FnOnce(u32),
) -> io::Result<Output> {
    collect(command.stdin(Stdio::piped()), limit, stopped, KEPT, started)
}

/// Bytes kept of a stream without end.
const KEPT: usize = 64 << 10;
/// How long the last of the output may take after the child's end.
const AFTER_THE_END: Duration = Duration::from_secs(2);

fn collect(
    command: &mut Command,
    limit: Duration,
    stopped: &dyn Fn() -> bool,
    keep: usize,
    started: impl FnOnce(u32),
) -> io::Result<Output> {
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut owned = Owned::spawn(command)?;
    started(owned.id());
    let stdout = Stream::drain(owned.child.stdout.take(), keep);
    let stderr = Stream::drain(owned.child.stderr.take(), keep);
    let status = owned.wait_unless(Instant::now() + limit, stopped);
    if !matches!(status, Ok(Some(_))) {
        owned.kill();
    }
    let status = status?;
    // A process that the child started may hold its streams, for as long as it likes.
    for _ in 0..2 {
        let until = Instant::now() + AFTER_THE_END;
        if [&stdout, &stderr].iter().all(|stream| stream.ends(until)) {
            break;
        }
        #[cfg(unix)]
        kill_group(owned.id());
    }
    let (stdout, stderr) = (stdout.take(), stderr.take());
    match status {
        Some(status) => Ok(Output {
            status,
            stdout,
            stderr,
        }),
        None => Err(io::Error::new(
            io::ErrorKind::TimedOut,
            format!(
                "{} did not end within {} s",
                command.get_program().to_string_lossy(),
                limit.as_secs()
            ),
        )),
    }
}

/// What a thread of its own reads from a stream.
struct Stream {
    kept: Arc<Mutex<Vec<u8>>>,
    /// Disconnected at the stream's end.
    end: Receiver<()>,
}

impl Stream {
    /// Reads to the end; of a longer stream the last `keep` bytes are kept.
    fn drain(pipe: Option<impl Read + Send + 'static>, keep: usize) -> Self {
        let kept = Arc::new(Mutex::new(Vec::new()));
        let (at_end, end) = channel();
        let to = Arc::clone(&kept);
        thread::spawn(move || {
            let _at_end: Sender<()> = at_end;
            if let Some(mut pipe) = pipe {
                copy(&mut pipe, &to, keep);
            }
        });
        Self { kept, end }
    }

    /// Whether it ends until then.
    fn ends(&self, until: Instant) -> bool {
        let left = until.saturating_duration_since(Instant::now());
        self.end.recv_timeout(left) != Err(RecvTimeoutError::Timeout)
    }

    fn take(&self) -> Vec<u8> {
        std::mem::take(&mut self.kept.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

fn copy(from: &mut dyn Read, to: &Mutex<Vec<u8>>, keep: usize) {
    let mut piece = vec![0; 8192];
    while let Ok(count @ 1..) = from.read(&mut piece) {
        let mut kept = to.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend_from_slice(&piece[..count]);
        if kept.len() > keep.saturating_mul(2) {
            let surplus = kept.len() - keep;
            kept.drain(..surplus);
        }
    }
    let mut kept = to.lock().unwrap_or_else(PoisonError::into_inner);
    let surplus = kept.len().saturating_sub(keep);
    kept.drain(..surplus);
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn output_of_a_child_is_collected() {
        let out = run(
            Command::new("sh").args(["-c", "echo out; echo err >&2; exit 3"]),
            Duration::from_secs(10),
        )
        .unwrap();
        assert_eq!(out.status.code(), Some(3));
        assert_eq!(out.stdout, b"out\n");
        assert_eq!(out.stderr, b"err\n");
    }

    #[test]
    fn of_a_stream_without_end_the_last_is_kept() {
        let script = "head -c 5000000 /dev/zero; echo out; echo err >&2; read x";
        let mut leader = 0;
        let limit = Duration::from_secs(2);
        // Its input is open, so that it waits for a line.
        let error = run_held(
            Command::new("sh").args(["-c", script]),
            limit,
            &|| false,
            |id| leader = id,
        );
        assert_eq!(error.unwrap_err().kind(), io::ErrorKind::TimedOut);
        assert_ne!(leader, 0);
        let mut endless = io::repeat(7).take(5_000_000).chain(&b"end"[..]);
        let kept = Mutex::default();
        copy(&mut endless, &kept, KEPT);
        let kept = kept.into_inner().unwrap();
        assert_eq!(kept.len(), KEPT);
        assert!(kept.ends_with(b"\x07end"));
    }

    #[test]
    fn a_process_left_behind_does_not_hold_the_output() {
        for script in [
            "echo out; sleep 600 &",
            // Out of the group.
            "echo out; setsid sleep 300 &",
        ] {
            let start = Instant::now();
            let mut command = Command::new("sh");
            let out = run(command.args(["-c", script]), Duration::from_secs(600)).unwrap();
            assert_eq!(out.stdout, b"out\n");
            assert!(start.elapsed() < Duration::from_secs(200));
        }
    }

    #[test]
    fn a_child_that_nobody_waits_for_any_more_is_killed() {
        let start = Instant::now();
        let error = run_unless(
            Command::new("sh").args(["-c", "sleep 600"]),
            Duration::from_secs(600),
            &|| start.elapsed() > Duration::from_millis(50),
        )
        .unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::Interrupted);
        assert!(start.elapsed() < Duration::from_secs(60));
    }

    #[test]
    fn a_child_past_its_deadline_is_killed_with_its_children() {
        let start = Instant::now();
        let error = run(
            Command::new("sh").args(["-c", "sleep 600 & sleep 600"]),
            Duration::from_millis(100),
        )
        .unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert!(start.elapsed() < Duration::from_secs(60));
    }
}
