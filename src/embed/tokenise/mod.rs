//! Text of widgets into tokens, in any script.

mod clean;
mod split;
#[cfg(test)]
mod tests;

use regex::Regex;
use std::borrow::Cow;
use std::sync::LazyLock;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// A word.
    Word,
    /// A number, with or without sign, separators and percent.
    Number,
    /// A date in digits.
    Date,
    /// A time of day or a duration.
    Time,
    /// An address for mail.
    Email,
    /// A web address.
    Url,
}

impl Class {
    /// What is in a corpus and in an embedding for every token of this class; `None` for words, which stand
    /// for themselves.
    pub const fn name(self) -> Option<&'static str> {
        match self {
            Self::Word => None,
            Self::Number => Some("<number>"),
            Self::Date => Some("<date>"),
            Self::Time => Some("<time>"),
            Self::Email => Some("<email>"),
            Self::Url => Some("<url>"),
        }
    }
}

/// One token of a text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Token {
    /// What it is.
    pub class: Class,
    /// A word in lower case; of the other classes, what stood in the text (NFKC, nothing invisible).
    pub text: String,
}

impl Token {
    /// What to look up: the word, or the class's name such as `<number>`.
    pub fn as_str(&self) -> &str {
        self.class.name().unwrap_or(&self.text)
    }
}

/// The part of a resource-id before its name: `com.example:id/`, `@+id/`.
static ID: LazyLock<Regex> = LazyLock::new(|| pattern(r"^(?:@\+?|[\w.]+:)id/"));
/// A date as East Asia writes it, with or without spaces in it, among letters that no space parts from it.
static EASTERN: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\d{1,4}\s*[年년]\s*\d{1,2}\s*[月월]\s*\d{1,2}\s*[日일]"));
/// Shapes of complete chunks (text between spaces, without the marks around it). The first that fits counts.
static SHAPES: LazyLock<[(Class, Regex); 5]> = LazyLock::new(|| {
    [
        (Class::Url, r"^(?i:(?:[a-z][a-z0-9+.-]*://|www\.)\S+)$"),
        (Class::Email, r"^[^\s@]+@[^\s@]+\.[^\s@.]+$"),
        (
            Class::Date,
            r"^(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d{2})|\d{1,4}[年년]\d{1,2}[月월]\d{1,2}[日일])(?:T[\d:.]+(?:Z|[-+]\d{2}:?\d{2})?)?$",
        ),
        (Class::Time, r"^\d{1,3}:\d{2}(?::\d{2})?(?:[.,]\d+)?(?i:[ap]m)?$"),
        (
            Class::Number,
            r"^[-+−±]?[\p{Sc}#№]?(?:\p{Nd}+(?:[.,'’٫٬ ]\p{Nd}+)*)[%‰٪\p{Sc}°]?$",
        ),
    ]
    .map(|(class, shape)| (class, pattern(shape)))
});
/// Words in two parts that mean something else alone: `e-mail`, `Wi-Fi`, `WiFi`.
static JOINED: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\b[eE][-‐‑]\p{L}+|W[iI][-‐‑]?F[iI]|wi[-‐‑]fi"));
/// Marks around a chunk that are no part of it. Full-width ones are plain ones by then.
fn around(c: char) -> bool {
    match c {
        '(' | ')' | '[' | ']' | '{' | '}' | '<' | '>' | '"' | '\'' | ',' | ';' | '!' | '?' => true,
        _ => !c.is_ascii() && "“”„«»‚‘’…¡¿「」『』【】《》〈〉〔〕、。،؛؟।".contains(c),
    }
}

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("the pattern is a constant")
}

/// The tokens of a widget's text, description, hint or resource-id, in order.
///
/// What cannot be seen is left out first (direction marks, soft hyphens), and letters come in one form (NFKC:
/// `é` in one character, `ﬁ` in two, full-width letters as plain ones). Then words are split where a person would
/// (Unicode's rules for any script, then `camelCase`, `snake_case`, `dotted.names`, letters next to digits) and
/// come in lower case; numbers, dates, times and addresses become classes; marks and pictures are left out. The
/// package of a resource-id (`com.example:id/save_button`) is left out too.
pub fn tokenise(text: &str) -> Vec<Token> {
    let text = clean::clean(text);
    let text = ID.replace(text.trim_start(), "");
    let text = eastern(&text);
    let mut tokens = Vec::new();
    for chunk in text.split_whitespace() {
        let bare = chunk.trim_start_matches(around);
        let bare = bare.trim_end_matches(|c| matches!(c, '.' | ':') || around(c));
        match shape(bare) {
            Some(class) => tokens.push(Token {
                class,
                text: bare.to_owned(),
            }),
            None => split::words(&JOINED.replace_all(chunk, join), &mut tokens),
        }
    }
    tokens
}

/// What the complete chunk is; `None` for words.
fn shape(chunk: &str) -> Option<Class> {
    // Most chunks are plain words, and five searches cost more than all else here.
    let telling = |b: u8| b.is_ascii_digit() || !b.is_ascii() || matches!(b, b'@' | b':' | b'.');
    if !chunk.bytes().any(telling) {
        return None;
    }
    let fits = SHAPES.iter().find(|(_, shape)| shape.is_match(chunk));
    fits.map(|(class, _)| *class)
}

/// The text with each East Asian date as a separate chunk: `2026년 11월 21일`, `（2026年11月21日更新）`.
fn eastern(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    EASTERN.replace_all(text, |found: &regex::Captures<'_>| {
        let date: String = found[0].split_whitespace().collect();
        format!(" {date} ")
    })
}

/// `E-mail` as `Email`, `WiFi` as `Wifi`: no case in it splits it again.
fn join(found: &regex::Captures<'_>) -> String {
    let mut letters = found[0].chars().filter(|c| !"-‐‑".contains(*c));
    let first = letters.next();
    first
        .into_iter()
        .chain(letters.flat_map(char::to_lowercase))
        .collect()
}
