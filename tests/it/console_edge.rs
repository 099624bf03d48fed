//! All that is written to the terminal goes through `util::console`, where it is cleaned.

use crate::common::{files, root};
use regex::Regex;
use std::fs;
use std::path::Path;

/// Is all of it a test, by its name or by what declares it?
fn is_test(file: &Path) -> bool {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    stem.ends_with("tests")
        || file.iter().any(|part| part == "tests")
        || file.ends_with("device/sim/expr/python.rs")
}

/// Is it a program next to the tool? The tool reads what such a one writes, as it reads an app's log.
fn is_beside(file: &Path) -> bool {
    file.starts_with(root().join("src/bin"))
}

#[test]
fn nothing_is_written_past_the_console() {
    let past = Regex::new(r"\be?print(ln)?!|\bstd(out|err)\(\)(\.(\w+))?").unwrap();
    let mut files = files(&root().join("src"));
    files.retain(|file| file.extension().is_some_and(|e| e == "rs"));
    let mut complaints = Vec::new();
    for file in files
        .iter()
        .filter(|file| !file.ends_with("util/console.rs"))
    {
        let text = fs::read_to_string(file).unwrap();
        if is_test(file) || is_beside(file) {
            continue;
        }
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        let code = code.split("#[cfg(all(test").next().unwrap_or_default();
        for found in past.captures_iter(code) {
            if found
                .get(4)
                .is_none_or(|what| what.as_str() != "is_terminal")
            {
                complaints.push(format!("{}: {}", file.display(), &found[0]));
            }
        }
    }
    assert!(
        complaints.is_empty(),
        "write through util::console instead:\n{}",
        complaints.join("\n")
    );
}
