//! The emulator's console: a line of text each way, a token first, `OK` or `KO: reason` last.

use crate::device::DeviceError;
use std::io::{self, Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What the console answers at once.
const SHORT: Duration = Duration::from_secs(10);
/// The longest answer taken.
const LONGEST: usize = 1 << 20;

/// A connection to a console.
#[derive(Debug)]
pub struct Console {
    stream: TcpStream,
    port: u16,
    interrupt: Arc<AtomicBool>,
}

impl Console {
    /// Connects, and shows the token where one is requested. Waits end soon after `interrupt` is set.
    ///
    /// # Errors
    /// Nobody listens, or the token is not taken.
    pub fn connect(port: u16, interrupt: Arc<AtomicBool>) -> Result<Self, DeviceError> {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let stream = TcpStream::connect_timeout(&address, SHORT)?;
        stream.set_read_timeout(Some(Duration::from_millis(200)))?;
        stream.set_write_timeout(Some(SHORT))?;
        let mut this = Self {
            stream,
            port,
            interrupt,
        };
        let greeting = this.answer(SHORT, "greeting")?;
        if greeting.contains("Authentication required") {
            let file = token_file(&greeting);
            let token = std::fs::read_to_string(&file).map_err(|e| {
                DeviceError::Setup(format!(
                    "the emulator's console requires the token in {}, which cannot be read: {e}",
                    file.display()
                ))
            })?;
            this.command(&format!("auth {}", token.trim()), SHORT)?;
        }
        Ok(this)
    }

    /// Sends a command and gives what it printed before its `OK`.
    ///
    /// # Errors
    /// `KO` with the console's reason, or no answer in time.
    pub fn command(&mut self, line: &str, limit: Duration) -> Result<String, DeviceError> {
        if line.contains(['\n', '\r']) {
            return Err(DeviceError::Protocol(
                "a console command with several lines".to_owned(),
            ));
        }
        self.stream.write_all(format!("{line}\r\n").as_bytes())?;
        // The token is nobody's to read in an error.
        let name: String = line
            .split_whitespace()
            .take(if line.starts_with("auth") { 1 } else { 4 })
            .collect::<Vec<_>>()
            .join(" ");
        self.answer(limit, &name)
    }

    fn answer(&mut self, limit: Duration, what: &str) -> Result<String, DeviceError> {
        let until = Instant::now() + limit;
        let mut bytes = Vec::new();
        let mut piece = [0; 4096];
        loop {
            let text = String::from_utf8_lossy(&bytes).replace('\r', "");
            if let Some((before, last)) = last_line(&text) {
                if last == "OK" || last.starts_with("OK:") {
                    return Ok(before.to_owned());
                }
                if let Some(reason) = last.strip_prefix("KO") {
                    let reason = reason.trim_start_matches(':').trim();
                    return Err(DeviceError::Protocol(format!(
                        "the console of emulator-{} refused `{what}`: {reason}",
                        self.port
                    )));
                }
            }
            if self.interrupt.load(Ordering::Relaxed) {
                return Err(DeviceError::Interrupted);
            }
            if Instant::now() >= until || bytes.len() > LONGEST {
                return Err(DeviceError::Timeout {
                    what: format!("the console of emulator-{} to answer `{what}`", self.port),
                    seconds: limit.as_secs(),
                });
            }
            match self.stream.read(&mut piece) {
                Ok(0) => return Err(gone(self.port)),
                Ok(n) => bytes.extend_from_slice(&piece[..n]),
                Err(e)
                    if matches!(
                        e.kind(),
                        io::ErrorKind::WouldBlock
                            | io::ErrorKind::TimedOut
                            | io::ErrorKind::Interrupted
                    ) => {}
                Err(_) => return Err(gone(self.port)),
            }
        }
    }
}

fn gone(port: u16) -> DeviceError {
    DeviceError::Died {
        message: format!("the console of emulator-{port} has closed the connection"),
        out_of_memory: false,
        in_app: false,
    }
}

/// The last complete line, and all before it.
fn last_line(text: &str) -> Option<(&str, &str)> {
    let whole = text.strip_suffix('\n')?;
    Some(whole.rsplit_once('\n').unwrap_or(("", whole)))
}

/// Where the greeting says that the token lies, or where it always does.
fn token_file(greeting: &str) -> PathBuf {
    let named = greeting
        .split('\'')
        .find(|part| part.contains(".emulator_console_auth_token") && !part.contains('\n'));
    named.map_or_else(
        || {
            std::env::home_dir()
                .unwrap_or_default()
                .join(".emulator_console_auth_token")
        },
        |path| PathBuf::from(path.trim()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_token_is_looked_for_where_the_greeting_says() {
        let greeting = "Android Console: Authentication required\nAndroid Console: type 'auth <auth_token>' to authenticate\nAndroid Console: you can find your <auth_token> in \n'/tmp/x/.emulator_console_auth_token'\nOK\n";
        assert_eq!(
            token_file(greeting),
            PathBuf::from("/tmp/x/.emulator_console_auth_token")
        );
        assert!(token_file("hello").ends_with(".emulator_console_auth_token"));
    }

    #[test]
    fn an_answer_ends_with_its_last_whole_line() {
        assert_eq!(last_line("a\nOK\n"), Some(("a", "OK")));
        assert_eq!(last_line("OK\n"), Some(("", "OK")));
        assert_eq!(last_line("a\nOK"), None);
    }
}
