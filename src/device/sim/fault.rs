//! What is wrong with a model, where, and how to fix it.

use crate::util::text::shorten;
use std::fmt;

/// Maximum characters of a fault's message.
const LONGEST_WORDS: usize = 400;
/// Bytes of the longest name that is compared with others: nobody misspells longer ones, and it takes the product of
/// both lengths.
const LONGEST_NAME: usize = 64;

/// Something wrong at one place of a model's text, before the file is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// Stable kebab-case code.
    pub code: &'static str,
    /// Byte offset in the text.
    pub at: usize,
    /// What is wrong.
    pub what: String,
    /// What to do about it.
    pub fix: String,
}

impl Fault {
    /// A fault at this offset.
    pub fn new(
        code: &'static str,
        at: usize,
        what: impl Into<String>,
        fix: impl Into<String>,
    ) -> Self {
        Self {
            code,
            at,
            // Names in them are as long as whoever wrote the model likes.
            what: shorten(&what.into(), LONGEST_WORDS).into_owned(),
            fix: shorten(&fix.into(), LONGEST_WORDS).into_owned(),
        }
    }

    /// The same fault seen from the text around: offset `inner` becomes `outer(inner)`.
    pub(super) fn lift(mut self, outer: impl FnOnce(usize) -> usize) -> Self {
        self.at = outer(self.at);
        self
    }
}

/// A model that cannot be used: file, line, column, what, fix.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub struct ModelError {
    /// Stable kebab-case code, such as `unknown-name`.
    pub code: &'static str,
    /// The file as it was named, or `built-in model NAME`.
    pub file: String,
    /// From 1; 0 when the file as a complete is meant.
    pub line: usize,
    /// In characters, from 1.
    pub column: usize,
    /// Byte offset in the file, for a caret.
    pub offset: usize,
    /// What is wrong.
    pub what: String,
    /// What to do about it.
    pub fix: String,
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if self.line > 0 {
            write!(f, ":{}:{}", self.line, self.column)?;
        }
        write!(f, ": {} ({}); {}", self.what, self.code, self.fix)
    }
}

impl ModelError {
    pub(super) fn new(fault: Fault, file: &str, text: &str) -> Self {
        let (line, column) = position(text, fault.at);
        Self {
            code: fault.code,
            file: file.to_owned(),
            line,
            column,
            offset: fault.at,
            what: fault.what,
            fix: fault.fix,
        }
    }

    /// An error about the file as a whole.
    pub(super) fn whole(
        code: &'static str,
        file: &str,
        what: impl Into<String>,
        fix: impl Into<String>,
    ) -> Self {
        Self {
            code,
            file: file.to_owned(),
            line: 0,
            column: 0,
            offset: 0,
            what: what.into(),
            fix: fix.into(),
        }
    }
}

/// Line and column (in characters) of a byte offset, both from 1.
pub(super) fn position(text: &str, at: usize) -> (usize, usize) {
    let before = &text.as_bytes()[..at.min(text.len())];
    let line_start = before
        .iter()
        .rposition(|&b| b == b'\n')
        .map_or(0, |n| n + 1);
    let line = 1 + before.iter().filter(|&&b| b == b'\n').count();
    // Bytes that continue a character do not count.
    let column = 1 + before[line_start..]
        .iter()
        .filter(|&&b| b & 0xc0 != 0x80)
        .count();
    (line, column)
}

/// "did you mean `x`?" where some known name is near, else the list of what there is.
pub(super) fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let known: Vec<&str> = known.into_iter().collect();
    let near = known
        .iter()
        .filter(|k| k.len().max(name.len()) <= LONGEST_NAME)
        .map(|k| (strsim::jaro_winkler(name, k), k))
        .filter(|(score, _)| *score > 0.75)
        .max_by(|a, b| a.0.total_cmp(&b.0));
    if let Some((_, near)) = near {
        return format!("did you mean `{near}`?");
    }
    if known.is_empty() {
        return "there are none".into();
    }
    let more = if known.len() > 8 { ", .." } else { "" };
    let first: Vec<String> = known.iter().take(8).map(|k| format!("`{k}`")).collect();
    format!("there are {}{more}", first.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_cost_no_more_than_their_reading() {
        let long = "n".repeat(5 << 20);
        assert_eq!(nearest(&long, [long.as_str()]).len(), long.len() + 12);
        let fault = Fault::new(
            "code",
            0,
            format!("no name `{long}`"),
            nearest(&long, ["a"]),
        );
        assert!(fault.what.chars().count() == 400 && fault.what.ends_with('…'));
    }

    #[test]
    fn columns_count_characters() {
        let text = "a\nüö x";
        assert_eq!(position(text, 0), (1, 1));
        assert_eq!(position(text, text.find('x').unwrap()), (2, 4));
        assert_eq!(position(text, 999), (2, 5));
    }

    #[test]
    fn a_near_name_is_offered_and_else_the_list() {
        assert_eq!(
            nearest("usrname", ["username", "password"]),
            "did you mean `username`?"
        );
        assert_eq!(nearest("x", ["username"]), "there are `username`");
        assert_eq!(nearest("x", []), "there are none");
    }
}
