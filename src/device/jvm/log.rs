//! The output of a Java process: goes to a file of limited size, never to the user's terminal.

use crate::util::redact::{Redactor, Stream};
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, PipeReader, Read, Write};
use std::path::Path;
use std::process::Stdio;
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// Most bytes in the file; the rest is dropped.
const FILE_LIMIT: u64 = 8 << 20;
/// Last bytes kept in memory, and written at the file's end when some were dropped.
const TAIL_LIMIT: usize = 32 << 10;

/// The longest wait for output after the process ended.
const END: Duration = Duration::from_secs(5);

/// A log file that a thread fills until all writers are closed.
#[derive(Debug)]
pub struct Log {
    tail: Arc<Mutex<VecDeque<u8>>>,
    /// Signals the end of the output.
    ended: Receiver<()>,
}

impl Log {
    /// Opens the file; the two handles are for a child's output and errors. Secrets are redacted in the file and the
    /// tail.
    pub fn open(path: &Path, secrets: &Redactor) -> io::Result<(Self, Stdio, Stdio)> {
        let file = File::create(path)?;
        let (reader, writer) = io::pipe()?;
        let errors = writer.try_clone()?;
        let tail = Arc::new(Mutex::new(VecDeque::with_capacity(TAIL_LIMIT)));
        let shared = tail.clone();
        let stream = Stream::new(secrets.clone());
        let (end, ended) = mpsc::channel();
        thread::spawn(move || {
            pump(reader, stream, file, &shared);
            let _ = end.send(());
        });
        let log = Self { tail, ended };
        Ok((log, writer.into(), errors.into()))
    }

    /// The last lines as text.
    pub fn tail(&self) -> String {
        let tail = self.tail.lock().unwrap_or_else(PoisonError::into_inner);
        let (a, b) = tail.as_slices();
        String::from_utf8_lossy(&[a, b].concat()).into_owned()
    }

    /// Waits for the end of the output, with a limit, as an app may have kept a writer open.
    pub fn finish(&mut self) {
        let _ = self.ended.recv_timeout(END);
    }
}

fn pump(mut from: PipeReader, mut stream: Stream, mut to: File, tail: &Mutex<VecDeque<u8>>) {
    let mut buffer = [0; 16 << 10];
    let (mut written, mut dropped) = (0_u64, 0_u64);
    let mut put = |bytes: &[u8]| {
        if written < FILE_LIMIT {
            // Keep reading on a full disk, so that the process does not block on its output.
            if to.write_all(bytes).is_err() {
                written = FILE_LIMIT;
            }
            written += bytes.len() as u64;
        } else {
            dropped += bytes.len() as u64;
        }
        let mut tail = tail.lock().unwrap_or_else(PoisonError::into_inner);
        tail.extend(bytes);
        let surplus = tail.len().saturating_sub(TAIL_LIMIT);
        tail.drain(..surplus);
    };
    while let Ok(n @ 1..) = from.read(&mut buffer) {
        put(&stream.pass(&buffer[..n]));
    }
    put(&stream.rest());
    if dropped > 0 {
        let tail = tail.lock().unwrap_or_else(PoisonError::into_inner);
        let (a, b) = tail.as_slices();
        let _ = write!(to, "\n[... {dropped} bytes dropped; the last of them:]\n")
            .and_then(|()| to.write_all(a))
            .and_then(|()| to.write_all(b));
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn both_streams_land_in_the_file_and_a_flood_is_cut() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let (mut log, out, err) = Log::open(&path, &Redactor::default()).unwrap();
        let script = "echo first; head -c 20000000 /dev/zero | tr '\\0' x; echo last >&2";
        let status = Command::new("sh")
            .args(["-c", script])
            .stdout(out)
            .stderr(err)
            .status()
            .unwrap();
        log.finish();
        assert!(status.success());
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.starts_with("first\n") && text.ends_with("last\n"));
        assert!(text.len() < 9 << 20);
        assert!(log.tail().ends_with("last\n"));
    }

    #[test]
    fn a_writer_that_is_hidden_is_not_waited_for_without_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let (mut log, _hidden, err) = Log::open(&path, &Redactor::default()).unwrap();
        let mut command = Command::new("sh");
        command.args(["-c", "echo a >&2"]).stderr(err);
        assert!(command.status().unwrap().success());
        log.finish();
        assert_eq!(log.tail(), "a\n");
    }

    #[test]
    fn a_secret_is_in_neither_file_nor_tail_also_when_it_comes_in_two_pieces() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let secrets = Redactor::new(["hunter2".to_owned()]);
        let (mut log, out, err) = Log::open(&path, &secrets).unwrap();
        let script = "printf 'a hun'; sleep 0.2; echo 'ter2 b'; echo aHVudGVyMg== >&2";
        let mut sh = Command::new("sh");
        sh.args(["-c", script])
            .stdout(out)
            .stderr(err)
            .status()
            .unwrap();
        drop(sh);
        log.finish();
        let expected = "a *** b\n***\n";
        assert_eq!(std::fs::read_to_string(&path).unwrap(), expected);
        assert_eq!(log.tail(), expected);
    }
}
