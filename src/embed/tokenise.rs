//! Text of widgets into tokens, in any script.

use regex::Regex;
use std::sync::LazyLock;
use unicode_segmentation::UnicodeSegmentation as _;

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
    /// What stands in a corpus and in an embedding for every token of this class; `None` for words, which stand
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
    /// A word in lower case; of the other classes, what stood in the text.
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
/// Shapes of whole chunks (text between spaces, without the marks around it). The first that fits counts.
static SHAPES: LazyLock<[(Class, Regex); 5]> = LazyLock::new(|| {
    [
        (Class::Url, r"^(?i:(?:[a-z][a-z0-9+.-]*://|www\.)\S+)$"),
        (Class::Email, r"^[^\s@]+@[^\s@]+\.[^\s@.]+$"),
        (
            Class::Date,
            r"^(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d{2})|\d{4}年\d{1,2}月\d{1,2}日)(?:T[\d:.]+Z?)?$",
        ),
        (Class::Time, r"^\d{1,3}:\d{2}(?::\d{2})?(?:[.,]\d+)?(?i:[ap]m)?$"),
        (
            Class::Number,
            r"^[-+−±]?[\p{Sc}#№]?\p{Nd}+(?:[.,'’٫٬ ]\p{Nd}+)*[%‰\p{Sc}°]?$",
        ),
    ]
    .map(|(class, shape)| (class, pattern(shape)))
});
/// Words in two parts that mean something else alone: `e-mail`, `Wi-Fi`, `WiFi`.
static JOINED: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\b[eE][-‑]\p{L}+|W[iI][-‑]?F[iI]|wi[-‑]fi"));

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("the pattern is a constant")
}

/// The tokens of a widget's text, description, hint or resource-id, in order.
///
/// Words are split where a person would (Unicode's rules for any script, then `camelCase`, `snake_case`,
/// letters next to digits) and come in lower case; numbers, dates, times and addresses become classes; marks
/// and pictures are left out. The package of a resource-id (`com.example:id/save_button`) is left out too.
pub fn tokenise(text: &str) -> Vec<Token> {
    let text = ID.replace(text, "");
    let mut tokens = Vec::new();
    for chunk in text.split_whitespace() {
        let bare = chunk.trim_matches(|c: char| "()[]{}<>\"'“”„«»‚‘’,;!?…".contains(c));
        let bare = bare.trim_end_matches(['.', ':']);
        match SHAPES.iter().find(|(_, shape)| shape.is_match(bare)) {
            Some((class, _)) => tokens.push(Token {
                class: *class,
                text: bare.to_owned(),
            }),
            None => words(&JOINED.replace_all(chunk, join), &mut tokens),
        }
    }
    tokens
}

/// `E-mail` as `Email`, `WiFi` as `Wifi`: no case in it splits it again.
fn join(found: &regex::Captures<'_>) -> String {
    let mut letters = found[0].chars().filter(|c| !"-‑".contains(*c));
    let first = letters.next();
    first
        .into_iter()
        .chain(letters.flat_map(char::to_lowercase))
        .collect()
}

fn words(chunk: &str, tokens: &mut Vec<Token>) {
    for word in chunk.unicode_words() {
        for part in word.split('_') {
            split_case(part, tokens);
        }
    }
}

/// What a letter is where words are joined by case: `openURLNow`, `file2`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Lower,
    Upper,
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
    } else {
        Kind::Other
    }
}

fn split_case(word: &str, tokens: &mut Vec<Token>) {
    let mut start = 0;
    let mut before: Option<Kind> = None;
    let mut letters = word.char_indices().peekable();
    while let Some((at, c)) = letters.next() {
        let now = kind(c);
        let next = letters.peek().map(|&(_, c)| kind(c));
        let cut = match (before, now) {
            (None, _) => false,
            (Some(Kind::Lower), Kind::Upper) => true,
            // The last capital of a run belongs to the word after it: URLNow.
            (Some(Kind::Upper), Kind::Upper) => next == Some(Kind::Lower) && !plural(word, at),
            (Some(Kind::Digit), now) => now != Kind::Digit && now != Kind::Other,
            (Some(Kind::Lower | Kind::Upper), Kind::Digit) => true,
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

/// Is this capital the last of a plural such as `URLs`?
fn plural(word: &str, at: usize) -> bool {
    word[at..].chars().skip(1).eq(['s'])
}

fn push(part: &str, tokens: &mut Vec<Token>) {
    if part.is_empty() {
        return;
    }
    let class = if part
        .chars()
        .all(|c| c.is_numeric() || matches!(c, '.' | ','))
    {
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn said(text: &str) -> String {
        let tokens = tokenise(text);
        let words: Vec<_> = tokens.iter().map(Token::as_str).collect();
        words.join(" ")
    }

    #[test]
    fn identifiers_are_split_as_a_person_reads_them() {
        for (text, tokens) in [
            ("com.example.app:id/btn_saveAs", "btn save as"),
            ("@+id/loginButton2", "login button <number>"),
            ("android:id/button1", "button <number>"),
            ("openURLNow", "open url now"),
            ("IDs and URLs", "ids and urls"),
            ("SAVE_ALL", "save all"),
            ("HTML5Player", "html <number> player"),
        ] {
            assert_eq!(said(text), tokens, "{text}");
        }
    }

    #[test]
    fn numbers_dates_times_and_addresses_become_classes() {
        for (text, tokens) in [
            (
                "Downloaded 3 of 1,024 (12.5%)",
                "downloaded <number> of <number> <number>",
            ),
            ("Due 2026-11-21, 14:05", "due <date> <time>"),
            ("21.11.2026 or 11/21/26.", "<date> or <date>"),
            ("Write to a.b@example.org!", "write to <email>"),
            ("See https://example.org/a?b=c", "see <url>"),
            ("-5° $3.50 €7", "<number> <number> <number>"),
            ("٣٤ items", "<number> items"),
        ] {
            assert_eq!(said(text), tokens, "{text}");
        }
    }

    #[test]
    fn every_script_has_words() {
        for (text, tokens) in [
            ("E-mail / Wi-Fi", "email wifi"),
            ("enableWiFi wi-fi", "enable wifi wifi"),
            ("Don’t SAVE…", "don't save"),
            ("Удалить файл", "удалить файл"),
            ("Größe ändern", "größe ändern"),
            ("حذف الملف", "حذف الملف"),
            ("फ़ाइल हटाएं", "फ़ाइल हटाएं"),
            ("キャンセル", "キャンセル"),
            ("🙂 ✓ — +", ""),
        ] {
            assert_eq!(said(text), tokens, "{text}");
        }
        // Without a dictionary each Chinese character is a word.
        assert_eq!(said("删除文件"), "删 除 文 件");
    }

    #[test]
    fn a_text_of_a_megabyte_is_taken() {
        let tokens = tokenise(&"aB1_".repeat(1 << 18));
        assert_eq!(tokens.len(), 3 << 18);
        assert_eq!(tokenise(&"x".repeat(1 << 20)).len(), 1);
    }

    proptest! {
        #[test]
        fn tokens_are_never_empty_and_words_are_lower_case(text in "\\PC{0,60}") {
            for token in tokenise(&text) {
                prop_assert!(!token.as_str().is_empty());
                if token.class == Class::Word {
                    prop_assert_eq!(token.text.to_lowercase(), token.text.clone());
                    prop_assert!(!token.text.contains(char::is_whitespace));
                }
            }
        }
    }
}
