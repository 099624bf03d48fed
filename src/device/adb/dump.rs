//! The screen without an agent: one `uiautomator dump` and the activity manager's word, in one command.

use super::error::AdbError;
use super::handle::Handle;
use super::quote::quote;
use super::screen::Look;
use crate::android::{FormatError, focus, uiautomator};
use crate::device::DeviceError;
use crate::gui::RawNode;
use std::time::Duration;

/// uiautomator waits ten seconds for a screen that never rests.
const DUMP: Duration = Duration::from_secs(45);
/// Where the dump is written.
const FILE: &str = "/data/local/tmp/droidtest-window.xml";
/// Between the parts of the answer.
const MARK: &str = "--droidtest--";
/// Tries in a row; a window that is just changing gives none.
const TRIES: u32 = 4;

/// The screen at one instant.
#[derive(Clone, Debug, Default)]
pub struct Dump {
    /// Nodes, depth first.
    pub nodes: Vec<RawNode>,
    /// Package in front.
    pub package: String,
    /// Activity in front.
    pub activity: String,
    /// `Surface.ROTATION_*`.
    pub rotation: u8,
    /// Process ids of the app's main process, none when it is dead.
    pub pids: Vec<u32>,
    /// False where uiautomator said that the screen does not rest, and the last dump is in.
    pub settled: bool,
}

impl From<Dump> for Look {
    fn from(seen: Dump) -> Self {
        Self {
            alive: !seen.pids.is_empty(),
            nodes: Some(std::sync::Arc::new(seen.nodes)),
            package: seen.package,
            activity: seen.activity,
            rotation: seen.rotation,
            pids: seen.pids,
            settled: seen.settled,
            ..Self::default()
        }
    }
}

/// Looks at the screen.
///
/// # Errors
/// The device cannot be reached, or uiautomator fails repeatedly: its message.
pub fn look(handle: &Handle, package: &str) -> Result<Dump, DeviceError> {
    let package = quote(package);
    // An old dump would be taken for a new one: it goes first.
    let line = format!(
        "rm -f {FILE}; uiautomator dump {FILE} 2>&1; echo {MARK}; cat {FILE} 2>&1; echo {MARK}; dumpsys activity activities; echo {MARK}; pidof {package} 2>/dev/null || ps"
    );
    let mut last: Option<FormatError> = None;
    for attempt in 0..TRIES {
        if attempt > 0 {
            std::thread::sleep(Duration::from_millis(150 * u64::from(attempt)));
        }
        let said = handle.shell(&line, DUMP)?.text();
        let parts: Vec<&str> = said.split(MARK).collect();
        let [dumped, xml, activities, processes] = parts.as_slice() else {
            return Err(AdbError::Protocol("the shell's answer is cut off".to_owned()).into());
        };
        let front = focus::parse(activities)
            .ok()
            .and_then(|screen| screen.front);
        let (front_package, activity) = front.map_or_else(Default::default, |f| {
            (
                f.package.unwrap_or_default(),
                f.activity.unwrap_or_default(),
            )
        });
        let mut seen = Dump {
            package: front_package,
            activity,
            pids: pids(processes, &package),
            settled: true,
            ..Dump::default()
        };
        match uiautomator::parse(xml) {
            Ok(dump) => {
                seen.rotation = dump.rotation;
                seen.nodes = dump.nodes.into_iter().map(|n| n.node).collect();
                return Ok(seen);
            }
            // Of a dead app there is nothing to dump.
            Err(_) if seen.pids.is_empty() => return Ok(seen),
            Err(error) => {
                // What uiautomator printed tells more than that its file is missing.
                last = Some(match (error.code, uiautomator::parse(dumped)) {
                    ("no-file" | "empty" | "not-a-dump", Err(said))
                        if said.code != "not-a-dump" && said.code != "empty" =>
                    {
                        said
                    }
                    _ => error,
                });
            }
        }
    }
    let why = last
        .map(|e| format!("{} [{}]", e.message, e.code))
        .unwrap_or_default();
    Err(DeviceError::Protocol(format!(
        "{TRIES} view dumps failed on {}; the last: {why}",
        handle.serial
    )))
}

/// The numbers that `pidof` printed, or the app's lines of `ps`.
fn pids(text: &str, package: &str) -> Vec<u32> {
    let text = text.trim();
    if text
        .chars()
        .all(|c| c.is_ascii_digit() || c.is_whitespace())
    {
        return text
            .split_whitespace()
            .filter_map(|n| n.parse().ok())
            .collect();
    }
    let ours = text
        .lines()
        .filter(|l| l.split_whitespace().last() == Some(package));
    ours.filter_map(|l| l.split_whitespace().nth(1)?.parse().ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processes_are_read_from_both_commands() {
        assert_eq!(pids("\n1234 99\n", "com.x"), [1234, 99]);
        let ps = "USER PID PPID VSIZE NAME\nu0_a57 1234 77 900 com.x\nu0_a58 1235 77 900 com.xy\n";
        assert_eq!(pids(ps, "com.x"), [1234]);
        assert!(pids("\n", "com.x").is_empty());
    }
}
