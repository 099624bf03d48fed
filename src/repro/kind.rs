//! What a step is like, whatever row it touches and whatever it types: for telling steps apart that lead to other states.

use crate::trace::{Deed, Step};
use crate::util::hash::{mix, of_bytes};

/// What a step is like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kind {
    /// Equal for steps of one kind: the same deed on widgets of the same name, in whatever row.
    pub family: u64,
    /// Does a finding seldom want it: rotation, faults, system events, waits?
    pub seldom: bool,
    /// Is it a gesture, such as a drag or a trackball move, which names no widget?
    pub gesture: bool,
}

impl Kind {
    /// The kind of a step.
    pub fn of(step: &Step) -> Self {
        let family = match step {
            Step::On(target, deed) => {
                // A widget without an id is identified by its text; the text of a row differs each time.
                let named = match target.id.is_empty() {
                    false => &target.id,
                    true if !target.text.is_empty() => &target.text,
                    true => &target.desc,
                };
                let done = match deed {
                    // Typed text is distinguished by its kind: blank, a number, a word.
                    Deed::Type(typed) => format!("type {:?}", shape(&typed.text)),
                    Deed::Tap(_) => "tap".to_owned(),
                    other => format!("{other:?}"),
                };
                let name = mix(
                    of_bytes(named.as_bytes()),
                    of_bytes(target.class.as_bytes()),
                );
                mix(name, of_bytes(done.as_bytes()))
            }
            Step::Gesture(_) => of_bytes(b"gesture"),
            other => of_bytes(format!("{other:?}").as_bytes()),
        };
        let seldom = matches!(step, Step::System(_) | Step::Wait(_) | Step::Launch);
        Self {
            family,
            seldom,
            gesture: matches!(step, Step::Gesture(_)),
        }
    }
}

/// The rough form of a text: nothing, blanks, a number, a word, words; and whether it is long.
fn shape(text: &str) -> (bool, bool, bool, bool, usize) {
    let any = |is: fn(char) -> bool| text.chars().any(is);
    let blank = text.chars().all(char::is_whitespace);
    let words = text.split_whitespace().count().min(2);
    let digits = any(|c| c.is_ascii_digit());
    let long = text.chars().nth(8).is_some();
    (blank, digits, any(char::is_alphabetic), long, words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gui::SystemEvent;
    use crate::trace::{Target, Typed};

    fn click(id: &str, text: &str, path: u64) -> Step {
        let target = Target {
            id: id.into(),
            text: text.into(),
            path: Some(path),
            ..Target::default()
        };
        Step::On(target, Deed::Click)
    }

    fn typing(text: &str) -> Step {
        let typed = Typed {
            text: text.into(),
            secret: None,
            enter: false,
        };
        Step::On(Target::default(), Deed::Type(typed))
    }

    #[test]
    fn the_same_button_in_another_row_is_of_the_same_kind() {
        let family = |step| Kind::of(&step).family;
        assert_eq!(family(click("take", "", 1)), family(click("take", "", 2)));
        assert_ne!(family(click("take", "", 1)), family(click("delete", "", 1)));
        assert_ne!(family(click("", "Yes", 1)), family(click("", "No", 1)));
        assert_eq!(family(typing("milk")), family(typing("rice")));
        assert_ne!(family(typing("milk")), family(typing("  ")));
        assert_ne!(family(typing("milk")), family(typing("12")));
        assert!(Kind::of(&Step::System(SystemEvent::Rotate)).seldom);
        assert!(!Kind::of(&Step::Key(4)).seldom);
    }
}
