//! Connects a Java process and the tool: by a socket pair that the process inherits as its standard input; on Windows,
//! by a local port and a token.

use crate::device::stream::Stream;
use std::io;
use std::process::Stdio;

pub use imp::Wiring;

#[cfg(unix)]
mod imp {
    use super::{Stdio, Stream, io};
    use std::os::{fd::OwnedFd, unix::net::UnixStream};

    /// The tool's end before the process starts.
    #[derive(Debug)]
    pub struct Wiring {
        /// Our end, until it is taken.
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

        /// The token for the greeting: none, as only the process has the other end.
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

        /// A pending connection.
        pub fn accept(&mut self) -> io::Result<Option<Stream>> {
            Ok(self.ours.take().map(Stream::from))
        }

        /// Whether other programs can connect, so that greetings need a short time limit.
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

    /// The tool's end before the process starts.
    #[derive(Debug)]
    pub struct Wiring {
        /// The address that the process connects to.
        listener: TcpListener,
        /// 128 random bits: another user of this machine cannot guess them.
        token: String,
    }

    impl Wiring {
        /// A listening port.
        pub fn new() -> io::Result<Self> {
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
            listener.set_nonblocking(true)?;
            let mut rng = rand::rng();
            let token = format!("{:016x}{:016x}", rng.next_u64(), rng.next_u64());
            Ok(Self { listener, token })
        }

        /// The token for the greeting.
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

        /// Its standard input, which carries no data: its end shows the process that the tool has ended, even if
        /// killed.
        pub fn stdin(&mut self) -> Stdio {
            Stdio::piped()
        }

        /// A pending connection.
        pub fn accept(&mut self) -> io::Result<Option<Stream>> {
            match self.listener.accept() {
                Ok((stream, from)) if from.ip().is_loopback() => Ok(Some(stream.into())),
                Ok(_) => Ok(None),
                Err(e) if e.kind() == io::ErrorKind::WouldBlock => Ok(None),
                Err(e) => Err(e),
            }
        }

        /// Whether other programs can connect, so that greetings need a short time limit.
        pub fn is_open(&self) -> bool {
            true
        }
    }
}
