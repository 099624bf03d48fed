//! The stable name of a cause, the same in every report and every run.

use super::finding::FindingKind;

/// Hex digits of the fingerprint in a name.
const DIGITS: usize = 8;

/// `NullPointerException at NotesActivity.compareTags [v2:e55c2e3f]`; a finding without an app frame has its activity:
/// `blank page in NotesActivity [v2:0123abcd]`. It holds no line, strategy or seed, so that a CI can follow it.
pub fn cause_name(
    kind: FindingKind,
    exception: Option<&str>,
    frame: Option<&str>,
    activity: &str,
    fingerprint: &str,
) -> String {
    let what = match exception {
        Some(class) if !class.is_empty() => last_parts(class, 1).to_owned(),
        _ => kind.to_string(),
    };
    let place = match frame {
        Some(frame) if !frame.is_empty() => format!(" at {}", method_of(frame)),
        _ if !activity.is_empty() => format!(" in {}", last_parts(activity, 1)),
        _ => String::new(),
    };
    let (rules, hex) = fingerprint.split_once(':').unwrap_or(("", fingerprint));
    let hex = hex.get(..DIGITS).unwrap_or(hex);
    let colon = if rules.is_empty() { "" } else { ":" };
    format!("{what}{place} [{rules}{colon}{hex}]")
}

/// `NotesActivity.compareTags` of `org.x.NotesActivity.compareTags(NotesActivity.java:42)`.
pub fn method_of(frame: &str) -> &str {
    last_parts(frame.split('(').next().unwrap_or(frame), 2)
}

fn last_parts(name: &str, count: usize) -> &str {
    let dots: Vec<_> = name.rmatch_indices('.').map(|(at, _)| at + 1).collect();
    dots.get(count - 1).map_or(name, |&at| &name[at..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_the_class_and_the_method_without_lines() {
        let frame = Some("org.x.NotesActivity.compareTags(NotesActivity.java:42)");
        let class = Some("java.lang.NullPointerException");
        let name = |frame, class, print| {
            cause_name(FindingKind::JavaCrash, class, frame, "org.x.Main", print)
        };
        assert_eq!(
            name(frame, class, "v2:e55c2e3f01234567"),
            "NullPointerException at NotesActivity.compareTags [v2:e55c2e3f]"
        );
        assert_eq!(
            name(None, class, "e55c2e3f01234567"),
            "NullPointerException in Main [e55c2e3f]"
        );
        assert_eq!(name(Some("main"), None, "v2:é"), "crash at main [v2:é]");
    }
}
