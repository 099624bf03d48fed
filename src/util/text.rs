//! Cleaning of untrusted text before it reaches a terminal, an XML file or a file name.

use std::borrow::Cow;
use std::ops::Range;

/// Text fit for XML 1.0: characters the standard forbids become U+FFFD.
/// Markup (`<`, `&`, `]]>`) is left to the writer's escaping.
pub fn for_xml(text: &str) -> Cow<'_, str> {
    let allowed = |c: char| matches!(c, '\t' | '\n' | '\r' | '\u{20}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
    replace(text, allowed, '\u{fffd}')
}

/// Text fit for one line of a terminal: no control characters, no direction overrides.
pub fn for_terminal(text: &str) -> Cow<'_, str> {
    let allowed = |c: char| {
        !c.is_control()
            && !matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    replace(text, allowed, ' ')
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
        // What lies in the part cut off is shown at its edge.
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

/// The fewest characters of a secret that are hidden: fewer stand in ordinary text everywhere.
const FEWEST: usize = 4;
/// What stands in place of a secret.
pub const REDACTED: &str = "***";

/// Replaces secret values by [`REDACTED`] wherever they would be written out.
#[derive(Clone, Debug, Default)]
pub struct Redactor {
    /// The longest first: one secret may hold another.
    secrets: Vec<String>,
    /// Is any word that a secret begins with hidden, too?
    words: bool,
}

impl Redactor {
    /// A redactor for these secrets; those under [`FEWEST`] characters are passed over.
    pub fn new(secrets: impl IntoIterator<Item = String>) -> Self {
        let mut redactor = Self::default();
        for secret in secrets {
            // What is told in one line only is told of its lines.
            secret.lines().for_each(|line| redactor.hide(line));
            redactor.hide(&secret);
        }
        redactor
    }

    /// Hides words that a secret begins with, too, as a field may have cut what was typed. Only for what nobody but a
    /// person reads: such a word may stand there by chance.
    pub fn and_words(self) -> Self {
        Self {
            words: true,
            ..self
        }
    }

    /// Hides what a field keeps of a secret; anything that no secret begins with is left alone.
    pub fn hide_cut(&mut self, kept: &str) {
        if self.secrets.iter().any(|secret| secret.starts_with(kept)) {
            self.hide(kept);
        }
    }

    fn hide(&mut self, secret: &str) {
        if secret.chars().count() >= FEWEST && self.secrets.iter().all(|known| known != secret) {
            self.secrets.push(secret.to_owned());
            self.secrets.sort_by_key(|s| std::cmp::Reverse(s.len()));
        }
    }

    /// Is there nothing to hide?
    pub fn is_empty(&self) -> bool {
        self.secrets.is_empty()
    }

    /// The text without any secret.
    pub fn redact<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let mut result = Cow::Borrowed(text);
        for secret in &self.secrets {
            if result.contains(secret.as_str()) {
                result = Cow::Owned(result.replace(secret.as_str(), REDACTED));
            }
        }
        if !self.secrets.is_empty() && (self.words || result.contains('…')) {
            result = Cow::Owned(self.without_beginnings(&result));
        }
        result
    }

    /// Redacts a text in its place.
    pub fn redact_in(&self, text: &mut String) {
        if let Cow::Owned(redacted) = self.redact(text) {
            *text = redacted;
        }
    }

    /// The text without the beginnings of secrets that [`shorten`] left, and without words that a secret begins with
    /// where those are hidden.
    fn without_beginnings(&self, text: &str) -> String {
        let mut result = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let starts = !result.ends_with(char::is_alphanumeric);
            match self.beginning(rest, starts) {
                Some(length) => {
                    result += REDACTED;
                    rest = &rest[length..];
                }
                None => {
                    result.push(first);
                    rest = &rest[first.len_utf8()..];
                }
            }
        }
        result
    }

    /// The length of the beginning of a secret that the text starts with.
    fn beginning(&self, text: &str, word: bool) -> Option<usize> {
        let ends = |rest: &str| match rest.chars().next() {
            Some('…') => true,
            next => self.words && word && !next.is_some_and(char::is_alphanumeric),
        };
        let of = |secret: &String| {
            let same = text.char_indices().zip(secret.chars());
            let same = same.take_while(|((_, a), b)| a == b);
            let ends = same
                .skip(FEWEST - 1)
                .map(|((at, c), _)| at + c.len_utf8())
                .filter(|&at| ends(&text[at..]));
            ends.last()
        };
        self.secrets.iter().filter_map(of).max()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn xml_text_loses_what_xml_forbids() {
        assert_eq!(
            for_xml("a\u{0}b\u{b}c\u{ffff}"),
            "a\u{fffd}b\u{fffd}c\u{fffd}"
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

    #[test]
    fn the_longest_secret_goes_first() {
        let redactor = Redactor::new(["abcd".into(), "abcdef".into(), "no".into()]);
        assert_eq!(redactor.redact("xabcdefy abcd no"), "x***y *** no");
    }

    #[test]
    fn what_is_left_of_a_secret_that_was_shortened_is_hidden() {
        let redactor = Redactor::new(["correct horse battery".into()]);
        assert_eq!(
            redactor.redact("by correct horse b… · cor… · correct"),
            "by ***… · cor… · correct"
        );
        let shown = shorten("correct horse battery", 9);
        assert_eq!(redactor.redact(&shown), "***…");
    }

    #[test]
    fn what_a_field_keeps_of_a_secret_is_hidden_and_nothing_else_is() {
        let mut redactor = Redactor::new(["adalovelace".into()]);
        assert_eq!(redactor.redact("hello adalov"), "hello adalov");
        for kept in ["adalov", "ada", "hello"] {
            redactor.hide_cut(kept);
        }
        assert_eq!(
            redactor.redact("hello adalov, ada, adalovelace"),
            "hello ***, ada, ***"
        );
    }

    #[test]
    fn a_word_that_a_secret_begins_with_is_hidden_where_only_people_read() {
        let redactor = Redactor::new(["correct horse".into()]).and_words();
        assert_eq!(
            redactor.redact("“correct h”, correct, corrected, incorrect, corr"),
            "“***”, ***, corrected, incorrect, ***"
        );
        assert!(Redactor::default().and_words().is_empty());
    }

    #[test]
    fn each_line_of_a_secret_is_one() {
        let redactor = Redactor::new(["line one\nline two".into()]);
        assert_eq!(redactor.redact("a line two"), "a ***");
        assert_eq!(redactor.redact("line one\nline two"), "***");
    }
}
