//! `run --message-format json`: each line fits the schema in the docs, in the order that they describe.

use crate::common::program::Desk;
use crate::common::{root, shop};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;

const SUITE: &str = "[suite]\nname = \"s\"\nbudget = { events = 40 }\nseeds = [1, 2, 3]\n\
    [[app]]\nname = \"shop\"\nmodel = \"shop.json\"\n[[strategy]]\nkind = \"random\"\n";

fn schema() -> Value {
    let text = fs::read_to_string(root().join("docs/json.schema.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// The kinds of lines that the schema has.
fn kinds() -> BTreeSet<String> {
    let schema = schema();
    let kinds = schema["oneOf"].as_array().unwrap().iter();
    let kind = |one: &Value| one["properties"]["e"]["const"].as_str().unwrap().to_owned();
    kinds.map(kind).collect()
}

/// Runs the program; its lines, and its exit code.
fn lines(desk: &Desk, args: &str) -> (Vec<Value>, i32) {
    let ended = desk.tool(&format!("run --message-format json {args}"));
    let lines = ended
        .out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap());
    let lines: Vec<Value> = lines.collect();
    assert!(!lines.is_empty(), "{}", ended.err);
    (lines, ended.code)
}

fn kind(line: &Value) -> &str {
    line["e"].as_str().unwrap()
}

#[test]
fn every_line_fits_the_schema_and_the_last_one_has_the_exit_code() {
    let desk = Desk::new(SUITE);
    desk.write("shop.json", shop::model("no"));
    let (lines, code) = lines(&desk, "-j 1");
    let validator = jsonschema::validator_for(&schema()).unwrap();
    for line in &lines {
        let errors: Vec<_> = validator.iter_errors(line).map(|e| e.to_string()).collect();
        assert!(errors.is_empty(), "{line}: {errors:?}");
    }
    let found: Vec<_> = lines.iter().map(kind).collect();
    assert_eq!(&found[..4], ["run", "prepared", "start", "progress"]);
    assert_eq!(found[found.len() - 3..], ["summary", "written", "finish"]);
    for (wanted, count) in [("start", 3), ("end", 3), ("finding", 3), ("minimized", 1)] {
        assert_eq!(
            found.iter().filter(|e| **e == wanted).count(),
            count,
            "{wanted}: {found:?}"
        );
    }
    assert_eq!(lines[0]["at-once"], 1);
    assert_eq!(lines[2]["budget"]["events"], 40);
    let done = lines.iter().filter(|line| kind(line) == "progress");
    let done: BTreeSet<_> = done
        .map(|line| line["sessions-done"].as_u64().unwrap())
        .collect();
    assert_eq!(done, BTreeSet::from([0, 1, 2]));
    let end = lines.last().unwrap();
    assert_eq!((code, &end["code"]), (100, &Value::from(100)));
    assert_eq!(end["finished"].as_array().unwrap().len(), 3);
    assert_eq!(end["resume"], Value::Null);
    let written = lines[lines.len() - 2]["files"].to_string();
    assert!(written.contains("report.html"), "{written}");
}

#[test]
fn most_detail_has_the_lines_of_the_journals_once() {
    let desk = Desk::new(SUITE);
    desk.write("shop.json", shop::model("no"));
    let (lines, _) = lines(&desk, "-vv --seed 7 --run-id r");
    let count = |wanted: &str| lines.iter().filter(|line| kind(line) == wanted).count();
    assert_eq!(count("step"), 40);
    assert_eq!(
        (count("finding"), count("end"), count("session")),
        (1, 1, 1)
    );
}

#[test]
fn the_docs_describe_each_kind_of_line() {
    let text = fs::read_to_string(root().join("docs/json.md")).unwrap();
    let rows = text
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split_once('`'));
    let rows: BTreeSet<_> = rows.map(|(kind, _)| kind.to_owned()).collect();
    let mut described = rows;
    assert!(described.remove("e"));
    assert_eq!(described, kinds());
}
