//! The protocol's actions as commands of the device's shell: all of them where there is no agent, and those that
//! concern more than the screen (broadcasts, services, activities) in any case.

use super::quote::{command, quote};
use crate::device::announced::KEY;
use crate::device::{Action, key};
use crate::gui::{Direction, Extra, Extras, Fault, RawNode, Rect};

/// What to do with an action.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Way {
    /// Run this in the shell.
    Shell(String),
    /// Have the system do something, which it may refuse.
    System {
        /// Run this in the shell.
        line: String,
        /// What it is, in words that stay the same.
        what: String,
    },
    /// Start the app, or bring it to the front.
    Launch,
    /// Leave the app by this command, and come back.
    Away(String),
    /// Turn the screen.
    Rotate(u8),
    /// Switch the network off, or on again.
    Network,
    /// Wait so many milliseconds.
    Wait(u64),
    /// The widget is not there.
    Stale,
    /// The shell has no such input: the rule's name, and what it was.
    Cannot(&'static str, String),
}

/// The commands that need no agent's help: everything beyond the screen.
pub fn beyond_the_screen(action: &Action, package: &str) -> Option<Way> {
    Some(match action {
        // The key does the same, whoever presses it: leaving the app by it is not the app's end.
        Action::Home | Action::Key { code: key::HOME } => {
            Way::Away(format!("input keyevent {}", key::HOME))
        }
        Action::Launch => Way::Launch,
        Action::Wait { ms } => Way::Wait(*ms),
        Action::Rotate { to } => Way::Rotate(*to),
        // The shell may not send it, but has the keys.
        Action::Broadcast { action, extras, .. }
            if action == "android.intent.action.MEDIA_BUTTON" =>
        {
            let Some(Extra::Number(code)) = extras.get(KEY) else {
                return Some(Way::Cannot(
                    "no-media-key",
                    "a media button without a key".to_owned(),
                ));
            };
            Way::Shell(format!("input keyevent {code}"))
        }
        Action::Broadcast { .. } | Action::Service { .. } | Action::StartActivity { .. } => {
            let (words, what) = system_words(action, package)?;
            let line = command(words.iter().map(String::as_str));
            Way::System { line, what }
        }
        Action::Sensor { .. } => {
            Way::Cannot("no-sensor-input", "a shell cannot set sensors".to_owned())
        }
        Action::Location { .. } => Way::Cannot(
            "no-location-input",
            "a shell cannot set the location".to_owned(),
        ),
        Action::Call { .. } => {
            Way::Cannot("no-phone-calls", "a shell cannot call the phone".to_owned())
        }
        Action::Fault { name } if name == Fault::Offline.name() => Way::Network,
        Action::Fault { name } => Way::Cannot(
            "no-faults",
            format!("a shell cannot cause the fault {name}"),
        ),
        _ => return None,
    })
}

/// An input on a page of these nodes.
pub fn lower(action: &Action, package: &str, nodes: &[RawNode], screen: (i32, i32)) -> Way {
    if let Some(way) = beyond_the_screen(action, package) {
        return way;
    }
    let bounds = |n: u32| {
        nodes
            .get(n as usize)
            .map(|node| visible(node.bounds, screen))
    };
    let shell = |line: String| Way::Shell(line);
    match action {
        Action::Click { n } => bounds(*n).map_or(Way::Stale, |b| shell(tap(middle(b)))),
        Action::Long { n } => bounds(*n).map_or(Way::Stale, |b| {
            let (x, y) = middle(b);
            shell(format!("input swipe {x} {y} {x} {y} 900"))
        }),
        Action::Text { n, s, ime } => match (bounds(*n), nodes.get(*n as usize)) {
            (Some(b), Some(node)) => text(b, node, s, *ime),
            _ => Way::Stale,
        },
        Action::Scroll { n, dir } => bounds(*n).map_or(Way::Stale, |b| shell(scroll(b, *dir))),
        Action::Swipe { n, dir } => bounds(*n).map_or(Way::Stale, |b| {
            let (from, to) = across(b, *dir, 8);
            shell(format!(
                "input swipe {} {} {} {} 100",
                from.0, from.1, to.0, to.1
            ))
        }),
        Action::Pinch { dir, .. } => Way::Cannot(
            "no-pinch-input",
            format!("a shell has one finger only: pinch {dir}"),
        ),
        Action::Tap { x, y } => shell(tap((*x, *y))),
        Action::Drag { x, y, x2, y2, ms } => {
            shell(format!("input swipe {x} {y} {x2} {y2} {}", (*ms).max(1)))
        }
        Action::Key { code } => shell(format!("input keyevent {code}")),
        Action::Trackball { moves, click } => {
            let (dx, dy) = moves.iter().fold((0_i32, 0_i32), |(x, y), m| {
                (x + i32::from(m.0), y + i32::from(m.1))
            });
            let press = if *click {
                "; input trackball press"
            } else {
                ""
            };
            shell(format!("input trackball roll {dx} {dy}{press}"))
        }
        _ => Way::Cannot("no-such-input", format!("{action:?}")),
    }
}

/// The activity manager's command for a system event, word by word, and what it is; `None`: it is none of these.
pub fn system_words(action: &Action, package: &str) -> Option<(Vec<String>, String)> {
    Some(match action {
        Action::Broadcast {
            action,
            component,
            extras,
        } => {
            let mut words = vec![
                "am".to_owned(),
                "broadcast".into(),
                "-a".into(),
                action.clone(),
            ];
            words.extend(target(package, component.as_deref()));
            words.extend(extra_words(extras));
            (words, format!("broadcast {action}"))
        }
        Action::Service {
            component,
            action,
            extras,
        } => {
            let mut words = vec![
                "am".to_owned(),
                "startservice".into(),
                "-n".into(),
                format!("{package}/{component}"),
            ];
            words.extend(action.iter().flat_map(|a| ["-a".to_owned(), a.clone()]));
            words.extend(extra_words(extras));
            (words, format!("service {component}"))
        }
        Action::StartActivity {
            component,
            action,
            data,
        } => {
            let mut words = vec![
                "am".to_owned(),
                "start".into(),
                "-W".into(),
                "-n".into(),
                format!("{package}/{component}"),
            ];
            words.extend(action.iter().flat_map(|a| ["-a".to_owned(), a.clone()]));
            words.extend(data.iter().flat_map(|d| ["-d".to_owned(), d.clone()]));
            (words, format!("activity {component}"))
        }
        _ => return None,
    })
}

/// Who is meant by a broadcast: the component, or anybody in the app, never other apps.
fn target(package: &str, component: Option<&str>) -> Vec<String> {
    match component {
        Some(class) => vec!["-n".into(), format!("{package}/{class}")],
        None => vec!["-p".into(), package.to_owned()],
    }
}

fn extra_words(extras: &Extras) -> Vec<String> {
    // `am` splits arrays at commas that no backslash precedes.
    let comma = |text: &String| text.replace('\\', "\\\\").replace(',', "\\,");
    let mut words = Vec::new();
    for (name, value) in extras {
        let (kind, text) = match value {
            Extra::Flag(flag) => ("--ez", flag.to_string()),
            Extra::Number(number) if i32::try_from(*number).is_ok() => ("--ei", number.to_string()),
            Extra::Number(number) => ("--el", number.to_string()),
            Extra::Text(text) => ("--es", text.clone()),
            Extra::Numbers(list) => ("--eia", joined(list.iter().map(i64::to_string))),
            Extra::Texts(list) => ("--esa", joined(list.iter().map(comma))),
        };
        words.extend([kind.to_owned(), name.clone(), text]);
    }
    words
}

fn joined(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(",")
}

fn visible(b: Rect, screen: (i32, i32)) -> Rect {
    if screen.0 <= 0 || screen.1 <= 0 {
        return b;
    }
    Rect {
        left: b.left.clamp(0, screen.0 - 1),
        top: b.top.clamp(0, screen.1 - 1),
        right: b.right.clamp(1, screen.0),
        bottom: b.bottom.clamp(1, screen.1),
    }
}

fn middle(b: Rect) -> (i32, i32) {
    (b.left.midpoint(b.right), b.top.midpoint(b.bottom))
}

fn tap((x, y): (i32, i32)) -> String {
    format!("input tap {x} {y}")
}

/// From one side to the other, a part of the way from each edge, in the finger's direction.
fn across(b: Rect, finger: Direction, part: i32) -> ((i32, i32), (i32, i32)) {
    let (x, y) = middle(b);
    let (low_x, high_x) = (b.left + b.width() / part, b.right - 1 - b.width() / part);
    let (low_y, high_y) = (b.top + b.height() / part, b.bottom - 1 - b.height() / part);
    match finger {
        Direction::Up => ((x, high_y), (x, low_y)),
        Direction::Down => ((x, low_y), (x, high_y)),
        Direction::Left => ((high_x, y), (low_x, y)),
        Direction::Right => ((low_x, y), (high_x, y)),
    }
}

/// A drag over 60 % of the widget that reveals what is in this direction.
fn scroll(b: Rect, reveal: Direction) -> String {
    let (from, to) = across(b, reveal.opposite(), 5);
    format!("input swipe {} {} {} {} 400", from.0, from.1, to.0, to.1)
}

/// Can `input text` type this? It knows no letters beyond ASCII.
pub fn can_type(s: &str) -> bool {
    s.chars().all(|c| c.is_ascii() && !c.is_ascii_control())
}

/// Focus, to the end, delete what is there, type.
fn text(b: Rect, node: &RawNode, s: &str, ime: bool) -> Way {
    if !can_type(s) {
        return Way::Cannot(
            "no-unicode-input",
            format!("a shell types ASCII only, not {s:?}"),
        );
    }
    let mut parts = vec![tap(middle(b))];
    // A hint is shown as text by some dumps; deleting what is not there does nothing.
    let old = node.text.chars().count().min(500);
    if old > 0 {
        parts.push(format!("input keyevent 123{}", " 67".repeat(old)));
    }
    if !s.is_empty() {
        // A blank is `%s`; a text that holds `%s` itself goes in two pieces.
        for piece in s.replace("%s", "%\u{0}s").split('\0') {
            parts.push(format!("input text {}", quote(&piece.replace(' ', "%s"))));
        }
    }
    if ime {
        parts.push(format!("input keyevent {}", key::ENTER));
    }
    Way::Shell(parts.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nodes() -> Vec<RawNode> {
        vec![RawNode {
            bounds: Rect::from([0, 0, 100, 200]),
            text: "ab".into(),
            ..RawNode::default()
        }]
    }

    fn line(action: &Action) -> String {
        match lower(action, "com.x", &nodes(), (100, 200)) {
            Way::Shell(line) | Way::System { line, .. } => line,
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn inputs_are_spelled_as_the_shell_wants_them() {
        assert_eq!(line(&Action::Click { n: 0 }), "input tap 50 100");
        assert_eq!(line(&Action::Click { n: 1 }), "Stale");
        assert_eq!(
            line(&Action::Scroll {
                n: 0,
                dir: Direction::Down
            }),
            "input swipe 50 159 50 40 400"
        );
        assert_eq!(
            line(&Action::Text {
                n: 0,
                s: "it's 5%s".into(),
                ime: true
            }),
            "input tap 50 100; input keyevent 123 67 67; input text 'it'\\''s%s5%'; input text s; input keyevent 66"
        );
        assert!(
            line(&Action::Text {
                n: 0,
                s: "é".into(),
                ime: false
            })
            .starts_with("Cannot(\"no-unicode-input\"")
        );
    }

    #[test]
    fn a_broadcast_reaches_the_app_only_and_is_quoted() {
        let extras = Extras::from([
            ("k".to_owned(), Extra::Text("a;reboot".into())),
            ("l".to_owned(), Extra::Number(1 << 40)),
            ("n".to_owned(), Extra::Number(3)),
            ("s".to_owned(), Extra::Numbers(vec![1, 2])),
            ("t".to_owned(), Extra::Texts(vec!["a,b".into(), "c".into()])),
        ]);
        let sent = Action::Broadcast {
            action: "com.x.GO".into(),
            component: None,
            extras,
        };
        assert_eq!(
            line(&sent),
            "am broadcast -a com.x.GO -p com.x --es k 'a;reboot' --el l 1099511627776 --ei n 3 --eia s 1,2 --esa t 'a\\,b,c'"
        );
        let button = Action::Broadcast {
            action: "android.intent.action.MEDIA_BUTTON".into(),
            component: Some("a.Player".into()),
            extras: Extras::from([(KEY.to_owned(), Extra::Number(85))]),
        };
        assert_eq!(line(&button), "input keyevent 85");
    }
}
