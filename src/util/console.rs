//! The one way to the terminal. What is written there has been made fit for it: no text of an app moves the cursor,
//! and on GitHub's runners none gives the runner commands (lines that start with `::`, and `##[` anywhere).

use super::text::is_shown;
use std::env;
use std::io::{self, Write};

/// A word joiner: nobody sees it, and what it parts is not a command.
const JOINER: char = '\u{2060}';
/// The longest colour sequence, without its start.
const LONGEST_COLOUR: usize = 16;

/// Text that is fit for a terminal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clean(String);

impl Clean {
    /// Of anybody: lines and tabs stay, other control characters do not.
    pub fn plain(text: &str) -> Self {
        Self(fit(text, false, on_runner()))
    }

    /// Of ours, with colours; those stay, and no other sequence.
    pub fn painted(text: &str) -> Self {
        Self(fit(text, true, on_runner()))
    }

    /// JSON, which says the same afterwards.
    pub fn json(text: &str) -> Self {
        let mut clean = String::with_capacity(text.len());
        for c in text.chars() {
            match c {
                '\n' | '\t' => clean.push(c),
                c if is_shown(c) => clean.push(c),
                // Within a string, as nothing else may hold one; all of them have one unit.
                c => clean += &format!("\\u{:04x}", u32::from(c)),
            }
        }
        Self(clean.replace("##[", "#\\u0023["))
    }

    /// What this tool makes by itself or of the user's suite, and programs read: as it is.
    pub fn own(text: &str) -> Self {
        Self(text.to_owned())
    }
}

/// Where a text goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stream {
    /// Results.
    Out,
    /// Messages.
    Err,
}

/// Writes a text as a whole.
///
/// # Errors
/// Nobody takes it.
pub fn write(stream: Stream, text: &Clean) -> io::Result<()> {
    match stream {
        Stream::Out => whole(io::stdout().lock(), text),
        Stream::Err => whole(io::stderr().lock(), text),
    }
}

fn whole(mut to: impl Write, text: &Clean) -> io::Result<()> {
    to.write_all(text.0.as_bytes()).and_then(|()| to.flush())
}

/// A stream for whoever writes complete lines, each cleaned as it comes.
#[derive(Debug)]
pub struct Lines(Stream, fn(&str) -> Clean);

impl Lines {
    /// Painted words, on the stream for messages.
    pub fn words() -> Self {
        Self(Stream::Err, Clean::painted)
    }

    /// JSON, on the stream for results.
    pub fn json() -> Self {
        Self(Stream::Out, Clean::json)
    }
}

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        write(self.0, &(self.1)(&String::from_utf8_lossy(bytes)))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Reports panics here, too: what they say may hold an app's text.
pub fn take_panics() {
    std::panic::set_hook(Box::new(|info| {
        let trace = std::backtrace::Backtrace::capture();
        let trace = match trace.status() {
            std::backtrace::BacktraceStatus::Captured => format!("\n{trace}"),
            _ => String::new(),
        };
        let thread = std::thread::current();
        let name = thread.name().unwrap_or("without a name");
        // Nobody listening is not a reason to fail again.
        let reported = Clean::plain(&format!("thread {name}: {info}{trace}\n"));
        let _ = write(Stream::Err, &reported);
    }));
}

/// Does a runner of GitHub's read what is written?
fn on_runner() -> bool {
    env::var_os("GITHUB_ACTIONS").is_some_and(|value| !value.is_empty())
}

fn fit(text: &str, painted: bool, runner: bool) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let taken = match colour(rest).filter(|_| painted) {
            Some(length) => {
                clean += &rest[..length];
                length
            }
            None => {
                let stays = matches!(c, '\n' | '\t') || is_shown(c);
                clean.push(if stays { c } else { ' ' });
                c.len_utf8()
            }
        };
        rest = &rest[taken..];
    }
    if runner { defused(&clean) } else { clean }
}

/// The length of the colour sequence that the text starts with.
fn colour(text: &str) -> Option<usize> {
    let codes = text.strip_prefix("\x1b[")?;
    let end = codes.find('m').filter(|end| *end < LONGEST_COLOUR)?;
    let is_code = |b: u8| b.is_ascii_digit() || b == b';';
    codes[..end].bytes().all(is_code).then_some(end + 3)
}

/// The text without commands to the runner, which passes over blanks at a line's start.
fn defused(text: &str) -> String {
    let blank = |c: char| c.is_whitespace() || matches!(c, '\u{200b}' | '\u{feff}');
    let mut clean = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let command = line.trim_start_matches(blank);
        clean += &line[..line.len() - command.len()];
        match command.strip_prefix("::") {
            Some(rest) => {
                clean.extend([':', JOINER, ':']);
                clean += rest;
            }
            None => clean += command,
        }
    }
    clean.replace("##[", &format!("#{JOINER}#["))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_control_character_gets_through_and_colours_only_of_ours() {
        let hostile = "\x1b[31mred\x1b[2J\x1b]0;title\x07\u{9b}2J\r\u{202e}\tend\n";
        let plain = fit(hostile, false, false);
        assert_eq!(plain, " [31mred [2J ]0;title  2J  \tend\n");
        let painted = fit(hostile, true, false);
        assert_eq!(painted, "\x1b[31mred [2J ]0;title  2J  \tend\n");
        assert_eq!(fit("\x1b[1;2Hm", true, false), " [1;2Hm");
    }

    #[test]
    fn no_text_gives_a_runner_commands() {
        let hostile = "::error::x\n \t::add-mask::y\r\na ##[error]z\n###[group]\n:::x::y";
        let clean = fit(hostile, false, true);
        for line in clean.lines() {
            assert!(!line.trim_start().starts_with("::"), "{line}");
        }
        assert!(!clean.contains("##["), "{clean}");
        assert_eq!(clean.replace(JOINER, ""), hostile.replace('\r', " "));
        // Elsewhere it is only text.
        assert_eq!(fit("::x ##[y]", false, false), "::x ##[y]");
        let carriage = fit("a\r::error::x", false, true);
        assert!(!carriage.contains('\r'));
    }

    #[test]
    fn json_says_the_same_without_them() {
        let said = "##[error] ###[x] \u{9b}2J \u{202e} \u{1b}[2J é 😀";
        let value = serde_json::json!({ "text": said });
        for text in [value.to_string(), format!("{value:#}\n")] {
            let Clean(clean) = Clean::json(&text);
            assert!(!clean.contains("##[") && clean.chars().all(|c| c == '\n' || is_shown(c)));
            assert_eq!(
                serde_json::from_str::<serde_json::Value>(&clean).unwrap(),
                value
            );
        }
    }
}
