//! The soft keyboard of a phone without the agent: its keys are no part of the app, and what it covers takes no touch.

use super::device::AdbDevice;
use super::dump;
use super::error::AdbError;
use super::handle::Handle;
use crate::android::keyboard;
use crate::device::{Action, DeviceError, key};
use crate::gui::{Flags, RawNode, Rect};
use std::time::Duration;

/// What the shell answers at once.
const SHORT: Duration = Duration::from_secs(30);
/// How long a keyboard takes to close.
const CLOSING: Duration = Duration::from_millis(300);
/// The display that a run uses.
const DISPLAY: u32 = 0;
/// Between the parts of an answer.
const MARK: &str = "--droidtest--";
/// Most of the screen, where nothing says how large the keyboard is.
const UNKNOWN: Rect = Rect {
    left: 0,
    top: 0,
    right: i32::MAX,
    bottom: i32::MAX,
};

/// The package of the keyboard that a phone uses, if it says.
///
/// # Errors
/// The device cannot be reached.
pub fn package(handle: &Handle) -> Result<Option<String>, AdbError> {
    let line = "settings get secure default_input_method";
    let said = handle.shell(line, SHORT)?.text();
    let named = said.trim().split_once('/');
    Ok(named.map(|(package, _)| package.to_owned()))
}

/// What the keyboard covers, where it is certainly shown. What a phone does not say counts as not shown: a key that
/// closes a keyboard leaves the page where there is none.
///
/// # Errors
/// The device cannot be reached.
fn covered(handle: &Handle) -> Result<Option<Rect>, AdbError> {
    let line = format!("dumpsys input_method; echo {MARK}; dumpsys window InputMethod");
    let said = handle.shell(&line, SHORT)?.text();
    let (state, windows) = said.split_once(MARK).unwrap_or((&said, ""));
    let window = keyboard::window(windows, DISPLAY);
    let shown = keyboard::is_shown(state, DISPLAY).or(window.visible);
    Ok((shown == Some(true)).then(|| window.touched.unwrap_or(UNKNOWN)))
}

/// The widget that an action touches.
const fn touched(action: &Action) -> Option<u32> {
    match action {
        Action::Click { n }
        | Action::Long { n }
        | Action::Text { n, .. }
        | Action::Scroll { n, .. }
        | Action::Swipe { n, .. } => Some(*n),
        _ => None,
    }
}

fn with_widget(action: &Action, to: u32) -> Action {
    let mut action = action.clone();
    match &mut action {
        Action::Click { n }
        | Action::Long { n }
        | Action::Text { n, .. }
        | Action::Scroll { n, .. }
        | Action::Swipe { n, .. } => *n = to,
        _ => {}
    }
    action
}

/// The same widget in another look at the page: of equal ones, the one with the same number.
fn again(before: &[RawNode], n: u32, after: &[RawNode]) -> Option<u32> {
    let wanted = before.get(n as usize)?;
    let same = |node: &&RawNode| {
        (
            &node.class,
            &node.resource_id,
            &node.text,
            &node.description,
        ) == (
            &wanted.class,
            &wanted.resource_id,
            &wanted.text,
            &wanted.description,
        )
    };
    let number = before[..n as usize].iter().filter(same).count();
    let mut found = after.iter().enumerate().filter(|(_, node)| same(node));
    let (at, _) = found.clone().nth(number).or_else(|| found.next_back())?;
    u32::try_from(at).ok()
}

impl AdbDevice {
    /// Closes the keyboard where it covers what the action touches. The action for the page that is there then.
    ///
    /// # Errors
    /// The device cannot be reached, or the widget is not on that page.
    pub(super) fn uncover(&mut self, action: &Action) -> Result<Action, DeviceError> {
        // Without a field that has the keys no keyboard is shown.
        let typing = |node: &RawNode| node.flags & Flags::EDITABLE != 0;
        let Some(n) = touched(action).filter(|_| self.nodes.iter().any(typing)) else {
            return Ok(action.clone());
        };
        let Some(node) = self.nodes.get(n as usize) else {
            return Ok(action.clone());
        };
        let bounds = node.bounds;
        let here = self.here()?;
        let Some(area) = covered(&here.handle)? else {
            return Ok(action.clone());
        };
        let (x, y) = (
            bounds.left.midpoint(bounds.right),
            bounds.top.midpoint(bounds.bottom),
        );
        if !((area.left..area.right).contains(&x) && (area.top..area.bottom).contains(&y)) {
            return Ok(action.clone());
        }
        close(&here.handle)?;
        let seen = dump::look(&here.handle, &here.package, here.keyboard.as_deref())?;
        let found = again(&self.nodes, n, &seen.nodes);
        self.nodes = std::sync::Arc::new(seen.nodes);
        let found = found.ok_or(DeviceError::StaleWidget)?;
        Ok(with_widget(action, found))
    }
}

/// Closes the keyboard, which must be shown.
///
/// # Errors
/// The device cannot be reached.
pub fn close(handle: &Handle) -> Result<(), AdbError> {
    handle.shell(&format!("input keyevent {}", key::BACK), SHORT)?;
    std::thread::sleep(CLOSING);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_widget_is_found_again_on_the_page_that_moved() {
        let node = |id: &str, text: &str| RawNode {
            resource_id: id.into(),
            text: text.into(),
            ..RawNode::default()
        };
        let before = [node("a", ""), node("b", "x"), node("b", "x"), node("c", "")];
        let after = [node("b", "x"), node("b", "x"), node("c", "")];
        assert_eq!(again(&before, 2, &after), Some(1));
        assert_eq!(again(&before, 3, &after), Some(2));
        assert_eq!(again(&before, 2, &after[1..]), Some(0));
        assert_eq!(again(&before, 0, &after), None);
        assert_eq!(again(&before, 9, &after), None);
        let click = with_widget(&Action::Click { n: 3 }, 1);
        assert_eq!(click, Action::Click { n: 1 });
        assert_eq!(touched(&Action::Home), None);
    }
}
