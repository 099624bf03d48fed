//! The class around the calls of a test.

use super::{By, Language, Test};
use crate::export::one_line;
use std::collections::BTreeSet;

/// Imports, the class and its helpers, each behind a line with its name.
const JAVA: &str = include_str!("test.java");
const KOTLIN: &str = include_str!("test.kt");
/// Starts a part of these.
const PART: &str = "//// ";

/// The file with this class.
pub fn around(test: &Test<'_>, class: &str) -> String {
    let (parts, end) = match test.language {
        Language::Java => (JAVA, ";"),
        Language::Kotlin => (KOTLIN, ""),
    };
    let parts: Vec<(&str, &str)> = parts
        .split(PART)
        .filter_map(|part| part.split_once('\n'))
        .collect();
    let part = |name: &str| {
        parts
            .iter()
            .find(|(known, _)| *known == name)
            .map_or("", |(_, text)| text)
    };
    let calls = test.steps.iter().map(|line| match line.starts_with("//") {
        true => format!("        {line}\n"),
        false => format!("        {line}{end}\n"),
    });
    let calls: String = calls.collect();
    let used = helpers(&calls, &parts);
    let helpers = parts.iter().filter(|(name, _)| used.contains(name));
    let helpers: String = helpers.map(|(_, text)| *text).collect();
    // Texts of the app come last, so that none is taken for a place in the class.
    let mut body = String::new();
    let mut rest = part("class");
    while let Some((before, behind)) = rest.split_once('@').filter(|_| rest.contains('@')) {
        body += before;
        let value = behind.split_once('@').and_then(|(name, rest)| {
            let value = match name {
                "NAME" => class.to_owned(),
                "PACKAGE" => test.text(&test.trace.app.package),
                "STEPS" => calls.clone(),
                "HELPERS" => helpers.clone(),
                _ => return None,
            };
            Some((value, rest))
        });
        match value {
            Some((value, behind)) => {
                body += &value;
                rest = behind;
            }
            None => {
                body.push('@');
                rest = behind;
            }
        }
    }
    body += rest;
    let imports = part("imports").lines().filter(|line| {
        let name = line
            .trim_end_matches(';')
            .rsplit('.')
            .next()
            .unwrap_or_default();
        is_used(name, &body)
    });
    let imports: Vec<&str> = imports.collect();
    format!("{}{}\n\n{body}", head(test), imports.join("\n"))
}

fn head(test: &Test<'_>) -> String {
    let expected = test.trace.expected();
    let title = expected
        .title
        .clone()
        .unwrap_or_else(|| expected.kind.to_string());
    let title = one_line(&title).replace('\\', "\\\\");
    let module = match test.by {
        By::UiAutomator => {
            "It clears the app's data, so it must not run in the app's process: put it into a separate module\n// (the Gradle plugin com.android.test, with `experimentalProperties[\"android.experimental.self-instrumenting\"] = true`).\n// It needs androidx.test.uiautomator:uiautomator, androidx.test:runner and androidx.test.ext:junit."
        }
        By::Espresso => {
            "It is for the app's androidTest folder, and needs androidx.test.espresso:espresso-core,\n// androidx.test.uiautomator:uiautomator, androidx.test:runner and androidx.test.ext:junit."
        }
    };
    format!(
        "// {title}\n// From `cargo droidtest export`. The test fails while the finding is there.\n// {module}\n\n"
    )
}

/// The helpers that calls use, and those that these use.
fn helpers<'p>(calls: &str, parts: &[(&'p str, &str)]) -> BTreeSet<&'p str> {
    let mut used: BTreeSet<&str> = BTreeSet::new();
    let mut texts = vec![calls.to_owned()];
    while let Some(text) = texts.pop() {
        for (name, helper) in parts {
            if is_used(name, &text) && used.insert(name) {
                texts.push((*helper).to_owned());
            }
        }
    }
    used.remove("class");
    used.remove("imports");
    used
}

/// Is this name in a text, as a word?
fn is_used(name: &str, text: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(name).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let behind = text[at + name.len()..].chars().next();
        !before.is_some_and(part) && !behind.is_some_and(part)
    })
}
