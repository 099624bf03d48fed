//! Traces as tests of other tools: a script of adb commands, a Maestro flow, a UiAutomator or an Espresso test.
//!
//! A widget is named by its resource-id, text and description, by its class and number where it has none of them, and by
//! its recorded place only where nothing else is known. All texts of an app are quoted for the language they are in.

mod adb;
mod instrumented;
mod maestro;
mod quote;
mod selector;

pub use instrumented::Language;

use crate::trace::{Step, Trace, words};
use crate::util::text::for_terminal;
use instrumented::By;

/// The tool that an export is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Tool {
    /// A POSIX shell script of adb commands
    Adb,
    /// A flow of Maestro
    Maestro,
    /// A UiAutomator test, outside the app's process
    Uiautomator,
    /// An Espresso test, in the app's process
    Espresso,
}

impl Tool {
    /// The extension of its files.
    pub const fn extension(self, language: Language) -> &'static str {
        match (self, language) {
            (Self::Adb, _) => "sh",
            (Self::Maestro, _) => "yaml",
            (_, Language::Java) => "java",
            (_, Language::Kotlin) => "kt",
        }
    }
}

/// A trace in the language of another tool.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Export {
    /// The file's content.
    pub text: String,
    /// What is not performed as in the trace, one sentence each.
    pub notices: Vec<String>,
}

/// A trace for this tool; the language and the class's name are for tests.
pub fn export(trace: &Trace, tool: Tool, language: Language, class: &str) -> Export {
    match tool {
        Tool::Adb => adb::script(trace),
        Tool::Maestro => maestro::flow(trace),
        Tool::Uiautomator => instrumented::test(trace, By::UiAutomator, language, class),
        Tool::Espresso => instrumented::test(trace, By::Espresso, language, class),
    }
}

/// Steps with their numbers and words, in one line without control characters.
fn numbered(trace: &Trace) -> impl Iterator<Item = (usize, String, &Step)> {
    let words = words::steps(&trace.steps).into_iter();
    let steps = trace.steps.iter().zip(words).enumerate();
    steps.map(|(ix, (step, words))| (ix + 1, one_line(&words), step))
}

/// Text for one line: without control characters, line separators and what changes the direction of writing.
fn one_line(text: &str) -> String {
    for_terminal(text).replace(['\u{2028}', '\u{2029}', '\u{feff}'], " ")
}

/// Do these steps answer the system's questions for permissions? Then nothing is granted at the start.
fn asks(steps: &[Step]) -> bool {
    let windows = ["permissioncontroller:id/", "packageinstaller:id/"];
    steps.iter().any(
        |step| matches!(step, Step::On(target, _) if windows.iter().any(|w| target.id.contains(w))),
    )
}

/// Two keys of `[app.text]` in a trace that have one variable in a script.
pub fn clash(trace: &Trace) -> Option<[&str; 2]> {
    let keys = trace.secrets();
    let same = |(at, key): (usize, &&'_ str)| {
        let name = quote::variable(key);
        keys[..at]
            .iter()
            .position(|other| quote::variable(other) == name)
    };
    let (at, first) =
        (keys.iter().enumerate()).find_map(|(at, key)| Some((at, same((at, key))?)))?;
    Some([keys[first], keys[at]])
}

/// A name for the file and the class, in ASCII letters and digits: the exception and the method, or the kind.
pub fn name(trace: &Trace) -> String {
    let expected = trace.expected();
    let frame = expected.frame.as_deref().unwrap_or_default();
    let frame = frame.split('(').next().unwrap_or_default();
    let mut parts = frame.rsplit('.');
    let (method, class) = (parts.next().unwrap_or_default(), parts.next());
    let exception = expected.exception.as_deref().map(words::short_class);
    let kind = expected.kind.to_string();
    let said = [
        class.unwrap_or_default(),
        method,
        exception.unwrap_or(&kind),
    ];
    let capital = |word: &str| {
        let mut letters = word.chars();
        let first = letters.next().map(|c| c.to_ascii_uppercase());
        first.into_iter().chain(letters).collect::<String>()
    };
    let parts = said
        .iter()
        .flat_map(|said| said.split(|c: char| !c.is_ascii_alphanumeric()));
    let name: String = parts.map(capital).collect();
    format!(
        "{}Test",
        name.trim_start_matches(|c: char| c.is_ascii_digit())
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::read;
    use std::path::Path;

    #[test]
    fn keys_that_differ_in_punctuation_only_would_have_one_variable() {
        let trace = |keys: [&str; 2]| {
            let step =
                |key: &str| format!("[[step]]\ndo = \"type\"\nid = \"a\"\nsecret = \"{key}\"\n");
            let head = "version = 1\nseed = 1\n[app]\nname = \"a\"\npackage = \"org.x\"\n[device]\nname = \"d\"\nkind = \"jvm\"\n";
            let text = format!("{head}{}{}", step(keys[0]), step(keys[1]));
            read(&text, Path::new("t.toml")).unwrap()
        };
        assert_eq!(clash(&trace(["pin", "name"])), None);
        assert_eq!(clash(&trace(["pin", "pin"])), None);
        let clashing = trace(["pass-word", "pass_word"]);
        assert_eq!(clash(&clashing), Some(["pass-word", "pass_word"]));
    }
}
