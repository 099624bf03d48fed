//! `[[app]]`: the apps to explore.

use std::collections::BTreeMap;
use std::fmt;

use camino::{Utf8Path, Utf8PathBuf};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Value, json};

use super::{Parts, Script, ShellCommand, TextValue};

/// An app: an APK, or a model for the sim device.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(transform = close_app)]
pub struct App {
    /// The app's name in reports and on the command line.
    #[schemars(schema_with = "super::name_schema")]
    pub name: String,
    /// The APK or the model.
    #[serde(flatten)]
    pub source: AppSource,
    /// Paths of the splits of the base APK that `apk` names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<String>")]
    pub splits: Vec<Utf8PathBuf>,
    /// A command that builds the APK, run by the shell in the suite's folder
    /// before the app is explored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1))]
    pub build: Option<String>,
    /// The build's folders of class files. With them the jvm device does not translate the APK's dex code.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<String>")]
    pub classes: Vec<Utf8PathBuf>,
    /// Folders of the app's Java and Kotlin sources, each the root of its packages. SARIF and annotations point at the files
    /// below them, and coverage shows their lines.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<String>")]
    pub sources: Vec<Utf8PathBuf>,
    /// Coverage reports of the app's own tests, JaCoCo's XML (`.xml`) or LCOV's tracefiles: reports show which lines and
    /// methods they cover, and which the run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<String>")]
    pub tests_coverage: Vec<Utf8PathBuf>,
    /// The `mapping.txt` of R8 or ProGuard, applied to stack traces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub mapping: Option<Utf8PathBuf>,
    /// The devices to run on, by name. Default: every device that can run the app.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<String>", length(min = 1))]
    pub devices: Option<Vec<String>>,
    /// Whether to grant runtime permissions at install.
    #[serde(default)]
    pub permissions: Permissions,
    /// Commands in the shell of an adb or avd device, run once the app is installed. If one fails, the session does not
    /// start.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub before: Vec<ShellCommand>,
    /// Commands in the shell of an adb or avd device, run when the session is over, however it ended.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub after: Vec<ShellCommand>,
    /// Packages to exclude from this app's coverage; replaces `coverage.exclude`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "super::coverage::packages_schema")]
    pub exclude_packages: Option<Vec<String>>,
    /// The only texts to type into the app; replaces generated texts and `[app.text]`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<String>", length(min = 1))]
    pub strings: Option<Vec<String>>,
    /// Texts to type: a key matches a field's resource id, hint or label; the value is the text, or
    /// `{ env = "NAME" }` for a secret.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub text: BTreeMap<String, TextValue>,
    /// The parts not to explore.
    #[serde(default, skip_serializing_if = "Parts::is_empty")]
    pub block: Parts,
    /// The only parts to explore. Blocked parts stay blocked.
    #[serde(default, skip_serializing_if = "Parts::is_empty")]
    pub allow: Parts,
    /// Steps for certain screens: a login, a tour.
    #[serde(default, rename = "script", skip_serializing_if = "Vec::is_empty")]
    pub scripts: Vec<Script>,
}

/// The source of an app.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum AppSource {
    /// An APK, by path; also a folder or a set (`.apks`, `.xapk`) with a base
    /// APK and its splits.
    Apk(#[schemars(with = "String")] Utf8PathBuf),
    /// A model for the sim device: a file, or `builtin:NAME`.
    Model(ModelRef),
}

impl AppSource {
    /// The APK's path, if it is one.
    pub fn apk(&self) -> Option<&Utf8Path> {
        match self {
            Self::Apk(path) => Some(path),
            Self::Model(_) => None,
        }
    }
}

/// A model, by name or by file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelRef {
    /// A built-in model: `builtin:NAME`.
    Builtin(String),
    /// A file: our JSON, the paper's JSON, or Ptolemy MoML.
    File(Utf8PathBuf),
}

impl fmt::Display for ModelRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Builtin(name) => write!(f, "builtin:{name}"),
            Self::File(path) => path.fmt(f),
        }
    }
}

impl Serialize for ModelRef {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for ModelRef {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Ok(match text.strip_prefix("builtin:") {
            Some(name) => Self::Builtin(name.to_owned()),
            None => Self::File(text.into()),
        })
    }
}

impl JsonSchema for ModelRef {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "ModelRef".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "minLength": 1 })
    }
}

/// Whether to grant runtime permissions at install.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Permissions {
    /// Grants all permissions in the manifest at install.
    #[default]
    Grant,
    /// The app has to ask; the dialog is explored like any page.
    Ask,
}

/// One closed object with exactly one of `apk` and `model`.
fn close_app(schema: &mut Schema) {
    let object = schema.ensure_object();
    let Some(Value::Array(branches)) = object.remove("oneOf") else {
        return;
    };
    let mut either = Vec::new();
    for mut branch in branches {
        let about = branch["description"].take();
        if let Some(own) = branch["properties"].as_object() {
            for (key, value) in own {
                let mut value = value.clone();
                value["description"] = about.clone();
                object["properties"][key] = value;
                either.push(json!({ "required": [key] }));
            }
        }
    }
    object.insert("oneOf".into(), either.into());
    object.insert("additionalProperties".into(), false.into());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_is_a_file_or_one_of_ours_and_prints_back() {
        for text in ["builtin:shop", "models/bank.json"] {
            let model: ModelRef = serde_json::from_value(json!(text)).unwrap();
            assert_eq!(model.to_string(), text);
        }
    }
}
