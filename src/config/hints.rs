//! The fixes that an error of [`super::check`] suggests.

use serde_json::Value as Json;

use super::diagnose::listed;
use super::schema::resolve;
use super::source::{Node, Source, Value};

/// The depth of the search, which is at least the schema's.
const DEPTH: u8 = 6;
/// The integers of TOML have 64 bits.
const LARGEST: f64 = 9_223_372_036_854_775_808.0;

/// The table that a misplaced key belongs to: one within the table at `path`, which has this schema, else any.
pub fn home_of(root: &Json, schema: &Json, path: &str, key: &str) -> Option<String> {
    search(root, schema, key, path, DEPTH).or_else(|| search(root, root, key, "", DEPTH))
}

/// The kinds of a tagged table that have this key, as a clause.
pub fn kinds_with(kinds: &[Json], key: &str) -> Option<String> {
    let has = |kind: &&Json| kind["properties"].get(key).is_some();
    let names: Vec<&str> = kinds
        .iter()
        .filter(has)
        .filter_map(|kind| kind["properties"]["kind"]["const"].as_str())
        .collect();
    let have = if names.len() == 1 { "has" } else { "have" };
    (!names.is_empty()).then(|| format!("{} {have} it", listed(&names)))
}

fn search(root: &Json, schema: &Json, key: &str, path: &str, depth: u8) -> Option<String> {
    let depth = depth.checked_sub(1)?;
    let schema = resolve(root, schema);
    let branches = schema["oneOf"]
        .as_array()
        .or(schema["anyOf"].as_array())
        .map_or(&[][..], Vec::as_slice);
    let branches = branches.iter().map(|branch| resolve(root, branch));
    for object in std::iter::once(schema).chain(branches) {
        let Some(properties) = object["properties"].as_object() else {
            continue;
        };
        if properties.contains_key(key) {
            return Some(match (path, properties.get("kind")) {
                ("", _) => "the top of the file".to_owned(),
                (path, Some(kind)) => match kind["const"].as_str() {
                    Some(kind) => format!("`{path}` where `kind` is \"{kind}\""),
                    None => format!("`{path}`"),
                },
                (path, None) => format!("`{path}`"),
            });
        }
        for (name, property) in properties.iter().filter(|(name, _)| *name != "profile") {
            let path = match path {
                "" => name.clone(),
                path => format!("{path}.{name}"),
            };
            if let Some(found) = search(root, property, key, &path, depth) {
                return Some(found);
            }
        }
    }
    schema
        .get("items")
        .and_then(|items| search(root, items, key, path, depth))
}

/// `a string, true or false, or a table`.
pub fn kinds_named(kinds: &[&str]) -> String {
    let names: Vec<_> = kinds.iter().map(|kind| kind_name(kind)).collect();
    match names.as_slice() {
        [] => "something else".to_owned(),
        [one] => (*one).to_owned(),
        [one, other] if !other.contains(" or ") => format!("{one} or {other}"),
        [head @ .., last] => format!("{}, or {last}", head.join(", ")),
    }
}

fn kind_name(kind: &str) -> &str {
    match kind {
        "string" => "a string",
        "integer" => "an integer",
        "number" => "a number",
        "boolean" => "true or false",
        "array" => "an array",
        "object" => "a table",
        other => other,
    }
}

/// The values of a closed list of words, with `true` and `false` if they are allowed.
pub fn values_help(words: &[&str], or_bool: bool) -> String {
    let mut values: Vec<_> = words.iter().map(|word| format!("{word:?}")).collect();
    if or_bool {
        values.extend(["true".to_owned(), "false".to_owned()]);
    }
    match values.as_slice() {
        [one] => format!("the only value is {one}"),
        [head @ .., last] => format!("the values are {} and {last}", head.join(", ")),
        [] => "there are no values".to_owned(),
    }
}

/// How to fix a value of the wrong type. `has_form`: a string with a format, such as a duration; `words`: the strings
/// of a closed list.
pub fn retype(kinds: &[&str], words: &[&str], value: &Value, has_form: bool) -> String {
    let takes = |kind: &str| kinds.contains(&kind);
    if !words.is_empty() && !matches!(value, Value::String(_)) {
        return values_help(words, takes("boolean"));
    }
    match value {
        Value::Integer(number) if has_form => {
            format!("write it with a unit, such as \"{number}s\"")
        }
        Value::String(text)
            if takes("number") && text.parse().is_ok_and(f64::is_finite)
                || takes("integer") && text.parse::<i64>().is_ok() =>
        {
            format!("write {text} without quotes")
        }
        Value::String(text) if takes("boolean") && (text == "true" || text == "false") => {
            format!("write {text} without quotes")
        }
        Value::Integer(number) if takes("string") => format!("write \"{number}\", in quotes"),
        Value::Float(number) if takes("integer") && number.abs() < LARGEST => {
            format!("write {}", number.trunc())
        }
        Value::String(text) if takes("array") => format!("put it in brackets: [{text:?}]"),
        Value::Integer(number) if takes("array") => format!("put it in brackets: [{number}]"),
        _ => format!("write {}", kinds_named(kinds)),
    }
}

/// The fix where one table and a list of tables were confused, at the keys `path`.
pub fn bracketing(kind: &str, path: &[String], node: &Node, source: &Source) -> Option<String> {
    let text = source.text.get(node.span.clone()).unwrap_or_default();
    let inline = text.trim_start_matches(['[', ' ', '\n']).starts_with('{');
    let is_table = |node: &Node| matches!(node.value, Value::Table(_));
    let path = path.join(".");
    match (&node.value, kind) {
        (Value::Table(_), "array") if inline => Some(format!(
            "put it in brackets, `[{{ ... }}]`, or write `[[{path}]]`: there may be several"
        )),
        (Value::Table(_), "array") => Some(format!("write `[[{path}]]`: there may be several")),
        (Value::Array(items), "object") if !items.iter().all(is_table) => None,
        (Value::Array(_), "object") if inline => {
            Some("write one table, without brackets around it: there is only one".to_owned())
        }
        (Value::Array(_), "object") => Some(format!("write `[{path}]`: there is only one")),
        _ => None,
    }
}

/// A description in the middle of a sentence.
pub fn uncapitalised(text: &str) -> String {
    let mut letters = text.trim_end_matches('.').chars();
    match letters.next() {
        Some(first) => first.to_lowercase().chain(letters).collect(),
        None => String::new(),
    }
}

/// What is expected, without its examples and limits.
pub(super) fn short(expected: &str) -> &str {
    expected
        .split(" such as ")
        .next()
        .unwrap_or(expected)
        .split(" of at most ")
        .next()
        .unwrap_or(expected)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_misplaced_key_belongs_into_the_nearest_table_that_has_it() {
        let time = json!({ "properties": { "time": {} } });
        let suite = json!({ "properties": { "budget": time } });
        let root = json!({ "properties": { "bench": time, "suite": suite } });
        let home = |schema: &Json, path| home_of(&root, schema, path, "time");
        assert_eq!(home(&suite, "suite").unwrap(), "`suite.budget`");
        assert_eq!(home(&json!({}), "gate").unwrap(), "`bench`");
    }
}
