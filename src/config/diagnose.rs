//! Problems of a suite and their report: a stable code, the text that caused it, and the fix.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use miette::{Diagnostic, LabeledSpan, Severity, SourceCode};

use super::source::Source;
use crate::exit_code::ExitCode;
use crate::strategy::definition::Together;

/// The code of a problem. The names are stable: scripts may match on them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Code {
    /// The file is not TOML.
    TomlSyntax,
    /// An unknown key.
    UnknownKey,
    /// A value outside a closed list.
    UnknownValue,
    /// A value of another type.
    WrongType,
    /// A number outside its range, or too few items.
    OutOfRange,
    /// A text with the wrong format.
    BadFormat,
    /// A required key is missing.
    MissingKey,
    /// Keys that exclude each other.
    ConflictingKeys,
    /// Two tables of one kind with one name.
    DuplicateName,
    /// A value that is in a list twice.
    DuplicateValue,
    /// No profile has this name.
    UnknownProfile,
    /// A profile that inherits from itself.
    InheritsCycle,
    /// No app, device or strategy has this name.
    UnknownName,
    /// An app is bound to a device that cannot run it.
    DeviceCannotRunApp,
    /// No device can run the app.
    AppWithoutDevice,
    /// The suite has no app.
    NoApps,
    /// Shares that do not add up.
    BadShares,
    /// An environment variable with our prefix that is unknown.
    UnknownVariable,
    /// A file that the suite names is missing.
    MissingFile,
    /// A file that the suite names cannot be used.
    BadFile,
    /// A variable that should hold a secret is not set.
    MissingSecret,
    /// There is no suite.
    SuiteNotFound,
    /// A Gradle project has no APK of its apps.
    NotBuilt,
    /// The suite cannot be read.
    SuiteUnreadable,
    /// `cargo metadata` failed.
    CargoMetadata,
    /// The selection is empty.
    NothingSelected,
    /// A bug in the loader.
    Internal,
}

impl Code {
    /// The code's stable name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::TomlSyntax => "toml-syntax",
            Self::UnknownKey => "unknown-key",
            Self::UnknownValue => "unknown-value",
            Self::WrongType => "wrong-type",
            Self::OutOfRange => "out-of-range",
            Self::BadFormat => "bad-format",
            Self::MissingKey => "missing-key",
            Self::ConflictingKeys => "conflicting-keys",
            Self::DuplicateName => "duplicate-name",
            Self::DuplicateValue => "duplicate-value",
            Self::UnknownProfile => "unknown-profile",
            Self::InheritsCycle => "inherits-cycle",
            Self::UnknownName => "unknown-name",
            Self::DeviceCannotRunApp => "device-cannot-run-app",
            Self::AppWithoutDevice => "app-without-device",
            Self::NoApps => "no-apps",
            Self::BadShares => "bad-shares",
            Self::UnknownVariable => "unknown-variable",
            Self::MissingFile => "missing-file",
            Self::BadFile => "bad-file",
            Self::MissingSecret => "missing-secret",
            Self::SuiteNotFound => "suite-not-found",
            Self::NotBuilt => "not-built",
            Self::SuiteUnreadable => "suite-unreadable",
            Self::CargoMetadata => "cargo-metadata",
            Self::NothingSelected => "nothing-selected",
            Self::Internal => "internal",
        }
    }

    /// The exit code for this problem.
    pub fn exit_code(self) -> ExitCode {
        match self {
            Self::CargoMetadata => ExitCode::CargoMetadata,
            Self::NothingSelected => ExitCode::NothingSelected,
            Self::Internal => ExitCode::Internal,
            _ => ExitCode::Config,
        }
    }
}

impl From<Together> for Code {
    fn from(what: Together) -> Self {
        match what {
            Together::Shares => Self::BadShares,
            Together::Order => Self::OutOfRange,
            Together::Exclude => Self::ConflictingKeys,
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A labelled part of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// The text.
    pub source: Arc<Source>,
    /// The part.
    pub span: Range<usize>,
    /// The label.
    pub label: String,
}

impl Location {
    /// This part of a source, with this label.
    pub fn new(source: &Arc<Source>, span: Range<usize>, label: impl Into<String>) -> Self {
        Self {
            source: Arc::clone(source),
            span,
            label: label.into(),
        }
    }
}

/// One problem.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Problem {
    /// Its kind.
    pub code: Code,
    /// The message, one sentence.
    pub message: String,
    /// The texts that cause it, the primary one first.
    pub places: Vec<Location>,
    /// The fix.
    pub help: Option<String>,
}

impl Problem {
    /// A problem without location and help.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            places: Vec::new(),
            help: None,
        }
    }

    /// Adds a location. The first one is the primary one.
    pub fn at(mut self, place: impl Into<Option<Location>>) -> Self {
        self.places.extend(place.into());
        self
    }

    /// Adds the fix.
    pub fn help(mut self, help: impl Into<Option<String>>) -> Self {
        self.help = help.into();
        self
    }
}

impl Problem {
    /// The problem as JSON.
    pub fn to_json(&self) -> serde_json::Value {
        let places = self.places.iter().map(|place| {
            let (line, column) = place.source.position(place.span.start);
            serde_json::json!({
                "source": place.source.name,
                "line": line,
                "column": column,
                "span": [place.span.start, place.span.end],
                "label": place.label,
            })
        });
        serde_json::json!({
            "level": "error",
            "code": self.code.as_str(),
            "message": self.message,
            "help": self.help,
            "places": places.collect::<Vec<_>>(),
        })
    }
}

impl Diagnostic for Problem {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(self.code))
    }

    fn severity(&self) -> Option<Severity> {
        Some(Severity::Error)
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.help.as_ref().map(|help| Box::new(help) as Box<_>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.places
            .first()
            .map(|place| &*place.source as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let main = self.places.first()?;
        // A report shows one source; the JSON has all locations.
        let others = self.places[1..]
            .iter()
            .filter(|place| place.source == main.source)
            .map(|place| LabeledSpan::new_with_span(Some(place.label.clone()), place.span.clone()));
        let main = LabeledSpan::new_primary_with_span(Some(main.label.clone()), main.span.clone());
        Some(Box::new(std::iter::once(main).chain(others)))
    }
}

impl SourceCode for Source {
    fn read_span<'a>(
        &'a self,
        span: &miette::SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn miette::SpanContents<'a> + 'a>, miette::MietteError> {
        let contents = self.text.read_span(span, before, after)?;
        Ok(Box::new(miette::MietteSpanContents::new_named(
            self.name.clone(),
            contents.data(),
            *contents.span(),
            contents.line(),
            contents.column(),
            contents.line_count(),
        )))
    }
}

/// All problems; never empty.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.summary())]
pub struct Problems(Vec<Problem>);

impl Problems {
    /// The exit code of the most severe problem.
    pub fn exit_code(&self) -> ExitCode {
        let mut codes = self.0.iter().map(|problem| problem.code.exit_code());
        let first = codes.next().unwrap_or(ExitCode::Internal);
        codes.fold(first, |worst, code| match (worst, code) {
            (ExitCode::NothingSelected, other) => other,
            (worst, _) => worst,
        })
    }

    /// Whether the only problem is that there is no suite.
    pub fn no_suite(&self) -> bool {
        let mut codes = self.0.iter().map(|problem| problem.code);
        codes.all(|code| code == Code::SuiteNotFound)
    }

    fn summary(&self) -> String {
        let messages: Vec<_> = self
            .0
            .iter()
            .map(|problem| problem.message.as_str())
            .collect();
        messages.join("; ")
    }
}

impl std::ops::Deref for Problems {
    type Target = [Problem];

    fn deref(&self) -> &[Problem] {
        &self.0
    }
}

impl From<Problem> for Problems {
    fn from(problem: Problem) -> Self {
        Self(vec![problem])
    }
}

impl From<Vec<Problem>> for Problems {
    fn from(problems: Vec<Problem>) -> Self {
        debug_assert!(!problems.is_empty());
        Self(problems)
    }
}

/// The closest candidate to a misspelt word.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let plain = |text: &str| text.to_lowercase().replace('_', "-");
    let word = plain(word);
    candidates
        .into_iter()
        .map(|candidate| {
            let other = plain(candidate);
            let distance = strsim::damerau_levenshtein(&word, &other);
            let shares_start = word.len() >= 3
                && other.len() >= 3
                && (other.starts_with(&word) || word.starts_with(&other));
            let limit = (word.chars().count().max(other.chars().count()) / 3).max(1);
            (distance, shares_start || distance <= limit, candidate)
        })
        .filter(|(_, near, _)| *near)
        .min_by_key(|(distance, ..)| *distance)
        .map(|(.., candidate)| candidate)
}

/// The help for an unknown name: the nearest one, else all.
pub fn name_help<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
    what: &str,
) -> String {
    let candidates: Vec<_> = candidates.into_iter().collect();
    if let Some(near) = nearest(word, candidates.iter().copied()) {
        return format!("did you mean `{near}`?");
    }
    if candidates.is_empty() {
        return format!("there are no {what}");
    }
    format!("the {what} are {}", listed(&candidates))
}

/// `a`, `b` and `c`.
pub fn listed<T: AsRef<str>>(words: &[T]) -> String {
    let quoted: Vec<_> = words
        .iter()
        .map(|word| format!("`{}`", word.as_ref()))
        .collect();
    match quoted.as_slice() {
        [] => "none".to_owned(),
        [one] => one.clone(),
        [head @ .., last] => format!("{} and {last}", head.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_found_and_a_far_one_is_not() {
        let names = ["events", "time", "plateau", "new-coverage"];
        for (word, expected) in [
            ("event", Some("events")),
            ("evnets", Some("events")),
            ("Time", Some("time")),
            ("plat", Some("plateau")),
            ("new_coverage", Some("new-coverage")),
            ("seeds", None),
            ("", None),
        ] {
            assert_eq!(nearest(word, names), expected, "{word}");
        }
    }
}
