//! One Java process: started in its own folder, held by the kernel, watched, and always ended.

use super::autopsy::{CrashReport, autopsy, last_lines, words};
use super::browser;
use super::confine::{self, Hold, Network, Rules};
use super::folder;
use super::log::Log;
use super::parts::Parts;
use super::recording::Recording;
use super::settings::{JvmSettings, Network as Reach, Outside, Web};
use crate::device::DeviceError;
use crate::device::link::{Link, LinkError, Patience};
use crate::device::message::Request;
use crate::device::progress::Watch;
use crate::util::process::Owned;
use crate::util::redact::Redactor;
use rand::Rng as _;
use std::fs;
use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// How long a connection may take to greet.
const GREETING: Duration = Duration::from_secs(10);

/// What a process is started with.
pub struct Start<'a> {
    /// The parts.
    pub parts: &'a Parts,
    /// Folder of the translated app.
    pub app: &'a Path,
    /// The app's package.
    pub package: &'a str,
    /// The device's settings.
    pub settings: &'a JvmSettings,
    /// Are permissions granted from the start?
    pub grant_permissions: bool,
    /// Number of this process in its session, from 1.
    pub number: u32,
    /// Progress and interruption.
    pub watch: &'a Watch,
    /// What it does about class data sharing.
    pub recording: Recording<'a>,
}

/// A running Java process with its connection.
#[derive(Debug)]
pub struct JavaProcess {
    owned: Owned,
    /// The connection.
    pub link: Link,
    /// How far the kernel holds it.
    pub hold: Hold,
    log: Log,
    /// The Chromium behind its web views, which ends with it.
    _browser: Option<Owned>,
    work: PathBuf,
    logs: PathBuf,
    secrets: Redactor,
    package: String,
    number: u32,
}

impl JavaProcess {
    /// Starts the process and waits for its hello.
    pub fn start(start: &Start<'_>) -> Result<Self, DeviceError> {
        let settings = start.settings;
        // A killed process leaves unpacked native libraries.
        folder::anew(&settings.work, "tmp")?;
        fs::create_dir_all(&settings.logs)?;
        let browser = (settings.web == Web::Chromium)
            .then(|| browser(start))
            .transpose()?;
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let port = listener.local_addr()?.port();
        let token = token();
        let log = settings.logs.join(format!("jvm-{}.log", start.number));
        let (log, out, err) = Log::open(&log, &settings.secrets)?;
        let mut command = command(start, port, &token)?;
        command
            // Never written to: it tells the process that we are gone, even when we are killed.
            .stdin(std::process::Stdio::piped())
            .stdout(out)
            .stderr(err);
        let rules = rules(start, port);
        let (owned, hold) = confine::spawn(&mut command, Some(&rules))
            .map_err(|e| DeviceError::Setup(format!("Java cannot be started: {e}")))?;
        // The command holds our copies of the log's writing ends.
        drop(command);
        let mut waiting = Waiting {
            owned,
            log,
            start,
            limit: settings.start_limit,
        };
        let link = waiting.connect(&listener, &token)?;
        let Waiting { owned, log, .. } = waiting;
        Ok(Self {
            owned,
            link,
            hold,
            log,
            _browser: browser,
            work: settings.work.clone(),
            logs: settings.logs.clone(),
            secrets: settings.secrets.clone(),
            package: start.package.to_owned(),
            number: start.number,
        })
    }

    /// A process that is no Java, for tests of what becomes of it.
    #[cfg(test)]
    pub fn pretend(command: &mut Command, link: Link, work: &Path, package: &str) -> Self {
        let secrets = Redactor::new(["hunter2".to_owned()]);
        let (log, out, err) = Log::open(&work.join("log"), &secrets).unwrap();
        let owned = Owned::spawn(command.stdout(out).stderr(err)).unwrap();
        Self {
            owned,
            link,
            hold: Hold::Full,
            log,
            _browser: None,
            work: work.to_owned(),
            logs: work.join("logs"),
            secrets: secrets.clone(),
            package: package.to_owned(),
            number: 1,
        }
    }

    /// Its number in the system.
    pub fn pid(&mut self) -> u32 {
        self.owned.child().id()
    }

    /// Ends the process and says how it had ended, or that we ended it.
    pub fn post_mortem(mut self, why: &str) -> DeviceError {
        // A process that closed its connection is about to end by itself; how it ends is evidence.
        let by_itself = self
            .owned
            .wait_until(Instant::now() + Duration::from_secs(5))
            .ok()
            .flatten();
        self.owned.kill();
        self.log.finish();
        let report = self.report();
        autopsy(
            by_itself,
            why,
            &self.log.tail(),
            report.as_ref(),
            &self.package,
        )
    }

    /// Ends the process now. What it has printed is in the log.
    pub fn end(mut self) {
        self.owned.kill();
        self.log.finish();
        self.report();
    }

    /// The JVM's own report, moved to the logs.
    fn report(&self) -> Option<CrashReport> {
        CrashReport::keep(&self.work, &self.logs, self.number, &self.secrets)
    }

    /// Asks it to end by itself, as far as this is an end without an error.
    pub fn quit(mut self, limit: Duration) -> Result<(), DeviceError> {
        let id = self.link.next_id();
        let patience = Patience {
            total: limit,
            blocked: limit,
        };
        let asked = self.link.call(&Request::Quit { id }, patience);
        let ended = self.owned.wait_until(Instant::now() + limit)?;
        self.owned.kill();
        self.log.finish();
        match (asked, ended) {
            (Ok(_), Some(status)) if status.success() => Ok(()),
            (_, status) => Err(DeviceError::Protocol(format!(
                "the Java process did not end as asked ({}): {}",
                words(status),
                last_lines(&self.log.tail(), 8)
            ))),
        }
    }

    /// Asks the JVM for the stacks of its threads (they go to the log), then ends it.
    pub fn dump_and_end(mut self) {
        #[cfg(unix)]
        if let Some(pid) = rustix::process::Pid::from_raw(self.owned.child().id().cast_signed()) {
            let _ = rustix::process::kill_process(pid, rustix::process::Signal::QUIT);
            std::thread::sleep(Duration::from_millis(500));
        }
        self.end();
    }

    /// Resident memory in bytes, where the system says.
    pub fn resident(&mut self) -> Option<u64> {
        let status = format!("/proc/{}/status", self.owned.child().id());
        let status = fs::read_to_string(status).ok()?;
        let line = status.lines().find_map(|l| l.strip_prefix("VmRSS:"))?;
        let kilobytes: u64 = line.trim().trim_end_matches(" kB").parse().ok()?;
        Some(kilobytes << 10)
    }
}

/// A process that has not connected yet.
struct Waiting<'a> {
    owned: Owned,
    log: Log,
    start: &'a Start<'a>,
    limit: Duration,
}

impl Waiting<'_> {
    fn connect(&mut self, listener: &TcpListener, token: &str) -> Result<Link, DeviceError> {
        listener.set_nonblocking(true)?;
        let deadline = Instant::now() + self.limit;
        loop {
            match listener.accept() {
                Ok((stream, from)) if from.ip().is_loopback() => {
                    let mut link = Link::new(stream, self.start.watch.interrupt())?;
                    // The agent greets at once; a stranger must not hold us up for long.
                    let greeting = deadline.min(Instant::now() + GREETING);
                    match link.greet(token, greeting) {
                        Ok(_) => return Ok(link),
                        Err(LinkError::Fatal(text)) => return Err(DeviceError::Setup(text)),
                        Err(LinkError::Interrupted) => return Err(DeviceError::Interrupted),
                        // Somebody else's connection, or a dying process: go on waiting.
                        Err(_) => {}
                    }
                }
                Ok(_) => {}
                Err(e) if e.kind() == io::ErrorKind::WouldBlock => {}
                Err(e) => return Err(e.into()),
            }
            if let Some(status) = self.owned.exited()? {
                self.log.finish();
                return Err(DeviceError::Setup(format!(
                    "the Java process ended at its start ({}): {}",
                    words(Some(status)),
                    last_lines(&self.log.tail(), 8)
                )));
            }
            if self.start.watch.interrupted() {
                return Err(DeviceError::Interrupted);
            }
            if Instant::now() >= deadline {
                return Err(DeviceError::Timeout {
                    what: "the Java process to start".to_owned(),
                    seconds: self.limit.as_secs(),
                });
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

/// Where in the device's own folder what an app finds on it is kept.
pub(super) const DATA: &str = "data";

fn command(start: &Start<'_>, port: u16, token: &str) -> Result<Command, DeviceError> {
    let settings = start.settings;
    let work = &settings.work;
    let open = settings.network == Reach::Open;
    let mut command = Command::new(start.parts.jdk.java());
    command
        .args(super::flags::jvm(start.parts, settings, start.recording))
        .arg("-cp")
        .arg(start.parts.device_path()?)
        .arg("droidtest.host.Main");
    for (name, value) in [
        ("--port", port.to_string()),
        ("--token", token.to_owned()),
        ("--app", start.app.display().to_string()),
        ("--device", work.join("files").display().to_string()),
        ("--sdk", settings.sdk.to_string()),
        ("--qualifiers", settings.qualifiers()),
        // Java has no unsigned numbers.
        ("--seed", settings.seed.cast_signed().to_string()),
        ("--start", settings.start_ms.to_string()),
        ("--leash", "stdin".to_owned()),
        ("--network", if open { "open" } else { "closed" }.to_owned()),
        (
            "--permissions",
            if start.grant_permissions {
                "granted"
            } else {
                "asked"
            }
            .to_owned(),
        ),
    ] {
        command.arg(name).arg(value);
    }
    match settings.web {
        Web::HtmlUnit => {
            command.arg("--web").arg(&start.parts.web);
        }
        Web::Chromium => {
            command.arg("--browser").arg(browser::folder(work));
        }
        Web::Off => {}
    }
    let outside = match settings.outside {
        Outside::Seeded => "seeded",
        Outside::Empty => "empty",
    };
    command.arg("--outside").arg(outside);
    if matches!(settings.network, Reach::Replay(_)) {
        command.arg("--replay").arg(work.join(folder::NETWORK));
    }
    if work.join(DATA).exists() {
        command.arg("--data").arg(work.join(DATA));
    }
    command.current_dir(work);
    strip_environment(&mut command, work);
    Ok(command)
}

fn browser(start: &Start<'_>) -> Result<Owned, DeviceError> {
    let network = if start.settings.network == Reach::Open {
        Network::Open
    } else {
        Network::Closed
    };
    let log = format!("chromium-{}.log", start.number);
    browser::start(
        &start.settings.work,
        &start.settings.logs.join(log),
        &start.settings.secrets,
        network,
    )
}

/// Nothing of the user's environment reaches a process that runs somebody's app.
pub fn strip_environment(command: &mut Command, home: &Path) {
    command.env_clear().env("HOME", home).env("TMPDIR", home);
    for (name, value) in [
        ("LANG", "C.UTF-8"),
        ("LC_ALL", "C.UTF-8"),
        ("TZ", "UTC"),
        // The C library would keep a heap for each thread; two do, and save a hundred megabytes.
        ("MALLOC_ARENA_MAX", "2"),
    ] {
        command.env(name, value);
    }
    // Windows cannot open a socket without this one.
    if let Some(root) = std::env::var_os("SystemRoot") {
        command.env("SystemRoot", root);
    }
}

fn rules(start: &Start<'_>, port: u16) -> Rules {
    let parts = start.parts;
    let mut rules = Rules::for_program(&parts.jdk.java(), &parts.jdk.home);
    rules.read.extend([
        parts.agent.clone(),
        parts.scheduler.clone(),
        parts.libraries.clone(),
        parts.web.clone(),
        parts.framework.clone(),
        start.app.to_owned(),
    ]);
    rules.read.extend(parts.jars.clone());
    rules.read.extend(parts.recording.clone());
    rules.write.push(start.settings.work.clone());
    let open = start.settings.network == Reach::Open;
    rules.network = if open {
        Network::Open
    } else {
        Network::Port(port)
    };
    if open {
        rules
            .read
            .extend(["/etc/resolv.conf", "/etc/hosts", "/run/systemd/resolve"].map(PathBuf::from));
    }
    rules
}

/// 128 random bits: another user of this machine cannot guess his way into the session.
fn token() -> String {
    let mut rng = rand::rng();
    format!("{:016x}{:016x}", rng.next_u64(), rng.next_u64())
}
