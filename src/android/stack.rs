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
    /// What is in the parentheses: file and line, `Native Method`, `Unknown Source:12`.
    pub place: &'a str,
    /// Line, where known.
    pub line: Option<u32>,
}

/// An exception of a chain with its frames.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Thrown<'a> {
    /// Class, empty when the text did not name one.
    pub class: &'a str,
    /// First line of its message, empty without one.
    pub message: &'a str,
    /// Frames, topmost first.
    pub frames: Vec<Frame<'a>>,
    /// Functions and components that an error of a script names in the further lines of its message.
    pub script: Vec<&'a str>,
}

/// Packages whose frames say where the platform stood, not where the app failed.
const PLATFORM: [&str; 20] = [
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
    "org.apache.harmony.",
    "org.apache.http.",
    "org.xml.",
    "org.xmlpull.",
    "sun.",
    "droidtest.",
];

static FRAME: LazyLock<Regex> = LazyLock::new(|| {
    // The class may hold a module or loader prefix (`java.base/java.util...`).
    Regex::new(r"^\s*at (?:[\w.@-]*/)*([^\s(]+)\.([^\s.(]+)\(([^)]*:(\d+)|[^)]*)\)")
        .expect("a valid pattern")
});
static EXCEPTION: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(?:Caused by: )?((?:[A-Za-z_$][\w$]*\.)+[A-Za-z_$][\w$]*)(?:$|: ?(.*)$)")
        .expect("a valid pattern")
});
/// A function (`name@1:90`, `at name (..)`) or a component (`in Name (at File.js:3)`, `in Name`) of a script.
static SCRIPT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^\s*(?:([^\s@()]+)@.*\d|(?:at|in) (?:async |new )?([^\s()]+)(?: ?\(.*)?)$")
        .expect("a valid pattern")
});
/// The chain of exceptions in a stack's text, outermost first.
pub fn parse(stack: &str) -> Vec<Thrown<'_>> {
    let mut chain: Vec<Thrown<'_>> = Vec::new();
    for line in stack.lines() {
        let frame = FRAME.captures(line);
        if let Some(found) = frame.filter(|found| !is_script_place(&found[3])) {
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
            // A message may continue over lines that look like a class name; only the first line of a
            // section counts, that is one after frames, or the very first, or one marked as a cause.
            let begins = line.starts_with("Caused by: ") || chain.is_empty();
            if begins {
                chain.push(Thrown {
                    class,
                    message: found.get(2).map_or("", |m| m.as_str()),
                    ..Thrown::default()
                });
            } else {
                script_line(&mut chain, line);
            }
        } else {
            script_line(&mut chain, line);
        }
    }
    chain
}

/// Keeps what a line of a script's stack names.
fn script_line<'a>(chain: &mut [Thrown<'a>], line: &'a str) {
    let of_script = |thrown: &&mut Thrown<'a>| {
        thrown.frames.is_empty() && thrown.class.ends_with(".JavascriptException")
    };
    if let Some(thrown) = chain.last_mut().filter(of_script)
        && let Some(found) = SCRIPT.captures(line)
    {
        let name = found.get(1).or_else(|| found.get(2));
        thrown.script.extend(name.map(|name| name.as_str()));
    }
}

/// Is what is in a frame's parentheses a place in a script: `bundle.js:1:90114`, line and column?
pub fn is_script_place(place: &str) -> bool {
    let place = place.trim_end().trim_end_matches(')');
    let mut parts = place.rsplit(':');
    let mut number = || {
        let part = parts.next();
        part.is_some_and(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()))
    };
    number() && number()
}

/// Was this cause never thrown? `android.app.StackTrace` is where a call was made; the stack of the service that
/// refused one follows as a `RemoteException`.
pub fn is_pseudo_cause(class: &str, message: &str) -> bool {
    class == "android.app.StackTrace"
        || class == "android.os.RemoteException" && message.starts_with("Remote stack trace")
}

/// Does this class belong to the platform?
pub fn is_platform(class: &str) -> bool {
    PLATFORM.iter().any(|prefix| class.starts_with(prefix))
}

/// The stack of a thread that was sampled repeatedly, cut at the innermost method that all samples share: the
/// innermost of the `stays` outermost frames. Those that it was in at random are before them as text (`now in ...`). Where no class of the app's
/// own is among what stays, the stack is as good as it gets, and is left unchanged.
pub fn at_loop(stack: &str, stays: usize) -> String {
    let lines: Vec<&str> = stack.lines().collect();
    let frames: Vec<usize> = (0..lines.len())
        .filter(|&at| FRAME.is_match(lines[at]))
        .collect();
    let inner = frames.len().saturating_sub(stays);
    let Some(&from) = frames.get(inner) else {
        return stack.to_owned();
    };
    let held = lines[from..].join("\n");
    let all = parse(&held).into_iter().flat_map(|thrown| thrown.frames);
    if all.map(|frame| frame.class).all(is_platform) {
        return stack.to_owned();
    }
    let reported =
        lines
            .iter()
            .enumerate()
            .map(|(at, line)| match at < from && FRAME.is_match(line) {
                true => line.replacen("at ", "now in ", 1),
                false => (*line).to_owned(),
            });
    reported.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    const STACK: &str = "main\n  at java.util.ArrayList.get(ArrayList.java:4)\n  at com.x.Help.look(Help.java:7)\n  \
        at com.x.Main.search(Main.java:42)\n  at androidx.view.Click.on(Click.java:9)\n  at android.os.Looper.loop(Looper.java:1)";

    fn place(stack: &str) -> &str {
        let chain = parse(stack);
        let mut frames = chain.into_iter().flat_map(|thrown| thrown.frames);
        frames
            .find(|frame| !is_platform(frame.class))
            .unwrap()
            .method
    }

    #[test]
    fn a_loop_is_told_where_the_thread_stays() {
        assert_eq!(place(STACK), "look");
        let reported = at_loop(STACK, 3);
        assert_eq!(place(&reported), "search");
        assert!(
            reported.contains("\n  now in com.x.Help.look(Help.java:7)\n  at com.x.Main.search"),
            "{reported}"
        );
        assert_eq!(reported.lines().count(), STACK.lines().count());
    }

    #[test]
    fn without_a_class_of_the_apps_in_what_stays_the_stack_is_as_it_was() {
        for stays in [0, 1, 2, 5, 9] {
            assert_eq!(at_loop(STACK, stays), STACK, "{stays}");
        }
        assert_eq!(at_loop("main", 1), "main");
    }
}
