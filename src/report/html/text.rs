//! Untrusted text for the page. The template escapes markup; this handles the rest.

use crate::util::text::{for_file_name, for_terminal, for_xml, shorten};
use std::collections::BTreeSet;

/// One line: no control characters, no direction overrides, not too long.
pub fn line(text: &str, most: usize) -> String {
    for_xml(&for_terminal(&shorten(text, most))).into_owned()
}

/// Several lines, unchanged except for characters that HTML cannot contain.
pub fn block(text: &str, most: usize) -> String {
    let text = shorten(text, most);
    text.replace("\r\n", "\n")
        .split('\n')
        .map(|part| {
            part.split('\t')
                .map(|cell| line(cell, usize::MAX))
                .collect::<Vec<_>>()
                .join("\t")
        })
        .collect::<Vec<_>>()
        .join("\n")
}

/// The anchor of something with this name: the same in every report, and different from those taken.
pub fn anchor(name: &str, taken: &mut BTreeSet<String>) -> String {
    let name = for_file_name(name);
    let numbered = (2..).map(|n| format!("{name}-{n}"));
    let mut names = std::iter::once(name.clone()).chain(numbered);
    let free = names.find(|name| taken.insert(name.clone()));
    free.unwrap_or(name)
}

/// A share in percent with one digit after the point.
pub fn percent(part: u64, whole: u64) -> f64 {
    if whole == 0 {
        return 0.0;
    }
    (1000.0 * part as f64 / whole as f64).round() / 10.0
}

/// A number with thin spaces between its thousands.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push('\u{202f}');
        }
        out.push(digit);
    }
    out
}

/// A duration in its two largest significant units.
pub fn duration(seconds: f64) -> String {
    // The sum of no times is -0.0.
    let seconds = seconds + 0.0;
    let whole = seconds.round() as u64;
    match whole {
        _ if seconds < 10.0 => format!("{seconds:.1} s"),
        0..60 => format!("{whole} s"),
        60..3600 => format!("{} min {} s", whole / 60, whole % 60),
        _ => format!("{} h {} min", whole / 3600, whole % 3600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_keeps_its_lines_and_tabs_only() {
        assert_eq!(
            block("a\tb\r\nc\u{1b}[1m\u{202e}\u{0}d", 100),
            "a\tb\nc [1m  d"
        );
        assert_eq!(line("a\nb\tc", 100), "a b c");
    }

    #[test]
    fn anchors_stay_the_same_and_differ() {
        let mut taken = BTreeSet::new();
        let mut of = |name| anchor(name, &mut taken);
        assert_eq!(of("finding-a\"><b>-v2:00ff"), "finding-a___b_-v2_00ff");
        assert_eq!(of("finding-a\"> b>-v2:00ff"), "finding-a___b_-v2_00ff-2");
        assert_eq!(of("finding-c"), "finding-c");
    }

    #[test]
    fn numbers_are_written_for_people() {
        assert_eq!(grouped(1_234_567), "1\u{202f}234\u{202f}567");
        assert_eq!(grouped(12), "12");
        assert_eq!(
            [-0.0, 0.04, 12.3, 61.0, 7322.0].map(duration),
            ["0.0 s", "0.0 s", "12 s", "1 min 1 s", "2 h 2 min"]
        );
        assert_eq!((percent(1, 3), percent(0, 0)), (33.3, 0.0));
    }
}
