//! The widget of a step as other tools select it.

use crate::gui::caption::BETWEEN;
use crate::trace::find::TEXT;
use crate::trace::{Deed, Spot, Target};

/// What selects a widget; empty texts are not known.
#[derive(Clone, PartialEq, Debug)]
pub struct Selector<'a> {
    /// Resource-id, in full or its name alone.
    pub id: &'a str,
    /// Text, but not of a field that something else names: what it holds changes.
    pub text: &'a str,
    /// Content description.
    pub desc: &'a str,
    /// A field's hint, or a text inside a row.
    pub caption: &'a str,
    /// Accessibility class, where nothing names the widget or equal ones are counted.
    pub class: &'a str,
    /// Is it a text field?
    pub field: bool,
    /// Which of the equal ones, from 0.
    pub nth: Option<usize>,
    /// Its middle on the screen.
    pub at: Option<Spot>,
}

impl<'a> Selector<'a> {
    /// The selector of a widget with which something is done.
    pub fn new(target: &'a Target, deed: &Deed) -> Self {
        let field = matches!(deed, Deed::Type(_)) || target.class.ends_with("EditText");
        let by_text = !field || target.id.is_empty() && target.desc.is_empty();
        let mut selector = Self {
            id: &target.id,
            text: if by_text { &target.text } else { "" },
            desc: &target.desc,
            // The first piece will do: a row that changes its words is the same row.
            caption: target.caption.split(BETWEEN).next().unwrap_or_default(),
            class: &target.class,
            field,
            nth: target.nth,
            at: target.at,
        };
        if selector.is_named() && selector.nth.is_none() {
            selector.class = "";
        }
        selector
    }

    /// Does it have an id or a text?
    pub fn is_named(&self) -> bool {
        let names = [self.id, self.text, self.desc, self.caption];
        names.iter().any(|name| !name.is_empty())
    }

    /// The resource-id's name: after the slash.
    pub fn short_id(&self) -> &'a str {
        self.id.rsplit('/').next().unwrap_or_default()
    }
}

/// A text of a trace, and whether it is only its start: traces keep so many characters.
pub fn start(text: &str) -> (&str, bool) {
    match text.strip_suffix('…') {
        Some(kept) if text.chars().count() == TEXT => (kept, true),
        _ => (text, false),
    }
}
