//! The documentation holds together: links lead somewhere, the contents list every page, the README is short and names
//! commands that exist.

use crate::common::{self, root};
use droidtest::exit_code::ExitCode;
use regex::Regex;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

/// The most words of the README.
const WORDS: usize = 700;

fn read(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// Every page: those at the root that the book has, and those in `docs`, by path from the root.
fn pages() -> BTreeMap<String, String> {
    let docs = common::files(&root().join("docs")).into_iter();
    let docs = docs.filter(|path| path.extension().is_some_and(|e| e == "md"));
    let name = |path: PathBuf| {
        let path = path.strip_prefix(root()).expect("a file of the repository");
        path.to_str().expect("UTF-8").replace('\\', "/")
    };
    let first = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(str::to_owned);
    let names = first.into_iter().chain(docs.map(name));
    names.map(|name| (name.clone(), read(&name))).collect()
}

/// The lines of a page that are text or, with `code`, those of its code blocks.
fn lines(page: &str, code: bool) -> impl Iterator<Item = &str> {
    let mut inside = false;
    page.lines().filter(move |line| {
        let fence = line.trim_start().starts_with("```");
        inside ^= fence;
        !fence && inside == code
    })
}

/// The targets of the links and pictures of a page.
fn links(page: &str) -> Vec<String> {
    let code = Regex::new("`[^`]*`").expect("a pattern");
    let link = Regex::new(r"\]\(([^)\s]+)\)").expect("a pattern");
    let text: Vec<_> = lines(page, false)
        .map(|line| code.replace_all(line, ""))
        .collect();
    let found = text.iter().flat_map(|line| link.captures_iter(line));
    found.map(|hit| hit[1].to_owned()).collect()
}

/// The anchors of a page's headings, as GitHub makes them.
fn anchors(page: &str) -> BTreeSet<String> {
    let link = Regex::new(r"\[([^\]]*)\]\([^)]*\)").expect("a pattern");
    let mut seen = BTreeMap::new();
    let headings = lines(page, false).filter(|line| line.starts_with('#'));
    let anchor = |line: &str| {
        let text = link
            .replace_all(line.trim_start_matches('#').trim(), "$1")
            .to_lowercase();
        let kept = text
            .chars()
            .filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        let anchor: String = kept.map(|c| if c == ' ' { '-' } else { c }).collect();
        let count = seen.entry(anchor.clone()).or_insert(0);
        *count += 1;
        match *count {
            1 => anchor,
            n => format!("{anchor}-{}", n - 1),
        }
    };
    headings.map(anchor).collect()
}

/// `target` as seen from a page, without `.` and `..`.
fn resolved(page: &str, target: &str) -> String {
    let folder = Path::new(page).parent().expect("a file");
    let mut parts = Vec::new();
    for part in folder.join(target).components() {
        match part {
            Component::ParentDir => drop(parts.pop()),
            Component::Normal(name) => parts.push(name.to_str().expect("UTF-8").to_owned()),
            _ => {}
        }
    }
    parts.join("/")
}

/// Why a link leads nowhere.
fn broken(page: &str, link: &str, pages: &BTreeMap<String, String>) -> Option<String> {
    if link.contains("://") || link.starts_with("mailto:") {
        return None;
    }
    let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
    let target = match file {
        "" => page.to_owned(),
        _ => resolved(page, file),
    };
    let missing = !root().join(&target).exists();
    if missing && (target.ends_with(".md") || !is_package()) {
        return Some(format!("{page}: {link}: there is no {target}"));
    }
    let other = pages.get(&target)?;
    let found = anchor.is_empty() || anchors(other).contains(anchor);
    (!found).then(|| format!("{page}: {link}: {target} has no heading #{anchor}"))
}

/// A package has no pictures and few apps.
fn is_package() -> bool {
    !root().join(".github").exists()
}

#[test]
fn every_link_leads_to_a_file_and_a_heading_that_exist() {
    let pages = pages();
    let all = pages
        .iter()
        .flat_map(|(page, text)| links(text).into_iter().map(move |link| (page, link)));
    let all: Vec<_> = all.collect();
    assert!(all.len() > 200, "only {} links were seen", all.len());
    let wrong: Vec<_> = all
        .iter()
        .filter_map(|(page, link)| broken(page, link, &pages))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_page_that_the_program_and_the_examples_name_exists() {
    let name = Regex::new(r"docs/[a-z0-9/-]+\.md").expect("a pattern");
    let mut seen = BTreeSet::new();
    for folder in ["src", "example-configs", "templates"] {
        for path in common::files(&root().join(folder)) {
            let text = fs::read_to_string(&path).unwrap_or_default();
            seen.extend(name.find_iter(&text).map(|hit| hit.as_str().to_owned()));
        }
    }
    assert!(seen.len() > 5, "only {seen:?} were seen");
    let missing: Vec<_> = seen
        .iter()
        .filter(|page| !root().join(page).exists())
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn a_broken_link_is_found_and_code_is_not_a_link() {
    let page = "# A `b`, c\n\n[x](#a-b-c) `[y](nowhere.md)`\n```\n[z](nowhere.md)\n# no heading\n```\n## A b c\n[w](gone.md#a)\n";
    let pages = BTreeMap::from([("docs/ci.md".to_owned(), page.to_owned())]);
    assert_eq!(links(page), ["#a-b-c", "gone.md#a"]);
    assert_eq!(
        anchors(page),
        ["a-b-c", "a-b-c-1"].map(str::to_owned).into()
    );
    for (page, link) in [
        ("docs/ci.md", "#a-b-c"),
        ("docs/strategies/x.md", "../ci.md#a-b-c-1"),
        ("README.md", "docs/ci.md"),
    ] {
        assert_eq!(broken(page, link, &pages), None);
    }
    for link in ["#no-heading", "gone.md#a", "../gone.md", "../docs/ci.md#x"] {
        assert!(broken("docs/ci.md", link, &pages).is_some(), "{link}");
    }
}

#[test]
fn the_contents_list_every_page_once() {
    let pages = pages();
    let mut listed: Vec<_> = links(&pages["docs/SUMMARY.md"])
        .iter()
        .map(|link| resolved("docs/SUMMARY.md", link))
        .collect();
    listed.sort();
    assert_eq!(listed, pages.into_keys().collect::<Vec<_>>());
}

#[test]
fn the_readme_is_short() {
    let words = read("README.md").split_whitespace().count();
    assert!(words <= WORDS, "{words} words; move details to docs");
}

/// What `--help` prints for these words of a command.
fn help(words: &[&str]) -> Option<String> {
    let out = Command::new(env!("CARGO_BIN_EXE_cargo-droidtest"))
        .args(words)
        .arg("--help")
        .output()
        .expect("the tool starts");
    out.status
        .success()
        .then(|| String::from_utf8_lossy(&out.stdout).into_owned())
}

#[test]
fn the_commands_of_the_readme_and_of_the_guide_exist() {
    let chores = read("xtask/src/main.rs");
    let mut seen = 0;
    for page in [
        "README.md",
        "docs/install.md",
        "docs/ci.md",
        "docs/bench.md",
    ] {
        let text = read(page);
        for line in lines(&text, true) {
            let line = line.split('#').next().expect("a first part");
            let words: Vec<_> = line.split_whitespace().collect();
            match words.as_slice() {
                ["cargo", "droidtest", command, rest @ ..] => {
                    let help = help(&[command])
                        .unwrap_or_else(|| panic!("{page}: {line}: no such command"));
                    for option in rest.iter().filter(|word| word.starts_with("--")) {
                        assert!(help.contains(option), "{page}: {line}: no {option}");
                    }
                    seen += 1;
                }
                ["cargo", "xtask", command, ..] => {
                    let known = chores.contains(&format!("Some(\"{command}\")"));
                    assert!(known, "{page}: {line}: no such chore");
                    seen += 1;
                }
                _ => {}
            }
        }
    }
    assert!(seen >= 8, "only {seen} commands were seen");
}

#[test]
fn the_overview_of_the_commands_lists_each() {
    let page = read("docs/commands.md");
    let help = help(&[]).expect("help");
    let rows = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let rows = rows
        .take_while(|line| !line.is_empty())
        .filter(|line| !line.starts_with("   "));
    let names = rows.filter_map(|row| row.split_whitespace().next());
    let missing: Vec<_> = names
        .filter(|name| {
            *name != "help"
                && ![' ', '`']
                    .iter()
                    .any(|end| page.contains(&format!("`{name}{end}")))
        })
        .collect();
    assert!(missing.is_empty(), "docs/commands.md lacks {missing:?}");
    assert!(help.contains("\n  run "), "{help}");
}

#[test]
fn the_page_of_exit_codes_has_each() {
    let row = Regex::new(r"(?m)^\| (\d+) \|").expect("a pattern");
    let page = read("docs/exit-codes.md");
    let codes = row.captures_iter(&page).map(|hit| hit[1].to_owned());
    let all = ExitCode::ALL.iter().map(|code| code.code().to_string());
    assert_eq!(codes.collect::<Vec<_>>(), all.collect::<Vec<_>>());
}
