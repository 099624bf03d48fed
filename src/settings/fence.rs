//! `[app.block]` and `[app.allow]`: the parts of an app to explore.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

/// Parts of an app. Blocked parts are not explored. With a list of allowed parts, only these are explored.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Parts {
    /// Activities: a class by its last part, or in full; `*` matches any letters. If a blocked one comes to the front,
    /// the back key leaves it, else a restart of the app.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "activities")]
    pub activities: Vec<String>,
    /// Widgets with their descendants: a resource id, or an XPath over the hierarchy.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "widgets")]
    pub widgets: Vec<String>,
    /// Regions of the screen: left, top, right, bottom as shares of its width and height.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "regions")]
    pub regions: Vec<[f64; 4]>,
}

impl Parts {
    /// Is it empty?
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

fn widgets(generator: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "array", "items": widget(generator) })
}

/// A widget: a resource id or an XPath.
pub(super) fn widget(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "string",
        "pattern": r"^(/.+|[A-Za-z0-9_.]+(:id/[A-Za-z0-9_.]+)?)$",
        "x-expects": "a resource id such as \"log_out\", or an XPath such as \"//Button[@text='Log out']\"",
    })
}

fn regions(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "array", "items": {
        "type": "array",
        "minItems": 4,
        "maxItems": 4,
        "items": { "type": "number", "minimum": 0, "maximum": 1 },
    } })
}
