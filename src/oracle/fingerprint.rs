//! The fingerprint of a crash: its sanitized stack, stable across runs, devices and builds.
//!
//! ARES (paper, section 4) hashes the sanitized stack trace; its code kept the raw text with the
//! PID inside and so could not tell duplicates. Left out here: messages, line numbers, PIDs, numbers of
//! lambdas and anonymous classes, and framework frames, which differ between Android versions.

use super::mapping::Mapping;
use crate::util::hash;
use regex::Regex;
use std::sync::LazyLock;

/// One `at class.method(File:line)` line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Frame<'a> {
    /// Dotted class name, `$` for inner classes.
    pub class: &'a str,
    /// Method name.
    pub method: &'a str,
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

/// Frames kept at most: enough to tell causes apart, few enough to survive a change of the callers.
const FRAMES: usize = 5;

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
    Regex::new(r"^\s*at (?:[\w.@-]*/)*([^\s(]+)\.([^\s.(]+)\((?:[^:)]*:(\d+)|[^)]*)\)")
        .expect("a valid pattern")
});
static EXCEPTION: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(?:Caused by: )?((?:[A-Za-z_$][\w$]*\.)+[A-Za-z_$][\w$]*)(?::|$)")
        .expect("a valid pattern")
});
static NUMBERS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(\$\$Lambda)(?:\$\d+|\$?/0x[0-9a-f]+|/\d+)*|(SyntheticLambda|lambda\$[^$]*\$|access\$|\$)\d+")
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
                    line: part(3).parse().ok(),
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

/// The name without numbers that the compiler or the runtime gave.
fn sanitize(name: &str) -> String {
    NUMBERS.replace_all(name, "$1$2").into_owned()
}

/// The fingerprint of a crash's stack; `kind` keeps a crash and an ANR at one place apart.
pub fn of_stack(kind: &str, class: &str, stack: &str, mapping: Option<&Mapping>) -> u64 {
    let chain = parse(stack);
    let root = chain.last();
    let mut hash = hash::of_bytes(kind.as_bytes());
    let class = root
        .map(|r| r.class)
        .filter(|c| !c.is_empty())
        .unwrap_or(class);
    hash = hash::mix(hash, hash::of_bytes(class.as_bytes()));
    let own = |thrown: &Thrown<'_>| -> Vec<String> {
        thrown
            .frames
            .iter()
            .map(|f| {
                mapping.map_or_else(
                    || (f.class.to_owned(), f.method.to_owned()),
                    |m| m.retrace(f),
                )
            })
            .filter(|(class, _)| !is_platform(class))
            .take(FRAMES)
            .map(|(class, method)| sanitize(&format!("{class}.{method}")))
            .collect()
    };
    // The root's app frames; where it has none (thrown deep in the platform), the nearest outer exception's.
    let mut names = chain
        .iter()
        .rev()
        .map(own)
        .find(|names| !names.is_empty())
        .unwrap_or_default();
    if names.is_empty()
        && let Some(root) = root
    {
        names = root
            .frames
            .iter()
            .take(3)
            .map(|f| sanitize(&format!("{}.{}", f.class, f.method)))
            .collect();
    }
    names.iter().fold(hash, |hash, name| {
        hash::mix(hash, hash::of_bytes(name.as_bytes()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const STACK: &str = "FATAL EXCEPTION: main\nProcess: com.x, PID: 4711\n\
        java.lang.RuntimeException: Unable to start activity: com.x.Other\n\
        \tat android.app.ActivityThread.performLaunchActivity(ActivityThread.java:3449)\n\
        Caused by: java.lang.NullPointerException: null object\n\
        \tat com.x.Main$1.lambda$run$3(Main.java:17)\n\
        \tat com.x.Main$$Lambda$12/0x0000000800c8.run(Unknown Source:4)\n\
        \tat android.os.Handler.dispatchMessage(Handler.java:106)\n\
        \t... 11 more\n";

    #[test]
    fn a_chain_is_read_with_its_frames() {
        let chain = parse(STACK);
        assert_eq!(chain.len(), 2);
        assert_eq!(chain[1].class, "java.lang.NullPointerException");
        assert_eq!(
            chain[1].frames[0],
            Frame {
                class: "com.x.Main$1",
                method: "lambda$run$3",
                line: Some(17)
            }
        );
    }

    #[test]
    fn lines_numbers_and_processes_do_not_change_it() {
        let other = STACK
            .replace("4711", "99")
            .replace(":17)", ":23)")
            .replace("run$3", "run$8")
            .replace("Lambda$12/0x0000000800c8", "Lambda$7/0x00000000aaaa")
            .replace("Main$1.", "Main$2.")
            .replace("null object", "another message");
        let of = |s: &str| of_stack("crash", "", s, None);
        assert_eq!(of(STACK), of(&other));
    }

    #[test]
    fn another_place_or_exception_changes_it() {
        let of = |s: &str| of_stack("crash", "", s, None);
        assert_ne!(
            of(STACK),
            of(&STACK.replace("com.x.Main$1", "com.x.Detail$1"))
        );
        assert_ne!(of(STACK), of(&STACK.replace("NullPointer", "IllegalState")));
        assert_ne!(of_stack("anr", "", STACK, None), of(STACK));
    }

    #[test]
    fn a_stack_without_app_frames_goes_by_the_platforms() {
        let a = "java.lang.IllegalStateException: x\n\tat android.view.View.a(View.java:1)\n";
        let b = "java.lang.IllegalStateException: x\n\tat android.view.View.b(View.java:1)\n";
        assert_ne!(
            of_stack("crash", "", a, None),
            of_stack("crash", "", b, None)
        );
    }

    #[test]
    fn a_message_of_several_lines_is_no_second_exception() {
        let text = "java.lang.Error: first\njava.lang.Fake: second\n\tat com.x.A.b(A.java:1)\n";
        assert_eq!(parse(text)[0].class, "java.lang.Error");
        assert_eq!(parse(text).len(), 1);
    }
}
