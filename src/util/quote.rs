//! Untrusted text in string literals: on one line, with nothing hidden in it.

use super::text::is_shown;

/// A string in double quotes, as YAML (1.2, section 5.7) and TOML (1.0, basic strings) have it.
pub fn double_quoted(text: &str) -> String {
    literal(text, |c| match c as u32 {
        code @ 0..=0xffff => format!("\\u{code:04x}"),
        code => format!("\\U{code:08x}"),
    })
}

/// In double quotes; what a reader does not see is escaped.
pub fn literal(text: &str, escape: impl Fn(char) -> String) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out += "\\n",
            '\r' => out += "\\r",
            '\t' => out += "\\t",
            c if is_seen(c) => out.push(c),
            c => out += &escape(c),
        }
    }
    out.push('"');
    out
}

/// Does a reader see this character for what it is?
pub fn is_seen(c: char) -> bool {
    is_shown(c) && (c.is_ascii() || c.is_alphanumeric() || "…·–’“”€".contains(c))
}
