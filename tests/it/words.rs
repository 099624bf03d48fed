//! Keeps archaic words out of everything that a person reads: docs, source code, templates and example suites.

use crate::common::{self, root};
use regex::Regex;
use std::fs;
use std::path::{Path, PathBuf};

/// Files and folders that are checked.
const CHECKED: &[&str] = &[
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "docs",
    "example-configs",
    "src",
    "templates",
    "xtask",
];

/// The words. `Told` is a type name, so that spelling is left out.
const WORDS: &str =
    r"\b(told|[Mm]end|[Mm]ended|[Mm]ends|[Rr]eckon|[Rr]eckoned|[Bb]egun|[Hh]itherto|[Bb]arren)\b";

/// Old keys that must keep their names: the path, the word, the reason.
const ALLOWED: &[(&str, &str, &str)] = &[
    (
        "src/config/renamed.rs",
        "barren",
        "old key of a setting, in the tests",
    ),
    ("CHANGELOG.md", "barren", "old key of a setting"),
    ("CHANGELOG.md", "mend", "old key in the JSON of `doctor`"),
    (
        "src/strategy/dinodroid/settings.rs",
        "barren",
        "old key of a setting",
    ),
];

#[test]
fn no_archaic_words() {
    let words = Regex::new(WORDS).expect("a valid pattern");
    let mut found = Vec::new();
    for path in CHECKED.iter().flat_map(|path| files(&root().join(path))) {
        let name = name(&path);
        // Word vectors, policies and pictures are not text.
        let Ok(text) = fs::read_to_string(&path) else {
            continue;
        };
        for (number, line) in text.lines().enumerate() {
            let hits = words.find_iter(line).map(|hit| hit.as_str());
            let hits = hits.filter(|word| !is_allowed(&name, word));
            found.extend(hits.map(|word| format!("{name}:{}: {word}", number + 1)));
        }
    }
    assert!(
        found.is_empty(),
        "{} archaic words; use modern technical English:\n{}",
        found.len(),
        found.join("\n")
    );
}

fn is_allowed(name: &str, word: &str) -> bool {
    ALLOWED
        .iter()
        .any(|(path, allowed, _)| *path == name && *allowed == word)
}

/// All files below a path, in order; the path itself if it is a file.
fn files(path: &Path) -> Vec<PathBuf> {
    if path.is_file() {
        return vec![path.to_owned()];
    }
    common::files(path)
}

fn name(path: &Path) -> String {
    let path = path.strip_prefix(root()).expect("a file of the repository");
    path.display().to_string().replace('\\', "/")
}
