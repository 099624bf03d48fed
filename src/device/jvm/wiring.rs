//! How a Java process and the tool find each other: a pair of sockets that the process inherits as its standard input.
//! Windows has none: there it is a port of this machine and a token.

use crate::device::stream::Stream;
use std::io;
use std::process::Stdio;

pub use imp::Wiring;

#[cfg(unix)]
mod imp {
    use super::{Stdio, Stream, io};
    use std::os::{fd::OwnedFd, unix::net::UnixStream};

    /// The tool's end before the process is there.
    #[derive(Debug)]
    pub struct Wiring {
        /// Our end, until somebody wants it.
        ours: Option<UnixStream>,
        /// The process's.
        theirs: Option<OwnedFd>,
    }

    impl Wiring {
        /// A connected pair.
        pub fn new() -> io::Result<Self> {
            let (ours, theirs) = UnixStream::pair()?;
            Ok(Self {
                ours: Some(ours),
                theirs: Some(theirs.into()),
            })
        }

        /// What the process has to show in its greeting: nobody else has the other end.
        pub fn token(&self) -> &str {
            ""
        }

        /// For its command line.
        pub fn arguments(&self) -> io::Result<Vec<(&'static str, String)>> {
            Ok(vec![("--wire", "stdin".to_owned())])
        }

        /// Its standard input.
        pub fn stdin(&mut self) -> Stdio {
            self.theirs.take().map_or_else(Stdio::null, Stdio::from)
        }

        /// A connection that is there now.
        pub fn accept(&mut self) -> io::Result<Option<Stream>> {
            Ok(self.ours.take().map(Stream::from))
        }

        /// Whether a stranger may connect, and must not hold us up for long.
        pub fn is_open(&self) -> bool {
            false
        }
    }
}

#[cfg(not(unix))]
mod imp {
    use super::{Stdio, Stream, io};
    use rand::Rng as _;
    use std::net::{Ipv4Addr, TcpListener};

    /// The tool's end before the process is there.
    #[derive(Debug)]
    pub struct Wiring {
        /// Where the process connects to.
        listener: TcpListener,
        /// 128 random bits: another user of this machine cannot guess his way into the session.
        token: String,
    }

    impl Wiring {
        /// A port that listens.
        pub fn new() -> io::Result<Self> {
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
            listener.set_nonblocking(true)?;
            let mut rng = rand::rng();
            let token = format!("{:016x}{:016x}", rng.next_u64(), rng.next_u64());
            Ok(Self { listener, token })
        }

        /// What the process has to show in its greeting.
        pub fn token(&self) -> &str {
            &self.token
        }

        /// For its command line.
        pub fn arguments(&self) -> io::Result<Vec<(&'static str, String)>> {
            Ok(vec![
                ("--port", self.listener.local_addr()?.port().to_string()),
                ("--token", self.token.clone()),
                ("--leash", "stdin".to_owned()),
            ])
        }

        /// Its standard input, which is never written to: it tells the process that we are gone, even when we are killed.
        pub fn stdin(&mut self) -> Stdio {
            Stdio::piped()
        }

        /// A connection that is there now.
        pub fn accept(&mut self) -> io::Result<Option<Stream>> {
            match self.listener.accept() {
                Ok((stream, from)) if from.ip().is_loopback() => Ok(Some(stream.into())),
                Ok(_) => Ok(None),
                Err(e) if e.kind() == io::ErrorKind::WouldBlock => Ok(None),
                Err(e) => Err(e),
            }
        }

        /// Whether a stranger may connect, and must not hold us up for long.
        pub fn is_open(&self) -> bool {
            true
        }
    }
}
