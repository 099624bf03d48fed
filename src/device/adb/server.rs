//! The adb server: where it is, starting it, the devices it knows, and the one place where things are tried again.
//!
//! We speak the server's protocol instead of starting `adb` for each command (a process start costs more than
//! an event), and instead of a crate: the richest one, `adb_client`, reads from the server without any timeout,
//! so that a device that hangs would hang us. The `adb` program starts the server, nothing more.

use super::connection::{Connection, Limit};
use super::error::{ANY, AdbError};
use crate::android::devices::{self, AdbDevice};
use crate::util::process;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The server's port where nothing else is reported.
pub const PORT: u16 = 5037;
/// How long a device may be offline, or the server away, before a call gives up.
pub const PATIENCE: Duration = Duration::from_secs(20);
/// The same while what was changed is restored: whoever pressed Ctrl-C waits for it.
const CLOSING: Duration = Duration::from_secs(3);
/// How long the server may take to start.
const START: Duration = Duration::from_secs(30);
/// How long the server may take over a question that needs no device.
const ANSWER: Duration = Duration::from_secs(10);

/// The server.
#[derive(Clone, Debug)]
pub struct Server {
    address: SocketAddr,
    /// The `adb` program, where there is one.
    program: Option<PathBuf>,
    patience: Duration,
    interrupt: Arc<AtomicBool>,
}

impl Server {
    /// The server at a port of this machine.
    pub fn new(port: u16, program: Option<PathBuf>, interrupt: Arc<AtomicBool>) -> Self {
        Self {
            address: SocketAddr::from((Ipv4Addr::LOCALHOST, port)),
            program,
            patience: PATIENCE,
            interrupt,
        }
    }

    /// The same with another patience.
    #[must_use]
    pub fn patient(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// The same for clearing up: deaf to the user's interrupt, and with little patience.
    #[must_use]
    pub fn closing(&self) -> Self {
        Self {
            interrupt: Arc::default(),
            patience: self.patience.min(CLOSING),
            ..self.clone()
        }
    }

    /// A deadline that also hears the user.
    pub fn limit(&self, total: Duration, what: impl Into<String>) -> Limit {
        Limit::new(total, what, &self.interrupt)
    }

    /// Its port.
    pub const fn port(&self) -> u16 {
        self.address.port()
    }

    /// Connects to the server.
    ///
    /// # Errors
    /// It does not run.
    pub fn connect(&self) -> Result<Connection, AdbError> {
        Connection::open(self.address)
    }

    /// Does what `work` says, and does it again while it fails for reasons that pass: the server was killed (it is
    /// started again), a device on the network dropped off (it is connected again), a device is offline for a
    /// while. `work` must be fit to be done twice; what is not starts only once its service is open.
    ///
    /// # Errors
    /// The last failure, when patience is at its end, or the first that does not pass.
    pub fn persist<T>(
        &self,
        serial: &str,
        mut work: impl FnMut() -> Result<T, AdbError>,
    ) -> Result<T, AdbError> {
        let limit = self.limit(self.patience, "the device to come back");
        let mut pause = Duration::from_millis(20);
        loop {
            let error = match work() {
                Ok(done) => return Ok(done),
                Err(error) if error.is_passing() => error,
                Err(error) => return Err(error),
            };
            match &error {
                AdbError::ServerGone(_) => self.start()?,
                // The server forgets devices on the network when it ends, and keeps dead ones as offline.
                AdbError::NotFound(_) | AdbError::State { .. } if serial.contains(':') => {
                    self.reconnect(serial)
                }
                _ => {}
            }
            match limit.pause(pause) {
                Err(AdbError::Timeout { .. }) => return Err(error),
                other => other?,
            }
            pause = (pause * 2).min(Duration::from_millis(500));
        }
    }

    /// Starts the server where it does not run.
    ///
    /// # Errors
    /// There is no `adb`, or it does not start one.
    pub fn start(&self) -> Result<(), AdbError> {
        if self.connect().is_ok() {
            return Ok(());
        }
        let Some(program) = &self.program else {
            return Err(AdbError::NoAdb(format!(
                "no adb server at port {} and no `adb` to start one: install Android's platform-tools (Debian and Ubuntu: apt-get install adb) or set ANDROID_HOME",
                self.port()
            )));
        };
        // What `adb` starts outlives it: start nothing after an interrupt.
        if self.interrupt.load(Ordering::Relaxed) {
            return Err(AdbError::Interrupted);
        }
        let mut command = Command::new(program);
        command.args(["-P", &self.port().to_string(), "start-server"]);
        let stopped = || self.interrupt.load(Ordering::Relaxed);
        let done = process::run_unless(&mut command, START, &stopped).map_err(|e| {
            if e.kind() == std::io::ErrorKind::Interrupted {
                return AdbError::Interrupted;
            }
            AdbError::NoAdb(format!(
                "{} does not start a server: {e}",
                program.display()
            ))
        })?;
        if !done.status.success() && self.connect().is_err() {
            let words = String::from_utf8_lossy(&done.stderr).trim().to_owned();
            return Err(AdbError::NoAdb(format!(
                "{} start-server ended with {}: {words}",
                program.display(),
                done.status
            )));
        }
        Ok(())
    }

    fn reconnect(&self, serial: &str) {
        // Whether it helped shows at the next attempt.
        let _ = self.question(&format!("host:disconnect:{serial}"));
        let _ = self.question(&format!("host:connect:{serial}"));
    }

    /// Asks the server something that needs no device.
    ///
    /// # Errors
    /// The server's refusal.
    pub fn question(&self, request: &str) -> Result<String, AdbError> {
        self.question_about("", request)
    }

    /// Asks the server something about a device.
    ///
    /// # Errors
    /// The server's refusal.
    pub fn question_about(&self, serial: &str, request: &str) -> Result<String, AdbError> {
        let limit = self.limit(ANSWER, format!("the adb server to answer {request}"));
        let mut connection = self.connect()?;
        connection.request(serial, request, &limit)?;
        connection.text(&limit)
    }

    /// The devices it knows.
    ///
    /// # Errors
    /// No server, or a list that cannot be read.
    pub fn devices(&self) -> Result<Vec<AdbDevice>, AdbError> {
        self.persist("", || {
            let list = self.question("host:devices-l")?;
            if list.trim().is_empty() {
                return Ok(Vec::new());
            }
            devices::parse(&list).map_err(|e| AdbError::Protocol(format!("the device list: {e}")))
        })
    }

    /// The device with this serial, or the only usable one.
    ///
    /// # Errors
    /// None, several, or none that can be used, with the fix.
    pub fn choose(&self, serial: Option<&str>) -> Result<String, AdbError> {
        if let Some(serial) = serial {
            return Ok(serial.to_owned());
        }
        Self::only(&self.devices()?)
    }

    /// The only usable one of these.
    ///
    /// # Errors
    /// None, several, or none that can be used, with the fix.
    pub fn only(all: &[AdbDevice]) -> Result<String, AdbError> {
        let usable: Vec<_> = all.iter().filter(|d| d.state == "device").collect();
        match (usable.as_slice(), all.first()) {
            ([one], _) => Ok(one.serial.clone()),
            ([], None) => Err(AdbError::NotFound(ANY.to_owned())),
            ([], Some(first)) => Err(AdbError::State {
                serial: first.serial.clone(),
                state: first.state.clone(),
                fix: first.fix(),
            }),
            (many, _) => {
                let names: Vec<_> = many.iter().map(|d| d.serial.as_str()).collect();
                Err(AdbError::Refused(format!(
                    "several devices are connected ({}): name one with `serial`",
                    names.join(", ")
                )))
            }
        }
    }
}
