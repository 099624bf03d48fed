//! The house rules that a compiler does not check: layers, file lengths, dependencies that are really used.

use crate::common::{self, root};
use regex::Regex;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// The layers from the ground up. A module uses its folder and lower layers; two modules on one layer do not
/// know each other. `CONTRIBUTING.md` draws the picture.
const LAYERS: &[&[&str]] = &[
    &["util", "exit_code"],
    &["gui"],
    &["outcome", "graph"],
    &["trace", "android"],
    &["settings", "corpus"],
    &["apk"],
    &["embed", "learn", "device"],
    &["step"],
    &["oracle", "coverage", "feature"],
    &["reward", "strategy"],
    &["config"],
    &["explore"],
    &["repro"],
    &["run"],
    &["report", "gate", "doctor", "bench", "export"],
    &["watch"],
    &["cli"],
];

/// Lines a source file may have.
const LONGEST: usize = 400;

#[test]
fn modules_use_only_lower_layers() {
    let mut complaints = Vec::new();
    let sources = files(&root().join("src"), &["rs"]);
    let tests: BTreeSet<_> = sources.iter().flat_map(|file| test_files(file)).collect();
    // The programs in `src/bin` are next to the library, not in it.
    let programs = root().join("src/bin");
    let layered = |file: &&PathBuf| !tests.contains(*file) && !file.starts_with(&programs);
    for file in sources.iter().filter(layered) {
        complaints.extend(check_layers(file));
    }
    assert!(
        complaints.is_empty(),
        "{} uses of a layer that is not lower:\n{}",
        complaints.len(),
        complaints.join("\n")
    );
}

#[test]
fn no_source_file_is_too_long() {
    let folders = ["crates", "src", "tests", "xtask"].map(|folder| root().join(folder));
    let long: Vec<_> = folders
        .iter()
        .flat_map(|folder| files(folder, &["rs", "java"]))
        .filter_map(|file| {
            let lines = read(&file).lines().count();
            (lines > LONGEST).then(|| format!("{}: {lines} lines", name(&file)))
        })
        .collect();
    assert!(
        long.is_empty(),
        "files of more than {LONGEST} lines (one concept a file: which are the two in it?):\n{}",
        long.join("\n")
    );
}

#[test]
fn every_dependency_is_used() {
    let manifest: toml::Table = read(&root().join("Cargo.toml")).parse().unwrap();
    let mut dependencies = BTreeSet::new();
    let mut collect = |table: &toml::Table| {
        if let Some(found) = table.get("dependencies").and_then(toml::Value::as_table) {
            dependencies.extend(found.keys().cloned());
        }
    };
    collect(&manifest);
    for target in manifest["target"].as_table().unwrap().values() {
        collect(target.as_table().unwrap());
    }
    let code: String = files(&root().join("src"), &["rs"])
        .iter()
        .map(|file| without_tests(&blank_comments_and_texts(&read(file))))
        .collect();
    let unused: Vec<_> = dependencies
        .iter()
        // Named for what its build script tells ours (build.rs), not for its code.
        .filter(|name| *name != "torch-sys")
        .filter(|name| {
            let used = format!(r"\b{}\s*(::|;|\{{)", name.replace('-', "_"));
            !Regex::new(&used).unwrap().is_match(&code)
        })
        .map(String::as_str)
        .collect();
    assert!(
        unused.is_empty(),
        "dependencies in Cargo.toml that src does not use: {}",
        unused.join(", ")
    );
}

/// All files with one of these endings, in order; build outputs left out.
fn files(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let mut found = common::files(folder);
    found.retain(|file| {
        let below = file.strip_prefix(folder).unwrap();
        let wanted = |e: &OsStr| endings.iter().any(|ending| e == *ending);
        file.extension().is_some_and(wanted) && !below.iter().any(|part| part == "build")
    });
    found
}

fn read(file: &Path) -> String {
    fs::read_to_string(file).unwrap()
}

fn regex(text: &str) -> Regex {
    Regex::new(text).unwrap()
}

fn name(file: &Path) -> String {
    let relative = file.strip_prefix(root()).unwrap();
    relative.to_string_lossy().replace('\\', "/")
}

/// The module path of a file below `src`: `gui/event.rs` is `[gui, event]`, `gui/mod.rs` is `[gui]`.
fn module(file: &Path) -> Vec<String> {
    let relative = file
        .strip_prefix(root().join("src"))
        .unwrap()
        .with_extension("");
    let mut path: Vec<_> = relative
        .iter()
        .map(|part| part.to_string_lossy().into_owned())
        .collect();
    if path.last().is_some_and(|last| last == "mod") || path == ["lib"] {
        path.pop();
    }
    path
}

fn layer(module: &str) -> Option<usize> {
    LAYERS.iter().position(|layer| layer.contains(&module))
}

fn check_layers(file: &Path) -> Vec<String> {
    let path = module(file);
    // lib.rs and main.rs are above all.
    let Some(own) = path.first().filter(|own| *own != "main") else {
        return Vec::new();
    };
    let Some(own_layer) = layer(own) else {
        return vec![format!(
            "{}: `{own}` has no layer yet: give it one in LAYERS",
            name(file)
        )];
    };
    let code = without_tests(&blank_comments_and_texts(&read(file)));
    let complain = |(at, used): (usize, String)| {
        let line = code[..at].matches('\n').count() + 1;
        let place = format!("{}:{line}", name(file));
        match layer(&used) {
            _ if used == *own => None,
            None => Some(format!(
                "{place}: `{used}` has no layer yet: give it one in LAYERS"
            )),
            Some(layer) if layer < own_layer => None,
            Some(layer) => {
                let relation = if layer == own_layer {
                    "on the same layer as"
                } else {
                    "above"
                };
                Some(format!(
                    "{place}: `{own}` uses `{used}`, which is {relation} it: move what is shared to a layer below both"
                ))
            }
        }
    };
    top_level_modules(&code, &path)
        .into_iter()
        .filter_map(complain)
        .collect()
}

/// The top-level modules that the code names through `crate::` or `super::`, with where it does.
fn top_level_modules(code: &str, path: &[String]) -> Vec<(usize, String)> {
    static START: LazyLock<Regex> =
        LazyLock::new(|| regex(r"\b(crate\s*::\s*|(?:super\s*::\s*)+)(\{|\w+)"));
    let mut found = Vec::new();
    for reference in START.captures_iter(code) {
        let at = reference.get(0).unwrap().start();
        let prefix = &reference[1];
        let up = prefix.matches("super").count();
        let depth = path.len() + inline_modules(code, at);
        // `super` from the top-level module itself leads to the crate, from deeper ones stays in the folder.
        if prefix.starts_with("super") && depth > up {
            continue;
        }
        let rest = reference.get(2).unwrap();
        if rest.as_str() == "{" {
            found.extend(
                group(&code[rest.start()..])
                    .into_iter()
                    .map(|name| (at, name)),
            );
        } else {
            found.push((at, rest.as_str().to_owned()));
        }
    }
    found
}

/// The first names in a group: `{a::b, c::{d, e}}` gives `a` and `c`.
fn group(code: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut depth = 0;
    let mut expected = true;
    let mut word = String::new();
    for c in code.chars() {
        if depth == 1 && expected && (c.is_alphanumeric() || c == '_') {
            word.push(c);
            continue;
        }
        if !word.is_empty() {
            names.push(std::mem::take(&mut word));
            expected = false;
        }
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 1 => expected = true,
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    names
}

/// In how many `mod x { .. }` of this file does the place lie?
fn inline_modules(code: &str, at: usize) -> usize {
    static START: LazyLock<Regex> = LazyLock::new(|| regex(r"\bmod\s+\w+\s*\{"));
    START
        .find_iter(&code[..at])
        .filter(|module| block_end(code, module.end() - 1) > at)
        .count()
}

/// Where the block that opens at `open` ends.
fn block_end(code: &str, open: usize) -> usize {
    let mut depth = 0;
    for (at, c) in code[open..].char_indices() {
        match c {
            '{' => depth += 1,
            '}' => {
                depth -= 1;
                if depth == 0 {
                    return open + at + 1;
                }
            }
            _ => {}
        }
    }
    code.len()
}

/// The items that are compiled for tests only, as ranges of the code.
fn test_items(code: &str) -> Vec<std::ops::Range<usize>> {
    static START: LazyLock<Regex> =
        LazyLock::new(|| regex(r"#\[cfg\((?:test|all\(test\b[^\]]*)\)\]"));
    let mut items: Vec<std::ops::Range<usize>> = Vec::new();
    for attribute in START.find_iter(code) {
        if items
            .last()
            .is_some_and(|item| item.end > attribute.start())
        {
            continue;
        }
        let end = code[attribute.end()..]
            .find(['{', ';'])
            .map_or(code.len(), |at| {
                let at = attribute.end() + at;
                if code.as_bytes()[at] == b'{' {
                    block_end(code, at)
                } else {
                    at + 1
                }
            });
        items.push(attribute.start()..end);
    }
    items
}

pub fn without_tests(code: &str) -> String {
    let mut out = code.to_owned();
    for item in test_items(code).into_iter().rev() {
        let lines = code[item.clone()].matches('\n').count();
        out.replace_range(item, &"\n".repeat(lines));
    }
    out
}

/// Files that hold test-only modules, declared by `#[cfg(test)] mod name;`.
fn test_files(file: &Path) -> Vec<PathBuf> {
    let text = read(file);
    static DECLARED: LazyLock<Regex> = LazyLock::new(|| {
        regex(r#"(?:#\[path\s*=\s*"([^"]+)"\]\s*)?(?:pub(?:\([^)]*\))?\s+)?mod\s+(\w+)\s*;$"#)
    });
    let folder = if file.ends_with("mod.rs") || file.ends_with("lib.rs") {
        file.parent().unwrap().to_owned()
    } else {
        file.with_extension("")
    };
    let code = blank_comments_and_texts(&text);
    test_items(&code)
        .into_iter()
        .filter_map(|item| {
            DECLARED
                .captures(&text[item])
                .map(|c| (c.get(1).map(|p| p.as_str().to_owned()), c[2].to_owned()))
        })
        .flat_map(|(path, module)| match path {
            Some(path) => vec![file.with_file_name(path)],
            None => vec![
                folder.join(format!("{module}.rs")),
                folder.join(module).join("mod.rs"),
            ],
        })
        .collect()
}

/// The code with comments and the contents of texts blanked out, byte for byte in place.
fn blank_comments_and_texts(code: &str) -> String {
    static TOKEN: LazyLock<Regex> = LazyLock::new(|| {
        regex(concat!(
            r"//[^\n]*",                                       // line comment
            r"|(?s:/\*.*?\*/)",                                // block comment
            r###"|(?s:b?r"[^"]*"|b?r#".*?"#|b?r##".*?"##)"###, // raw text
            r##"|(?s:b?"(?:[^"\\]|\\.)*")"##,                  // text
            r"|b?'(?:[^'\\\n]|\\[^\n]{1,9}?)'",                // character, no lifetime
        ))
    });
    TOKEN
        .replace_all(code, |found: &regex::Captures<'_>| {
            let blank = |b: u8| if b == b'\n' { '\n' } else { ' ' };
            found[0].bytes().map(blank).collect::<String>()
        })
        .into_owned()
}

#[test]
fn the_checker_sees_through_groups_comments_and_tests() {
    let code = r#"
use crate::{util::text, gui::{Page, Event}, device};
// crate::cli is only mentioned
const TEXT: &str = "crate::report";
fn f<'a>(x: &'a str) -> super::super::config::Suite { '"'; crate::strategy::g() }
#[cfg(test)]
mod tests { use crate::bench; }
"#;
    let code = without_tests(&blank_comments_and_texts(code));
    let path = ["apk".to_owned(), "dex".to_owned()];
    let names: Vec<_> = top_level_modules(&code, &path)
        .into_iter()
        .map(|(_, name)| name)
        .collect();
    assert_eq!(names, ["util", "gui", "device", "config", "strategy"]);
}
