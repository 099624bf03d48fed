//! The page of all settings, from the JSON schema of a suite.

use super::printed;
use crate::Result;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

/// The page.
pub fn page(tool: &Path) -> Result<String> {
    let text = printed(tool, &["schema"])?;
    let schema = serde_json::from_str(&text).map_err(|e| format!("the schema: {e}"))?;
    Page::new(&schema)?.text()
}

/// The length from which a list is counted instead of shown.
const LONG: usize = 80;

struct Page<'a> {
    /// The tables of a suite, by name.
    tables: &'a serde_json::Map<String, Value>,
    /// What they refer to, by name.
    types: &'a serde_json::Map<String, Value>,
    /// The heading of each type, as an anchor.
    anchors: BTreeMap<&'a str, String>,
}

impl<'a> Page<'a> {
    fn new(schema: &'a Value) -> Result<Self> {
        let part = |name: &str| {
            let part = schema[name].as_object();
            part.ok_or_else(|| format!("the schema has no {name}"))
        };
        let (tables, types) = (part("properties")?, part("$defs")?);
        let mut anchors: BTreeMap<&str, String> = types
            .keys()
            .map(|name| (name.as_str(), format!("type-{}", name.to_lowercase())))
            .collect();
        for (name, table) in tables {
            if let Some(type_name) = referred(table) {
                anchors.insert(type_name, name.clone());
            }
        }
        Ok(Self {
            tables,
            types,
            anchors,
        })
    }

    fn text(&self) -> Result<String> {
        let mut page = "# Settings\n\nGenerated from `cargo droidtest schema`. [Suites](../docs/suites.md) is the guide.\n".to_owned();
        for (name, table) in self.tables {
            let heading = match table["type"].as_str() {
                Some("array") => format!("[[{name}]]"),
                _ if name == "profile" => "[profile.NAME]".to_owned(),
                _ => format!("[{name}]"),
            };
            let _ = write!(page, "\n## `{heading}` {{#{name}}}\n\n{}\n", meaning(table));
            // A profile has the tables above.
            if name != "profile" {
                let type_name = referred(table).ok_or_else(|| format!("{name} has no type"))?;
                self.define(&self.types[type_name], &mut page);
            }
        }
        page.push_str("\n# Types\n");
        let tables: Vec<_> = self.tables.values().filter_map(referred).collect();
        for (name, definition) in self.types {
            if !tables.contains(&name.as_str()) {
                let anchor = &self.anchors[name.as_str()];
                let _ = write!(
                    page,
                    "\n## {name} {{#{anchor}}}\n\n{}\n",
                    meaning(definition)
                );
                self.define(definition, &mut page);
            }
        }
        Ok(page)
    }

    /// The keys of a table; of a type with variants, those of each.
    fn define(&self, definition: &Value, page: &mut String) {
        if let Some(keys) = definition["properties"].as_object() {
            page.push_str("\n| key | type | default | meaning |\n|---|---|---|---|\n");
            for (key, value) in keys {
                let cells = [
                    format!("`{key}`"),
                    self.kind(value),
                    default(value),
                    meaning(value),
                ];
                let _ = writeln!(
                    page,
                    "| {} |",
                    cells.map(|cell| cell.replace('|', "\\|")).join(" | ")
                );
            }
            return;
        }
        let Some(variants) = variants(definition) else {
            let _ = write!(page, "\n{}.\n", self.kind(definition));
            return;
        };
        for variant in variants {
            match variant["properties"]["kind"]["const"].as_str() {
                Some(kind) => {
                    let _ = write!(page, "\n### `kind = \"{kind}\"`\n\n{}\n", meaning(variant));
                    self.define(variant, page);
                }
                None => {
                    let meaning = meaning(variant);
                    let colon = if meaning.is_empty() { "" } else { ": " };
                    let _ = write!(page, "\n- {}{colon}{meaning}", self.kind(variant));
                }
            }
        }
        page.push('\n');
    }

    /// The type of a value in words.
    fn kind(&self, value: &Value) -> String {
        if let Some(words) = value["x-expects"].as_str() {
            return escaped(words);
        }
        if let Some(name) = type_name(value) {
            return format!(
                "[{name}](#{})",
                self.anchors.get(name).map_or("", String::as_str)
            );
        }
        if let Some(constant) = value.get("const") {
            return format!("`{constant}`");
        }
        if let Some(values) = value["enum"].as_array() {
            let values: Vec<_> = values.iter().map(|v| format!("`{v}`")).collect();
            return values.join(", ");
        }
        if let Some(keys) = value["properties"].as_object() {
            let names: Vec<_> = keys.keys().map(|key| format!("`{key}`")).collect();
            return match names.len() {
                1..=4 => format!("table of {}", names.join(", ")),
                _ => "table".to_owned(),
            };
        }
        if let Some(variants) = variants(value) {
            let kinds = variants.iter().filter(|v| v["type"] != "null");
            let mut kinds: Vec<_> = kinds.map(|v| self.kind(v)).collect();
            kinds.dedup();
            return kinds.join(" or ");
        }
        let bounds = ["minimum", "maximum"].map(|name| value.get(name));
        let bounds = match bounds {
            [Some(min), Some(max)] => format!(", {min} to {max}"),
            [Some(min), None] => format!(", at least {min}"),
            _ => String::new(),
        };
        match value["type"].as_str() {
            Some("array") => format!("array of {}", self.kind(&value["items"])),
            Some("object") => format!("table of {}", self.kind(&value["additionalProperties"])),
            Some(name) => format!("{name}{bounds}"),
            None => "any value".to_owned(),
        }
    }
}

fn variants(value: &Value) -> Option<&Vec<Value>> {
    ["oneOf", "anyOf"]
        .iter()
        .find_map(|name| value[name].as_array())
}

fn type_name(value: &Value) -> Option<&str> {
    value["$ref"].as_str()?.strip_prefix("#/$defs/")
}

/// The type of a suite's table: of each entry, or of the table if it is there.
fn referred(table: &Value) -> Option<&str> {
    let inner = [table, &table["items"], &table["additionalProperties"]];
    let direct = inner.into_iter().find_map(type_name);
    direct.or_else(|| variants(table)?.iter().find_map(type_name))
}

fn default(value: &Value) -> String {
    match value.get("default") {
        None | Some(Value::Null) => String::new(),
        Some(default) => match (default.to_string(), default) {
            (text, Value::Array(list)) if text.len() > LONG => format!("{} entries", list.len()),
            (text, _) => format!("`{text}`"),
        },
    }
}

fn meaning(value: &Value) -> String {
    escaped(
        &value["description"]
            .as_str()
            .unwrap_or_default()
            .replace('\n', " "),
    )
}

/// Text in which only what is between backticks is code: no tag, no link.
fn escaped(text: &str) -> String {
    let parts = text.split('`').enumerate();
    let parts = parts.map(|(ix, part)| match ix % 2 {
        0 => part.replace('<', "&lt;").replace('[', "\\["),
        _ => part.to_owned(),
    });
    parts.collect::<Vec<_>>().join("`")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_table_an_entry_and_a_type_have_their_keys() {
        let schema = json!({
            "properties": {
                "app": {"type": "array", "items": {"$ref": "#/$defs/App"}, "description": "The apps."},
                "retries": {"anyOf": [{"$ref": "#/$defs/Retries"}, {"type": "null"}]},
            },
            "$defs": {
                "App": {"properties": {"mode": {"$ref": "#/$defs/Mode", "default": "a", "description": "A | `<b>` <c>."},
                    "nets": {"type": "array", "items": {"anyOf": [{"type": "string"}, {"properties": {"x": {}}}, {"properties": {"x": {}}}]}}}},
                "Retries": {"properties": {"count": {"type": "integer", "minimum": 0, "maximum": 9, "default": 3}}},
                "Net": {"anyOf": [{"enum": ["off"]}, {"oneOf": [{}], "properties": {"x": {}}}, {"properties": {"x": {}}}]},
                "Mode": {"oneOf": [{"const": "a", "description": "First."}, {"const": "b", "description": "Second."}]},
            },
        });
        let page = Page::new(&schema).unwrap().text().unwrap();
        for part in [
            "## `[[app]]` {#app}\n\nThe apps.\n",
            "| `mode` | [Mode](#type-mode) | `\"a\"` | A \\| `<b>` &lt;c>. |",
            "| `nets` | array of string or table of `x` |  |  |",
            "\n- `\"off\"`\n- table of `x`\n",
            "| `count` | integer, 0 to 9 | `3` |  |",
            "## Mode {#type-mode}\n",
            "- `\"b\"`: Second.",
        ] {
            assert!(page.contains(part), "{part}\nis not in\n{page}");
        }
        assert!(Page::new(&json!({})).is_err());
    }
}
