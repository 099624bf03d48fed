//! The examples load, the schema validates them, and the fullest one leaves
//! nothing out.

use std::collections::BTreeSet;

use crate::common::root;
use camino::Utf8PathBuf;
use droidtest::config::{Request, Suite, load, schema, show};
use droidtest::run::Plan;
use serde_json::Value;

fn examples() -> Vec<Utf8PathBuf> {
    let folder = Utf8PathBuf::try_from(root().join("example-configs")).unwrap();
    let mut files: Vec<_> = folder
        .read_dir_utf8()
        .unwrap()
        .map(|entry| entry.unwrap().into_path())
        .filter(|path| path.extension() == Some("toml"))
        .collect();
    files.sort();
    files
}

fn loaded(file: &Utf8PathBuf, profile: Option<&str>) -> Suite {
    let request = Request {
        suite: Some(file.clone()),
        profile: profile.map(str::to_owned),
        ..Request::default()
    };
    load(&request).unwrap_or_else(|problems| panic!("{file}: {problems}"))
}

#[test]
fn every_example_loads_and_plans_with_every_profile() {
    let files = examples();
    assert!(files.len() >= 5);
    for file in files {
        for profile in loaded(&file, None).profiles {
            let suite = loaded(&file, Some(&profile));
            let plan = Plan::new(&suite).unwrap_or_else(|problems| panic!("{file}: {problems}"));
            assert!(!plan.entries.is_empty(), "{file}");
        }
    }
}

#[test]
fn the_schema_validates_every_example() {
    let validator = jsonschema::validator_for(schema::document()).unwrap();
    for file in examples() {
        let text = std::fs::read_to_string(&file).unwrap();
        let value: Value = toml::from_str(&text).unwrap();
        let errors: Vec<_> = validator
            .iter_errors(&value)
            .map(|error| error.to_string())
            .collect();
        assert!(errors.is_empty(), "{file}: {errors:#?}");
    }
}

#[test]
fn the_schema_refuses_what_the_loader_refuses() {
    let validator = jsonschema::validator_for(schema::document()).unwrap();
    for text in [
        "[suite]\nevents = 3",
        "[suite]\nseeds = []",
        "[suite.budget]\ntime = \"soon\"",
        "[[app]]\nname = \"x\"",
        "[[app]]\nname = \"x\"\napk = \"x.apk\"\nmodel = \"x.json\"",
        "[[device]]\nname = \"x\"\nkind = \"jvm\"\nsemantics = \"clean\"",
        "[[device]]\nname = \"x\"\nkind = \"jvm\"\napi = 37",
        "[[strategy]]\nkind = \"radnom\"",
        "[oracles]\nanr = \"loud\"",
        "[profile.ci]\nbudget = 3",
    ] {
        let value: Value = toml::from_str(text).unwrap();
        assert!(!validator.is_valid(&value), "{text}");
    }
}

#[test]
fn the_fullest_example_has_every_key_of_the_schema() {
    let root = schema::document();
    let mut known = BTreeSet::new();
    for (table, property) in root["properties"].as_object().unwrap() {
        if table != "profile" {
            keys_of_schema(root, property, table, &mut known);
        }
    }
    let text = std::fs::read_to_string(
        examples()
            .iter()
            .find(|file| file.file_name() == Some("full.toml"))
            .unwrap(),
    )
    .unwrap();
    let value: Value = toml::from_str(&text).unwrap();
    let mut used = BTreeSet::new();
    keys_of_value(&value, "", &mut used);
    let missing: Vec<_> = known.difference(&used).collect();
    assert!(missing.is_empty(), "full.toml lacks {missing:?}");
}

fn keys_of_schema(root: &Value, schema: &Value, path: &str, keys: &mut BTreeSet<String>) {
    let schema = schema::resolve(root, schema);
    keys.insert(path.to_owned());
    // The keys of a strategy inside another one are those of strategies.
    if schema["x-not-inside"].is_array() {
        return;
    }
    for branch in ["oneOf", "anyOf"]
        .iter()
        .filter_map(|key| schema[key].as_array())
        .flatten()
    {
        keys_of_schema(root, branch, path, keys);
    }
    if let Some(items) = schema.get("items") {
        keys_of_schema(root, items, path, keys);
    }
    let properties = schema["properties"].as_object().into_iter().flatten();
    for (key, property) in properties.filter(|(_, property)| property["deprecated"] != true) {
        keys_of_schema(root, property, &format!("{path}.{key}"), keys);
    }
}

fn keys_of_value(value: &Value, path: &str, keys: &mut BTreeSet<String>) {
    keys.insert(path.to_owned());
    match value {
        Value::Object(table) => {
            for (key, value) in table {
                let path = if path.is_empty() {
                    key.clone()
                } else {
                    format!("{path}.{key}")
                };
                keys_of_value(value, &path, keys);
            }
        }
        Value::Array(items) => items
            .iter()
            .for_each(|item| keys_of_value(item, path, keys)),
        _ => {}
    }
}

#[test]
fn what_show_config_prints_loads_to_the_same_settings() {
    for file in examples() {
        for origin in [false, true] {
            let suite = loaded(&file, None);
            let folder = tempfile::tempdir().unwrap();
            let copy = Utf8PathBuf::from_path_buf(folder.path().join("copy.toml")).unwrap();
            std::fs::write(&copy, show::toml(&suite, origin).unwrap()).unwrap();
            assert_eq!(loaded(&copy, None).settings, suite.settings, "{file}");
        }
    }
}

#[test]
fn the_defaults_that_the_fullest_example_names_are_the_defaults() {
    let file = examples()
        .into_iter()
        .find(|file| file.file_name() == Some("full.toml"))
        .unwrap();
    let full = loaded(&file, None).settings;
    let default = droidtest::config::Settings::default();
    assert_eq!(full.reward, default.reward);
    assert_eq!(full.minimize, default.minimize);
    assert_eq!(full.oracles, default.oracles);
    // Its default depends on another table.
    let report = droidtest::config::Report {
        sarif: Some(true),
        ..default.report
    };
    assert_eq!(full.report, report);
    assert_eq!(full.retries, default.retries);
    assert_eq!(full.faults, default.faults);
    assert_eq!(full.bench.cost, default.bench.cost);
    assert_eq!(
        full.devices[0].kind,
        droidtest::config::Device::defaults(None)[0].kind
    );
}

/// Keys of strategies whose values in the fullest example are no defaults: their comments say so.
const EXAMPLES: [&str; 10] = [
    "base",
    "demonstrations",
    "embedding",
    "learned-after",
    "members",
    "model",
    "policy",
    "policy-learning-rate",
    "strings",
    "system-every",
];

#[test]
fn the_settings_of_strategies_in_the_fullest_example_are_the_defaults() {
    let text = std::fs::read_to_string(root().join("example-configs/full.toml")).unwrap();
    let full: Value = toml::from_str(&text).unwrap();
    let mut compared = 0;
    let mut other = Vec::new();
    for table in full["strategy"].as_array().unwrap() {
        let kind = table["kind"].as_str().unwrap();
        let entry = droidtest::strategy::entry(kind).unwrap();
        let default = entry.with(serde_json::Map::new()).unwrap();
        let own = table.as_object().unwrap().iter();
        let own = own.filter(|(key, _)| !["kind", "name"].contains(&key.as_str()));
        // Monkey's shares: those of the example are what is left for each.
        let own = own.filter(|(key, _)| !key.starts_with("pct-"));
        for (key, value) in own.filter(|(key, _)| !EXAMPLES.contains(&key.as_str())) {
            let default = default.values().get(key).unwrap_or(&Value::Null);
            let same = value == default
                || value
                    .as_f64()
                    .is_some_and(|number| Some(number) == default.as_f64());
            if !same {
                other.push(format!(
                    "`{key}` of `{kind}` is {value}, by default {default}"
                ));
            }
            compared += 1;
        }
    }
    assert!(compared > 70, "{compared}");
    assert_eq!(other, Vec::<String>::new());
}
