//! A Java stack's text: the chain of exceptions with their frames, and which frames are the platform's.

use regex::Regex;
use std::sync::LazyLock;

/// One `at class.method(File:line)` line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Frame<'a> {
    /// Dotted class name, `$` for inner classes.
    pub class: &'a str,
    /// Method name.
    pub method: &'a str,
    /// What stands in the parentheses: file and line, `Native Method`, `Unknown Source:12`.
    pub place: &'a str,
    /// Line, where known.
    pub line: Option<u32>,
}

/// An exception of a chain with its own frames.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Thrown<'a> {
    /// Class, empty when the text did not name one.
    pub class: &'a str,
    /// Frames, topmost first.
    pub frames: Vec<Frame<'a>>,
}

/// Packages whose frames say where the platform stood, not where the app failed.
const PLATFORM: [&str; 19] = [
    "android.",
    "androidx.",
    "com.android.",
    "dalvik.",
    "java.",
    "javax.",
    "jdk.",
    "junit.",
    "kotlin.",
    "kotlinx.",
    "libcore.",
    "org.json.",
    "org.junit.",
    "org.robolectric.",
    "org.apache.http.",
    "org.xml.",
    "org.xmlpull.",
    "sun.",
    "droidtest.",
];

static FRAME: LazyLock<Regex> = LazyLock::new(|| {
    // The class may hold a module or loader prefix (`java.base/java.util...`).
    Regex::new(r"^\s*at (?:[\w.@-]*/)*([^\s(]+)\.([^\s.(]+)\(([^:)]*:(\d+)|[^)]*)\)")
        .expect("a valid pattern")
});
static EXCEPTION: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(?:Caused by: )?((?:[A-Za-z_$][\w$]*\.)+[A-Za-z_$][\w$]*)(?::|$)")
        .expect("a valid pattern")
});
/// The chain of exceptions in a stack's text, outermost first.
pub fn parse(stack: &str) -> Vec<Thrown<'_>> {
    let mut chain: Vec<Thrown<'_>> = Vec::new();
    for line in stack.lines() {
        if let Some(found) = FRAME.captures(line) {
            if chain.is_empty() {
                chain.push(Thrown::default());
            }
            let part = |n| found.get(n).map_or("", |m| m.as_str());
            if let Some(thrown) = chain.last_mut() {
                thrown.frames.push(Frame {
                    class: part(1),
                    method: part(2),
                    place: part(3),
                    line: part(4).parse().ok(),
                });
            }
        } else if let Some(found) = EXCEPTION.captures(line) {
            let class = found.get(1).map_or("", |m| m.as_str());
            // A message may go on over lines that look like a class name; only the first line of a
            // section counts, that is one after frames, or the very first, or one marked as a cause.
            let begins = line.starts_with("Caused by: ") || chain.is_empty();
            if begins {
                chain.push(Thrown {
                    class,
                    frames: Vec::new(),
                });
            }
        }
    }
    chain
}

/// Does this class belong to the platform?
pub fn is_platform(class: &str) -> bool {
    PLATFORM.iter().any(|prefix| class.starts_with(prefix))
}
