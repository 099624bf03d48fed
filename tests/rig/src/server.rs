//! A private adb server for a test: its port, its home, ended with the test.

use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// The stock `adb`.
///
/// # Panics
/// There is none: these tests never skip.
pub fn adb() -> PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .map(|folder| folder.join(if cfg!(windows) { "adb.exe" } else { "adb" }))
        .find(|file| file.is_file())
        .expect(
            "adb is not on the PATH: `apt-get install adb` (cargo xtask test does it where it may)",
        )
}

/// A port that nobody has now.
///
/// # Panics
/// The system gives none.
pub fn free_port() -> u16 {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    listener.local_addr().expect("its number").port()
}

/// A server on a separate port.
#[derive(Debug)]
pub struct AdbServer {
    /// Its port.
    pub port: u16,
    home: tempfile::TempDir,
    guard: Option<(Child, ChildStdin)>,
}

/// Ends the server when the test's process has ended without doing so, killed or not: the server is a process of its
/// own, and what else still runs of the test starts it again when it is gone. Told `done`, it leaves it to the test.
const GUARD: &str = "read line && exit 0; for n in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do \"$0\" -P \"$1\" kill-server; sleep 1; done";
/// How long an ended server may take to be gone.
const GONE: Duration = Duration::from_secs(10);

impl AdbServer {
    /// Starts a server.
    ///
    /// # Panics
    /// It does not start.
    pub fn start() -> Self {
        let home = tempfile::tempdir().expect("a folder");
        let mut server = Self {
            port: free_port(),
            home,
            guard: None,
        };
        server.guard = server.watch();
        let started = server.run(&["start-server"]);
        assert!(
            started.status.success(),
            "adb start-server: {}",
            String::from_utf8_lossy(&started.stderr)
        );
        server
    }

    #[cfg(unix)]
    fn watch(&self) -> Option<(Child, ChildStdin)> {
        use std::os::unix::process::CommandExt as _;
        let mut guard = Command::new("sh");
        guard.args(["-c", GUARD]).arg(adb());
        guard.arg(self.port.to_string());
        guard.stdin(Stdio::piped());
        guard.stdout(Stdio::null()).stderr(Stdio::null());
        // Ctrl-C is sent to the test's complete group.
        let mut guard = guard.process_group(0).spawn().ok()?;
        let reported = guard.stdin.take()?;
        Some((guard, reported))
    }

    #[cfg(not(unix))]
    fn watch(&self) -> Option<(Child, ChildStdin)> {
        None
    }

    /// Its home folder, where its keys lie.
    pub fn home(&self) -> &Path {
        self.home.path()
    }

    /// The stock adb, bound to this server.
    pub fn command(&self) -> Command {
        let mut command = Command::new(adb());
        command
            .env("ANDROID_ADB_SERVER_PORT", self.port.to_string())
            .env("HOME", self.home.path())
            // Emulators of this machine are none of the test's business.
            .env("ADB_LOCAL_TRANSPORT_MAX_PORT", "5555")
            .env("ADB_MDNS", "0");
        command
    }

    /// Runs the stock adb to its end.
    ///
    /// # Panics
    /// It cannot be started.
    pub fn run(&self, args: &[&str]) -> Output {
        self.command().args(args).output().expect("adb runs")
    }

    /// Ends the server as a crash would.
    pub fn kill(&self) {
        let _ = self.run(&["kill-server"]);
    }
}

impl Drop for AdbServer {
    fn drop(&mut self) {
        self.kill();
        let listens = || std::net::TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).is_ok();
        let until = Instant::now() + GONE;
        while listens() && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(20));
            self.kill();
        }
        // A test that failed may have left others that start it again.
        if let Some((mut guard, mut reported)) = self.guard.take()
            && !std::thread::panicking()
        {
            use std::io::Write as _;
            let _ = writeln!(reported, "done");
            drop(reported);
            let _ = guard.wait();
        }
    }
}

/// Tells a server of an emulator on this adb port, as the emulator itself does.
///
/// # Panics
/// The server does not run.
pub fn announce(server: u16, port: u16) {
    assert!(try_announce(server, port), "no adb server at {server}");
}

/// The same; false when no server runs.
pub fn try_announce(server: u16, port: u16) -> bool {
    use std::io::Write as _;
    let message = format!("host:emulator:{port}");
    std::net::TcpStream::connect((Ipv4Addr::LOCALHOST, server)).is_ok_and(|mut stream| {
        stream
            .write_all(format!("{:04x}{message}", message.len()).as_bytes())
            .is_ok()
    })
}
