//! `[[app.script]]`: what to do where a certain screen is met.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::trace::RawStep;

/// Steps for a screen that chance would not pass: a login, a tour, a question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Script {
    /// What the script is called in reports.
    #[schemars(schema_with = "super::name_schema")]
    pub name: String,
    /// An XPath over the hierarchy: the script runs where it leads to a widget.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1))]
    pub when: Option<String>,
    /// The class of an activity, in full or its last part: the script runs
    /// where it is in front. With `when` both must hold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1))]
    pub activity: Option<String>,
    /// How often it runs at most, counted anew when the app starts with
    /// cleared data.
    #[serde(default = "once")]
    #[schemars(range(min = 1))]
    pub times: u32,
    /// What to do, in the form of a trace's steps.
    #[schemars(length(min = 1))]
    pub step: Vec<RawStep>,
}

fn once() -> u32 {
    1
}
