//! The first version of fingerprints, 16 hexadecimal digits without a prefix: only so that old traces are still
//! recognized. It never changes.

use super::mapping::Mapping;
use crate::android::anr;
use crate::android::stack::{Thrown, is_platform, parse};
use crate::util::hash;
use regex::Regex;
use std::sync::LazyLock;

/// Maximum frames: enough to distinguish causes, few enough to survive a change of the callers.
const FRAMES: usize = 5;

static NUMBERS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(\$\$Lambda)(?:\$\d+|\$?/0x[0-9a-f]+|/\d+)*|(SyntheticLambda|lambda\$[^$]*\$|access\$|\$)\d+")
        .expect("a valid pattern")
});

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
                    |m| m.retrace_v1(f),
                )
            })
            .filter(|(class, _)| !is_platform(class))
            .take(FRAMES)
            .map(|(class, method)| sanitize(&format!("{class}.{method}")))
            .collect()
    };
    // The root's app frames, or the nearest outer exception's if it has none (thrown deep in the platform).
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

/// The fingerprint of a blocked main thread. If no frame is known, the unanswered request distinguishes causes.
pub fn of_anr(stack: &str, mapping: Option<&Mapping>) -> u64 {
    let hash = of_stack("anr", "", stack, mapping);
    if parse(stack).iter().any(|thrown| !thrown.frames.is_empty()) {
        return hash;
    }
    let kind = anr::kind(stack.lines().next().unwrap_or_default());
    hash::mix(hash, hash::of_bytes(kind.as_bytes()))
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
}
