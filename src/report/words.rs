//! Steps in words: what a person would do to see the same.

use crate::gui::{EventKey, EventKind};
use crate::outcome::evidence::Left;
use crate::outcome::run_event::{Did, EventIdentity, Input, RawInput, Reset};
use crate::util::text::shorten;
use rustc_hash::FxHashMap;

/// What the journal says of each event performed, by key.
#[derive(Debug, Default)]
pub struct Definitions {
    known: FxHashMap<EventKey, (EventKind, EventIdentity)>,
}

impl Definitions {
    /// Takes an `event` line.
    pub fn define(&mut self, key: EventKey, kind: EventKind, at: EventIdentity) {
        self.known.insert(key, (kind, at));
    }

    /// A step as an instruction: `click “Save”`, `type “abc” into “Title”`, `rotate`.
    pub fn words(&self, did: &Did) -> String {
        match did {
            Did::Event { k, input, .. } => match self.known.get(k) {
                Some((kind, at)) => event(*kind, at, input.as_ref()),
                None => format!("event {k}"),
            },
            Did::Raw { action } => raw(*action),
            Did::System { event } => event.to_string(),
            Did::Invalid => "an action that names no widget".to_owned(),
        }
    }
}

fn event(kind: EventKind, at: &EventIdentity, input: Option<&Input>) -> String {
    let place = place(at);
    match (kind, input) {
        (EventKind::Text, Some(Input::Text { s, enter })) => {
            let enter = if *enter { ", then enter" } else { "" };
            format!("type {} into {place}{enter}", quote(s, 80))
        }
        (EventKind::Point, Some(Input::Point(x, y))) => format!("tap ({x}, {y}) on {place}"),
        (kind, _) if kind.is_global() => kind.to_string(),
        (EventKind::Text, _) => format!("type into {place}"),
        (EventKind::Click | EventKind::LongClick, _) => format!("{kind} {place}"),
        (kind, _) => format!("{kind} on {place}"),
    }
}

/// A widget by what a person sees of it; failing that, by its id or class.
fn place(at: &EventIdentity) -> String {
    let class = short_class(&at.class);
    let id = at.id.rsplit('/').next().unwrap_or_default();
    let seen = [&at.text, &at.desc].into_iter().find(|s| !s.is_empty());
    match (seen, id, class) {
        (Some(text), "", _) => quote(text, 60),
        (Some(text), id, _) => format!("{} ({id})", quote(text, 60)),
        (None, "", "") => "a widget".to_owned(),
        (None, "", class) => format!("a {class}"),
        (None, id, "") => id.to_owned(),
        (None, id, class) => format!("{id} ({class})"),
    }
}

fn quote(text: &str, max: usize) -> String {
    let one_line: String = text
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    format!("“{}”", shorten(&one_line, max))
}

fn raw(action: RawInput) -> String {
    match action {
        RawInput::Tap { x, y } => format!("tap ({x}, {y})"),
        RawInput::Drag { x, y, x2, y2 } => format!("drag ({x}, {y}) to ({x2}, {y2})"),
        RawInput::Pinch { x, y, inward } => {
            format!("pinch {} at ({x}, {y})", if inward { "in" } else { "out" })
        }
        RawInput::Key { code } => match key_name(code) {
            Some(name) => format!("key {name}"),
            None => format!("key {code}"),
        },
        RawInput::Trackball { moves, click } => {
            let sum = |part: fn(&(i8, i8)) -> i8| moves.iter().map(|m| i32::from(part(m))).sum();
            let (x, y): (i32, i32) = (sum(|m| m.0), sum(|m| m.1));
            let press = if click { " and press it" } else { "" };
            format!("roll the trackball by ({x}, {y}){press}")
        }
        RawInput::Rotate => "rotate".to_owned(),
        RawInput::AppSwitch => "tap the app's icon".to_owned(),
        RawInput::Nothing => "fold the keyboard".to_owned(),
    }
}

fn key_name(code: u32) -> Option<&'static str> {
    Some(match code {
        3 => "home",
        4 => "back",
        19 => "up",
        20 => "down",
        21 => "left",
        22 => "right",
        23 => "centre",
        24 => "volume up",
        25 => "volume down",
        66 => "enter",
        82 => "menu",
        _ => return None,
    })
}

/// A start of the app in words.
pub fn launch(how: Reset) -> &'static str {
    match how {
        Reset::ClearData => "start the app with cleared data",
        Reset::Relaunch => "start the app again",
    }
}

/// What would have left the app, in words.
pub fn left(left: &Left) -> String {
    let mut words = format!("asked for another app’s {}", left.kind);
    for (name, value) in [
        ("", &left.action),
        ("data ", &left.data),
        ("", &left.component),
    ] {
        if let Some(value) = value {
            words += &format!(", {name}{}", shorten(value, 120));
        }
    }
    words
}

/// The last part of a class name; of an activity's, a widget's or an exception's.
pub fn short_class(name: &str) -> &str {
    name.rsplit(['.', '/', '$']).next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gui::SystemEvent;

    fn of(kind: EventKind, at: EventIdentity, input: Option<Input>) -> String {
        let mut definitions = Definitions::default();
        let k = EventKey(1);
        definitions.define(k, kind, at);
        definitions.words(&Did::Event { k, ix: 0, input })
    }

    #[test]
    fn a_widget_is_named_by_what_is_seen_of_it() {
        let save = EventIdentity {
            class: "android.widget.Button".into(),
            id: "com.example:id/save".into(),
            text: "Save\nnow".into(),
            ..EventIdentity::default()
        };
        assert_eq!(
            of(EventKind::Click, save.clone(), None),
            "click “Save now” (save)"
        );
        let unseen = EventIdentity {
            text: String::new(),
            ..save
        };
        assert_eq!(
            of(EventKind::LongClick, unseen, None),
            "long click save (Button)"
        );
        assert_eq!(of(EventKind::Back, EventIdentity::default(), None), "back");
    }

    #[test]
    fn typed_text_and_points_are_told() {
        let field = EventIdentity {
            desc: "Title".into(),
            ..EventIdentity::default()
        };
        let text = Input::Text {
            s: "a\"b".into(),
            enter: true,
        };
        assert_eq!(
            of(EventKind::Text, field.clone(), Some(text)),
            "type “a\"b” into “Title”, then enter"
        );
        assert_eq!(
            of(EventKind::Point, field, Some(Input::Point(3, 4))),
            "tap (3, 4) on “Title”"
        );
    }

    #[test]
    fn what_names_no_widget_is_told_too() {
        let definitions = Definitions::default();
        let system = Did::System {
            event: SystemEvent::Rotate,
        };
        assert_eq!(definitions.words(&system), "rotate");
        let key = Did::Raw {
            action: RawInput::Key { code: 4 },
        };
        assert_eq!(definitions.words(&key), "key back");
        let unknown = Did::Event {
            k: EventKey(7),
            ix: 0,
            input: None,
        };
        assert_eq!(definitions.words(&unknown), "event 0000000000000007");
    }
}
