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
    /// The probability that the script runs, drawn before each event on a screen that it matches.
    #[serde(default = "always")]
    #[schemars(range(min = 0, max = 1))]
    pub probability: f64,
    /// A question, asked on the terminal with `run --ask` when the script starts. A step with `secret = "NAME"`, the
    /// name of this script, types the answer. Without `--ask` the script does not run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1))]
    pub ask: Option<String>,
    /// A property that must hold on each screen that the script matches; a finding where it does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Assert")]
    pub assert: Option<Assert>,
    /// The steps, in the format of a trace. A script with `assert` needs none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub step: Vec<RawStep>,
}

fn once() -> u32 {
    1
}

fn always() -> f64 {
    1.0
}

/// What must hold of a widget. If several widgets match, it must hold of each of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Assert {
    /// The widget: a resource id, or an XPath over the hierarchy.
    #[schemars(schema_with = "super::fence::widget")]
    pub widget: String,
    /// Whether the widget must be on the screen, or must not be.
    #[serde(default = "yes")]
    pub exists: bool,
    /// A regular expression that matches a part of its text; `^` and `$` are the text's ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1))]
    pub text: Option<String>,
    /// Whether it must be enabled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "bool")]
    pub enabled: Option<bool>,
    /// Whether it must be checked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "bool")]
    pub checked: Option<bool>,
}

fn yes() -> bool {
    true
}
