//! The tool's end of the connection to an agent: one request at a time, a deadline on every answer.

use super::message::{Failure, Incoming, PROTOCOL, Request};
use super::stream::Stream;
use super::wire;
use crate::android::stack;
use rand::RngExt as _;
use std::io::{self, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Length of a seal, in bytes.
const SEAL: usize = 16;

/// What each frame of the agent has to start with.
pub type Seal = [u8; SEAL];

/// A seal that nobody knows.
pub fn new_seal() -> Seal {
    rand::rng().random()
}

/// How often a wait looks at its deadline and at the interrupt flag.
const TICK: Duration = Duration::from_millis(100);
/// How long a write may block: requests are small, so only a stopped process makes one wait.
const WRITE_LIMIT: Duration = Duration::from_secs(20);

/// Why no answer came.
#[derive(Debug)]
pub enum LinkError {
    /// The other side has gone.
    Closed,
    /// The deadline has passed.
    Deadline,
    /// Interrupted by the user.
    Interrupted,
    /// The other side broke the protocol.
    Garbage(String),
    /// The agent says that the main thread is blocked.
    Blocked {
        /// For how long.
        ms: u64,
        /// Where it stands.
        stack: String,
    },
    /// The agent says that it cannot continue.
    Fatal(String),
    /// The agent refused the request.
    Refused(Failure),
}

/// How long to wait for an answer.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// The deadline.
    pub total: Duration,
    /// From when on a block of the main thread by the app ends the wait.
    pub blocked: Duration,
}

/// A connection to an agent.
#[derive(Debug)]
pub struct Link {
    stream: Stream,
    interrupt: Arc<AtomicBool>,
    /// Bytes read: `start..end` are not used yet.
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    out: Vec<u8>,
    id: u64,
    /// What each frame starts with: 0 or [`SEAL`] bytes.
    seal: Vec<u8>,
}

impl Link {
    /// Takes a connection over.
    pub fn new(stream: impl Into<Stream>, interrupt: Arc<AtomicBool>) -> io::Result<Self> {
        let stream = stream.into();
        stream.wait_at_most(TICK, WRITE_LIMIT)?;
        Ok(Self {
            stream,
            interrupt,
            buffer: vec![0; 64 << 10],
            start: 0,
            end: 0,
            out: Vec::with_capacity(1 << 10),
            id: 0,
            seal: Vec::new(),
        })
    }

    /// Closes it. What the other side has sent goes with it, descriptors that an app has put into it as well: an open end of
    /// its output would keep us waiting for that output's end.
    pub fn close(&mut self) {
        self.stream = Stream::Closed;
    }

    /// Sends a seal, which each frame of the agent has to start with from here on. The app shares the agent's process,
    /// and may find the connection; it has not read these.
    pub fn seal(&mut self, seal: &Seal) -> io::Result<()> {
        self.seal = seal.to_vec();
        self.stream.write_all(&self.seal)
    }

    /// Waits for the first frame and checks it; gives the process id the agent claims.
    pub fn greet(&mut self, token: &str, deadline: Instant) -> Result<u64, LinkError> {
        let hello = self.frame(deadline)?;
        match hello.notice.as_deref() {
            Some("hello") => {}
            Some("fatal") => return Err(LinkError::Fatal(hello.text)),
            _ => {
                return Err(LinkError::Garbage(
                    "the first frame is not the agent's greeting".into(),
                ));
            }
        }
        if hello.token != token {
            return Err(LinkError::Garbage("wrong token".into()));
        }
        if hello.protocol != PROTOCOL {
            return Err(LinkError::Garbage(format!(
                "the agent speaks protocol {}, not {PROTOCOL}",
                hello.protocol
            )));
        }
        Ok(hello.pid)
    }

    /// The number the next request has to carry.
    pub fn next_id(&mut self) -> u64 {
        self.id += 1;
        self.id
    }

    /// Sends a request that carries [`Self::next_id`] and waits for its answer.
    pub fn call(
        &mut self,
        request: &Request<'_>,
        patience: Patience,
    ) -> Result<Incoming, LinkError> {
        self.send(request)?;
        let deadline = Instant::now() + patience.total;
        loop {
            let frame = self.frame(deadline)?;
            match (frame.id, frame.notice.as_deref()) {
                (Some(id), _) if id == self.id => {
                    return match frame.error {
                        Some(failure) => Err(LinkError::Refused(failure)),
                        None => Ok(frame),
                    };
                }
                (Some(id), _) => {
                    return Err(LinkError::Garbage(format!(
                        "received answer {id} to request {}",
                        self.id
                    )));
                }
                // A slow framework is not the app's business: only the deadline ends that wait.
                (None, Some("blocked"))
                    if frame.in_app && u128::from(frame.ms) >= patience.blocked.as_millis() =>
                {
                    return Err(LinkError::Blocked {
                        ms: frame.ms,
                        stack: stack::at_loop(&frame.stack, frame.stays),
                    });
                }
                (None, Some("fatal")) => return Err(LinkError::Fatal(frame.text)),
                (None, Some(_)) => {}
                (None, None) => {
                    return Err(LinkError::Garbage(
                        "a frame that is neither an answer nor a notice".into(),
                    ));
                }
            }
        }
    }

    fn send(&mut self, request: &Request<'_>) -> Result<(), LinkError> {
        let body = |out: &mut Vec<u8>| Ok(serde_json::to_writer(out, request)?);
        wire::encode(&mut self.out, body)
            .map_err(|e| LinkError::Garbage(format!("a request that cannot be sent: {e}")))?;
        self.stream
            .write_all(&self.out)
            .map_err(|e| match e.kind() {
                io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => LinkError::Deadline,
                _ => LinkError::Closed,
            })
    }

    fn frame(&mut self, deadline: Instant) -> Result<Incoming, LinkError> {
        // A flood of notices must not put the deadline off.
        if Instant::now() >= deadline {
            return Err(LinkError::Deadline);
        }
        let seal = self.seal.len();
        self.fill(seal + 4, deadline)?;
        let (begin, rest) = self.buffer[self.start..self.end].split_at(seal);
        if begin != self.seal {
            return Err(LinkError::Garbage(
                "another program than the agent wrote to the connection".into(),
            ));
        }
        self.start += seal;
        let mut len = [0; 4];
        len.copy_from_slice(&rest[..4]);
        let len = wire::length(len).map_err(|e| LinkError::Garbage(e.to_string()))?;
        self.fill(4 + len, deadline)?;
        let body = self.start + 4..self.start + 4 + len;
        self.start = body.end;
        serde_json::from_slice(&self.buffer[body])
            .map_err(|e| LinkError::Garbage(format!("a frame cannot be read: {e}")))
    }

    /// Reads until `wanted` bytes are there. Memory grows with what has come, not with what was claimed.
    fn fill(&mut self, wanted: usize, deadline: Instant) -> Result<(), LinkError> {
        if self.start == self.end {
            (self.start, self.end) = (0, 0);
        }
        while self.end - self.start < wanted {
            if self.buffer.len() - self.start < wanted && self.start > 0 {
                self.buffer.copy_within(self.start..self.end, 0);
                self.end -= self.start;
                self.start = 0;
            }
            if self.end == self.buffer.len() {
                self.buffer.resize(self.buffer.len() * 2, 0);
            }
            match self.stream.read(&mut self.buffer[self.end..]) {
                Ok(0) => return Err(LinkError::Closed),
                Ok(n) => {
                    self.end += n;
                    if self.end - self.start < wanted && Instant::now() >= deadline {
                        return Err(LinkError::Deadline);
                    }
                }
                Err(e) => match e.kind() {
                    io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => {
                        if self.interrupt.load(Ordering::Relaxed) {
                            return Err(LinkError::Interrupted);
                        }
                        if Instant::now() >= deadline {
                            return Err(LinkError::Deadline);
                        }
                    }
                    io::ErrorKind::Interrupted => {}
                    _ => return Err(LinkError::Closed),
                },
            }
        }
        Ok(())
    }
}
