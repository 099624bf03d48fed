//! `input`: taps, swipes, keys and text as coordinates and codes.

use super::Call;
use crate::phone::State;
use crate::pipe::lock;
use droidtest::device::{Action, key};
use droidtest::gui::{Flags, RawNode};

pub fn run(call: &mut Call<'_>) -> i32 {
    let words = call.args();
    let number = |ix: usize| {
        words
            .get(ix)
            .and_then(|w| w.parse::<i32>().ok())
            .unwrap_or(0)
    };
    let mut state = lock(&call.phone.state);
    let actions = match words.as_slice() {
        ["tap", ..] => {
            let (x, y) = (number(1), number(2));
            state.last_tap = (x, y);
            state.typed.clear();
            vec![Action::Tap { x, y }]
        }
        ["swipe" | "draganddrop", ..] => {
            let (x, y, x2, y2) = (number(1), number(2), number(3), number(4));
            let ms = u32::try_from(number(5)).unwrap_or(300).max(1);
            match long_press(&state, x, y).filter(|_| (x, y) == (x2, y2) && ms >= 500) {
                Some(n) => vec![Action::Long { n }],
                None => vec![Action::Drag { x, y, x2, y2, ms }],
            }
        }
        ["keyevent", codes @ ..] => codes
            .iter()
            .filter(|c| **c != "--longpress")
            .map(|c| Action::Key {
                code: c.parse().unwrap_or(0),
            })
            .collect(),
        ["text", text] => text_into(&mut state, text),
        _ => {
            drop(state);
            return call.fail(
                "Usage: input [<source>] [-d DISPLAY_ID] <command> [<arg>...]\n",
                255,
            );
        }
    };
    let nodes = state.front().2;
    for action in actions {
        let taken = state
            .keyboard
            .as_mut()
            .is_some_and(|keyboard| match action {
                Action::Tap { x, y } | Action::Drag { x, y, .. } => keyboard.takes(x, y, &nodes),
                Action::Key { code } if code == key::BACK => keyboard.closes(),
                _ => false,
            });
        if taken {
            continue;
        }
        if matches!(action, Action::Key { code } if code == key::HOME) {
            if let Some(app) = &mut state.app {
                app.away = true;
            }
            break;
        }
        // Later ones want a swipe.
        let opens = matches!(action, Action::Key { code } if code == key::MENU);
        if opens && state.keyguard && call.phone.config.api < 24 {
            state.keyguard = false;
            continue;
        }
        if let Err(why) = call.phone.act(&mut state, &action) {
            drop(state);
            return call.fail(&format!("{why}\n"), 255);
        }
    }
    0
}

/// The topmost node at a point that takes a long press.
fn long_press(state: &State, x: i32, y: i32) -> Option<u32> {
    let (_, _, nodes, ..) = state.front();
    let inside = |n: &RawNode| {
        (n.bounds.left..n.bounds.right).contains(&x) && (n.bounds.top..n.bounds.bottom).contains(&y)
    };
    let takes = |n: &RawNode| {
        inside(n) && (n.flags & Flags::LONG_CLICKABLE != 0 || n.listeners & (2 | 128) != 0)
    };
    nodes
        .iter()
        .rposition(takes)
        .and_then(|ix| u32::try_from(ix).ok())
}

/// Types where the focus is; `%s` is a blank.
fn text_into(state: &mut State, text: &str) -> Vec<Action> {
    let (_, _, nodes, ..) = state.front();
    let focused = |n: &RawNode| n.flags & Flags::EDITABLE != 0 && n.flags & Flags::FOCUSED != 0;
    let (x, y) = state.last_tap;
    let tapped = |n: &RawNode| {
        n.flags & Flags::EDITABLE != 0
            && (n.bounds.left..n.bounds.right).contains(&x)
            && (n.bounds.top..n.bounds.bottom).contains(&y)
    };
    let at = nodes
        .iter()
        .position(focused)
        .or_else(|| nodes.iter().rposition(tapped));
    let Some(at) = at else {
        return Vec::new();
    };
    let before = match nodes[at].text.as_str() {
        "" => &state.typed,
        shown => shown,
    };
    let s = format!("{before}{}", text.replace("%s", " "));
    state.typed.clone_from(&s);
    let n = u32::try_from(at).unwrap_or(0);
    vec![Action::Text { n, s, ime: false }]
}
