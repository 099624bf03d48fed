//! `[report]`: the reports to write.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// The reports of a run. `summary.json` is always written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Report {
    /// `junit.xml`.
    pub junit: bool,
    /// `report.html`, one file that needs no network.
    pub html: bool,
    /// `droidtest.sarif`, SARIF 2.1.0 for code scanning. Default: with a `[gate]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "bool")]
    pub sarif: Option<bool>,
    /// The formats of code coverage.
    pub coverage: CoverageFormats,
    /// A job summary and annotations for GitHub Actions; `"auto"`: if running there.
    pub github: GithubSummary,
    /// The screenshots to save.
    pub screenshots: Screenshots,
}

impl Default for Report {
    fn default() -> Self {
        Self {
            junit: true,
            html: true,
            sarif: None,
            coverage: CoverageFormats::default(),
            github: GithubSummary::Auto,
            screenshots: Screenshots::Findings,
        }
    }
}

/// The formats of code coverage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct CoverageFormats {
    /// JaCoCo's XML.
    pub xml: bool,
    /// JaCoCo's HTML, with source lines if the sources are known.
    pub html: bool,
    /// `lcov.info`.
    pub lcov: bool,
    /// Cobertura's XML.
    pub cobertura: bool,
}

impl Default for CoverageFormats {
    fn default() -> Self {
        Self {
            xml: true,
            html: true,
            lcov: true,
            cobertura: true,
        }
    }
}

/// Whether to write a summary for GitHub Actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GithubSummary {
    /// When `GITHUB_ACTIONS` is set.
    Auto,
    /// `true`.
    On,
    /// `false`.
    Off,
}

impl Serialize for GithubSummary {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Auto => serializer.serialize_str("auto"),
            Self::On => serializer.serialize_bool(true),
            Self::Off => serializer.serialize_bool(false),
        }
    }
}

impl<'de> Deserialize<'de> for GithubSummary {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Either {
            Bool(bool),
            Text(String),
        }
        match Either::deserialize(deserializer)? {
            Either::Bool(true) => Ok(Self::On),
            Either::Bool(false) => Ok(Self::Off),
            Either::Text(text) if text == "auto" => Ok(Self::Auto),
            Either::Text(text) => Err(de::Error::unknown_variant(&text, &["auto"])),
        }
    }
}

impl JsonSchema for GithubSummary {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "GithubSummary".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "anyOf": [
            { "type": "string", "enum": ["auto"] },
            { "type": "boolean" },
        ] })
    }
}

/// The screenshots to save.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Screenshots {
    /// None.
    None,
    /// Before and after each finding.
    #[default]
    Findings,
    /// Before and after each finding, and of each new page.
    Pages,
}
