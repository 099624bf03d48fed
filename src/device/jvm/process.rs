//! One Java process: starts in its folder, confined and watched, and always terminated.

use super::autopsy::{CrashReport, autopsy, last_lines, words};
use super::browser::{self, Browser};
use super::folder;
use super::launch;
use super::limits::{Limits, Watched};
use super::log::Log;
use super::parts::Parts;
use super::recording::Recording;
use super::sandbox::{self, Hold, Walls};
use super::settings::{Confine, JvmSettings, Network as Reach, Web};
use super::wiring::Wiring;
use crate::device::DeviceError;
use crate::device::link::{Link, LinkError, Patience, Seal, new_seal};
use crate::device::message::Request;
use crate::device::progress::Watch;
use crate::util::process::Owned;
use crate::util::redact::Redactor;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// Time limit for a connection's greeting.
const GREETING: Duration = Duration::from_secs(10);

/// Inputs of a process's start.
pub struct Start<'a> {
    /// The parts.
    pub parts: &'a Parts,
    /// Folder of the translated app.
    pub app: &'a Path,
    /// The app's package.
    pub package: &'a str,
    /// The device's settings.
    pub settings: &'a JvmSettings,
    /// Whether to grant permissions at the start.
    pub grant_permissions: bool,
    /// Number of this process in its session, from 1.
    pub number: u32,
    /// Progress and interruption.
    pub watch: &'a Watch,
    /// Its use of class data sharing.
    pub recording: Recording<'a>,
}

/// A running Java process with its connection.
#[derive(Debug)]
pub struct JavaProcess {
    owned: Owned,
    /// The connection.
    pub link: Link,
    /// Its confinement.
    pub hold: Hold,
    log: Log,
    watched: Option<Watched>,
    /// The Chromium for its web views, which ends with it.
    _browser: Option<Browser>,
    work: PathBuf,
    logs: PathBuf,
    secrets: Redactor,
    package: String,
    number: u32,
    /// Is it the child of the started program?
    inside: bool,
}

impl JavaProcess {
    /// Starts the process and waits for its hello.
    pub fn start(start: &Start<'_>) -> Result<Self, DeviceError> {
        let settings = start.settings;
        // A killed process leaves unpacked native libraries.
        folder::recreate(&settings.work, "tmp", start.watch)?;
        fs::create_dir_all(&settings.logs)?;
        let seal = new_seal();
        let browser = (settings.web == Web::Chromium)
            .then(|| browser(start, &seal))
            .transpose()?;
        let mut wiring = Wiring::new()?;
        let log = settings.logs.join(format!("jvm-{}.log", start.number));
        let (log, out, err) = Log::open(&log, &settings.secrets)?;
        let mut command = launch::command(start, &wiring)?;
        command.stdin(wiring.stdin()).stdout(out).stderr(err);
        let owned = Owned::spawn(&mut command)
            .map_err(|e| DeviceError::Setup(format!("Java cannot be started: {e}")))?;
        // The command holds our copies of the log's writing ends, and of the process's end of the wire.
        drop(command);
        let mut waiting = Waiting {
            owned,
            log,
            start,
            limit: settings.start_limit,
            seal,
        };
        let link = waiting.connect(&mut wiring)?;
        let Waiting { owned, log, .. } = waiting;
        Ok(Self {
            watched: watched(settings, &owned),
            owned,
            link,
            hold: sandbox::hold(settings.confine),
            log,
            _browser: browser,
            work: settings.work.clone(),
            logs: settings.logs.clone(),
            secrets: settings.secrets.clone(),
            package: start.package.to_owned(),
            number: start.number,
            inside: cfg!(unix),
        })
    }

    /// A process other than Java, for tests.
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
            watched: None,
            _browser: None,
            work: work.to_owned(),
            logs: work.join("logs"),
            secrets: secrets.clone(),
            package: package.to_owned(),
            number: 1,
            inside: false,
        }
    }

    /// Its process id; `None` if it is not running.
    pub fn pid(&mut self) -> Option<u32> {
        let outer = self.owned.child().id();
        if self.inside {
            only_child(outer)
        } else {
            Some(outer)
        }
    }

    /// Stops watching its limits; returns the exceeded one, if any.
    fn exceeded(&mut self) -> Option<String> {
        self.watched.as_mut().and_then(Watched::finish)
    }

    /// Ends the process and returns how it ended, or that it was killed.
    pub fn post_mortem(mut self, why: &str) -> DeviceError {
        // A process that closed its connection is about to end by itself; how it ends is evidence.
        let by_itself = self
            .owned
            .wait_until(Instant::now() + Duration::from_secs(5))
            .ok()
            .flatten();
        let exceeded = self.exceeded();
        self.kill();
        let report = self.report();
        if let Some(message) = exceeded {
            return DeviceError::Died {
                message,
                out_of_memory: false,
                in_app: false,
            };
        }
        autopsy(
            by_itself,
            why,
            &self.log.tail(),
            report.as_ref(),
            &self.package,
        )
    }

    /// Kills the process. Its output is in the log.
    pub fn end(mut self) {
        self.exceeded();
        self.kill();
        self.report();
    }

    fn kill(&mut self) {
        self.owned.kill();
        self.link.close();
        self.log.finish();
    }

    /// The JVM's own report, moved to the logs.
    fn report(&self) -> Option<CrashReport> {
        CrashReport::keep(&self.work, &self.logs, self.number, &self.secrets)
    }

    /// Asks it to exit; an error if it does not exit cleanly.
    pub fn quit(mut self, limit: Duration) -> Result<(), DeviceError> {
        let id = self.link.next_id();
        let patience = Patience {
            total: limit,
            blocked: limit,
        };
        let asked = self.link.call(&Request::Quit { id }, patience);
        let ended = self.owned.wait_until(Instant::now() + limit)?;
        self.kill();
        match (asked, ended) {
            (Ok(_), Some(status)) if status.success() => Ok(()),
            (_, status) => Err(DeviceError::Protocol(format!(
                "the Java process did not exit as requested ({}): {}",
                words(status),
                last_lines(&self.log.tail(), 8)
            ))),
        }
    }

    /// Makes the JVM print its threads' stacks to the log, then kills it.
    #[cfg_attr(not(unix), allow(unused_mut))]
    pub fn dump_and_end(mut self) {
        #[cfg(unix)]
        if let Some(pid) = self
            .pid()
            .and_then(|pid| rustix::process::Pid::from_raw(pid.cast_signed()))
        {
            let _ = rustix::process::kill_process(pid, rustix::process::Signal::QUIT);
            std::thread::sleep(Duration::from_millis(500));
        }
        self.end();
    }

    /// Resident memory in bytes, if the system reports it.
    pub fn resident(&mut self) -> Option<u64> {
        let status = format!("/proc/{}/status", self.pid()?);
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
    seal: Seal,
}

impl Waiting<'_> {
    fn connect(&mut self, wiring: &mut Wiring) -> Result<Link, DeviceError> {
        let deadline = Instant::now() + self.limit;
        loop {
            if let Some(stream) = wiring.accept()? {
                let mut link = Link::new(stream, self.start.watch.interrupt())?;
                if !wiring.is_open() {
                    link.seal(&self.seal)?;
                }
                let soon = deadline.min(Instant::now() + GREETING);
                let greeting = if wiring.is_open() { soon } else { deadline };
                match link.greet(wiring.token(), greeting) {
                    Ok(_) => return Ok(link),
                    Err(LinkError::Fatal(text)) => return Err(DeviceError::Setup(text)),
                    Err(LinkError::Interrupted) => return Err(DeviceError::Interrupted),
                    // Another program's connection, or a dying process: keep waiting.
                    Err(_) => {}
                }
            }
            if let Some(status) = self.owned.exited()? {
                self.log.finish();
                return Err(DeviceError::Setup(format!(
                    "the Java process ended while starting ({}): {}",
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

/// The folder of the user's data in the device's folder.
pub(super) const DATA: &str = "data";

/// The child process of ours.
pub(super) fn only_child(outer: u32) -> Option<u32> {
    let children = fs::read_to_string(format!("/proc/{outer}/task/{outer}/children")).ok()?;
    children.split_whitespace().next()?.parse().ok()
}

/// Watches the limits of a confined process.
fn watched(settings: &JvmSettings, owned: &Owned) -> Option<Watched> {
    let mut folders = vec![settings.work.clone()];
    if settings.web == Web::Chromium {
        folders.push(browser::own_folder(&settings.work));
    }
    let limits = Limits::of_device(folders, settings.disk());
    (settings.confine != Confine::Off).then(|| Watched::of_sandbox(limits, owned.id()))
}

fn browser(start: &Start<'_>, seal: &Seal) -> Result<Browser, DeviceError> {
    let settings = start.settings;
    let log = format!("chromium-{}.log", start.number);
    browser::start(
        &settings.work,
        &browser::key(seal),
        &settings.logs.join(log),
        &settings.secrets,
        settings.network == Reach::Open,
        // An unconfined app is not for testing web pages.
        match settings.confine {
            Confine::Full => Walls::Full,
            Confine::Reduced | Confine::Off => Walls::Reduced,
        },
        start.watch,
    )
}

/// A process that runs an app gets nothing of the user's environment.
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
