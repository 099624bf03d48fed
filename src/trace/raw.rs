//! The TOML form of a step: one flat table, its fields allowed by what is done.

use crate::gui::Direction;
use serde::{Deserialize, Serialize};
use toml::Spanned;

/// A step as it stands in the file.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct RawStep {
    pub r#do: Spanned<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub secret: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enter: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub direction: Option<Direction>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inside: Option<[f64; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nth: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<[f64; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<[f64; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<[[i8; 2]; 10]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub press: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub component: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sensor: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ms: Option<u64>,
}

/// The fields that name a widget.
const WIDGET: [&str; 7] = ["id", "text", "description", "class", "path", "nth", "at"];

/// What can be done, with the fields it may have beside the widget's; `true`: it may name a widget.
pub(super) const DEEDS: [(&str, bool, &[&str]); 24] = [
    ("click", true, &[]),
    ("long-click", true, &[]),
    ("type", true, &["input", "secret", "enter"]),
    ("scroll", true, &["direction"]),
    ("swipe", true, &["direction"]),
    ("pinch-in", true, &[]),
    ("pinch-out", true, &[]),
    ("tap", true, &["inside"]),
    ("drag", false, &["at", "to"]),
    ("back", false, &[]),
    ("menu", false, &[]),
    ("enter", false, &[]),
    ("key", false, &["code"]),
    ("trackball", false, &["moves", "press"]),
    ("launch", false, &[]),
    ("rotate", false, &[]),
    ("home", false, &[]),
    ("relaunch", false, &[]),
    ("broadcast", false, &["action", "component"]),
    ("service", false, &["action", "component"]),
    ("activity", false, &["action", "component"]),
    ("location", false, &[]),
    ("sensor", false, &["sensor"]),
    ("wait", false, &["ms"]),
];

impl RawStep {
    /// A step that does this and says no more.
    pub fn new(what: &str) -> Self {
        Self {
            r#do: Spanned::new(0..0, what.to_owned()),
            id: None,
            text: None,
            description: None,
            input: None,
            secret: None,
            enter: None,
            direction: None,
            inside: None,
            class: None,
            path: None,
            nth: None,
            at: None,
            to: None,
            code: None,
            moves: None,
            press: None,
            action: None,
            component: None,
            sensor: None,
            ms: None,
        }
    }

    /// The fields that are there.
    fn present(&self) -> impl Iterator<Item = &'static str> {
        [
            ("id", self.id.is_some()),
            ("text", self.text.is_some()),
            ("description", self.description.is_some()),
            ("input", self.input.is_some()),
            ("secret", self.secret.is_some()),
            ("enter", self.enter.is_some()),
            ("direction", self.direction.is_some()),
            ("inside", self.inside.is_some()),
            ("class", self.class.is_some()),
            ("path", self.path.is_some()),
            ("nth", self.nth.is_some()),
            ("at", self.at.is_some()),
            ("to", self.to.is_some()),
            ("code", self.code.is_some()),
            ("moves", self.moves.is_some()),
            ("press", self.press.is_some()),
            ("action", self.action.is_some()),
            ("component", self.component.is_some()),
            ("sensor", self.sensor.is_some()),
            ("ms", self.ms.is_some()),
        ]
        .into_iter()
        .filter_map(|(name, there)| there.then_some(name))
    }

    /// A field that a step of this kind cannot have.
    pub fn misplaced(&self, widget: bool, own: &[&str]) -> Option<&'static str> {
        self.present()
            .find(|field| !(own.contains(field) || widget && WIDGET.contains(field)))
    }
}
