//! Lines of the log in each format `logcat -v` has, those that Android Studio (three), Eclipse, Visual Studio and
//! Unity copy, and `grep`'s with a file's name before.

use super::text::{self, indent};
use regex::{Captures, Regex};

/// One line of a log, or a line of some text that is in no log's format.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Record<'a> {
    /// Line in the file, from 1.
    pub line: usize,
    /// Process that wrote it.
    pub pid: Option<u32>,
    /// Thread that wrote it.
    pub tid: Option<u32>,
    /// `V`, `D`, `I`, `W`, `E`, `F`, `A` or `S`; `None` for a line in no log's format.
    pub priority: Option<char>,
    /// Tag, empty if the format has none.
    pub tag: &'a str,
    /// Package of the writer, where the format names it.
    pub package: Option<&'a str>,
    /// The message with its indentation.
    pub message: &'a str,
}

impl Record<'_> {
    /// Android's number of the priority: 2 verbose to 7 assert.
    pub fn level(&self) -> u8 {
        match self.priority {
            Some('V') => 2,
            Some('D') => 3,
            Some('W') => 5,
            Some('E') => 6,
            Some('F' | 'A') => 7,
            _ => 4,
        }
    }
}

// Dates with or without year, epoch and monotonic seconds; a zone may follow.
const WHEN: &str = r"(?:(?:\d{4}-)?\d\d-\d\d \d\d:\d\d:\d\d\.\d+|\d+\.\d{3,9})(?: [+-]\d{4})?";
// The user who wrote a line, by `-v uid`: a number, or a short name.
const UID: &str = r"(?:\s*[\w.]+:)?";
pattern!(
    THREADTIME,
    &format!(
        r"^\s*{WHEN}\s+(?:[\w.]+\s+)??(?P<pid>\d+)\s+(?P<tid>\d+) (?P<p>[VDIWEFAS]) (?P<tag>.*?)\s*:(?: (?P<m>.*))?$"
    )
);
// Eclipse and Visual Studio put a colon behind the time.
pattern!(
    TIME,
    &format!(
        r"^\s*{WHEN}:? (?P<p>[VDIWEFAS])/(?P<tag>.*?)\s*\({UID}\s*(?P<pid>\d+)\): ?(?P<m>.*)$"
    )
);
// Its first versions had a small colon (U+FE55).
pattern!(
    STUDIO,
    &format!(
        r"^\s*{WHEN}\s+(?P<pid>\d+)-(?P<tid>\d+)/(?P<pkg>\S+) (?P<p>[VDIWEFAS])/(?P<tag>.*?)[:\u{{fe55}}] ?(?P<m>.*)$"
    )
);
// Its compact view has the time of day alone, without process and tag.
pattern!(
    STUDIO_COMPACT,
    r"^\s*(?:\d{4}-\d\d-\d\d )?\d\d:\d\d:\d\d\.\d{3}\s+(?P<p>[VDIWEFAS]) {1,2}(?P<m>.*)$"
);
pattern!(
    UNITY,
    r"^\s*\d{4}/\d\d/\d\d \d\d:\d\d:\d\d\.\d+ (?P<pid>\d+) (?P<tid>\d+) (?P<p>Verbose|Debug|Info|Warn|Error|Fatal|Assert|Silent) (?P<tag>\S+)(?: (?P<m>.*))?$"
);
pattern!(
    STUDIO_NEW,
    &format!(
        r"^\s*{WHEN}\s+(?P<pid>\d+)-(?P<tid>\d+)\s+(?P<tag>\S+)\s+(?P<pkg>\S+)\s+(?P<p>[VDIWEFAS]) {{1,2}}(?P<m>.*)$"
    )
);
pattern!(
    BRIEF,
    &format!(r"^(?P<p>[VDIWEFAS])/(?P<tag>.*?)\s*\({UID}\s*(?P<pid>\d+)\): ?(?P<m>.*)$")
);
pattern!(
    PROCESS,
    r"^(?P<p>[VDIWEFAS])\(\s*(?P<pid>\d+)\) (?P<m>.*?)\s+\((?P<tag>[^()]*)\)$"
);
// What is before the process may be the process of THREAD, whose lines may end in brackets, too: the two blanks
// before the tag tell.
pattern!(
    PROCESS_UID,
    &format!(r"^(?P<p>[VDIWEFAS])\({UID}\s*(?P<pid>\d+)\) (?P<m>.*?)  \((?P<tag>[^()]*)\)$")
);
pattern!(
    THREAD,
    &format!(r"^(?P<p>[VDIWEFAS])\({UID}\s*(?P<pid>\d+):\s*(?P<tid>\d+)\) (?P<m>.*)$")
);
pattern!(
    TAG,
    r"^\d?(?P<p>[VDIWEFAS])[/ ](?P<tag>[A-Za-z_][^:]{0,60}?)\s*:(?: (?P<m>.*))?$"
);
pattern!(
    LONG,
    &format!(
        r"^\[\s+{WHEN}\s{UID}\s*(?P<pid>\d+):\s*(?P<tid>\d+) (?P<p>[VDIWEFAS])/(?P<tag>.*?)\s*\]$"
    )
);

/// One line; `None` when it is in no log's format.
pub fn record(line: &str) -> Option<Record<'_>> {
    plain(line).or_else(|| {
        // A file's name of grep's, perhaps with a line number, and perhaps a drive before it.
        let ends = line.match_indices(':').map(|(at, _)| at + 1).take(3);
        ends.filter(|&end| line[..end].contains(['/', '.', '\\']))
            .find_map(|end| plain(&line[end..]))
    })
}

fn plain(line: &str) -> Option<Record<'_>> {
    let by_time = line.trim_start().starts_with(|c: char| c.is_ascii_digit());
    let timed: [&Regex; 6] = [
        &THREADTIME,
        &TIME,
        &STUDIO,
        &STUDIO_NEW,
        &STUDIO_COMPACT,
        &UNITY,
    ];
    let untimed: [&Regex; 5] = [&BRIEF, &PROCESS, &PROCESS_UID, &THREAD, &TAG];
    let found = timed
        .into_iter()
        .filter(|_| by_time)
        .chain(untimed)
        .find_map(|pattern| pattern.captures(line))?;
    Some(of_captures(&found))
}

fn of_captures<'a>(found: &Captures<'a>) -> Record<'a> {
    let text = |name| found.name(name).map_or("", |m| m.as_str());
    Record {
        line: 0,
        pid: text("pid").parse().ok(),
        tid: text("tid").parse().ok(),
        priority: text("p").chars().next(),
        tag: text("tag"),
        package: found.name("pkg").map(|m| m.as_str()),
        message: text("m"),
    }
}

/// All lines of a text. Lines in no log's format come without priority; those under a `-v long` header belong to
/// it, without the empty line behind each entry.
pub fn records(text: &str) -> impl Iterator<Item = Record<'_>> {
    let mut head: Option<Record<'_>> = None;
    let next = text::lines(text).map(|(_, line)| line).skip(1);
    let lines = text::lines(text).zip(next.map(Some).chain([None]));
    lines.filter_map(move |((number, line), next)| {
        if let Some(found) = LONG.captures(line) {
            head = Some(Record {
                line: number,
                ..of_captures(&found)
            });
            return None;
        }
        let closes = |next: &str| LONG.is_match(next) || next.starts_with("---------");
        if line.is_empty() && head.is_some() && next.is_none_or(closes) {
            head = None;
            return None;
        }
        let found = match (record(line), head) {
            // Indented lines of a stack can look like `E Tag: ..`; under a header such a line is not a log line.
            (_, Some(head)) if !line.starts_with("---------") => Record {
                message: line,
                ..head
            },
            (Some(found), _)
                if indent(line) == 0
                    || line.trim_start().starts_with(|c: char| c.is_ascii_digit()) =>
            {
                found
            }
            _ => Record {
                message: line,
                ..Record::default()
            },
        };
        // A message may start with an empty line: `backtrace:` of a tombstone does.
        if line.is_empty() && head.is_none_or(|head| head.line + 1 < number) {
            head = None;
        }
        Some(Record {
            line: number,
            ..found
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_format_gives_the_same_line() {
        for line in [
            "03-13 10:01:23.827  7711  7767 E AndroidRuntime: \tat a.b(C.java:1)",
            "2024-03-13 10:01:23.827123  7711  7767 E AndroidRuntime: \tat a.b(C.java:1)",
            "03-13 10:01:23.827 u0_a12  7711  7767 E AndroidRuntime: \tat a.b(C.java:1)",
            "1710324083.827  7711  7767 E AndroidRuntime: \tat a.b(C.java:1)",
            "03-13 10:01:23.827 E/AndroidRuntime( 7711): \tat a.b(C.java:1)",
            "E/AndroidRuntime( 7711): \tat a.b(C.java:1)",
            "E/AndroidRuntime: \tat a.b(C.java:1)",
            "E AndroidRuntime: \tat a.b(C.java:1)",
            "2020-07-18 15:44:19.550 7711-7767/com.x E/AndroidRuntime: \tat a.b(C.java:1)",
            "2023-07-18 15:44:19.550  7711-7767  AndroidRuntime  com.x  E  \tat a.b(C.java:1)",
            "    2020-07-18 15:44:19.550 7711-7767/com.x E/AndroidRuntime: \tat a.b(C.java:1)",
            "07-18 15:44:19.550    7711-7767/com.x E/AndroidRuntime\u{fe55} \tat a.b(C.java:1)",
            // Eclipse and Visual Studio; Unity's window.
            "03-13 10:01:23.827: E/AndroidRuntime(7711): \tat a.b(C.java:1)",
            "2023/03/13 10:01:23.827 7711 7767 Error AndroidRuntime \tat a.b(C.java:1)",
            // `-v uid`, `-v monotonic`.
            "03-13 10:01:23.827 E/AndroidRuntime(10012: 7711): \tat a.b(C.java:1)",
            "E/AndroidRuntime(10012: 7711): \tat a.b(C.java:1)",
            "E/AndroidRuntime( root: 7711): \tat a.b(C.java:1)",
            "E( 7711) \tat a.b(C.java:1)  (AndroidRuntime)",
            "E(10012: 7711) \tat a.b(C.java:1)  (AndroidRuntime)",
            "   83.827 E/AndroidRuntime( 7711): \tat a.b(C.java:1)",
            "   83.827  7711  7767 E AndroidRuntime: \tat a.b(C.java:1)",
            "logs/a.txt:03-13 10:01:23.827  7711  7767 E AndroidRuntime: \tat a.b(C.java:1)",
            "logs/a.txt:12:E/AndroidRuntime( 7711): \tat a.b(C.java:1)",
        ] {
            let found = record(line).unwrap_or_else(|| panic!("{line}"));
            assert_eq!(
                (found.tag, found.priority),
                ("AndroidRuntime", Some('E')),
                "{line}"
            );
            assert_eq!(found.message, "\tat a.b(C.java:1)", "{line}");
            assert!(found.pid.is_none_or(|pid| pid == 7711), "{line}");
        }
    }

    #[test]
    fn tags_keep_their_colons_out_of_messages() {
        let found =
            record("07-04 19:35:07.260   373   373 F libc    : Fatal signal 11 (SIGSEGV)").unwrap();
        assert_eq!(
            (found.tag, found.message),
            ("libc", "Fatal signal 11 (SIGSEGV)")
        );
        assert_eq!(record("\tat com.x.A.b(A.java:1)"), None);
        assert_eq!(record("java.lang.Error: E/x"), None);
    }

    #[test]
    fn studios_compact_view_has_neither_process_nor_tag() {
        for time in ["10:01:23.827", "2024-03-13 10:01:23.827"] {
            let text = format!("{time}  E  a: b\n    c\n");
            let found: Vec<_> = records(&text).map(|r| (r.priority, r.message)).collect();
            assert_eq!(found[..2], [(Some('E'), "a: b"), (None, "    c")], "{time}");
        }
    }

    #[test]
    fn the_thread_format_has_no_tag_and_perhaps_a_user() {
        for line in [
            "E( 7711: 7767) signal (SIGABRT)",
            "E(10012: 7711: 7767) signal (SIGABRT)",
        ] {
            let found = record(line).unwrap();
            let reported = (found.pid, found.tid, found.message);
            assert_eq!(
                reported,
                (Some(7711), Some(7767), "signal (SIGABRT)"),
                "{line}"
            );
        }
    }

    #[test]
    fn entries_of_the_long_format_end_without_an_empty_line() {
        for head in [
            "[ 03-13 10:01:23.827 25670:25670 F/DEBUG    ]",
            "[ 03-13 10:01:23.827 10012: 25670:25670 F/DEBUG    ]",
            "[    83.827 25670:25670 F/DEBUG    ]",
        ] {
            let text =
                format!("{head}\n#00 pc 1\n\n{head}\n\n#01 pc 2\n\n--------- beginning of main\n");
            let found: Vec<_> = records(&text).map(|r| (r.pid, r.message)).collect();
            let lines = ["#00 pc 1", "", "#01 pc 2"].map(|line| (Some(25670), line));
            assert_eq!(found[..3], lines, "{head}");
        }
    }

    #[test]
    fn the_long_format_joins_header_and_lines() {
        let text = "[ 03-13 10:01:23.827  7711: 7767 E/AndroidRuntime ]\nFATAL EXCEPTION: main\n\tat a.b(C.java:1)\n\nrest";
        let found: Vec<_> = records(text).map(|r| (r.tag, r.message)).collect();
        assert_eq!(found[0], ("AndroidRuntime", "FATAL EXCEPTION: main"));
        assert_eq!(found[1].0, "AndroidRuntime");
        assert_eq!(found[3], ("", "rest"));
    }
}
