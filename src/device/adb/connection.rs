//! One connection to the adb server, every read under a deadline.

use super::error::AdbError;
use std::io::{self, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How often a wait looks at its deadline and at the interrupt flag.
const TICK: Duration = Duration::from_millis(100);
/// How long the server, on this machine, may take to accept.
const CONNECT: Duration = Duration::from_secs(5);

/// When a wait ends.
#[derive(Clone, Debug)]
pub struct Limit {
    /// The deadline.
    pub until: Instant,
    /// What is waited for, for the error.
    pub what: String,
    /// The complete time allowed.
    pub total: Duration,
    /// The user's interrupt.
    pub interrupt: Arc<AtomicBool>,
}

impl Limit {
    /// From now on.
    pub fn new(total: Duration, what: impl Into<String>, interrupt: &Arc<AtomicBool>) -> Self {
        Self {
            until: Instant::now() + total,
            what: what.into(),
            total,
            interrupt: interrupt.clone(),
        }
    }

    /// Is the wait over?
    ///
    /// # Errors
    /// The deadline has passed, or the user interrupted.
    pub fn check(&self) -> Result<(), AdbError> {
        if self.interrupt.load(Ordering::Relaxed) {
            return Err(AdbError::Interrupted);
        }
        if Instant::now() >= self.until {
            return Err(AdbError::Timeout {
                what: self.what.clone(),
                seconds: self.total.as_secs(),
            });
        }
        Ok(())
    }

    /// Sleeps, but not past the deadline.
    pub fn pause(&self, pause: Duration) -> Result<(), AdbError> {
        self.check()?;
        std::thread::sleep(pause.min(self.until.saturating_duration_since(Instant::now())));
        self.check()
    }
}

/// A connection to the server, later to a service on the device.
#[derive(Debug)]
pub struct Connection {
    stream: TcpStream,
}

impl Connection {
    /// Connects to the server.
    ///
    /// # Errors
    /// Nobody listens there.
    pub fn open(server: SocketAddr) -> Result<Self, AdbError> {
        let stream = TcpStream::connect_timeout(&server, CONNECT)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(TICK))?;
        stream.set_write_timeout(Some(TICK))?;
        Ok(Self { stream })
    }

    /// Sends a request in the server's form (four hexadecimal digits of length) and reads its `OKAY`.
    ///
    /// # Errors
    /// The server's `FAIL`, sorted by its fix; `serial` is the device in question.
    pub fn request(&mut self, serial: &str, request: &str, limit: &Limit) -> Result<(), AdbError> {
        let len = u16::try_from(request.len())
            .map_err(|_| AdbError::Protocol(format!("a request of {} bytes", request.len())))?;
        self.write(format!("{len:04x}{request}").as_bytes(), limit)?;
        let mut status = [0; 4];
        self.read_exact(&mut status, limit)?;
        match &status {
            b"OKAY" => Ok(()),
            b"FAIL" => {
                let words = self.text(limit)?;
                Err(AdbError::from_fail(serial, &words))
            }
            other => Err(AdbError::Protocol(format!(
                "expected OKAY or FAIL, received {:?}",
                String::from_utf8_lossy(other)
            ))),
        }
    }

    /// A text with its length before it.
    ///
    /// # Errors
    /// A length that is none.
    pub fn text(&mut self, limit: &Limit) -> Result<String, AdbError> {
        let mut len = [0; 4];
        self.read_exact(&mut len, limit)?;
        let digits = String::from_utf8_lossy(&len);
        let len = usize::from_str_radix(&digits, 16)
            .map_err(|_| AdbError::Protocol(format!("a length of {digits:?}")))?;
        let mut body = vec![0; len];
        self.read_exact(&mut body, limit)?;
        Ok(String::from_utf8_lossy(&body).into_owned())
    }

    /// Writes all bytes. A device that is busy takes none for a while.
    ///
    /// # Errors
    /// The other side has gone; deadline, interruption.
    pub fn write(&mut self, bytes: &[u8], limit: &Limit) -> Result<(), AdbError> {
        let mut done = 0;
        while done < bytes.len() {
            match self.stream.write(&bytes[done..]) {
                Ok(0) => {
                    return Err(AdbError::ServerGone(
                        "it does not accept more data".to_owned(),
                    ));
                }
                Ok(n) => done += n,
                Err(e) => match e.kind() {
                    io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => limit.check()?,
                    io::ErrorKind::Interrupted => {}
                    _ => return Err(e.into()),
                },
            }
        }
        Ok(())
    }

    /// Reads what has come; 0 at the end.
    ///
    /// # Errors
    /// Deadline, interruption, a broken connection.
    pub fn read(&mut self, into: &mut [u8], limit: &Limit) -> Result<usize, AdbError> {
        loop {
            match self.stream.read(into) {
                Ok(n) => return Ok(n),
                Err(e) => match e.kind() {
                    io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => limit.check()?,
                    io::ErrorKind::Interrupted => {}
                    _ => return Err(e.into()),
                },
            }
        }
    }

    /// Fills the buffer.
    ///
    /// # Errors
    /// As [`Self::read`], and an end before it is full.
    pub fn read_exact(&mut self, into: &mut [u8], limit: &Limit) -> Result<(), AdbError> {
        let mut done = 0;
        while done < into.len() {
            match self.read(&mut into[done..], limit)? {
                0 => {
                    return Err(AdbError::ServerGone(
                        "the connection ended within an answer".to_owned(),
                    ));
                }
                n => done += n,
            }
            // A trickle must not put the deadline off.
            if done < into.len() {
                limit.check()?;
            }
        }
        Ok(())
    }

    /// The bare stream, for the agent's link.
    pub fn into_stream(self) -> TcpStream {
        self.stream
    }

    /// A second handle on it, to shut it down from another thread.
    ///
    /// # Errors
    /// The system has no handles left.
    pub fn handle(&self) -> Result<TcpStream, AdbError> {
        Ok(self.stream.try_clone()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    /// A server that takes nothing for so long, then all; gives how much that was.
    fn slow(pause: Duration) -> (SocketAddr, std::thread::JoinHandle<usize>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let taken = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            std::thread::sleep(pause);
            let mut all = Vec::new();
            let _ = stream.read_to_end(&mut all);
            all.len()
        });
        (address, taken)
    }

    /// More than the system's buffers hold.
    const MUCH: usize = 32 << 20;

    #[test]
    fn what_is_taken_late_is_written_whole_and_the_limit_ends_the_wait() {
        let bytes = vec![7; MUCH];
        let interrupt = Arc::default();
        let (address, taken) = slow(Duration::from_secs(6));
        let mut connection = Connection::open(address).unwrap();
        let limit = Limit::new(Duration::from_secs(60), "a push", &interrupt);
        connection.write(&bytes, &limit).unwrap();
        drop(connection);
        assert_eq!(taken.join().unwrap(), MUCH);

        let (address, _taken) = slow(Duration::from_secs(60));
        let mut connection = Connection::open(address).unwrap();
        let limit = Limit::new(Duration::from_millis(300), "a push", &interrupt);
        let error = connection.write(&bytes, &limit).unwrap_err();
        assert!(matches!(error, AdbError::Timeout { .. }), "{error}");
    }
}
