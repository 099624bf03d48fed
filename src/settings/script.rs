//! `[[app.script]]`: steps for certain screens.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::trace::RawStep;

/// Steps for a screen that random events would not pass: a login, a tour, a question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Script {
    /// The script's name in reports.
    #[schemars(schema_with = "super::name_schema")]
    pub name: String,
    /// An XPath over the hierarchy: the script runs if it matches a widget.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1))]
    pub when: Option<String>,
    /// The class of an activity, in full or its last part: the script runs if the activity is in front. With `when`,
    /// both must match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1))]
    pub activity: Option<String>,
    /// The most runs; the count restarts when the app starts with cleared data.
    #[serde(default = "once")]
    #[schemars(range(min = 1))]
    pub times: u32,
    /// The steps, in the format of a trace.
    #[schemars(length(min = 1))]
    pub step: Vec<RawStep>,
}

fn once() -> u32 {
    1
}
