//! What an attempt to leave a sandbox is after.

use std::fs;
use std::net::{TcpListener, UdpSocket};
use std::os::unix::net::UnixListener;
use std::path::PathBuf;
use std::process::{Child, Command};

/// Files, sockets and a process of the host, which end with this value.
pub struct Host {
    folder: tempfile::TempDir,
    port: u16,
    _tcp: TcpListener,
    _udp: UdpSocket,
    _unix: UnixListener,
    victim: Child,
}

impl Host {
    /// A secret file, a socket file, a TCP and a UDP port of one number, a process; folders `own` and `readable`.
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for name in ["outside", "readable", "own"] {
            fs::create_dir(at(name)).unwrap();
        }
        let tcp = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let port = tcp.local_addr().unwrap().port();
        let host = Self {
            _udp: UdpSocket::bind(("127.0.0.1", port)).unwrap(),
            _unix: UnixListener::bind(at("outside/socket")).unwrap(),
            victim: Command::new("sleep").arg("120").spawn().unwrap(),
            _tcp: tcp,
            port,
            folder,
        };
        host.restore();
        host
    }

    /// Writes its files anew: an attempt may have succeeded.
    pub fn restore(&self) {
        fs::write(self.at("outside/secret"), "secret\n").unwrap();
        fs::write(self.at("readable/data"), "data\n").unwrap();
    }

    /// A path in its folder.
    pub fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The names and values that `Aims.java` knows.
    pub fn aims(&self) -> [(&'static str, String); 6] {
        let path = |name: &str| self.at(name).display().to_string();
        [
            ("SECRET", path("outside/secret")),
            ("READABLE", path("readable")),
            ("SOCKET", path("outside/socket")),
            ("PORT", self.port.to_string()),
            ("VICTIM", self.victim.id().to_string()),
            ("HOST", std::process::id().to_string()),
        ]
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        let _ = self.victim.kill();
        let _ = self.victim.wait();
    }
}
