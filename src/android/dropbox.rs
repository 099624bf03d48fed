//! The system's dropbox as `dumpsys dropbox` prints it: what it has written down of crashes and ANRs, kept over
//! days and in spite of a log that ran over.
//!
//! The form is that of AOSP's `DropBoxManagerService.dump`: some lines about the box, then for each entry
//! `YYYY-MM-DD HH:MM:SS TAG (compressed text, N bytes)`. With `--print` a line of 40 `=` is before it and its
//! complete text after it, without, one line of its first 70 characters. Several words after the options must all fit:
//! each a part of the time, or the tag.

use super::text;
use regex::Regex;
use std::sync::LazyLock;

/// Tags of what ends or stops an app, of installed apps and of those in the system's image; a tombstone of any
/// process has the last.
pub const TAGS: [&str; 7] = [
    "data_app_crash",
    "data_app_native_crash",
    "data_app_anr",
    "system_app_crash",
    "system_app_native_crash",
    "system_app_anr",
    "SYSTEM_TOMBSTONE",
];

/// Before each printed entry.
const LINE: &str = "========================================";
static HEAD: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d) (\S+) \((?:compressed )?text, \d+ bytes\)\s*$")
        .expect("a valid pattern")
});

/// One entry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry<'a> {
    /// When it was written, on the device's clock: `YYYY-MM-DD HH:MM:SS`.
    pub time: &'a str,
    /// What it is: see [`TAGS`].
    pub tag: &'a str,
    /// Its text.
    pub text: String,
}

impl Entry<'_> {
    /// The process that its header names, and the process's number where it says it (before Android 10 it does not).
    /// A tombstone's entry has neither in its header.
    pub fn process(&self) -> (Option<&str>, Option<u32>) {
        let pid = self.field("PID:").and_then(|pid| pid.parse().ok());
        (self.field("Process:"), pid)
    }

    /// The number of the app for its user, where the header says it.
    pub fn uid(&self) -> Option<u32> {
        self.field("UID:")?.parse().ok()
    }

    fn field(&self, name: &str) -> Option<&str> {
        let mut header = self.text.lines().take_while(|line| !line.is_empty());
        header.find_map(|line| line.strip_prefix(name).map(str::trim))
    }
}

/// Time and tag of each entry in a list (without `--print`), as often as they are there. Entries without text
/// (`contents lost`, `data`, `no file`) are left out.
pub fn listed(list: &str) -> Vec<(&str, &str)> {
    let heads = text::lines(list).filter_map(|(_, line)| head(line));
    heads.collect()
}

/// Time and tag, if a line is the first of an entry.
pub fn head(line: &str) -> Option<(&str, &str)> {
    let found = HEAD.captures(line)?;
    Some((found.get(1)?.as_str(), found.get(2)?.as_str()))
}

/// Each entry that `--print` gives, in its order.
pub fn printed(all: &str) -> Vec<Entry<'_>> {
    let mut entries: Vec<Entry<'_>> = Vec::new();
    let (mut after_line, mut within) = (false, false);
    for (_, line) in text::lines(all) {
        if line == LINE {
            (after_line, within) = (true, false);
            continue;
        }
        if std::mem::take(&mut after_line) {
            if let Some((time, tag)) = head(line) {
                let text = String::new();
                entries.push(Entry { time, tag, text });
                within = true;
            }
            continue;
        }
        if let Some(entry) = entries.last_mut().filter(|_| within) {
            entry.text.push_str(line);
            entry.text.push('\n');
        }
    }
    entries
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "Drop box contents: 3 entries\nMax entries: 1000\n\
        Low priority rate limit period: 2000 ms\nLow priority tags: {data_app_wtf, keymaster}\n\
        Searching for: data_app_crash\n\n";

    #[test]
    fn a_list_gives_times_and_tags_of_what_has_text() {
        let list = format!(
            "{HEADER}2026-11-22 13:45:01 data_app_crash (compressed text, 812 bytes)\n    Process: com.x/PID: 4001/Flags: 0x38c8be46/Package: com.x v1 (1.0)/Fore ...\n\
             2026-11-22 13:45:07 data_app_crash (contents lost)\n\
             2026-11-22 13:46:00 SYSTEM_TOMBSTONE_PROTO (compressed data, 12 bytes)\n\
             2026-11-22 13:46:00 SYSTEM_TOMBSTONE (text, 12 bytes)\n    a\n"
        );
        let crash = ("2026-11-22 13:45:01", "data_app_crash");
        let stone = ("2026-11-22 13:46:00", "SYSTEM_TOMBSTONE");
        assert_eq!(listed(&list), [crash, stone]);
        assert_eq!(listed("Can't find service: dropbox\n"), []);
    }

    #[test]
    fn printed_entries_have_their_own_text_and_no_others() {
        let all = format!(
            "{HEADER}{LINE}\n2026-11-22 13:45:01 data_app_crash (text, 9 bytes)\nProcess: com.x\n\n\
             2026-11-22 13:45:02 data_app_crash (text, 9 bytes)\n\n\
             {LINE}\n2026-11-22 13:45:03 data_app_anr (contents lost)\n\
             {LINE}\n2026-11-22 13:45:04 data_app_anr (compressed text, 5 bytes)\r\nSubject: a\r\n"
        );
        let found = printed(&all);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].text.contains("13:45:02"), "what looks like a head");
        assert_eq!(found[0].tag, "data_app_crash");
        assert_eq!(found[0].process(), (Some("com.x"), None));
        let last = ("2026-11-22 13:45:04", "data_app_anr", "Subject: a");
        let reported = (found[1].time, found[1].tag, found[1].text.trim_end());
        assert_eq!(reported, last);
    }
}
