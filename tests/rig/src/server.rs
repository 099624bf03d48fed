//! A private adb server for a test: its port, its home, ended with the test.

use droidtest::device::jvm::cache::Cache;
use droidtest::util::lock;
use std::fs::File;
use std::net::{Ipv4Addr, TcpListener};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Output, Stdio};
use std::sync::atomic::{AtomicU16, Ordering};
use std::sync::{Mutex, PoisonError};
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

/// The ports that `free_port` draws from: below those that Linux, macOS and Windows give to connections and to listeners
/// on port 0. A port of theirs may be taken by anybody between the draw and its use.
const PORTS: std::ops::Range<u16> = 16_384..32_768;
/// How many ports a server tries.
const TRIES: usize = 8;

/// An even port that nobody uses now. No other thread of this process draws it or the odd one after it, and other
/// processes start elsewhere.
///
/// # Panics
/// All are in use.
pub fn free_port() -> u16 {
    static DRAWN: AtomicU16 = AtomicU16::new(0);
    let pairs = (PORTS.end - PORTS.start) / 2;
    let first = std::process::id().wrapping_mul(67) % u32::from(pairs);
    let first = u16::try_from(first).expect("within the range");
    (0..pairs)
        .map(|_| {
            let drawn = DRAWN.fetch_add(1, Ordering::Relaxed) % pairs;
            PORTS.start + (first + drawn) % pairs * 2
        })
        .find(|port| TcpListener::bind((Ipv4Addr::LOCALHOST, *port)).is_ok())
        .expect("a free port")
}

/// A server with these variables looks for emulators at the first pair of their ports only, 5554 and 5555; it cannot be
/// limited further. See [`keep_first_port`].
pub const ALONE: [(&str, &str); 2] = [("ADB_LOCAL_TRANSPORT_MAX_PORT", "5555"), ("ADB_MDNS", "0")];

/// Keeps the emulators of all tests from the first console port: every adb server would find an emulator there, also
/// that of another test. The tool takes no port whose file another process has locked.
fn keep_first_port() {
    static KEPT: Mutex<Option<File>> = Mutex::new(None);
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = Cache::locate()
        .expect("a cache folder")
        .root()
        .join("emulators");
    std::fs::create_dir_all(&folder).expect("a folder");
    // A run that ends removes its file: then the lock is on a file that is no longer there.
    while kept.is_none() {
        let path = folder.join("emulator-5554.json");
        let Some(file) = lock::take(&path).expect("a lock") else {
            break;
        };
        let number = |data: std::fs::Metadata| (data.ino(), data.dev());
        let there = std::fs::metadata(&path).map(number).ok();
        *kept = (there == file.metadata().map(number).ok()).then_some(file);
    }
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
/// How long a device may take until a server is connected to it.
const CONNECTED: Duration = Duration::from_secs(30);

impl AdbServer {
    /// Starts a server. Somebody else may take a free port before adb does: then it tries the next.
    ///
    /// # Panics
    /// It does not start on any of several ports.
    pub fn start() -> Self {
        keep_first_port();
        let mut errors = String::new();
        for _ in 0..TRIES {
            match Self::start_on(free_port()) {
                Ok(server) => return server,
                Err(error) => errors += &error,
            }
        }
        panic!("adb start-server: {errors}");
    }

    fn start_on(port: u16) -> Result<Self, String> {
        let mut server = Self {
            port,
            home: tempfile::tempdir().expect("a folder"),
            guard: None,
        };
        server.guard = server.watch();
        let started = server.run(&["start-server"]);
        if started.status.success() {
            return Ok(server);
        }
        Err(String::from_utf8_lossy(&started.stderr).into_owned())
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
            .envs(ALONE);
        command
    }

    /// Runs the stock adb to its end.
    ///
    /// # Panics
    /// It cannot be started.
    pub fn run(&self, args: &[&str]) -> Output {
        self.command().args(args).output().expect("adb runs")
    }

    /// Has the server connect to a device on the network. Another may do so at the same time, or have just cut it off.
    ///
    /// # Panics
    /// It does not succeed within half a minute.
    pub fn connect(&self, serial: &str) {
        let until = Instant::now() + CONNECTED;
        loop {
            let out = self.run(&["connect", serial]);
            let words = [out.stdout, out.stderr].concat();
            let words = String::from_utf8_lossy(&words);
            if words.contains("connected to") {
                return;
            }
            assert!(Instant::now() < until, "adb connect {serial}: {words}");
            std::thread::sleep(Duration::from_millis(100));
        }
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
