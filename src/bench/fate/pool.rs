//! The strings that can be typed: FATE's are the first N + 1 of a list (its sampling includes both ends).

use super::FateError;
use crate::device::sim::Model;
use camino::{Utf8Path, Utf8PathBuf};
use serde_json::Value;
use std::fs;

/// The file that is next to the published models.
const BESIDE: &str = "strings.json";

/// All strings of a model, in order: those of `named`, else of `strings.json` next to the model, else the model's own
/// (`meta.strings`).
///
/// # Errors
/// A file cannot be read or holds no list of strings.
pub fn all(
    named: Option<&Utf8Path>,
    model_file: Option<&Utf8Path>,
    model: &Model,
) -> Result<Vec<String>, FateError> {
    if let Some(file) = named {
        return read(file);
    }
    let beside = model_file.map(|file| file.parent().unwrap_or(Utf8Path::new("")).join(BESIDE));
    match beside.filter(|file: &Utf8PathBuf| file.is_file()) {
        Some(file) => read(&file),
        None => Ok(model.strings.clone()),
    }
}

/// The first `limit` + 1 of them; fewer are an error where the model has text fields, for the figure would be
/// another row's.
///
/// # Errors
/// There are fewer.
pub fn limited(
    mut all: Vec<String>,
    limit: usize,
    model: &Model,
) -> Result<Vec<String>, FateError> {
    let types = model.widgets.iter().any(|widget| widget.editable);
    if types && all.len() <= limit {
        return Err(FateError::Pool(format!(
            "{}: {limit} strings need a list of {}, but it has {}; name a longer one with --pool FILE, or lower \
             --strings",
            model.name,
            limit + 1,
            all.len()
        )));
    }
    if !types {
        // Nothing is ever typed; the number of strings is the action's all the same.
        all.resize(limit + 1, String::new());
    }
    all.truncate(limit + 1);
    Ok(all)
}

/// A JSON list of strings, bare or under `pool`; else a text with one string a line.
fn read(file: &Utf8Path) -> Result<Vec<String>, FateError> {
    let refused = |why: String| FateError::Pool(format!("{file}: {why}"));
    let bytes = fs::read(file).map_err(|e| refused(e.to_string()))?;
    let text = String::from_utf8(bytes).map_err(|e| {
        let whole = &e.as_bytes()[..e.utf8_error().valid_up_to()];
        let line = whole.iter().filter(|byte| **byte == b'\n').count() + 1;
        refused(format!("line {line} is not UTF-8; save the file as UTF-8"))
    })?;
    if !text.trim_start().starts_with(['[', '{']) {
        return Ok(text.lines().map(str::to_owned).collect());
    }
    let json: Value = serde_json::from_str(&text).map_err(|e| refused(e.to_string()))?;
    let list = json.get("pool").unwrap_or(&json);
    let strings = list.as_array().and_then(|items| {
        let texts = items.iter().map(|item| item.as_str().map(str::to_owned));
        texts.collect::<Option<Vec<_>>>()
    });
    strings.ok_or_else(|| {
        refused("not a list of strings; write [\"a\", \"b\"] or {\"pool\": [\"a\", \"b\"]}".into())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_read_in_three_spellings_and_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let file = Utf8PathBuf::from_path_buf(folder.path().join("pool")).unwrap();
        for text in ["a\nb", "[\"a\", \"b\"]", "{\"pool\": [\"a\", \"b\"]}"] {
            fs::write(&file, text).unwrap();
            assert_eq!(read(&file).unwrap(), ["a", "b"]);
        }
        fs::write(&file, b"a\ncaf\xe9").unwrap();
        let latin = read(&file).unwrap_err().to_string();
        assert!(latin.contains("line 2 is not UTF-8"), "{latin}");
        fs::write(&file, "{\"pool\": [1]}").unwrap();
        assert!(
            read(&file)
                .unwrap_err()
                .to_string()
                .contains("list of strings")
        );
    }

    #[test]
    fn too_few_strings_are_refused_where_something_is_typed() {
        let model = Model::builtin("shop").unwrap();
        assert!(limited(vec!["a".into()], 1, &model).is_err());
        assert_eq!(
            limited(vec!["a".into(), "b".into()], 1, &model)
                .unwrap()
                .len(),
            2
        );
    }
}
