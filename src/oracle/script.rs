//! What tells apart errors of scripts (React Native): the Java frames below them are always the same.

use crate::android::stack::Thrown;

/// Names that say nothing of a function or a component.
const NAMELESS: [&str; 8] = [
    "anonymous",
    "<anonymous>",
    "<unknown>",
    "unknown",
    "value",
    "global",
    "Unknown",
    "RCTView",
];
/// Functions and components that count.
const COUNTED: usize = 3;

/// The words of an exception in a fingerprint: the script error's kind and the first functions and components of
/// its stack. Without any name, its message without numbers and quotations. Empty for an exception that is no
/// script's.
pub fn words(thrown: &Thrown<'_>) -> Vec<String> {
    if !thrown.class.ends_with(".JavascriptException") {
        return Vec::new();
    }
    let kind = thrown.message.split([':', ',']).next().unwrap_or("").trim();
    let kind = Some(kind).filter(|k| k.ends_with("Error") && !k.contains(' '));
    let mut names: Vec<&str> = Vec::new();
    for name in &thrown.script {
        // Methods that a minifier renamed have one letter or two, which the next build changes.
        let tells = name.len() > 2 && !NAMELESS.contains(name) && !name.contains(['/', '\\']);
        if tells && !names.contains(name) {
            names.push(name);
        }
    }
    names.truncate(COUNTED);
    let mut words = vec![format!("script {}", kind.unwrap_or("Error"))];
    if names.is_empty() {
        words.push(general(thrown.message));
    }
    words.extend(names.into_iter().map(str::to_owned));
    words
}

/// A message without what differs from run to run: numbers, and what is in quotation marks.
fn general(message: &str) -> String {
    let message = message.split(", js engine").next().unwrap_or(message);
    let message = message.split(", stack:").next().unwrap_or(message);
    let unquoted = message.split('"').step_by(2).collect::<String>();
    unquoted.chars().filter(|c| !c.is_ascii_digit()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::android::stack::parse;

    fn words_of(error: &str, middle: &str, column: u32) -> Vec<String> {
        let stack = format!(
            "com.facebook.react.common.JavascriptException: {error}, js engine: hermes, stack:\n{middle}@1:{column}\n\n\
             \tat com.facebook.react.modules.core.ExceptionsManagerModule.report(ExceptionsManagerModule.java:7)\n"
        );
        words(&parse(&stack)[0])
    }

    #[test]
    fn functions_count_and_columns_do_not() {
        let first = words_of("TypeError: x is undefined", "openDrawer", 12);
        assert_eq!(first, ["script TypeError", "openDrawer"]);
        assert_eq!(
            first,
            words_of("TypeError: y is undefined", "openDrawer", 9_000)
        );
        assert_ne!(
            first,
            words_of("TypeError: x is undefined", "closeDrawer", 12)
        );
    }

    #[test]
    fn a_message_counts_where_no_function_has_a_name() {
        let first = words_of("Error: no row 12", "anonymous", 12);
        assert_eq!(first, words_of("Error: no row 7", "anonymous", 13));
        assert_ne!(first, words_of("Error: no column 12", "anonymous", 12));
    }
}
