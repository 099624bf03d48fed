//! `[app.block]` and `[app.allow]`: what is left alone when an app is explored.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

/// Parts of an app. Blocked: nothing is done with them. Allowed, where a list
/// is given: nothing is done with anything else.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Parts {
    /// Activities: a class by its last part, or in full; `*` stands for any
    /// letters. Where one that is not wanted comes to the front, it is left by
    /// the back key, else by a new start of the app.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "activities")]
    pub activities: Vec<String>,
    /// Widgets with all that is in them: a resource id, or an XPath over the
    /// hierarchy.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "widgets")]
    pub widgets: Vec<String>,
    /// Parts of the screen: left, top, right, bottom as shares of its width
    /// and height.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "regions")]
    pub regions: Vec<[f64; 4]>,
}

impl Parts {
    /// Names nothing?
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

fn activities(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "array", "items": {
        "type": "string",
        "pattern": r"^[A-Za-z0-9_.$*]+$",
        "x-expects": "the class of an activity such as \"SettingsActivity\" or \"org.example.debug.*\"",
    } })
}

fn widgets(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "array", "items": {
        "type": "string",
        "pattern": r"^(/.+|[A-Za-z0-9_.]+(:id/[A-Za-z0-9_.]+)?)$",
        "x-expects": "a resource id such as \"log_out\", or an XPath such as \"//Button[@text='Log out']\"",
    } })
}

fn regions(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "array", "items": {
        "type": "array",
        "minItems": 4,
        "maxItems": 4,
        "items": { "type": "number", "minimum": 0, "maximum": 1 },
    } })
}
