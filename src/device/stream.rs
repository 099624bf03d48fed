//! The bytes below a [`Link`](super::link::Link): over TCP, or a pair of sockets that a child inherits.

use std::io::{self, Read, Write};
use std::net::TcpStream;
#[cfg(unix)]
use std::os::unix::net::UnixStream;
use std::time::Duration;

/// A connected stream.
#[derive(Debug)]
pub enum Stream {
    /// Over TCP.
    Tcp(TcpStream),
    /// Our end of a pair.
    #[cfg(unix)]
    Pair(UnixStream),
    /// Closed by us.
    Closed,
}

impl Stream {
    /// Limits how long one read and one write may block.
    pub fn wait_at_most(&self, read: Duration, write: Duration) -> io::Result<()> {
        match self {
            Self::Tcp(stream) => {
                stream.set_nodelay(true)?;
                stream.set_nonblocking(false)?;
                stream.set_read_timeout(Some(read))?;
                stream.set_write_timeout(Some(write))
            }
            #[cfg(unix)]
            Self::Pair(stream) => {
                stream.set_read_timeout(Some(read))?;
                stream.set_write_timeout(Some(write))
            }
            Self::Closed => Ok(()),
        }
    }
}

impl From<TcpStream> for Stream {
    fn from(stream: TcpStream) -> Self {
        Self::Tcp(stream)
    }
}

#[cfg(unix)]
impl From<UnixStream> for Stream {
    fn from(stream: UnixStream) -> Self {
        Self::Pair(stream)
    }
}

impl Read for Stream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Tcp(stream) => stream.read(buffer),
            #[cfg(unix)]
            Self::Pair(stream) => stream.read(buffer),
            Self::Closed => Ok(0),
        }
    }
}

impl Write for Stream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Tcp(stream) => stream.write(bytes),
            #[cfg(unix)]
            Self::Pair(stream) => stream.write(bytes),
            Self::Closed => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Tcp(stream) => stream.flush(),
            #[cfg(unix)]
            Self::Pair(stream) => stream.flush(),
            Self::Closed => Ok(()),
        }
    }
}
