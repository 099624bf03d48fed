//! Untrusted text in Markdown, as GitHub and GitLab render it.

use crate::util::text::{for_terminal, shorten};

/// Text that stays text in a cell of a Markdown table.
pub fn cell(text: &str) -> String {
    escaped(text, 200)
}

/// A text, shortened; Markdown syntax is escaped or replaced with entities.
pub fn escaped(text: &str, most: usize) -> String {
    let mut out = String::new();
    for c in for_terminal(&shorten(text, most)).chars() {
        match c {
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '&' => out += "&amp;",
            // Mentions and references would notify people and link issues; an invisible word joiner splits them.
            '@' | '#' => out.extend([c, '\u{2060}']),
            // A scheme is made a link without any mark.
            ':' => out += "&#58;",
            // The same for text that looks like a host name.
            '.' if is_www(&out) => out += "&#46;",
            '\\' | '`' | '*' | '_' | '[' | ']' | '(' | ')' | '|' | '!' | '~' | '$' => {
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

#[cfg(test)]
mod tests {
    use super::*;

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
}
