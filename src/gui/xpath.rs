//! A small part of XPath 1.0 over a page: how a suite names widgets.
//!
//! The tree is what `uiautomator dump` shows: the widgets that can be seen, the windows' roots below one
//! nameless root. What is understood:
//!
//! ```text
//! path      = ("/" | "//") step { ("/" | "//") step }
//! step      = ("*" | "node" | class) { "[" predicate "]" }      class in full, or its last part
//! predicate = number | "last()" | or
//! or        = and { "or" and }        and = test { "and" test }
//! test      = "@" name [ ("=" | "!=") text ] | "not(" or ")" | "(" or ")"
//!           | ("contains" | "starts-with" | "ends-with") "(@" name "," text ")"
//! ```
//!
//! Attributes are those of the dump: `text`, `resource-id`, `class`, `content-desc`, `hint`, `checkable`,
//! `checked`, `clickable`, `enabled`, `focusable`, `focused`, `scrollable`, `long-clickable`, `password`,
//! `selected`, and for the nodes that have them `state`, `role`, `range`, `collection`, `item`. As in a trace, a resource-id may be given by its name alone: `@resource-id='ok'` is
//! `com.x:id/ok`, too. `@name` alone holds where the attribute is not empty.

mod parse;

pub use parse::XPathError;

use super::{Flags, Page, Widget};
use crate::util::intern::Interner;
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

/// A path, ready to be looked for on pages.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct XPath {
    text: String,
    steps: Vec<Step>,
}

/// One step down the tree.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Step {
    /// To any depth (`//`), not to the children alone.
    deep: bool,
    /// A class; `None`: any.
    class: Option<String>,
    predicates: Vec<Predicate>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Predicate {
    /// Place among those left of one parent's children, from 1.
    Position(usize),
    /// The last of them.
    Last,
    Test(Test),
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Test {
    Is(Attribute, How, String),
    Has(Attribute),
    Not(Box<Test>),
    And(Box<Test>, Box<Test>),
    Or(Box<Test>, Box<Test>),
}

/// How an attribute is compared with a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum How {
    Same,
    Other,
    Contains,
    Starts,
    Ends,
}

/// An attribute of a dump's node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Attribute {
    Text,
    ResourceId,
    Class,
    Description,
    Hint,
    State,
    Role,
    Range,
    Collection,
    Item,
    Flag(u32),
}

/// The attributes by their names.
const ATTRIBUTES: [(&str, Attribute); 20] = [
    ("text", Attribute::Text),
    ("resource-id", Attribute::ResourceId),
    ("class", Attribute::Class),
    ("content-desc", Attribute::Description),
    ("hint", Attribute::Hint),
    ("state", Attribute::State),
    ("role", Attribute::Role),
    ("range", Attribute::Range),
    ("collection", Attribute::Collection),
    ("item", Attribute::Item),
    ("checkable", Attribute::Flag(Flags::CHECKABLE)),
    ("checked", Attribute::Flag(Flags::CHECKED)),
    ("clickable", Attribute::Flag(Flags::CLICKABLE)),
    ("enabled", Attribute::Flag(Flags::ENABLED)),
    ("focusable", Attribute::Flag(Flags::FOCUSABLE)),
    ("focused", Attribute::Flag(Flags::FOCUSED)),
    ("scrollable", Attribute::Flag(Flags::SCROLLABLE)),
    ("long-clickable", Attribute::Flag(Flags::LONG_CLICKABLE)),
    ("password", Attribute::Flag(Flags::PASSWORD)),
    ("selected", Attribute::Flag(Flags::SELECTED)),
];

impl FromStr for XPath {
    type Err = XPathError;

    fn from_str(text: &str) -> Result<Self, XPathError> {
        let steps = parse::path(text)?;
        let text = text.to_owned();
        Ok(Self { text, steps })
    }
}

impl fmt::Display for XPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl XPath {
    /// The widgets with this resource-id, in full or its name alone.
    fn with_id(id: &str) -> Self {
        let is = Test::Is(Attribute::ResourceId, How::Same, id.to_owned());
        Self {
            text: id.to_owned(),
            steps: vec![Step {
                deep: true,
                class: None,
                predicates: vec![Predicate::Test(is)],
            }],
        }
    }

    /// As a suite names a widget: by a path, or by a resource-id.
    ///
    /// # Errors
    /// The path cannot be read.
    pub fn of_widget(text: &str) -> Result<Self, XPathError> {
        match text.starts_with('/') {
            true => text.parse(),
            false => Ok(Self::with_id(text)),
        }
    }

    /// Indices of the widgets that the path leads to, in depth-first order.
    pub fn select(&self, page: &Page, interner: &Interner) -> Vec<u32> {
        let widgets = &page.widgets;
        // Place 0 is the root above all windows, place n + 1 the widget n.
        let mut here = vec![false; widgets.len() + 1];
        here[0] = true;
        for step in &self.steps {
            if step.deep {
                for (ix, widget) in widgets.iter().enumerate() {
                    here[ix + 1] |= seen(widget) && here[above(widget)];
                }
            }
            let mut families: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
            for (ix, widget) in widgets.iter().enumerate() {
                let parent = above(widget);
                if here[parent] && seen(widget) && step.is_of(widget, interner) {
                    families.entry(parent).or_default().push(ix);
                }
            }
            here.fill(false);
            for mut family in families.into_values() {
                for predicate in &step.predicates {
                    predicate.retain(&mut family, widgets, interner);
                }
                for ix in family {
                    here[ix + 1] = true;
                }
            }
        }
        let found = here.iter().skip(1).enumerate().filter(|(_, found)| **found);
        found.filter_map(|(ix, _)| u32::try_from(ix).ok()).collect()
    }

    /// Does it lead anywhere on this page?
    pub fn matches(&self, page: &Page, interner: &Interner) -> bool {
        !self.select(page, interner).is_empty()
    }
}

fn above(widget: &Widget) -> usize {
    widget.parent.map_or(0, |parent| parent as usize + 1)
}

/// As in a dump: what cannot be seen is not there.
fn seen(widget: &Widget) -> bool {
    widget.flags.has(Flags::VISIBLE)
}

impl Step {
    fn is_of(&self, widget: &Widget, interner: &Interner) -> bool {
        let Some(wanted) = &self.class else {
            return true;
        };
        let class = interner.get(widget.class);
        class == wanted || class.rsplit(['.', '$']).next() == Some(wanted)
    }
}

impl Predicate {
    fn retain(&self, family: &mut Vec<usize>, widgets: &[Widget], interner: &Interner) {
        match self {
            Self::Position(place) => {
                *family = family
                    .get(place.wrapping_sub(1))
                    .copied()
                    .into_iter()
                    .collect();
            }
            Self::Last => *family = family.last().copied().into_iter().collect(),
            Self::Test(test) => family.retain(|&ix| test.holds(&widgets[ix], interner)),
        }
    }
}

impl Test {
    fn holds(&self, widget: &Widget, interner: &Interner) -> bool {
        match self {
            Self::Is(attribute, how, wanted) => {
                let value = attribute.of(widget, interner);
                match how {
                    How::Same => attribute.is(value, wanted),
                    How::Other => !attribute.is(value, wanted),
                    How::Contains => value.contains(wanted.as_str()),
                    How::Starts => value.starts_with(wanted.as_str()),
                    How::Ends => value.ends_with(wanted.as_str()),
                }
            }
            Self::Has(attribute) => !attribute.of(widget, interner).is_empty(),
            Self::Not(test) => !test.holds(widget, interner),
            Self::And(a, b) => a.holds(widget, interner) && b.holds(widget, interner),
            Self::Or(a, b) => a.holds(widget, interner) || b.holds(widget, interner),
        }
    }
}

impl Attribute {
    fn of<'a>(self, widget: &Widget, interner: &'a Interner) -> &'a str {
        match self {
            Self::Text => interner.get(widget.text),
            Self::ResourceId => interner.get(widget.resource_id),
            Self::Class => interner.get(widget.class),
            Self::Description => interner.get(widget.description),
            Self::Hint => interner.get(widget.hint),
            Self::State => interner.get(widget.state),
            Self::Role => interner.get(widget.role),
            Self::Range => interner.get(widget.range),
            Self::Collection => interner.get(widget.collection),
            Self::Item => interner.get(widget.item),
            Self::Flag(bit) if widget.flags.has(bit) => "true",
            Self::Flag(_) => "false",
        }
    }

    fn is(self, value: &str, wanted: &str) -> bool {
        let by_name = || {
            self == Self::ResourceId
                && !wanted.is_empty()
                && !wanted.contains('/')
                && value.rsplit('/').next() == Some(wanted)
        };
        value == wanted || by_name()
    }
}

#[cfg(test)]
mod tests;
