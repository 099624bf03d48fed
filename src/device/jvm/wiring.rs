//! How a Java process and the tool find each other: a pair of sockets that the process inherits as its standard input, or,
//! where it is not in namespaces of its own, a port of this machine and a token.

use super::settings::Confine;
use crate::device::stream::Stream;
use rand::Rng as _;
use std::io;
use std::net::{Ipv4Addr, TcpListener};
#[cfg(unix)]
use std::os::{fd::OwnedFd, unix::net::UnixStream};
use std::process::Stdio;

/// The tool's end before the process is there.
#[derive(Debug)]
pub enum Wiring {
    /// It connects.
    Port {
        /// Where to.
        listener: TcpListener,
        /// 128 random bits: another user of this machine cannot guess his way into the session.
        token: String,
    },
    /// It is connected.
    #[cfg(unix)]
    Pair {
        /// Our end, until somebody wants it.
        ours: Option<UnixStream>,
        /// The process's.
        theirs: Option<OwnedFd>,
    },
}

impl Wiring {
    /// What fits the confinement.
    pub fn new(confine: Confine) -> io::Result<Self> {
        #[cfg(unix)]
        if confine == Confine::Full {
            let (ours, theirs) = UnixStream::pair()?;
            return Ok(Self::Pair {
                ours: Some(ours),
                theirs: Some(theirs.into()),
            });
        }
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        listener.set_nonblocking(true)?;
        let mut rng = rand::rng();
        let token = format!("{:016x}{:016x}", rng.next_u64(), rng.next_u64());
        Ok(Self::Port { listener, token })
    }

    /// The only port that the process may reach.
    pub fn port(&self) -> io::Result<Option<u16>> {
        match self {
            Self::Port { listener, .. } => Ok(Some(listener.local_addr()?.port())),
            #[cfg(unix)]
            Self::Pair { .. } => Ok(None),
        }
    }

    /// What the process has to show in its greeting.
    pub fn token(&self) -> &str {
        match self {
            Self::Port { token, .. } => token,
            #[cfg(unix)]
            Self::Pair { .. } => "",
        }
    }

    /// For its command line.
    pub fn arguments(&self) -> io::Result<Vec<(&'static str, String)>> {
        Ok(match self.port()? {
            Some(port) => vec![
                ("--port", port.to_string()),
                ("--token", self.token().to_owned()),
                ("--leash", "stdin".to_owned()),
            ],
            None => vec![("--wire", "stdin".to_owned())],
        })
    }

    /// Its standard input. As a pipe it is never written to: it tells the process that we are gone, even when we are killed.
    pub fn stdin(&mut self) -> Stdio {
        match self {
            Self::Port { .. } => Stdio::piped(),
            #[cfg(unix)]
            Self::Pair { theirs, .. } => theirs.take().map_or_else(Stdio::null, Stdio::from),
        }
    }

    /// A connection that is there now.
    pub fn accept(&mut self) -> io::Result<Option<Stream>> {
        match self {
            Self::Port { listener, .. } => match listener.accept() {
                Ok((stream, from)) if from.ip().is_loopback() => Ok(Some(stream.into())),
                Ok(_) => Ok(None),
                Err(e) if e.kind() == io::ErrorKind::WouldBlock => Ok(None),
                Err(e) => Err(e),
            },
            #[cfg(unix)]
            Self::Pair { ours, .. } => Ok(ours.take().map(Stream::from)),
        }
    }

    /// Whether a stranger may connect, and must not hold us up for long.
    pub fn is_open(&self) -> bool {
        matches!(self, Self::Port { .. })
    }
}
