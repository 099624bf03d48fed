//! The schema of a whole suite file, as editors and the loader use it.

use std::sync::OnceLock;

use schemars::transform::RecursiveTransform;
use schemars::{Schema, generate::SchemaSettings};
use serde_json::{Value, json};

use super::elements::{self, Settings};

/// The JSON schema of a suite file: the settings, and profiles that override
/// them.
pub fn document() -> &'static Value {
    static DOCUMENT: OnceLock<Value> = OnceLock::new();
    DOCUMENT.get_or_init(build)
}

fn build() -> Value {
    let mut schema = SchemaSettings::draft2020_12()
        .with_transform(RecursiveTransform(join_lines))
        .into_generator()
        .into_root_schema_for::<Settings>();
    let object = schema.ensure_object();
    object.insert("title".into(), "droidtest suite".into());
    object.insert(
        "description".into(),
        "What cargo droidtest explores, and how.".into(),
    );

    let mut profile = object["properties"].clone();
    let name = elements::name_schema(&mut schemars::SchemaGenerator::default());
    profile["inherits"] = name.to_value();
    profile["inherits"]["description"] =
        "The profile that this one starts from. Default: `default`, which is the suite's own tables."
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

/// What a reference of a schema refers to.
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

/// The keys to every setting that is in no array and no profile.
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
