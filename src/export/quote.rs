//! Texts of an app in the languages of exports: no text ends its literal, starts an expression or hides in it.

use crate::util::quote::{is_seen, literal};

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

/// A text as XML has it, with what a reader does not see as numbers: the script's program for dumps decodes it.
pub fn entities(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            c if is_seen(c) => out.push(c),
            c => out += &format!("&#{};", c as u32),
        }
    }
    out
}

/// The name of the variable, or of the test's argument, that has the text of a key of `[app.text]`.
pub fn variable(key: &str) -> String {
    let name = key.to_ascii_uppercase();
    let allowed = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    format!("TEXT_{}", name.chars().map(allowed).collect::<String>())
}

/// UTF-16 units, as Java and Kotlin escape them.
fn units(c: char) -> String {
    let mut units = [0; 2];
    let units = c.encode_utf16(&mut units);
    units.iter().map(|unit| format!("\\u{unit:04x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::quote::double_quoted as yaml;
    use proptest::prelude::*;

    #[test]
    fn only_what_maestro_would_run_is_escaped() {
        for (text, expected) in [
            ("${x}", "\\${x}"),
            ("a ${x} ${y", "a \\${x} ${y"),
            ("\\${x}", "\\\\${x}"),
            ("${a$b}", "${a$b}"),
            ("$x {y}", "$x {y}"),
        ] {
            assert_eq!(without_scripts(text), expected);
        }
    }

    #[test]
    fn variables_have_names_that_a_shell_takes() {
        assert_eq!(variable("pass;word"), "TEXT_PASS_WORD");
        assert_eq!(variable("*"), "TEXT__");
    }

    proptest! {
        #[test]
        fn a_literal_is_one_line_and_gives_its_text_back(text in "\\PC*|[\\x00-\\x7f]*|[$\\\\\"{}u0-9a-f\u{2028}\u{202e}\u{85}\u{1f600}é]*") {
            // The escapes of Java that are used are JSON's, too.
            let back: String = serde_json::from_str(&java(&text)).unwrap();
            prop_assert_eq!(&back, &text);
            let literal = kotlin(&text);
            let plain = literal.replace("\\$", "$");
            prop_assert_eq!(&serde_json::from_str::<String>(&plain).unwrap(), &text);
            prop_assert_eq!(literal.matches('$').count(), literal.matches("\\$").count());
            if text.chars().all(|c| (c as u32) < 0x10000) {
                prop_assert_eq!(&serde_json::from_str::<String>(&yaml(&text)).unwrap(), &text);
            }
            for literal in [java(&text), literal, yaml(&text), entities(&text)] {
                prop_assert!(literal.chars().all(is_seen), "{}", literal);
            }
            prop_assert!(!pattern(&text).contains("${"), "{}", text);
        }
    }
}
