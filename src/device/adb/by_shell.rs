//! Inputs and system events that the device's shell performs, and what it refuses of them.

use super::device::AdbDevice;
use super::handle::Output;
use super::input::Way;
use crate::device::DeviceError;
use crate::util::text::shorten;
use std::time::Duration;

/// Between leaving the app and coming back to it.
const AWAY: Duration = Duration::from_millis(300);
/// Lines in which `am` repeats what it was given, whatever that says.
const ECHOES: [&str; 4] = [
    "Broadcasting:",
    "Broadcast completed:",
    "Starting:",
    "Starting service:",
];

impl AdbDevice {
    /// Carries one out.
    pub(super) fn by_shell(&mut self, way: Way) -> Result<(), DeviceError> {
        let limit = self.settings.step_limit;
        match way {
            Way::Shell(line) => {
                self.here()?.handle.shell(&line, limit)?;
            }
            Way::System { line, what } => {
                let here = self.here()?;
                let line = here.package.user.line(&line);
                let said = here.handle.shell(&line, limit)?;
                if let Some(why) = refusal(&said) {
                    self.limit("system-event-refused", &format!("{what}: {why}"));
                }
            }
            Way::Launch => {
                let here = self.here()?;
                here.package.start(&here.handle, limit)?;
            }
            Way::Away(line) => {
                let here = self.here()?;
                here.handle.shell(&line, limit)?;
                std::thread::sleep(AWAY);
                here.package.start(&here.handle, limit)?;
            }
            Way::Rotate(to) => {
                if let Err(why) = self.here()?.restore.turn(to)? {
                    self.limit("setting-refused", &why);
                }
            }
            Way::Network => {
                if let Err(why) = self.here()?.restore.toggle_network()? {
                    self.limit("network-stays", &why);
                }
            }
            Way::Wait(ms) => std::thread::sleep(Duration::from_millis(ms).min(limit)),
            Way::Stale => return Err(DeviceError::StaleWidget),
            Way::Cannot(rule, detail) => self.limit(rule, &detail),
        }
        Ok(())
    }
}

/// Why `am` refused: it exits with 0 after most refusals. Without what differs from one
/// call to the next, since a limit is reported once.
fn refusal(said: &Output) -> Option<String> {
    let text = said.text() + "\n" + &String::from_utf8_lossy(&said.stderr);
    let mut lines = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !ECHOES.iter().any(|echo| line.starts_with(echo)));
    let refuses = |line: &&str| {
        line.starts_with("Error:")
            || line.starts_with("Error type")
            || line.contains("Permission Denial")
            || line.contains("Exception:")
    };
    let line = match lines.clone().find(refuses) {
        Some(line) => line,
        None if said.code == 0 => return None,
        None => lines
            .next()
            .unwrap_or("the command failed without a message"),
    };
    let end = line.find(" from pid=").unwrap_or(line.len());
    Some(shorten(&line[..end], 200).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(code: i32, stdout: &str, stderr: &str) -> Option<String> {
        refusal(&Output {
            stdout: stdout.into(),
            stderr: stderr.into(),
            code,
        })
    }

    #[test]
    fn a_refusal_is_told_from_an_answer_that_only_speaks_of_one() {
        let sent = "Broadcasting: Intent { act=a.ReportException: flg=0x400000 }\n";
        let done = "Broadcast completed: result=0, data=\"java.lang.Exception: no\"\n";
        assert_eq!(said(0, &format!("{sent}{done}"), ""), None);
        let denied = "java.lang.SecurityException: Permission Denial: not allowed to send broadcast android.intent.action.BATTERY_LOW from pid=77, uid=2000\n\tat a.b.C(D.java:1)\n";
        assert_eq!(
            said(
                255,
                sent,
                &format!("\nException occurred while executing 'broadcast':\n{denied}")
            )
            .as_deref(),
            Some(
                "java.lang.SecurityException: Permission Denial: not allowed to send broadcast android.intent.action.BATTERY_LOW"
            )
        );
        // Before Android 8 it ends well all the same.
        assert!(said(0, &format!("{sent}{denied}"), "").is_some());
        assert_eq!(
            said(
                0,
                "Starting service: Intent { cmp=a/.B }\nError: Not found; no service started.\n",
                ""
            )
            .as_deref(),
            Some("Error: Not found; no service started.")
        );
        let warned = "Starting: Intent { cmp=a/.B }\nWarning: Activity not started, its current task has been brought to the front\nStatus: ok\n";
        assert_eq!(said(0, warned, ""), None);
        assert_eq!(said(1, "", "Killed\n").as_deref(), Some("Killed"));
    }
}
