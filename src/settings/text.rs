//! `[app.text]`: the texts to type, and the redaction of secrets.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A text to type: in the suite or from the environment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum TextValue {
    /// The text itself.
    Plain(String),
    /// A secret: the value of an environment variable, redacted in all text output.
    Secret(Secret),
}

/// The name of the environment variable with a secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Secret {
    /// The variable's name.
    #[schemars(length(min = 1))]
    pub env: String,
}

impl TextValue {
    /// Whether to redact the value in all text output.
    pub fn is_secret(&self) -> bool {
        matches!(self, Self::Secret(_))
    }
}

impl fmt::Display for TextValue {
    /// The text, or the name of a secret's variable; never a secret's value.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Plain(text) => f.write_str(text),
            Self::Secret(secret) => write!(f, "${}", secret.env),
        }
    }
}
