//! A chunk of text into words: at Unicode's borders of words, then at those within names of programs.

use super::{Class, Token};
use unicode_normalization::char::is_combining_mark;
use unicode_segmentation::UnicodeSegmentation as _;

/// Adds the words of a chunk.
pub(super) fn words(chunk: &str, tokens: &mut Vec<Token>) {
    for word in chunk.unicode_words() {
        for part in word.split('_') {
            names(part, tokens);
        }
    }
}

/// Unicode keeps letters together that a dot or a colon joins: right for `e.g`, `a.m` and `U.S`, wrong for
/// `photo.jpg`, `Name:John` and `com.example.MyClass`. Between digits they are part of a number.
fn names(word: &str, tokens: &mut Vec<Token>) {
    if !word.contains(['.', ':']) || abbreviation(word) {
        return split_case(word, tokens);
    }
    let mut start = 0;
    let mut before = None;
    for (at, c) in word.char_indices() {
        if matches!(c, '.' | ':') && !before.is_some_and(char::is_numeric) {
            split_case(&word[start..at], tokens);
            start = at + 1;
        }
        before = Some(c);
    }
    split_case(&word[start..], tokens);
}

/// Single letters with dots between them?
fn abbreviation(word: &str) -> bool {
    let single = |part: &str| part.chars().filter(|&c| !leans(c)).count() == 1;
    word.split('.').all(single)
}

/// What a letter is where words are joined by case: `openURLNow`, `file2`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Lower,
    Upper,
    /// A letter of a script without case: Korean, Arabic, Devanagari.
    Caseless,
    Digit,
    Other,
}

fn kind(c: char) -> Kind {
    if c.is_numeric() {
        Kind::Digit
    } else if c.is_uppercase() {
        Kind::Upper
    } else if c.is_lowercase() {
        Kind::Lower
    } else if c.is_alphabetic() {
        Kind::Caseless
    } else {
        Kind::Other
    }
}

/// Marks (accents, vowel signs), modifier letters such as Ukrainian's `ʼ`, and joiners are of the kind of what they
/// are on.
fn leans(c: char) -> bool {
    !c.is_ascii()
        && (is_combining_mark(c) || matches!(c, '\u{2b0}'..='\u{2ff}' | '\u{200c}' | '\u{200d}'))
}

fn split_case(word: &str, tokens: &mut Vec<Token>) {
    let mut start = 0;
    let mut before: Option<Kind> = None;
    for (at, c) in word.char_indices() {
        if leans(c) {
            continue;
        }
        let now = kind(c);
        let cut = match (before, now) {
            (Some(Kind::Lower), Kind::Upper) => true,
            // The last capital of a run belongs to the word after it: URLNow.
            (Some(Kind::Upper), Kind::Upper) => begins(&word[at..]),
            (Some(Kind::Digit), Kind::Lower | Kind::Upper | Kind::Caseless) => true,
            (Some(Kind::Lower | Kind::Upper | Kind::Caseless), Kind::Digit) => true,
            _ => false,
        };
        if cut {
            push(&word[start..at], tokens);
            start = at;
        }
        before = Some(now);
    }
    push(&word[start..], tokens);
}

/// Does a word start with this capital: is it followed by small letters, and is that not the `s` of a plural, as in
/// `URLs` and `getURLsFromPage`?
fn begins(rest: &str) -> bool {
    let mut letters = rest.chars().skip(1).filter(|&c| !leans(c));
    let small = |c: Option<char>| c.is_some_and(|c| kind(c) == Kind::Lower);
    let first = letters.next();
    small(first) && (first != Some('s') || small(letters.next()))
}

fn push(part: &str, tokens: &mut Vec<Token>) {
    if part.is_empty() {
        return;
    }
    let in_number = |c: char| c.is_numeric() || matches!(c, '.' | ',' | '\'' | '’' | '٫' | '٬');
    let class = if part.chars().all(in_number) {
        Class::Number
    } else {
        Class::Word
    };
    let text = match class {
        Class::Word => part.to_lowercase().replace('’', "'"),
        _ => part.to_owned(),
    };
    tokens.push(Token { class, text });
}
