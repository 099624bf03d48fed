//! The baseline file: the findings that are known, and those that people accept.
//!
//! ```toml
//! version = 1
//!
//! [[current]]                 # the tool's: `cargo droidtest gate update` rewrites these
//! app = "notes"
//! fingerprint = "v2:e55c2e3f01234567"
//! kind = "java-crash"
//! exception = "java.lang.NullPointerException"
//! at = "org.x.NotesActivity.compareTags(NotesActivity.java:42)"
//! trace = "droidtest-baseline/notes-crash-e55c2e3f01234567.toml"
//! first-seen = "2026-11-26"
//!
//! [[accepted]]                # people's: the tool never changes these
//! app = "notes"
//! fingerprint = "v2:0123456789abcdef"
//! reason = "the vendor's SDK"
//! owner = "ana"
//! until = "2027-03-31"
//! ```

use crate::outcome::finding::FindingKind;
use crate::outcome::verdict::Status;
use jiff::civil::Date;
use serde::{Deserialize, Deserializer, de};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Component, Path, PathBuf};
use toml::Spanned;

/// Version of the file.
pub const VERSION: u32 = 1;
/// Some editors start a file in UTF-8 with it.
pub(super) const BYTE_ORDER_MARK: char = '\u{feff}';
/// A baseline is small; more is another file.
const LARGEST: u64 = 16 << 20;

/// An entry of `[[current]]` or `[[accepted]]`: a person accepts a finding by moving its entry.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Entry {
    /// App's name in the suite.
    pub app: String,
    /// Fingerprint.
    pub fingerprint: String,
    /// Kind of failure.
    pub kind: Option<FindingKind>,
    /// Exception class, for crashes.
    pub exception: Option<String>,
    /// The code line: topmost frame in the app's code.
    pub at: Option<String>,
    /// The shortest trace, relative to the baseline's folder.
    pub trace: Option<String>,
    /// The day it was first seen; every entry of `[[current]]` has one.
    #[serde(default, deserialize_with = "date")]
    pub first_seen: Option<Date>,
    /// Why it is accepted; every entry of `[[accepted]]` has one, no other has.
    pub reason: Option<String>,
    /// Who accepts it.
    pub owner: Option<String>,
    /// The last day on which it is accepted; without it, it is accepted for good.
    #[serde(default, deserialize_with = "date")]
    pub until: Option<Date>,
}

impl Entry {
    /// Is it the entry of this finding?
    pub fn is_of(&self, app: &str, fingerprint: &str) -> bool {
        self.app == app && self.fingerprint == fingerprint
    }

    /// Has its acceptance ended?
    pub fn is_expired(&self, today: Date) -> bool {
        self.until.is_some_and(|until| until < today)
    }

    /// What the entry needs in its section, and has not.
    fn problem(&self, section: &str) -> Option<&'static str> {
        let is_accepted = section == "accepted";
        let accepts = self.reason.is_some() || self.owner.is_some() || self.until.is_some();
        match self {
            Self { reason: None, .. } if is_accepted => Some("write a `reason` for accepting it"),
            _ if !is_accepted && accepts => {
                Some("`reason`, `owner` and `until` accept a finding: write `[[accepted]]` above")
            }
            Self {
                first_seen: None, ..
            } if !is_accepted => Some("write `first-seen`, the day it was first seen"),
            _ => None,
        }
    }
}

/// An entry of `[[coverage]]`: what `max-drop` compares with.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Coverage {
    /// App's name in the suite.
    pub app: String,
    /// Line coverage of the run, in percent.
    pub lines: f64,
    /// Events of the run.
    pub events: u64,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct File {
    version: Spanned<u32>,
    #[serde(default)]
    current: Vec<Spanned<Entry>>,
    #[serde(default)]
    accepted: Vec<Spanned<Entry>>,
    #[serde(default)]
    coverage: Vec<Spanned<Coverage>>,
}

/// A baseline as read.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Baseline {
    /// Its file.
    pub path: PathBuf,
    /// Does the file not exist?
    pub is_missing: bool,
    /// Is there no entry?
    pub is_empty: bool,
    /// The tool's entries.
    pub current: Vec<Entry>,
    /// People's entries.
    pub accepted: Vec<Entry>,
    /// Coverage of the run that the tool's entries are of.
    pub coverage: Vec<Coverage>,
}

/// Why a baseline cannot be used: file, line and fix.
#[derive(Debug, thiserror::Error)]
pub enum BaselineError {
    /// It cannot be read.
    #[error("cannot read the baseline {}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Its content is wrong.
    #[error("{}:{line}: {message}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// What is wrong, and the fix.
        message: String,
    },
}

impl Baseline {
    /// What the baseline says of a finding; `None`: nothing, or its acceptance has ended.
    pub fn status(&self, app: &str, fingerprint: &str, today: Date) -> Option<Status> {
        let is_of = |entry: &&Entry| entry.is_of(app, fingerprint);
        match self.accepted.iter().find(is_of) {
            Some(entry) => (!entry.is_expired(today)).then_some(Status::Accepted),
            None => self.current.iter().find(is_of).map(|_| Status::Known),
        }
    }

    /// Reads a file; one that does not exist is an empty baseline.
    ///
    /// # Errors
    /// It cannot be read, is not TOML, has an unknown key or version, or two entries of one finding.
    pub fn read(path: &Path) -> Result<Self, BaselineError> {
        let unreadable = |source| BaselineError::Unreadable {
            path: path.to_owned(),
            source,
        };
        let text = match fs::metadata(path) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => {
                return Ok(Self {
                    is_missing: true,
                    ..Self::parse(path, "")?
                });
            }
            Err(e) => return Err(unreadable(e)),
            Ok(found) if !found.is_file() || found.len() > LARGEST => {
                return Err(unreadable(io::Error::other(
                    "it is not a file of at most 16 MiB",
                )));
            }
            Ok(_) => fs::read_to_string(path).map_err(unreadable)?,
        };
        Self::parse(path, &text)
    }

    /// Reads the text of a file.
    ///
    /// # Errors
    /// As [`Baseline::read`].
    pub fn parse(path: &Path, text: &str) -> Result<Self, BaselineError> {
        let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
        let error = |span: Range<usize>, message: String| BaselineError::Content {
            path: path.to_owned(),
            line: 1 + text[..span.start.min(text.len())].matches('\n').count(),
            message,
        };
        let is_blank = |line: &str| line.trim().is_empty() || line.trim().starts_with('#');
        if text.lines().all(is_blank) {
            return Ok(Self {
                path: path.to_owned(),
                is_empty: true,
                ..Self::default()
            });
        }
        let file: File = toml::from_str(text).map_err(|e| {
            let message = e.message().trim_end().to_owned();
            error(e.span().unwrap_or_default(), message)
        })?;
        let version = *file.version.get_ref();
        if version != VERSION {
            let message = format!(
                "the baseline has version {version}, this tool reads version {VERSION}: update the tool, or delete the file and create it with `cargo droidtest gate init`"
            );
            return Err(error(file.version.span(), message));
        }
        let mut lines = BTreeMap::new();
        let line_of = |span: &Range<usize>| 1 + text[..span.start].matches('\n').count();
        let mut once = |section: &'static str, app: &str, print: &str, span: Range<usize>| {
            // A finding is either current or accepted.
            let list = if print.is_empty() { section } else { "" };
            let key = (list, app.to_owned(), print.to_owned());
            match lines.insert(key, line_of(&span)) {
                None => Ok(()),
                Some(first) => {
                    let what = if print.is_empty() {
                        format!("the app `{app}`")
                    } else {
                        format!("the finding {print} of `{app}`")
                    };
                    let message = format!(
                        "{what} has a second entry, in `[[{section}]]`; the first is at line {first}: delete one of them"
                    );
                    Err(error(span, message))
                }
            }
        };
        for (section, entries) in [("current", &file.current), ("accepted", &file.accepted)] {
            for entry in entries {
                let of = entry.get_ref();
                once(section, &of.app, &of.fingerprint, entry.span())?;
                if !is_fingerprint(&of.fingerprint) {
                    let message = format!(
                        "`{}` is not a fingerprint: copy it from a report; it has a version and 16 digits of 0 to 9 and a to f, such as \"v2:e55c2e3f01234567\"",
                        of.fingerprint
                    );
                    return Err(error(entry.span(), message));
                }
                if let Some(problem) = of.problem(section) {
                    return Err(error(entry.span(), problem.to_owned()));
                }
            }
        }
        for entry in &file.coverage {
            let of = entry.get_ref();
            once("coverage", &of.app, "", entry.span())?;
            if !(0.0..=100.0).contains(&of.lines) {
                let message = format!("`lines` is {}: write a percentage of 0 to 100", of.lines);
                return Err(error(entry.span(), message));
            }
        }
        Ok(Self {
            path: path.to_owned(),
            is_missing: false,
            is_empty: file.current.is_empty() && file.accepted.is_empty(),
            current: file.current.into_iter().map(Spanned::into_inner).collect(),
            accepted: file.accepted.into_iter().map(Spanned::into_inner).collect(),
            coverage: file.coverage.into_iter().map(Spanned::into_inner).collect(),
        })
    }

    /// App, fingerprint and trace of every entry that has a trace. A file that the baseline's folder does not hold itself
    /// is an error: the baseline of a pull request may be a stranger's.
    pub fn traces(&self) -> Vec<(&str, &str, Result<PathBuf, String>)> {
        let mut traces: Vec<(&str, &str, Result<PathBuf, String>)> = Vec::new();
        for entry in self.entries() {
            if let Some(trace) = &entry.trace
                && !traces.iter().any(|(app, print, _)| entry.is_of(app, print))
            {
                traces.push((&entry.app, &entry.fingerprint, self.file(trace)));
            }
        }
        traces
    }

    /// App and fingerprint of every entry.
    pub fn listed(&self) -> BTreeSet<(String, String)> {
        let key = |entry: &Entry| (entry.app.clone(), entry.fingerprint.clone());
        self.entries().map(key).collect()
    }

    fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.current.iter().chain(&self.accepted)
    }

    /// The file that a trace of the baseline names.
    fn file(&self, trace: &str) -> Result<PathBuf, String> {
        let mut path = self.path.parent().unwrap_or(Path::new("")).to_owned();
        for part in Path::new(trace).components() {
            let Component::Normal(part) = part else {
                return Err(format!("{trace} leaves the baseline's folder"));
            };
            path.push(part);
            match fs::symlink_metadata(&path) {
                Ok(found) if found.is_symlink() => return Err(format!("{trace} is a link")),
                Ok(found) if found.len() > LARGEST => return Err(format!("{trace} is too large")),
                Ok(_) => {}
                Err(_) => return Err(format!("{trace} is missing")),
            }
        }
        Ok(path)
    }
}

/// `v2:` and 16 hex digits; fingerprints of the first version have no prefix.
fn is_fingerprint(text: &str) -> bool {
    let (version, hex) = text.split_once(':').unwrap_or(("v1", text));
    let number = version.strip_prefix('v').unwrap_or_default();
    let is_number = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
    let is_hex = |b: u8| matches!(b, b'0'..=b'9' | b'a'..=b'f');
    is_number && hex.len() == 16 && hex.bytes().all(is_hex)
}

fn date<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Date>, D::Error> {
    let text = match toml::Value::deserialize(from)? {
        toml::Value::String(text) => text,
        // TOML has dates of its own.
        other => other.to_string(),
    };
    let wrong = || de::Error::custom(format!("{text} is not a date such as \"2027-03-31\""));
    text.parse().map(Some).map_err(|_| wrong())
}

#[cfg(test)]
#[path = "baseline_tests.rs"]
mod tests;
