//! Texts of an app in the languages of exports: no text ends its literal, starts an expression or hides in it.

use crate::util::text::is_shown;

/// A YAML scalar in double quotes (YAML 1.2, section 5.7).
pub fn yaml(text: &str) -> String {
    literal(text, |c| match c as u32 {
        code @ 0..=0xffff => format!("\\u{code:04x}"),
        code => format!("\\U{code:08x}"),
    })
}

/// A string literal of Java.
pub fn java(text: &str) -> String {
    literal(text, units)
}

/// A string literal of Kotlin: `$` starts a template there.
pub fn kotlin(text: &str) -> String {
    literal(text, units).replace('$', "\\$")
}

/// A regular expression of Java that matches this text, without `${`, which starts a script in Maestro.
pub fn pattern(text: &str) -> String {
    let mut pattern = String::new();
    for c in text.chars() {
        if c.is_ascii_punctuation() && !matches!(c, '_' | '/' | ':' | ',' | ';' | '%' | '@') {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern
}

/// A text for Maestro, which would evaluate `${...}` as JavaScript: `\${...}` stands for it.
pub fn without_scripts(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("${") {
        let (before, script) = rest.split_at(at);
        let inside = script[1..].split('$').next().unwrap_or_default();
        out += before;
        if inside.contains('}') {
            out.push('\\');
        }
        out += "${";
        rest = &script[2..];
    }
    out + rest
}

/// The name of the variable, or of the test's argument, that has the text of a key of `[app.text]`.
pub fn variable(key: &str) -> String {
    let name = key.to_ascii_uppercase();
    let allowed = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    format!("TEXT_{}", name.chars().map(allowed).collect::<String>())
}

/// In double quotes; what a reader does not see is escaped.
fn literal(text: &str, escape: impl Fn(char) -> String) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out += "\\n",
            '\r' => out += "\\r",
            '\t' => out += "\\t",
            c if is_shown(c) && (c.is_ascii() || c.is_alphanumeric()) => out.push(c),
            c => out += &escape(c),
        }
    }
    out.push('"');
    out
}

/// UTF-16 units, as Java and Kotlin escape them.
fn units(c: char) -> String {
    let mut units = [0; 2];
    let units = c.encode_utf16(&mut units);
    units.iter().map(|unit| format!("\\u{unit:04x}")).collect()
}
