//! Steps in words, as instructions to reproduce them.

use crate::gui::{EventKey, EventKind};
use crate::outcome::cause_name::method_of;
use crate::outcome::evidence::Left;
use crate::outcome::explanation::Explanation;
use crate::outcome::run_event::{Did, EventIdentity, Input, LedBy, RawInput, Reset};
use crate::outcome::summary::SessionSummary;
pub use crate::trace::words::short_class;
use crate::trace::words::{key, place, quote, trackball, typed};
use crate::util::text::shorten;
use rustc_hash::FxHashMap;

/// How many of the app's activities a session reached, of those declared if they are known: `3 of 9`.
pub fn activities(session: &SessionSummary) -> String {
    let reached = session.activities_reached.len();
    match session.activities_declared {
        0 => reached.to_string(),
        declared => format!("{reached} of {declared}"),
    }
}

/// Why a strategy decided as it did: the reason, then the best events of the page, the value first.
pub fn why(explanation: &Explanation) -> Vec<String> {
    let chosen = explanation.chosen;
    let value = |q: Option<f32>| q.map_or_else(|| "none".into(), |q| format!("{q:.2}"));
    let best = explanation.best.iter().map(|event| {
        let mark = if Some(event.ix) == chosen {
            ", chosen"
        } else {
            ""
        };
        let features = match event.features.is_empty() {
            true => String::new(),
            false => format!(" ({})", event.features.join("; ")),
        };
        format!("{} {}{mark}{features}", value(event.q), event.what)
    });
    std::iter::once(format!("why: {}", explanation.reason()))
        .chain(best)
        .collect()
}

/// The journal's description of each performed event, by key.
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
            Did::Invalid => "an action without a widget".to_owned(),
        }
    }
}

fn event(kind: EventKind, at: &EventIdentity, input: Option<&Input>) -> String {
    // The content of a field is not its name.
    let text = if kind == EventKind::Text {
        ""
    } else {
        &at.text
    };
    let place = place(&at.id, [text, &at.desc, &at.caption], &at.class);
    match (kind, input) {
        (EventKind::Text, Some(Input::Text { s, enter })) => {
            let enter = if *enter { ", then enter" } else { "" };
            format!("type {} into {place}{enter}", typed(s))
        }
        (EventKind::Text, Some(Input::Secret { key, enter, .. })) => {
            let enter = if *enter { ", then enter" } else { "" };
            format!("type the secret {} into {place}{enter}", quote(key, 60))
        }
        (EventKind::Point, Some(Input::Point(x, y))) => format!("tap ({x}, {y}) on {place}"),
        (kind, _) if kind.is_global() => kind.to_string(),
        (EventKind::Text, _) => format!("type into {place}"),
        (EventKind::Click | EventKind::LongClick, _) => format!("{kind} {place}"),
        (kind, _) => format!("{kind} on {place}"),
    }
}

fn raw(action: RawInput) -> String {
    match action {
        RawInput::Tap { x, y } => format!("tap ({x}, {y})"),
        RawInput::Drag { x, y, x2, y2 } => format!("drag ({x}, {y}) to ({x2}, {y2})"),
        RawInput::Pinch { x, y, inward } => {
            format!("pinch {} at ({x}, {y})", if inward { "in" } else { "out" })
        }
        RawInput::Key { code } => key(code),
        RawInput::Trackball { moves, click } => trackball(&moves, click),
        RawInput::Rotate => "rotate".to_owned(),
        RawInput::AppSwitch => "tap the app's icon".to_owned(),
        RawInput::Wait { ms } => format!("wait {ms} ms"),
        RawInput::Nothing => "hide the keyboard".to_owned(),
    }
}

/// A start of the app in words.
pub fn launch(how: Reset) -> &'static str {
    match how {
        Reset::ClearData => "start the app with cleared data",
        Reset::Unanswered => "start the app with cleared data on a network without answers",
        Reset::Relaunch => "restart the app",
    }
}

/// Who led a step that the strategy did not choose, in words.
pub fn led(by: &LedBy) -> String {
    match by {
        LedBy::Block => "leaves a blocked activity".to_owned(),
        LedBy::Script(name) => format!("script {name}"),
        LedBy::Fault => "injected fault".to_owned(),
        LedBy::Restore => "on the way to a saved state".to_owned(),
        LedBy::Changed => "on the way to changed code".to_owned(),
        LedBy::Corpus(name) => format!("corpus {name}"),
        LedBy::Person => "by a person".to_owned(),
    }
}

/// What would have left the app, in words.
pub fn left(left: &Left) -> String {
    let mut words = format!("tried to open another app’s {}", left.kind);
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

/// The code line without packages: `NotesActivity.compareTags (NotesActivity.java:42)`.
pub fn short_frame(frame: &str) -> String {
    let method = method_of(frame);
    match frame.split_once('(') {
        None => method.to_owned(),
        Some((_, place)) => format!("{method} ({place}"),
    }
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
        let row = EventIdentity {
            class: "android.widget.LinearLayout".into(),
            caption: "Settings · Sounds".into(),
            ..EventIdentity::default()
        };
        assert_eq!(of(EventKind::Click, row, None), "click “Settings · Sounds”");
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
        let secret = Input::Secret {
            key: "pin".into(),
            s: "4711".into(),
            enter: false,
        };
        assert_eq!(
            of(EventKind::Text, field.clone(), Some(secret)),
            "type the secret “pin” into “Title”"
        );
        let held = EventIdentity {
            text: "held before".into(),
            caption: "Your name".into(),
            ..EventIdentity::default()
        };
        assert_eq!(of(EventKind::Text, held, None), "type into “Your name”");
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
        assert_eq!(definitions.words(&key), "back");
        let unknown = Did::Event {
            k: EventKey(7),
            ix: 0,
            input: None,
        };
        assert_eq!(definitions.words(&unknown), "event 0000000000000007");
    }
}
