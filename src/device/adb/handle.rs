//! One device through the server: its shell, its files, its sockets.

use super::connection::{Connection, Limit};
use super::error::AdbError;
use super::server::Server;
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// How long opening a service may take.
const OPEN: Duration = Duration::from_secs(10);
/// Bytes of output kept of one command.
const MAX_OUTPUT: usize = 64 << 20;
/// Set before the exit code where the shell gives none (before Android 7).
const CODE_MARK: &str = "droidtest-exit:";

/// What a command on the device left.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Output {
    /// Standard output; with the old shell protocol standard error too.
    pub stdout: Vec<u8>,
    /// Standard error.
    pub stderr: Vec<u8>,
    /// Exit code.
    pub code: i32,
}

impl Output {
    /// Standard output as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.stdout).replace("\r\n", "\n")
    }

    /// Both outputs as one text, for errors.
    pub fn words(&self) -> String {
        let mut text = self.text();
        text += &String::from_utf8_lossy(&self.stderr);
        crate::util::text::shorten(text.trim(), 400).into_owned()
    }
}

/// A device.
#[derive(Debug)]
pub struct Handle {
    /// The server it hangs on.
    pub server: Server,
    /// Its serial.
    pub serial: String,
    shell_v2: OnceLock<bool>,
    gone: Arc<AtomicBool>,
}

impl Handle {
    /// The device with this serial.
    pub fn new(server: Server, serial: String) -> Self {
        Self {
            server,
            serial,
            shell_v2: OnceLock::new(),
            gone: Arc::default(),
        }
    }

    /// Does adb reach it over a network, which the device may lose? A port of this machine belongs to an emulator, or to
    /// a container.
    pub fn is_remote(&self) -> bool {
        let here = ["127.0.0.1:", "localhost:", "[::1]:"];
        let here = here.iter().any(|host| self.serial.starts_with(host));
        !here && (self.serial.contains(':') || self.serial.contains("._tcp"))
    }

    /// The same device for clearing up after the session: the user's interrupt does not cut that off (a shell
    /// whose connection ends is ended by the device, in the middle of its commands), and a device that is away is
    /// not waited for long.
    #[must_use]
    pub fn closing(&self) -> Self {
        Self {
            server: self.server.closing(),
            serial: self.serial.clone(),
            shell_v2: self.shell_v2.clone(),
            gone: self.gone.clone(),
        }
    }

    /// Does one thing of the clearing up. Where the device does not answer, nothing more is asked of it: each
    /// further question would be waited for in vain.
    ///
    /// # Errors
    /// Why it was not done.
    pub fn close(&self, line: &str, limit: Duration) -> Result<Output, AdbError> {
        let done = self.closing().shell(line, limit);
        if done.is_err() {
            self.give_up();
        }
        done
    }

    /// Waits for the device no more: all that is asked of it from now on fails at once.
    pub fn give_up(&self) {
        self.gone.store(true, Ordering::Relaxed);
    }

    /// Opens a service on the device; this much is tried again while failures pass.
    ///
    /// # Errors
    /// Why it cannot be opened.
    pub fn open(&self, service: &str) -> Result<Connection, AdbError> {
        self.server.persist(&self.serial, || {
            if self.gone.load(Ordering::Relaxed) {
                return Err(AdbError::Refused(format!(
                    "this session has stopped using {}",
                    self.serial
                )));
            }
            let limit = self.server.limit(
                OPEN,
                format!(
                    "{} to open {}",
                    self.serial,
                    service.split(':').next().unwrap_or("")
                ),
            );
            let mut connection = self.server.connect()?;
            connection.request(
                &self.serial,
                &format!("host:transport:{}", self.serial),
                &limit,
            )?;
            connection.request(&self.serial, service, &limit)?;
            Ok(connection)
        })
    }

    /// Connects to a socket in the device's abstract namespace. The server carries it; no port of this machine is
    /// taken, and nothing is left to be removed.
    ///
    /// # Errors
    /// Nobody listens there.
    pub fn socket(&self, name: &str) -> Result<TcpStream, AdbError> {
        let limit = self.server.limit(OPEN, "the agent's socket");
        let mut connection = self.server.connect()?;
        connection.request(
            &self.serial,
            &format!("host:transport:{}", self.serial),
            &limit,
        )?;
        connection.request(&self.serial, &format!("localabstract:{name}"), &limit)?;
        Ok(connection.into_stream())
    }

    fn has_shell_v2(&self) -> Result<bool, AdbError> {
        if let Some(known) = self.shell_v2.get() {
            return Ok(*known);
        }
        let features = self.server.persist(&self.serial, || {
            self.server.question_about(
                &self.serial,
                &format!("host-serial:{}:features", self.serial),
            )
        })?;
        let has = features.split(',').any(|f| f.trim() == "shell_v2");
        Ok(*self.shell_v2.get_or_init(|| has))
    }

    /// Runs a command line (see [`super::quote`]) in the device's shell.
    ///
    /// # Errors
    /// Everything but the command's failure, which is its exit code.
    pub fn shell(&self, command: &str, limit: Duration) -> Result<Output, AdbError> {
        let limit = self
            .server
            .limit(limit, format!("{} on {}", shown(command, 80), self.serial));
        if self.has_shell_v2()? {
            let mut connection = self.open(&format!("shell,v2,raw:{command}"))?;
            return packets(&mut connection, &limit);
        }
        let mut connection = self.open(&format!("shell:{command}; echo {CODE_MARK}$?"))?;
        let mut output = Output {
            stdout: drain(&mut connection, &limit)?,
            ..Output::default()
        };
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let Some(at) = text.rfind(CODE_MARK) else {
            return Err(AdbError::ServerGone(
                "the shell ended before its command did".to_owned(),
            ));
        };
        output.code = text[at + CODE_MARK.len()..].trim().parse().unwrap_or(-1);
        // Before Android 7 the shell's terminal ended lines as terminals do.
        output.stdout = text[..at].replace("\r\n", "\n").into_bytes();
        Ok(output)
    }

    /// Runs a command and wants it to succeed; gives its standard output.
    ///
    /// # Errors
    /// Also an exit code other than 0.
    pub fn run(&self, command: &str, limit: Duration) -> Result<String, AdbError> {
        let output = self.shell(command, limit)?;
        if output.code == 0 {
            Ok(output.text())
        } else {
            Err(AdbError::Refused(format!(
                "`{}` on {} ended with {}: {}",
                shown(command, 120),
                self.serial,
                output.code,
                output.words()
            )))
        }
    }

    /// The raw output of a command: pictures and other bytes that no terminal may touch.
    ///
    /// # Errors
    /// As [`Self::shell`].
    pub fn exec(&self, command: &str, limit: Duration) -> Result<Vec<u8>, AdbError> {
        let limit = self
            .server
            .limit(limit, format!("{} on {}", shown(command, 80), self.serial));
        let mut connection = self.open(&format!("exec:{command}"))?;
        drain(&mut connection, &limit)
    }
}

/// A command line as messages show it: without what is typed into a field, which may be secret.
fn shown(command: &str, most: usize) -> String {
    const TYPED: &str = "input text ";
    let cut = command.find(TYPED).map(|at| at + TYPED.len());
    let typed = cut.map(|at| format!("{}…", &command[..at]));
    crate::util::text::shorten(typed.as_deref().unwrap_or(command), most).into_owned()
}

fn drain(connection: &mut Connection, limit: &Limit) -> Result<Vec<u8>, AdbError> {
    let mut bytes = Vec::new();
    let mut chunk = vec![0; 64 << 10];
    loop {
        match connection.read(&mut chunk, limit)? {
            0 => return Ok(bytes),
            n if bytes.len() + n <= MAX_OUTPUT => bytes.extend_from_slice(&chunk[..n]),
            _ => {
                return Err(AdbError::Refused(format!(
                    "over {} MiB of output",
                    MAX_OUTPUT >> 20
                )));
            }
        }
        limit.check()?;
    }
}

/// The shell's packets: kind, length (little-endian), bytes. 1 is output, 2 errors, 3 the exit code.
fn packets(connection: &mut Connection, limit: &Limit) -> Result<Output, AdbError> {
    let mut output = Output::default();
    loop {
        let mut head = [0; 5];
        connection.read_exact(&mut head, limit)?;
        let len = u32::from_le_bytes([head[1], head[2], head[3], head[4]]) as usize;
        if len > MAX_OUTPUT || output.stdout.len() + output.stderr.len() + len > MAX_OUTPUT {
            return Err(AdbError::Refused(format!(
                "over {} MiB of output",
                MAX_OUTPUT >> 20
            )));
        }
        let mut body = vec![0; len];
        connection.read_exact(&mut body, limit)?;
        match head[0] {
            1 => output.stdout.append(&mut body),
            2 => output.stderr.append(&mut body),
            3 => {
                output.code = body.first().copied().map_or(-1, i32::from);
                return Ok(output);
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_do_not_tell_what_was_typed() {
        let line = "input tap 5 5; input text 'hun%ster'; input text '2'; input keyevent 66";
        assert_eq!(shown(line, 80), "input tap 5 5; input text …");
        assert_eq!(shown("screencap -p", 6), "scree…");
    }
}
