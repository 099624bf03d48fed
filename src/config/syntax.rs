//! What is not TOML: each mistake once, with its fix. What people write instead is a path with backslashes, a word
//! without quotes, YAML, a table for the second time, a bracket that stays open.

use std::ops::Range;
use std::sync::Arc;

use super::diagnose::{Code, Location, Problem};
use super::source::Source;

/// The fix of a suite in YAML.
const YAML: &str = "a suite is TOML: write `[suite]` for a table and `key = value` in it";

/// The problems behind the parser's errors. After a mistake the parser reports what follows from it, too: the same
/// fix is not repeated on a line, nor one for many lines on any.
pub fn problems(source: &Arc<Source>, errors: &[toml::de::Error]) -> Vec<Problem> {
    let mut reported: Vec<(Option<usize>, String)> = Vec::new();
    let mut problems = Vec::new();
    for error in errors {
        let message = error.message().lines().next().unwrap_or_default();
        let span = error.span();
        let help = span
            .clone()
            .and_then(|span| fix(&source.text, &span, message));
        if let (Some(help), Some(span)) = (&help, &span) {
            let for_many_lines = help.starts_with("close ") || help == YAML;
            let line = (!for_many_lines).then(|| source.line(span.start));
            let this = (line, help.clone());
            if reported.contains(&this) {
                continue;
            }
            reported.push(this);
        }
        let problem = Problem::new(
            Code::TomlSyntax,
            format!("this is not valid TOML: {message}"),
        );
        let problem = match span {
            Some(span) => problem.at(Location::new(source, span, "here")),
            None => problem.at(Location::new(source, 0..0, "in this file")),
        };
        problems.push(match help {
            Some(help) => problem.help(help),
            None => problem,
        });
    }
    problems
}

fn fix(text: &str, span: &Range<usize>, message: &str) -> Option<String> {
    let before = text.get(..span.start)?;
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let line = text[start..].lines().next().unwrap_or_default();
    if message.contains("duplicate key") {
        return Some(duplicate(text, start, line, &text[span.clone()]));
    }
    if message.contains("escape") || message.contains("unicode") {
        let fix =
            "a backslash starts an escape: write it twice, or put the text in 'single quotes'";
        return Some(fix.to_owned());
    }
    if message.contains("basic string") || message.contains("literal string") && !is_bare(message) {
        return Some("end the text with the quote that it starts with, on its line".to_owned());
    }
    if let Some(fix) = open_bracket(text, before, message) {
        return Some(fix);
    }
    if let Some(fix) = unquoted(line, span.start - start) {
        return Some(fix);
    }
    let is_yaml = !line.contains('=') && (line.contains(':') || line.trim().starts_with("- "));
    is_yaml.then(|| YAML.to_owned())
}

/// Does the parser say that a string has no quotes?
fn is_bare(message: &str) -> bool {
    message.contains("must be quoted")
}

/// A key or a table that is there already.
fn duplicate(text: &str, start: usize, line: &str, key: &str) -> String {
    let before: Vec<&str> = text[..start].lines().collect();
    let header = line.trim();
    if header.starts_with('[') {
        let first = before.iter().position(|line| line.trim() == header);
        return match first {
            Some(first) => format!("`{header}` is in line {}: put its keys there", first + 1),
            None => format!("`{key}` is set above: keep one of the two"),
        };
    }
    let names = |line: &str| {
        let behind = line.trim_start().strip_prefix(key).map(str::trim_start);
        behind.is_some_and(|behind| behind.starts_with(['=', '.']))
    };
    let in_table = before.iter().rev();
    let in_table = in_table.take_while(|line| !line.trim_start().starts_with('['));
    match in_table.clone().position(|line| names(line)) {
        Some(up) => format!(
            "`{key}` is in line {}: keep one of the two",
            before.len() - up
        ),
        None => format!("`{key}` is there twice: keep one of the two"),
    }
}

/// The bracket of an inline table or an array that is still open where a line starts something else.
fn open_bracket(text: &str, before: &str, message: &str) -> Option<String> {
    let (open, close) = match message {
        of if of.contains("inline table") || of.contains("key-value pairs") => ('{', '}'),
        of if of.contains("array") => ('[', ']'),
        _ => return None,
    };
    let mut depth = 0_usize;
    let at = before.char_indices().rev().find_map(|(at, c)| {
        if c == close {
            depth += 1;
        } else if c == open {
            if depth == 0 {
                return Some(at);
            }
            depth -= 1;
        }
        None
    })?;
    if message.contains("missing comma between array") && !text[at..before.len()].contains('\n') {
        return Some("put a comma between the values".to_owned());
    }
    let number = text[..at].matches('\n').count() + 1;
    Some(format!(
        "close the `{open}` of line {number} with `{close}`"
    ))
}

/// A value that is a word or a path without quotes; `at` is a byte of the line within it.
fn unquoted(line: &str, at: usize) -> Option<String> {
    let (head, _) = line.split_at_checked(at.min(line.len()))?;
    let start = head.rfind(['=', '[', ','])?;
    let value = line[start + 1..].split([',', '}', ']', '#']).next()?.trim();
    let starts = |c: char| c.is_alphanumeric() || "./~_-".contains(c);
    let is_word = value.starts_with(starts) && !value.contains(['"', '\'', '=', '[', '{']);
    let is_toml = || toml::from_str::<toml::Table>(&format!("x = {value}")).is_ok();
    (is_word && !is_toml()).then(|| {
        let quote = if value.contains('\\') { '\'' } else { '"' };
        let key = head[..start].rsplit(['{', ',']).next().unwrap_or("").trim();
        let key = match head.as_bytes()[start] {
            b'=' => format!("{key} = "),
            _ => String::new(),
        };
        format!("put it in quotes: {key}{quote}{value}{quote}")
    })
}

#[cfg(test)]
mod tests {
    use super::super::source::parse;
    use super::*;

    fn helps(text: &str) -> Vec<(usize, Option<String>)> {
        let source = Source::new("x.toml", text);
        let problems = parse(&source).unwrap_err();
        let line = |p: &Problem| p.places.first().map_or(0, |l| source.line(l.span.start));
        problems.iter().map(|p| (line(p), p.help.clone())).collect()
    }

    #[test]
    fn each_mistake_is_reported_once_with_its_fix() {
        for (text, line, help) in [
            ("[a]\nb = notes\n", 2, "put it in quotes: b = \"notes\""),
            (
                "[a]\nb = build/x.apk # c\n",
                2,
                "put it in quotes: b = \"build/x.apk\"",
            ),
            (
                "[a]\nb = { c = 1, d = 10m }\n",
                2,
                "put it in quotes: d = \"10m\"",
            ),
            (
                "b = \"C:\\Users\\me\\a.apk\"\n",
                1,
                "a backslash starts an escape: write it twice, or put the text in 'single quotes'",
            ),
            ("a:\n  b:\n    c: 1\n", 1, YAML),
            (
                "[a]\nb = 1\n\n[a]\nc = 2\n",
                4,
                "`[a]` is in line 1: put its keys there",
            ),
            (
                "[a]\nb = 1\nc = 2\nb = 3\n",
                4,
                "`b` is in line 2: keep one of the two",
            ),
            (
                "[a]\nb = { c = 1\n[d]\ne = 2\n",
                3,
                "close the `{` of line 2 with `}`",
            ),
            (
                "[a]\nb = [1, 2\n[d]\ne = 2\n",
                3,
                "close the `[` of line 2 with `]`",
            ),
            ("b = [\"x\" \"y\"]\n", 1, "put a comma between the values"),
            ("b = [x, y]\n", 1, "put it in quotes: \"x\""),
            (
                "[a]\nb = \"c\nd = 1\n",
                2,
                "end the text with the quote that it starts with, on its line",
            ),
        ] {
            let found = helps(text);
            assert_eq!(found[0], (line, Some(help.to_owned())), "{text}");
            let same = found.iter().filter(|(_, of)| of.as_deref() == Some(help));
            assert_eq!(same.count(), 1, "{text}: {found:?}");
        }
    }

    #[test]
    fn the_same_mistake_on_two_lines_is_reported_for_both() {
        let found = helps("a = \"x\\y\"\nb = \"x\\y\"\n");
        let lines: Vec<_> = found.iter().map(|(line, _)| *line).collect();
        assert_eq!(lines, [1, 2]);
    }
}
