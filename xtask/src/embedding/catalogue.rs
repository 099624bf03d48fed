//! Catalogues of texts: JSON, Java's properties, and scripts that hold nothing else.

use super::read::{bytes, json};
use crate::Result;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// Texts by key, in one language. What stands inside something else has its key behind a `/`.
pub type Catalogue = BTreeMap<String, String>;

/// The name that a key gives a text: its last part.
pub fn name(key: &str) -> String {
    key.rsplit(['/', '.']).next().unwrap_or(key).to_owned()
}

/// A JSON file of texts, however deep.
pub fn json_catalogue(file: &Path) -> Result<Catalogue> {
    fn walk(value: &Value, key: &str, into: &mut Catalogue) {
        match value {
            Value::String(text) => drop(into.insert(key.to_owned(), text.clone())),
            Value::Object(parts) => {
                for (name, part) in parts {
                    walk(part, &format!("{key}/{name}"), into);
                }
            }
            _ => {}
        }
    }
    let mut catalogue = Catalogue::new();
    walk(&json(file)?, "", &mut catalogue);
    Ok(catalogue)
}

/// Java's properties in UTF-8, `key=text` a line.
pub fn properties(file: &Path) -> Result<Catalogue> {
    let text = String::from_utf8_lossy(&bytes(file)?).into_owned();
    let entries = text
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once('='));
    Ok(entries
        .map(|(key, text)| (key.trim().to_owned(), text.replace("''", "'")))
        .collect())
}

/// A script as bundlers write one: `key: "text",` or `var key = "text";` a line, `key: {` and `var key = {` around
/// what stands inside.
pub fn script(file: &Path) -> Result<Catalogue> {
    Ok(entries(&String::from_utf8_lossy(&bytes(file)?)))
}

fn entries(text: &str) -> Catalogue {
    let mut catalogue = Catalogue::new();
    let mut inside: Vec<&str> = Vec::new();
    for line in text.lines().map(str::trim) {
        if line.starts_with('}') {
            inside.pop();
            continue;
        }
        let cut = |at: &'static str| line.rsplit_once(at).filter(|(_, end)| end.is_empty());
        if let Some((key, _)) = cut(": {").or_else(|| cut(" = {")) {
            // What a variable is called differs by language.
            let whole = key.starts_with("var ") || key.starts_with("const ");
            inside.push(if whole { "" } else { bare(key) });
            continue;
        }
        let parted = [": \"", " = \""].iter().find_map(|at| {
            let place = line.find(at)?;
            Some((&line[..place], &line[place + at.len() - 1..]))
        });
        let Some((key, text)) = parted else {
            continue;
        };
        // Of a script's escapes only `\xFC` is not also JSON's.
        let text = text.trim_end_matches([',', ';']).replace("\\x", "\\u00");
        if let Ok(text) = serde_json::from_str::<String>(&text) {
            let parts = inside.iter().copied().chain([bare(key)]);
            let parts: Vec<_> = parts.filter(|part| !part.is_empty()).collect();
            catalogue.insert(parts.join("/"), text);
        }
    }
    catalogue
}

fn bare(key: &str) -> &str {
    key.trim_start_matches("var ")
        .trim_start_matches("const ")
        .trim_matches(['"', '\''])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_scripts_are_found_under_their_keys() {
        let text = "var Save = \"Speichern\";\nvar labels = {\n  \"a b\": \"\\xDCber\",\n  deep: {\n    ok: \"OK\"\n  }\n};\n";
        let found = entries(text);
        let found: Vec<_> = found
            .iter()
            .map(|(k, t)| (k.as_str(), t.as_str()))
            .collect();
        let expected = [("Save", "Speichern"), ("a b", "Über"), ("deep/ok", "OK")];
        assert_eq!(found, expected);
        assert_eq!(name("labels/dialog.ok"), "ok");
    }
}
