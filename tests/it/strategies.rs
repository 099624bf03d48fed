//! `list --strategies`: every strategy with its presets, each of which a suite can name and the documentation describes.

use crate::common::program::Desk;
use crate::common::root;
use droidtest::strategy::ALL;
use droidtest::strategy::definition::Preset;
use regex::Regex;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;

/// A row of the list: the name, the summary and the presets.
type Row = (String, String, Vec<String>);

/// The rows that the program prints for people.
fn printed() -> Vec<Row> {
    let ended = Desk::new("").tool("list --strategies");
    assert_eq!((ended.code, ended.err.as_str()), (0, ""));
    let line = Regex::new(r"^([a-z0-9-]+) {2,}(\S.*?\.)(?: Presets: ([a-z, ]+)\.)?$").unwrap();
    let row = |text: &str| {
        let parts = line.captures(text);
        let parts = parts.unwrap_or_else(|| panic!("not a row: {text}"));
        let presets = parts.get(3).map(|presets| presets.as_str().split(", "));
        let presets = presets.into_iter().flatten().map(str::to_owned);
        (parts[1].to_owned(), parts[2].to_owned(), presets.collect())
    };
    ended.out.lines().map(row).collect()
}

#[test]
fn every_kind_is_listed_with_its_summary_and_its_presets() {
    let rows = printed();
    let names: Vec<_> = rows.iter().map(|(name, ..)| name.as_str()).collect();
    let known: Vec<_> = ALL.iter().map(|entry| entry.name).collect();
    assert_eq!(names, known);
    for ((name, summary, presets), entry) in rows.iter().zip(ALL) {
        assert_eq!(summary, entry.summary, "{name}");
        let known: Vec<_> = entry.presets().into_iter().map(Preset::name).collect();
        assert_eq!(*presets, known, "{name}");
        assert!(presets.is_empty() || presets[0] == "default", "{name}");
    }
    for name in ["random", "monkey", "frontier", "portfolio"] {
        let row = rows.iter().find(|(known, ..)| known == name).unwrap();
        assert!(row.2.is_empty(), "{name}: {:?}", row.2);
    }
    for name in ["dinodroid", "fastbot", "timemachine"] {
        let row = rows.iter().find(|(known, ..)| known == name).unwrap();
        assert_eq!(row.2, ["default", "paper", "published"], "{name}");
    }
}

#[test]
fn the_list_as_json_has_the_same_rows() {
    let ended = Desk::new("").tool("list --strategies --message-format json");
    let list: Value = serde_json::from_str(&ended.out).unwrap();
    assert_eq!(list["version"], 1);
    let row = |row: &Value| -> Row {
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let presets = row["presets"].as_array().unwrap();
        let presets = presets.iter().map(text).collect();
        (text(&row["name"]), text(&row["summary"]), presets)
    };
    let rows: Vec<_> = list["strategies"]
        .as_array()
        .unwrap()
        .iter()
        .map(row)
        .collect();
    assert_eq!(rows, printed());
}

#[test]
fn a_suite_can_name_each_strategy_with_each_of_its_presets() {
    let mut suite = "[[app]]\nname = \"shop\"\nmodel = \"builtin:shop\"\n".to_owned();
    let mut wanted = Vec::new();
    for (kind, _, presets) in printed() {
        suite += &format!("[[strategy]]\nkind = \"{kind}\"\n");
        wanted.push(kind.clone());
        for preset in presets {
            let name = format!("{kind}-{preset}");
            suite += &format!("[[strategy]]\nname = \"{name}\"\nkind = \"{kind}\"\n");
            suite += &format!("preset = \"{preset}\"\n");
            wanted.push(name);
        }
    }
    let ended = Desk::new(&suite).tool("list --message-format json");
    assert_eq!(ended.code, 0, "{}", ended.err);
    let plan: Value = serde_json::from_str(&ended.out).unwrap();
    let sessions = plan["sessions"].as_array().unwrap().iter();
    let planned: Vec<_> = sessions
        .map(|session| session["strategy"].as_str().unwrap())
        .collect();
    assert_eq!(planned, wanted);
}

#[test]
fn the_documentation_has_a_page_for_each_strategy() {
    let folder = root().join("docs/strategies");
    let read = |page: &str| fs::read_to_string(folder.join(page)).unwrap();
    let row = Regex::new(r"(?m)^\| \[(`[^\]]+`)\]\(([a-z-]+\.md)\) \| \S").unwrap();
    let use_it = Regex::new(r"(?m)^\*\*When to use it\.\*\* \S").unwrap();
    let parameters = Regex::new(r"(?m)^## Parameters( and deviations)?$").unwrap();
    let parameter = Regex::new(r"(?m)^\| `[a-z-]+`").unwrap();
    let index = read("index.md");
    let mut pages = BTreeMap::new();
    for row in row.captures_iter(&index) {
        for name in row[1].split(", ") {
            let name = name.trim_matches('`').to_owned();
            pages.insert(name, row[2].to_owned());
        }
    }
    let rows = printed();
    assert_eq!(pages.len(), rows.len(), "of no strategy: {pages:?}");
    for (name, _, presets) in rows {
        let page = pages.get(&name);
        let page = page.unwrap_or_else(|| panic!("index.md has no row of `{name}`"));
        let text = read(page);
        let named = [format!("kind = \"{name}\""), format!("`{name}`")];
        let named = named.iter().any(|words| text.contains(words));
        assert!(named, "{page} does not name `{name}`");
        assert!(use_it.is_match(&text), "{page} has no `When to use it`");
        let part = parameters.find(&text).map(|found| &text[found.end()..]);
        let part = part.unwrap_or_else(|| panic!("{page} has no part `Parameters`"));
        let part = part.split("\n## ").next().unwrap_or_default();
        let table = parameter.is_match(part);
        assert!(table, "{page} has no table of parameters");
        for preset in presets.iter().filter(|preset| *preset != "default") {
            let named = text.contains(&format!("`{preset}`"));
            let set = text.contains(&format!("\"{preset}\""));
            assert!(
                named || set,
                "{page} does not name the preset `{preset}` of `{name}`"
            );
        }
    }
}
