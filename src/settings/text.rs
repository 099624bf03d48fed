//! `[app.text]`: what to type where, and how secrets stay secret.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A text to type: written in the suite, or taken from the environment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum TextValue {
    /// The text itself.
    Plain(String),
    /// A secret: the value of an environment variable, redacted in every text
    /// output.
    Secret(Secret),
}

/// The name of the environment variable that holds a secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Secret {
    /// The variable's name.
    #[schemars(length(min = 1))]
    pub env: String,
}

impl TextValue {
    /// Whether the value must not appear in any text output.
    pub fn is_secret(&self) -> bool {
        matches!(self, Self::Secret(_))
    }
}

impl fmt::Display for TextValue {
    /// The text, or the variable's name for a secret; never a secret's value.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Plain(text) => f.write_str(text),
            Self::Secret(secret) => write!(f, "${}", secret.env),
        }
    }
}
