//! The schema of a suite file, for editors and the loader.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, OnceLock, PoisonError};

use regex::Regex;
use schemars::transform::RecursiveTransform;
use schemars::{Schema, generate::SchemaSettings};
use serde_json::{Value, json};

use super::Settings;

/// The JSON schema of a suite file: the settings, and profiles that override
/// them.
pub fn document() -> &'static Value {
    static DOCUMENT: OnceLock<Value> = OnceLock::new();
    DOCUMENT.get_or_init(build)
}

/// Does the text have the form of one of the schema's patterns? Patterns that are none accept every text. Each is compiled
/// once: it takes longer than reading the file.
pub fn fits(pattern: &str, text: &str) -> bool {
    static COMPILED: LazyLock<Mutex<HashMap<String, Option<Regex>>>> =
        LazyLock::new(Mutex::default);
    let mut compiled = COMPILED.lock().unwrap_or_else(PoisonError::into_inner);
    let regex = compiled
        .entry(pattern.to_owned())
        .or_insert_with(|| Regex::new(pattern).ok());
    regex.as_ref().is_none_or(|regex| regex.is_match(text))
}

fn build() -> Value {
    let mut schema = SchemaSettings::draft2020_12()
        .with_transform(RecursiveTransform(join_lines))
        .with_transform(RecursiveTransform(bound))
        .into_generator()
        .into_root_schema_for::<Settings>();
    let object = schema.ensure_object();
    object.insert("title".into(), "droidtest suite".into());
    object.insert(
        "description".into(),
        "What cargo droidtest explores, and how.".into(),
    );

    let mut profile = object["properties"].clone();
    let name = crate::settings::name_schema(&mut schemars::SchemaGenerator::default());
    profile["inherits"] = name.to_value();
    profile["inherits"]["description"] =
        "The profile that this one inherits from. Default: `default`, which is the suite's tables."
            .into();
    object["$defs"]["Profile"] = json!({
        "type": "object",
        "description": "Changes to the suite's tables: a table is merged key by key, anything else, arrays included, is replaced.",
        "properties": profile,
        "additionalProperties": false,
    });
    object["properties"]["profile"] = json!({
        "type": "object",
        "description": "Named variations of the suite, chosen by --profile.",
        "additionalProperties": { "$ref": "#/$defs/Profile" },
    });
    schema.to_value()
}

/// Resolves a reference of a schema.
pub fn resolve<'a>(root: &'a Value, schema: &'a Value) -> &'a Value {
    match schema["$ref"].as_str() {
        Some(reference) => {
            let pointer = reference.trim_start_matches('#');
            root.pointer(pointer)
                .map_or(schema, |target| resolve(root, target))
        }
        None => schema,
    }
}

/// The alternatives of a schema, unless they only list required keys.
pub fn branches(schema: &Value) -> Option<&[Value]> {
    let branches = schema["anyOf"].as_array().or(schema["oneOf"].as_array())?;
    (schema["type"] != "object").then_some(branches)
}

/// The name of a schema's type.
pub fn kind(schema: &Value) -> &str {
    schema["type"].as_str().unwrap_or_default()
}

/// The strings of a list.
pub fn strings(list: &Value) -> impl Iterator<Item = &str> {
    list.as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
}

/// The words of a schema with a closed list.
pub fn words(schema: &Value) -> Vec<&str> {
    strings(&schema["enum"])
        .chain(schema["const"].as_str())
        .collect()
}

/// The key paths of all settings outside arrays and profiles.
pub fn paths() -> Vec<Vec<String>> {
    fn walk(schema: &Value, path: &[String], paths: &mut Vec<Vec<String>>) {
        let schema = resolve(document(), schema);
        for (key, property) in schema["properties"].as_object().into_iter().flatten() {
            let path: Vec<_> = path.iter().chain([key]).cloned().collect();
            let before = paths.len();
            walk(property, &path, paths);
            if paths.len() == before && path.len() > 1 && path[0] != "profile" {
                paths.push(path);
            }
        }
    }
    let mut paths = Vec::new();
    walk(document(), &[], &mut paths);
    paths
}

/// Doc comments are wrapped; descriptions are not.
fn join_lines(schema: &mut Schema) {
    if let Some(Value::String(text)) = schema.get_mut("description") {
        *text = text
            .split("\n\n")
            .map(|paragraph| paragraph.replace('\n', " "))
            .collect::<Vec<_>>()
            .join("\n\n");
    }
}

/// Adds the range of an integer's type if there is no narrower range, as validators ignore a schema's `format`.
fn bound(schema: &mut Schema) {
    let (least, most) = match schema.get("format").and_then(Value::as_str) {
        Some("int32") => (i64::from(i32::MIN), i64::from(i32::MAX)),
        Some("uint32") => (0, i64::from(u32::MAX)),
        _ => return,
    };
    let object = schema.ensure_object();
    object.entry("minimum").or_insert_with(|| least.into());
    object.entry("maximum").or_insert_with(|| most.into());
}
