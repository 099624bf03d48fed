//! The screen without an agent: one `uiautomator dump` and the activity manager's word, in one command.

use super::error::AdbError;
use super::handle::Handle;
use super::keyboard;
use super::package::Package;
use super::quote::quote;
use super::screen::Look;
use crate::android::keyboard::is_keyboard;
use crate::android::uiautomator::DumpNode;
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

/// Looks at the screen for an app. What belongs to `keyboard`, the package of the phone's keyboard, is left out: its keys
/// are no part of the app. One that leaves nothing else, as in landscape where it fills the screen, is closed first.
///
/// # Errors
/// The device cannot be reached, or uiautomator fails repeatedly: its message.
pub fn look(handle: &Handle, app: &Package, keyboard: Option<&str>) -> Result<Dump, DeviceError> {
    let (seen, hidden) = look_once(handle, app, keyboard)?;
    if !hidden || !seen.nodes.is_empty() {
        return Ok(seen);
    }
    keyboard::close(handle)?;
    Ok(look_once(handle, app, keyboard)?.0)
}

/// The nodes without those of a keyboard, and whether there were any.
fn without_keyboard(
    nodes: Vec<DumpNode>,
    app: &str,
    keyboard: Option<&str>,
) -> (Vec<RawNode>, bool) {
    let is_key = |package: &str| {
        package != app
            && match keyboard {
                Some(known) => package == known,
                None => is_keyboard(package),
            }
    };
    // A page below a keyboard's own node is part of it.
    let mut left_out: Vec<bool> = Vec::with_capacity(nodes.len());
    let mut numbers: Vec<i64> = Vec::with_capacity(nodes.len());
    let mut kept = Vec::new();
    for mut found in nodes {
        let parent = usize::try_from(found.node.parent).ok();
        let inside = parent.is_some_and(|parent| left_out.get(parent) == Some(&true));
        let out = inside || is_key(&found.package);
        left_out.push(out);
        numbers.push(i64::try_from(kept.len()).unwrap_or(i64::MAX));
        if !out {
            let parent = parent.and_then(|parent| numbers.get(parent));
            found.node.parent = parent.copied().unwrap_or(-1);
            kept.push(found.node);
        }
    }
    (kept, left_out.contains(&true))
}

fn look_once(
    handle: &Handle,
    app: &Package,
    keyboard: Option<&str>,
) -> Result<(Dump, bool), DeviceError> {
    let package = quote(&app.name);
    // An old dump would be taken for a new one: it goes first.
    let line = format!(
        "rm -f {FILE}; uiautomator dump {FILE} 2>&1; echo {MARK}; cat {FILE} 2>&1; echo {MARK}; dumpsys activity activities; echo {MARK}; {}",
        app.user.list_processes(&package)
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
            .and_then(|screen| screen.in_front(app.user.number()));
        let (front_package, activity) = front.map_or_else(Default::default, |f| {
            (
                f.package.unwrap_or_default(),
                f.activity.unwrap_or_default(),
            )
        });
        let mut seen = Dump {
            package: front_package,
            activity,
            pids: app.user.own(processes, &package),
            settled: true,
            ..Dump::default()
        };
        match uiautomator::parse(xml) {
            Ok(dump) => {
                seen.rotation = dump.rotation;
                let (nodes, hidden) = without_keyboard(dump.nodes, &app.name, keyboard);
                seen.nodes = nodes;
                return Ok((seen, hidden));
            }
            // Of a dead app there is nothing to dump.
            Err(_) if seen.pids.is_empty() => return Ok((seen, false)),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_no_part_of_the_page() {
        let node = |parent: i64, package: &str, text: &str| DumpNode {
            node: RawNode {
                parent,
                text: text.into(),
                ..RawNode::default()
            },
            package: package.into(),
            ..DumpNode::default()
        };
        let ime = "com.example.inputmethod";
        let nodes = vec![
            node(-1, ime, "field"),
            node(0, ime, "q"),
            node(-1, "com.x", "app"),
            node(2, "com.x", "Save"),
            node(0, "", "w"),
        ];
        let texts = |keyboard| {
            let (kept, hidden) = without_keyboard(nodes.clone(), "com.x", keyboard);
            let kept = kept.into_iter().map(|node| (node.parent, node.text));
            (kept.collect::<Vec<_>>(), hidden)
        };
        let app = vec![(-1, "app".to_owned()), (0, "Save".to_owned())];
        assert_eq!(texts(Some(ime)), (app.clone(), true));
        assert_eq!(texts(None), (app, true), "known by its name");
        assert!(!texts(Some("com.other")).1);
        // An app that is a keyboard is explored.
        assert_eq!(without_keyboard(nodes.clone(), ime, Some(ime)).0.len(), 5);
    }
}
