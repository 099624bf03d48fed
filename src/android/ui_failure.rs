//! What is in a dump file, or on the terminal, when `uiautomator dump` has failed. Its exit code is 0 then.

use super::error::FormatError;
use super::text;

struct Known {
    code: &'static str,
    /// Lower-case words of the line.
    words: &'static [&'static str],
    message: &'static str,
    fix: Option<&'static str>,
}

const KNOWN: &[Known] = &[
    Known {
        code: "no-idle-state",
        words: &["could not get idle state"],
        message: "uiautomator waited for the screen to become idle, but it kept changing",
        fix: Some(
            "turn animations off, or use the agent, which does not wait for the screen to be idle",
        ),
    },
    Known {
        code: "no-root-node",
        words: &["null root node"],
        message: "uiautomator got no root node: the window was changing, or is hidden from accessibility services",
        fix: Some("try again"),
    },
    Known {
        code: "already-registered",
        words: &["already registered"],
        message: "another UiAutomation is connected; Android has only one at a time",
        fix: Some("end the other instrumentation or agent"),
    },
    Known {
        code: "not-connected",
        words: &["uiautomation not connected"],
        message: "uiautomator lost its connection to the accessibility service",
        fix: Some("try again"),
    },
    Known {
        code: "uiautomator-crashed",
        words: &[
            "fatal exception",
            "java.lang.",
            "android.os.",
            "exception in thread",
            "[error]",
        ],
        message: "uiautomator itself crashed",
        fix: Some("try again; the crash is uiautomator's, not the app's"),
    },
    Known {
        code: "killed",
        words: &["killed", "aborted", "segmentation fault"],
        message: "uiautomator was killed, perhaps because memory was low",
        fix: Some("try again"),
    },
    Known {
        code: "no-space",
        words: &["no space left on device", "enospc"],
        message: "the device's storage is full",
        fix: Some("free some storage on the device"),
    },
    Known {
        code: "no-file",
        words: &["no such file or directory"],
        message: "the dump file is missing: uiautomator wrote none",
        fix: Some("try again"),
    },
    Known {
        code: "no-permission",
        words: &["permission denied", "read-only file system", "eacces"],
        message: "the dump file cannot be written or read on the device",
        fix: None,
    },
    Known {
        code: "no-uiautomator",
        words: &[
            "uiautomator: not found",
            "uiautomator: inaccessible or not found",
            "unknown command",
            "usage: uiautomator",
        ],
        message: "the device has no `uiautomator dump` command",
        fix: Some("use the agent"),
    },
    Known {
        code: "device-gone",
        words: &[
            "device offline",
            "device not found",
            "no devices/emulators",
            "more than one device",
            "device '",
            "device unauthorized",
        ],
        message: "adb could not reach the device",
        fix: Some("see `adb devices -l`"),
    },
    Known {
        code: "failed",
        words: &["error:", "error "],
        message: "uiautomator failed",
        fix: None,
    },
];

/// The failure that a text without hierarchy reports; `empty` or `not-a-dump` when it tells none.
pub fn explain(text: &str) -> FormatError {
    let mut first = None;
    for known in KNOWN {
        let says = |line: &str| {
            let line = line.to_lowercase();
            known.words.iter().any(|word| line.contains(word))
        };
        if let Some((number, line)) = text::lines(text).find(|(_, line)| says(line)) {
            let message = format!(
                "{}: {:?}",
                known.message,
                crate::util::text::shorten(line.trim(), 200)
            );
            let error = FormatError::new(known.code, number, message);
            return match known.fix {
                Some(fix) => error.fix(fix),
                None => error,
            };
        }
        first = first.or_else(|| text::lines(text).find(|(_, line)| !line.trim().is_empty()));
    }
    match first {
        None => {
            FormatError::new("empty", 1, "the file is empty: no dump was written").fix("dump again")
        }
        Some((number, line)) => FormatError::new(
            "not-a-dump",
            number,
            format!(
                "expected a hierarchy, found {:?}",
                crate::util::text::shorten(line.trim(), 80)
            ),
        ),
    }
}
