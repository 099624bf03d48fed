//! One stream of a transport, as a thing to read from and write to. Each message waits for the other side's OKAY.

use crate::packet::{CLSE, MAX, OKAY, Packet, WRTE};
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The writing end of a transport, shared by its streams.
pub type Outbox = Arc<Mutex<TcpStream>>;

/// Takes a lock, whatever became of its last holder.
pub fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(crate) fn send(out: &Outbox, packet: &Packet) -> io::Result<()> {
    packet.write(&mut *lock(out))
}

/// How long the host may take to open what the device requests.
const OPENING: Duration = Duration::from_secs(10);

/// Whether the other side takes another message.
#[derive(Debug, Default)]
struct Credit {
    ready: bool,
    closed: bool,
}

/// The transport's end of a stream: what its reader hands on.
#[derive(Clone, Debug)]
pub struct Feed {
    theirs: Arc<AtomicU32>,
    data: Sender<Vec<u8>>,
    credit: Arc<(Mutex<Credit>, Condvar)>,
}

impl Feed {
    /// Bytes have come.
    pub fn data(&self, bytes: Vec<u8>) {
        let _ = self.data.send(bytes);
    }

    /// The other side, whose number of the stream is this, took the last message.
    pub fn okay(&self, theirs: u32) {
        self.theirs.store(theirs, Ordering::Relaxed);
        lock(&self.credit.0).ready = true;
        self.credit.1.notify_all();
    }

    /// The other side closed the stream, or the transport broke.
    pub fn close(&self) {
        lock(&self.credit.0).closed = true;
        self.credit.1.notify_all();
    }
}

/// A stream.
#[derive(Debug)]
pub struct Pipe {
    ours: u32,
    /// 0: not known yet, in a stream that the device has opened.
    theirs: Arc<AtomicU32>,
    out: Outbox,
    data: Receiver<Vec<u8>>,
    held: Vec<u8>,
    credit: Arc<(Mutex<Credit>, Condvar)>,
}

impl Pipe {
    /// A stream with the other side's number, and the end that feeds it.
    pub fn new(ours: u32, theirs: u32, out: Outbox) -> (Self, Feed) {
        Self::with(ours, theirs, out)
    }

    /// A stream that the device opens, and the end that feeds it: taken by the host's first OKAY.
    pub fn to_host(ours: u32, out: Outbox) -> (Self, Feed) {
        Self::with(ours, 0, out)
    }

    fn with(ours: u32, theirs: u32, out: Outbox) -> (Self, Feed) {
        let (sender, data) = channel();
        let credit = Arc::new((
            Mutex::new(Credit {
                ready: theirs != 0,
                closed: false,
            }),
            Condvar::new(),
        ));
        let theirs = Arc::new(AtomicU32::new(theirs));
        let feed = Feed {
            theirs: theirs.clone(),
            data: sender,
            credit: credit.clone(),
        };
        (
            Self {
                ours,
                theirs,
                out,
                data,
                held: Vec::new(),
                credit,
            },
            feed,
        )
    }

    fn theirs(&self) -> u32 {
        self.theirs.load(Ordering::Relaxed)
    }

    /// Waits for the host to take a stream that the device opens; false if it refuses.
    pub fn is_taken(&self) -> bool {
        let credit = lock(&self.credit.0);
        let (credit, _) = self
            .credit
            .1
            .wait_timeout_while(credit, OPENING, |c| !c.ready && !c.closed)
            .unwrap_or_else(PoisonError::into_inner);
        credit.ready && !credit.closed
    }

    /// Has the other side closed it?
    pub fn is_closed(&self) -> bool {
        lock(&self.credit.0).closed
    }

    /// Tells the other side that this is the end.
    pub fn close(&self) {
        let _ = send(&self.out, &Packet::new(CLSE, self.ours, self.theirs(), []));
    }

    fn acknowledge(&self) -> io::Result<()> {
        send(&self.out, &Packet::new(OKAY, self.ours, self.theirs(), []))
    }
}

impl Read for Pipe {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.held.is_empty() {
            match self.data.recv_timeout(Duration::from_millis(50)) {
                Ok(bytes) => {
                    self.held = bytes;
                    self.acknowledge()?;
                }
                Err(RecvTimeoutError::Timeout) if self.is_closed() => return Ok(0),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(0),
            }
        }
        let n = into.len().min(self.held.len());
        into[..n].copy_from_slice(&self.held[..n]);
        self.held.drain(..n);
        Ok(n)
    }
}

impl Write for Pipe {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut credit = lock(&self.credit.0);
        while !credit.ready && !credit.closed {
            credit = self
                .credit
                .1
                .wait(credit)
                .unwrap_or_else(PoisonError::into_inner);
        }
        if credit.closed {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        credit.ready = false;
        drop(credit);
        // Hosts of before Android 7 take no more at once.
        let n = bytes.len().min(MAX / 4);
        send(
            &self.out,
            &Packet::new(WRTE, self.ours, self.theirs(), &bytes[..n]),
        )?;
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
