//! Every text that the program can show, in one file to read: `target/visible-strings.txt`.

use crate::common::{files, program, root};
use crate::layering::without_tests;
use regex::Regex;
use std::collections::BTreeSet;
use std::fs;

/// Phrases that no text shows: there is a plainer one for each.
const QUAINT: &str = r"\b(anew|nobody|whoever|thereby|hereby|ran away|held against|of its own|there is none|said to)\b|[^e] is no [a-z]+";

/// Texts of the sources (string literals of at least two words, tests left out), each with its file.
fn of_the_sources() -> BTreeSet<(String, String)> {
    let literal = Regex::new(r#"(?s)"((?:[^"\\]|\\.)*)""#).unwrap();
    let comment = Regex::new(r"(?m)^\s*//.*$").unwrap();
    let words = Regex::new(r"[A-Za-z]{2,}[,;:]? [a-z`{]").unwrap();
    let mut found = BTreeSet::new();
    for path in files(&root().join("src")) {
        let name = path.strip_prefix(root()).unwrap().display().to_string();
        if !name.ends_with(".rs") || name.contains("test") {
            continue;
        }
        let code = comment
            .replace_all(&fs::read_to_string(&path).unwrap(), "")
            .into_owned();
        for text in literal.captures_iter(&without_tests(&code)) {
            // A text may go on in the next line of the source.
            let text = text[1]
                .replace("\\\n", "")
                .split_whitespace()
                .collect::<Vec<_>>()
                .join(" ");
            if words.is_match(&text) {
                found.insert((name.clone(), text));
            }
        }
    }
    found
}

/// Descriptions of the settings, and the help of every command.
fn of_the_interface() -> Vec<(String, String)> {
    let mut all = Vec::new();
    let schema = program::droidtest(root()).arg("schema").output().unwrap();
    let schema = String::from_utf8(schema.stdout).unwrap();
    let description = Regex::new(r#""description": "((?:[^"\\]|\\.)*)""#).unwrap();
    let described = description.captures_iter(&schema);
    all.extend(described.map(|text| ("schema".to_owned(), text[1].to_owned())));
    let help = program::droidtest(root()).arg("--help").output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let command = Regex::new(r"(?m)^  ([a-z-]+)  ").unwrap();
    let commands: Vec<String> = command
        .captures_iter(&help)
        .map(|c| c[1].to_owned())
        .collect();
    assert!(commands.len() > 8, "{commands:?}");
    for command in commands.iter().filter(|command| *command != "help") {
        let help = program::droidtest(root())
            .args([command, "--help"])
            .output()
            .unwrap();
        let help = String::from_utf8(help.stdout).unwrap();
        let lines = help.lines().map(str::trim).filter(|line| !line.is_empty());
        all.extend(lines.map(|line| (format!("{command} --help"), line.to_owned())));
    }
    all
}

#[test]
fn every_visible_text_is_listed_and_none_is_quaint() {
    let mut all: Vec<_> = of_the_sources().into_iter().collect();
    all.extend(of_the_interface());
    let lines: Vec<String> = all
        .iter()
        .map(|(place, text)| format!("{place}: {text}"))
        .collect();
    // Another target folder may be set.
    fs::create_dir_all(root().join("target")).unwrap();
    fs::write(
        root().join("target/visible-strings.txt"),
        lines.join("\n") + "\n",
    )
    .unwrap();
    assert!(lines.len() > 1_500, "{}", lines.len());
    let quaint = Regex::new(QUAINT).unwrap();
    let found: Vec<_> = lines.iter().filter(|line| quaint.is_match(line)).collect();
    assert!(
        found.is_empty(),
        "{} quaint texts:\n{found:#?}",
        found.len()
    );
}
