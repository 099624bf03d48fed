//! Cleaning of untrusted text before it reaches a terminal, an XML file or a file name.

pub use super::redact::{REDACTED, Redactor};
use std::borrow::Cow;
use std::ops::Range;

/// Text fit for XML 1.0: characters the standard forbids, and those that change the direction of what follows, become
/// U+FFFD.
/// Markup (`<`, `&`, `]]>`) is left to the writer's escaping.
pub fn for_xml(text: &str) -> Cow<'_, str> {
    let allowed = |c: char| {
        matches!(c, '\t' | '\n' | '\r' | '\u{20}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
            && !matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    replace(text, allowed, '\u{fffd}')
}

/// Text fit for one line of a terminal: no control characters, no direction overrides.
pub fn for_terminal(text: &str) -> Cow<'_, str> {
    replace(text, is_shown, ' ')
}

/// Is it a character that a terminal only shows?
pub fn is_shown(c: char) -> bool {
    !c.is_control()
        && !matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// At most `max` characters, with an ellipsis where some were cut.
pub fn shorten(text: &str, max: usize) -> Cow<'_, str> {
    match text.char_indices().nth(max) {
        None => Cow::Borrowed(text),
        Some(_) => {
            let cut = text
                .char_indices()
                .nth(max.saturating_sub(1))
                .map_or(0, |(at, _)| at);
            Cow::Owned(format!("{}…", &text[..cut]))
        }
    }
}

/// The text with its long lines cut, for showing this part of it; and where the part is then. Lines keep their
/// numbers.
pub fn excerpt(text: &str, span: Range<usize>) -> (String, Range<usize>) {
    const LONGEST: usize = 300;
    if text.lines().all(|line| line.len() <= LONGEST) {
        return (text.to_owned(), span);
    }
    let mut shown = String::new();
    let (mut start, mut end) = (None, None);
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let (begin, behind) = (shown.len(), at + line.len());
        let content = line.trim_end_matches(['\n', '\r']);
        let cut = shorten(content, LONGEST);
        shown += &cut;
        // What is in the part cut off is shown at its edge.
        let within = |offset: usize| {
            let wanted = (offset - at).min(cut.len());
            let whole = (0..=wanted).rev().find(|i| cut.is_char_boundary(*i));
            begin + whole.unwrap_or(0)
        };
        if start.is_none() && span.start < behind {
            start = Some(within(span.start));
        }
        if end.is_none() && span.end <= behind {
            end = Some(within(span.end));
        }
        shown += &line[content.len()..];
        at = behind;
    }
    let start = start.unwrap_or(shown.len());
    let end = end.unwrap_or(shown.len()).max(start);
    (shown, start..end)
}

/// Characters of a file's name at most; a session's, of three names and a seed, has 215.
const LONGEST_FILE_NAME: usize = 240;

/// A name fit for a file on any platform: letters, digits, `.`, `_` and `-`.
pub fn for_file_name(text: &str) -> String {
    let mut name: String = text
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-') {
                c
            } else {
                '_'
            }
        })
        .take(LONGEST_FILE_NAME)
        .collect();
    if name.is_empty() || name.starts_with('.') {
        name.insert(0, '_');
    }
    name
}

fn replace(text: &str, allowed: impl Fn(char) -> bool, with: char) -> Cow<'_, str> {
    if text.chars().all(&allowed) {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(
            text.chars()
                .map(|c| if allowed(c) { c } else { with })
                .collect(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn xml_text_loses_what_xml_forbids() {
        assert_eq!(
            for_xml("a\u{0}b\u{b}c\u{ffff}\u{202e}"),
            "a\u{fffd}b\u{fffd}c\u{fffd}\u{fffd}"
        );
        assert!(matches!(for_xml("plain <text> ]]>"), Cow::Borrowed(_)));
    }

    #[test]
    fn terminal_text_loses_escapes_and_overrides() {
        assert_eq!(for_terminal("\u{1b}[31mred\u{202e}x\n"), " [31mred x ");
    }

    #[test]
    fn shortening_counts_characters() {
        assert_eq!(shorten("ünïcode", 4), "ünï…");
        assert_eq!(shorten("abc", 3), "abc");
    }

    #[test]
    fn file_names_hold_no_separators() {
        assert_eq!(for_file_name("../a b/ü"), "_.._a_b__");
        assert_eq!(for_file_name(""), "_");
        assert_eq!(for_file_name(&"a".repeat(300)).len(), LONGEST_FILE_NAME);
    }
}
