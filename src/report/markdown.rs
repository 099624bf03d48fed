//! Untrusted text in Markdown, as GitHub, GitLab, Gitea, Forgejo and Bitbucket render it.
//!
//! A forge reads a text in two ways. The Markdown is one: markup of an app would show pictures from elsewhere or hide
//! what follows. The raw lines and the words of the rendered text are the other: GitLab runs `/close` at the start of a
//! line, bots run their commands, and `@team`, `#1`, `!2`, `GH-3` or `KEY-4` notify people and link issues. Entities and
//! backslashes stop the first, and the second only where the raw text is read; an invisible word joiner stops both.

use crate::util::text::{for_terminal, shorten};

/// Splits what a forge would take for a reference, and shows as nothing.
const JOINER: char = '\u{2060}';
/// Words before the colon of a reference of GitLab, such as `[vulnerability:1]` or `*iteration:1`.
const REFERENCES: [&str; 12] = [
    "alert",
    "contact",
    "design",
    "epic",
    "feature_flag",
    "issue",
    "iteration",
    "milestone",
    "snippet",
    "vulnerability",
    "wiki_page",
    "work_item",
];

/// Text that stays text in a cell of a Markdown table.
pub fn cell(text: &str) -> String {
    escaped(text, 200)
}

/// A text, shortened to `most` characters; Markdown syntax is escaped or replaced with entities. It may begin a line,
/// although a line of a report should begin with a word of ours.
pub fn escaped(text: &str, most: usize) -> String {
    let mut out = String::new();
    // Some programs take these for ends of lines.
    let shown = for_terminal(&shorten(text, most)).replace(['\u{2028}', '\u{2029}'], " ");
    let text = shown.trim();
    for (at, c) in text.char_indices() {
        let (before, next) = (&text[..at], text[at + c.len_utf8()..].chars().next());
        let is_name = next.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '"'));
        match c {
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '&' if is_name => out.extend(["&amp;", "\u{2060}"]),
            '&' => out += "&amp;",
            // Mentions and references: people, issues, merge requests, epics, milestones, labels, snippets.
            '@' | '#' => out.extend([c, JOINER]),
            '%' if is_name => out.extend([c, JOINER]),
            // A scheme is made a link without any mark, and a word before it a reference.
            ':' if next == Some('/') || is_reference(before) => out.extend(["&#58;", "\u{2060}"]),
            ':' => out += "&#58;",
            // The same for text that looks like a host name.
            '.' if is_www(before) => out.extend(["&#46;", "\u{2060}"]),
            // `1. ` begins a list.
            '.' if before.bytes().all(|b| b.is_ascii_digit()) => out += "&#46;",
            // `GH-1` and the keys of trackers.
            '-' if is_key(before, next) => out.extend([c, JOINER]),
            // A command of GitLab or a bot, a list, or a line below a heading.
            '/' | '+' | '-' | '=' if at == 0 => out += &format!("&#{};", c as u32),
            '!' | '~' | '$' | '^' => out.extend(['\\', c, JOINER]),
            '\\' | '`' | '*' | '_' | '[' | ']' | '(' | ')' | '|' => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
    }
    out
}

fn is_www(before: &str) -> bool {
    let last = before.len().checked_sub(3).and_then(|at| before.get(at..));
    last.is_some_and(|last| last.eq_ignore_ascii_case("www"))
}

fn is_reference(before: &str) -> bool {
    let known = |word: &&str| {
        let from = before.len().checked_sub(word.len());
        let last = from.and_then(|at| before.get(at..));
        last.is_some_and(|last| last.eq_ignore_ascii_case(word))
    };
    REFERENCES.iter().any(known)
}

/// Is this the hyphen of `GH-1` or `KEY-1`? Not of `random-1` or a date: a reader copies those.
fn is_key(before: &str, next: Option<char>) -> bool {
    let in_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let word = &before[before.trim_end_matches(in_word).len()..];
    let is_tracker = word.len() > 1
        && word.starts_with(|c: char| c.is_ascii_uppercase())
        && !word.contains(|c: char| c.is_ascii_lowercase());
    let is_forge = ["gh", "gl"]
        .iter()
        .any(|name| word.eq_ignore_ascii_case(name));
    (is_tracker || is_forge) && next.is_some_and(|c| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn markup_links_and_mentions_stay_text() {
        let hostile = "<!-- x --> @team #1 [a](https://x) `b`\n| www.evil.org";
        let text = escaped(hostile, 200);
        for bad in [
            "<!--", "@team", "#1", "](", "https://", " `", "\n", " |", "www.",
        ] {
            assert!(!text.contains(bad), "{bad} in {text}");
        }
        assert_eq!(cell(&"x".repeat(300)).chars().count(), 200);
    }

    /// What a forge looks for references in: the text as it is shown.
    fn shown(markdown: &str) -> String {
        let mut text = markdown.to_owned();
        for (entity, c) in [
            ("&lt;", "<"),
            ("&gt;", ">"),
            ("&#58;", ":"),
            ("&#46;", "."),
            ("&#47;", "/"),
            ("&#43;", "+"),
            ("&#45;", "-"),
            ("&#61;", "="),
            ("&amp;", "&"),
        ] {
            text = text.replace(entity, c);
        }
        let mut out = String::new();
        let mut letters = text.chars().peekable();
        while let Some(c) = letters.next() {
            match c {
                '\\' if letters.peek().is_some_and(char::is_ascii_punctuation) => {
                    out.extend(letters.next());
                }
                c => out.push(c),
            }
        }
        out
    }

    #[test]
    fn no_text_begins_with_a_command_of_a_forge_or_a_bot() {
        for hostile in [
            "/close",
            "  /close",
            "\t/approve\n/merge",
            "\u{a0}/close",
            "+1",
            "- /close",
            "=",
            "1. x",
            "    <code>",
        ] {
            let text = escaped(hostile, 200);
            let first = text.chars().next().unwrap();
            assert!(!"/+-= \t".contains(first), "{hostile:?}: {text}");
            assert!(!text.contains('\n') && !text.contains("1. "), "{text}");
            let plain = shown(&text).replace(JOINER, "");
            assert_eq!(plain, for_terminal(hostile).trim(), "nothing is lost");
        }
    }

    #[test]
    fn references_are_split_in_the_shown_text_too() {
        for hostile in [
            "@team",
            "#1",
            "fixes #1",
            "o/r#1",
            "!2",
            "&3",
            "%4",
            "%\"v1\"",
            "~bug",
            "$5",
            "^alert#6",
            "GH-7",
            "gl-8",
            "KEY-9",
            "https://forge.example/o/r/-/issues/1",
            "[vulnerability:1]",
            "*iteration:1",
            "www.evil.example",
        ] {
            let text = shown(&escaped(hostile, 200));
            assert!(text.contains(JOINER), "{hostile}: {text}");
            assert_eq!(text.replace(JOINER, ""), hostile);
        }
        // What a reader copies has none.
        for plain in [
            "java.lang.Error at Main.run [v2:0a1b]",
            "a/b/C.java:12",
            "sessions/notes-jvm-random-1/x.toml",
            "since 2026-01-02",
            "30.0 % of lines & more",
        ] {
            assert_eq!(shown(&escaped(plain, 200)), plain);
        }
    }

    proptest! {
        #[test]
        fn a_reader_sees_the_text_and_a_forge_no_markup(text in "[ -~\n\u{a0}\u{e9}]{0,40}") {
            let markdown = escaped(&text, 200);
            let plain = shown(&markdown).replace(JOINER, "");
            let all = for_terminal(&text).into_owned();
            prop_assert_eq!(&plain, all.trim());
            prop_assert!(!markdown.contains(['<', '>', '\n', '\r']), "{}", markdown);
            prop_assert!(!markdown.starts_with(['/', '+', '-', '=', '#', ' ']) || markdown.starts_with("#\u{2060}"), "{}", markdown);
        }
    }
}
