//! The TOML form of a step: one flat table, its fields allowed by what is done.

use crate::gui::{Direction, Extras};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::Number;

/// A step as it is in a file; `D` is the text of `do`, with or without its position.
#[derive(Clone, PartialEq, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[schemars(rename = "Step")]
pub struct RawStep<D = String> {
    /// The action.
    #[schemars(schema_with = "deeds")]
    pub r#do: D,
    /// The resource id of the widget, in full or its name alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub id: Option<String>,
    /// The text on the widget.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub text: Option<String>,
    /// The content description of the widget.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub description: Option<String>,
    /// The text that a user reads on a widget that has neither text nor description.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub caption: Option<String>,
    /// The text to type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub input: Option<String>,
    /// The key of `[app.text]` whose value to type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub secret: Option<String>,
    /// Whether the field's editor action follows the typed text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "bool")]
    pub enter: Option<bool>,
    /// The direction: `up`, `down`, `left` or `right`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "directions")]
    pub direction: Option<Direction>,
    /// The position on the widget: fractions of its width and height.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "[f64; 2]")]
    pub inside: Option<[f64; 2]>,
    /// The accessibility class of the widget.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub class: Option<String>,
    /// The hash of the classes and positions from the window's root down, as in traces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub path: Option<String>,
    /// The number of the widget among equal ones, from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "usize")]
    pub nth: Option<usize>,
    /// The position on the screen: fractions of its width and height.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "[f64; 2]")]
    pub at: Option<[f64; 2]>,
    /// The end of a drag.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "[f64; 2]")]
    pub to: Option<[f64; 2]>,
    /// Android's key code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32")]
    pub code: Option<u32>,
    /// The steps of the trackball, to the right and down.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "[[i8; 2]; 10]")]
    pub moves: Option<[[i8; 2]; 10]>,
    /// Whether the trackball is pressed at the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "bool")]
    pub press: Option<bool>,
    /// The action of an intent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub action: Option<String>,
    /// The component that an intent is sent to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub component: Option<String>,
    /// The address that an activity is started with: a deep link.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub data: Option<String>,
    /// What the intent carries, by name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Extras")]
    pub extras: Option<Extras>,
    /// Latitude and longitude in degrees with the accuracy in metres, or the values of a sensor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<f64>")]
    pub values: Option<Vec<Number>>,
    /// Android's number of a sensor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "i32")]
    pub sensor: Option<i32>,
    /// The time to wait, in milliseconds on the device's clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64", range(max = LONGEST_WAIT))]
    pub ms: Option<u64>,
}

fn deeds(_: &mut SchemaGenerator) -> Schema {
    let names: Vec<_> = DEEDS.iter().map(|(name, ..)| *name).collect();
    json_schema!({ "type": "string", "enum": names })
}

fn directions(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "enum": ["up", "down", "left", "right"] })
}

/// The longest wait, in milliseconds: a day.
pub(super) const LONGEST_WAIT: u64 = 24 * 60 * 60 * 1000;

/// The fields that name a widget.
const WIDGET: [&str; 8] = [
    "id",
    "text",
    "description",
    "caption",
    "class",
    "path",
    "nth",
    "at",
];

/// The valid steps, with their fields besides the widget's; `true`: it may name a widget.
pub(super) const DEEDS: [(&str, bool, &[&str]); 36] = [
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
    ("broadcast", false, &["action", "component", "extras"]),
    ("service", false, &["action", "component"]),
    ("activity", false, &["action", "component", "data"]),
    ("location", false, &["values"]),
    ("sensor", false, &["sensor", "values"]),
    ("call", false, &["extras"]),
    ("wait", false, &["ms"]),
    ("low-memory", false, &[]),
    ("process-death", false, &[]),
    ("night-mode", false, &[]),
    ("font-scale", false, &[]),
    ("locale", false, &[]),
    ("time-zone", false, &[]),
    ("permission-revoked", false, &[]),
    ("low-storage", false, &[]),
    ("date-change", false, &[]),
    ("screen-size", false, &[]),
    ("offline", false, &[]),
];

impl RawStep {
    /// A step that does this, without other fields.
    pub(super) fn new(what: &str) -> Self {
        Self {
            r#do: what.to_owned(),
            id: None,
            text: None,
            description: None,
            caption: None,
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
            data: None,
            extras: None,
            values: None,
            sensor: None,
            ms: None,
        }
    }
}

impl<D> RawStep<D> {
    /// The fields that are there.
    fn present(&self) -> impl Iterator<Item = &'static str> {
        [
            ("id", self.id.is_some()),
            ("text", self.text.is_some()),
            ("description", self.description.is_some()),
            ("caption", self.caption.is_some()),
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
            ("data", self.data.is_some()),
            ("extras", self.extras.is_some()),
            ("values", self.values.is_some()),
            ("sensor", self.sensor.is_some()),
            ("ms", self.ms.is_some()),
        ]
        .into_iter()
        .filter_map(|(name, there)| there.then_some(name))
    }

    /// A field that a step of this kind cannot have.
    pub(super) fn misplaced(&self, widget: bool, own: &[&str]) -> Option<&'static str> {
        self.present()
            .find(|field| !(own.contains(field) || widget && WIDGET.contains(field)))
    }
}
