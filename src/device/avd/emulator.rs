//! One running emulator: started headless on a separate port, waited for, and always ended.

use super::console::Console;
use super::images;
use super::locks::{self, AvdLock, PortLock};
use super::settings::AvdSettings;
use crate::device::DeviceError;
use crate::device::adb::error::AdbError;
use crate::device::adb::handle::Handle;
use crate::device::adb::server::Server;
use crate::device::adb::wait_for_boot;
use crate::device::progress::Watch;
use crate::outcome::{SnapshotCost, SnapshotWork};
use crate::util::process::Owned;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::net::{Ipv4Addr, TcpListener};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How often it is looked whether the process has ended.
const POLL: Duration = Duration::from_millis(20);

/// Console ports that the adb server looks at by itself.
const PORTS: std::ops::RangeInclusive<u16> = 5554..=5682;
/// How long an emulator may take to end when asked.
const END: Duration = Duration::from_secs(10);
/// How long the console may take for what it does at once.
const CONSOLE: Duration = Duration::from_secs(10);
/// Saving and loading a snapshot of a few gigabytes.
const SNAPSHOT: Duration = Duration::from_secs(180);
/// The state right after the first start, under a name of our own.
pub const CLEAN: &str = "droidtest-clean";

/// An emulator that runs.
#[derive(Debug)]
pub struct Emulator {
    /// Its settings.
    pub settings: AvdSettings,
    child: Owned,
    lock: PortLock,
    /// `None`: given away at the end.
    avd: Option<AvdLock>,
    log: PathBuf,
    /// Was the clean state saved?
    pub has_clean: bool,
    /// Snapshots whose saving has started.
    saved: BTreeSet<String>,
}

impl Emulator {
    /// Starts one and waits until Android is up.
    ///
    /// # Errors
    /// A missing program or image, an emulator that ends or never comes up, with the last lines of its log.
    pub fn start(settings: &AvdSettings, avd: AvdLock, watch: &Watch) -> Result<Self, DeviceError> {
        for port in locks::clean(&settings.locks)? {
            watch.report(
                "ended",
                &format!("emulator-{port}, left by a run that was killed"),
                0,
                0,
            );
        }
        images::ensure(settings, &avd.name, watch)?;
        let server = Server::new(
            settings.adb.port,
            settings.adb.program.clone(),
            watch.interrupt(),
        )
        .patient(settings.adb.patience);
        // It tells the server of itself when it starts.
        server.start()?;
        let mut lock = free_port(settings)?;
        fs::create_dir_all(&settings.logs)?;
        let log = settings.logs.join(format!("emulator-{}.log", lock.port));
        let mut command = command(settings, &avd.name, lock.port)?;
        let out = File::create(&log)?;
        command
            .stdin(Stdio::null())
            .stderr(out.try_clone()?)
            .stdout(out);
        watch.report(
            "starting",
            &format!("{} on emulator-{}", avd.name, lock.port),
            0,
            0,
        );
        let mut child = Owned::spawn(&mut command)
            .map_err(|e| DeviceError::Setup(format!("the emulator does not start: {e}")))?;
        lock.started(child.child().id())?;
        let mut this = Self {
            settings: settings.clone(),
            child,
            lock,
            avd: Some(avd),
            log,
            has_clean: false,
            saved: BTreeSet::new(),
        };
        this.wait(&server)?;
        Ok(this)
    }

    /// Its serial.
    pub fn serial(&self) -> String {
        format!("emulator-{}", self.lock.port)
    }

    /// Ends it; its AVD is free for another start by the same owner.
    ///
    /// # Errors
    /// It was ended before.
    pub fn end(mut self) -> Result<AvdLock, DeviceError> {
        let ended = || DeviceError::Protocol("the emulator was already ended".to_owned());
        self.avd.take().ok_or_else(ended)
    }

    fn wait(&mut self, server: &Server) -> Result<(), DeviceError> {
        let until = Instant::now() + self.settings.boot;
        let handle = Handle::new(
            server.clone().patient(Duration::from_millis(500)),
            self.serial(),
        );
        loop {
            if let Some(status) = self.child.exited()? {
                return Err(DeviceError::Setup(format!(
                    "the emulator ended with {status}: {}",
                    self.last_words()
                )));
            }
            let left = until.saturating_duration_since(Instant::now());
            // In short waits: an emulator that ends says more than one that does not answer.
            let missing = match wait_for_boot(&handle, left.min(Duration::from_secs(3))) {
                Ok(_) => return Ok(()),
                Err(AdbError::Interrupted) => return Err(DeviceError::Interrupted),
                Err(error) => error,
            };
            if left.is_zero() {
                return Err(DeviceError::Timeout {
                    what: format!(
                        "{} to start ({missing}); its log ends: {}",
                        self.serial(),
                        self.last_words()
                    ),
                    seconds: self.settings.boot.as_secs(),
                });
            }
        }
    }

    fn last_words(&self) -> String {
        let text = fs::read_to_string(&self.log).unwrap_or_default();
        let lines: Vec<_> = text.lines().filter(|l| !l.trim().is_empty()).collect();
        let from = lines.len().saturating_sub(6);
        lines[from..].join(" / ")
    }

    /// Does it still run?
    pub fn is_running(&mut self) -> bool {
        matches!(self.child.exited(), Ok(None))
    }

    /// Has it ended, or does it before so much time has passed?
    pub fn ends_within(&mut self, limit: Duration) -> bool {
        let until = Instant::now() + limit;
        while self.is_running() {
            if Instant::now() >= until {
                return false;
            }
            std::thread::sleep(POLL);
        }
        true
    }

    /// Has the console do something that it does at once.
    ///
    /// # Errors
    /// The console's reason.
    pub fn tell(&self, line: &str, watch: &Watch) -> Result<(), DeviceError> {
        let mut console = Console::connect(self.lock.port, watch.interrupt())?;
        console.command(line, CONSOLE).map(|_| ())
    }

    /// Saves, loads or deletes a snapshot; gives how long it took. After a load Android is waited for.
    ///
    /// # Errors
    /// The console's reason.
    pub fn snapshot(
        &mut self,
        what: SnapshotWork,
        name: &str,
        watch: &Watch,
    ) -> Result<Duration, DeviceError> {
        let start_time = Instant::now();
        let done = self.try_snapshot(what, name, watch);
        let took = start_time.elapsed();
        if !matches!(done, Err(DeviceError::Interrupted)) {
            watch.snapshot(&SnapshotCost {
                snapshot: what,
                name: name.to_owned(),
                took_us: u64::try_from(took.as_micros()).unwrap_or(u64::MAX),
                failed: done.as_ref().err().map(ToString::to_string),
            });
        }
        done.map(|()| took)
    }

    fn try_snapshot(
        &mut self,
        what: SnapshotWork,
        name: &str,
        watch: &Watch,
    ) -> Result<(), DeviceError> {
        let mut console = Console::connect(self.lock.port, watch.interrupt())?;
        if what == SnapshotWork::Save {
            self.saved.insert(name.to_owned());
        }
        console.command(&format!("avd snapshot {} {name}", what.word()), SNAPSHOT)?;
        if what == SnapshotWork::Delete {
            self.saved.remove(name);
        }
        if what == SnapshotWork::Load {
            let server = Server::new(
                self.settings.adb.port,
                self.settings.adb.program.clone(),
                watch.interrupt(),
            );
            self.wait(&server)?;
        }
        Ok(())
    }
}

impl Drop for Emulator {
    fn drop(&mut self) {
        // Asked first: one that is killed leaves its files locked.
        if let Ok(mut console) = Console::connect(self.lock.port, Arc::default()) {
            // On the user's AVD they would lie about for good, a gigabyte each.
            let left = std::mem::take(&mut self.saved);
            for name in left.iter().filter(|_| self.settings.avd.is_some()) {
                let _ = console.command(&format!("avd snapshot delete {name}"), CONSOLE);
            }
            let _ = console.command("kill", Duration::from_secs(2));
        }
        if !matches!(self.child.wait_until(Instant::now() + END), Ok(Some(_))) {
            self.child.kill();
        }
    }
}

/// A console port that nobody listens on and no run of ours has taken; its neighbour is adb's.
fn free_port(settings: &AvdSettings) -> Result<PortLock, DeviceError> {
    for port in PORTS.step_by(2) {
        let free = |p: u16| TcpListener::bind((Ipv4Addr::LOCALHOST, p)).is_ok();
        if free(port)
            && free(port + 1)
            && let Some(lock) = PortLock::take(&settings.locks, port)?
        {
            return Ok(lock);
        }
    }
    Err(DeviceError::Setup(format!(
        "no console port from {} to {} is free: end some emulators",
        PORTS.start(),
        PORTS.end()
    )))
}

fn command(settings: &AvdSettings, avd: &str, port: u16) -> Result<Command, DeviceError> {
    let mut command = Command::new(images::emulator()?);
    command.args(["-avd", avd, "-port", &port.to_string()]);
    // Quick-boot snapshots of another machine hang; ours are saved by name.
    command.args([
        "-no-window",
        "-no-audio",
        "-no-boot-anim",
        "-no-snapshot-load",
        "-no-snapshot-save",
        "-no-metrics",
    ]);
    // The data partition outlives emulator and run. On an AVD of the user's it is his.
    if settings.avd.is_none() {
        command.arg("-wipe-data");
    }
    command.args(["-gpu", &settings.gpu]);
    if let Some(ram) = settings.ram {
        command.args(["-memory", &ram.to_string()]);
    }
    if let Some(disk) = settings.disk {
        command.args(["-partition-size", &disk.to_string()]);
    }
    if let Some(locale) = &settings.locale {
        command.args(["-change-locale", locale]);
    }
    command.env("ANDROID_ADB_SERVER_PORT", settings.adb.port.to_string());
    Ok(command)
}
