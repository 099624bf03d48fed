//! R8's and ProGuard's `mapping.txt`: obfuscated names back to the source's.

use super::fingerprint::Frame;
use super::retrace::Note;
use rustc_hash::FxHashMap;
use serde_json::Value;
use std::ops::Range;
use std::path::Path;
use std::sync::OnceLock;

/// A class; its members are read when a frame first names it. A mapping has those of 100,000 classes, of which crashes
/// name a handful.
#[derive(Debug, Default)]
pub(super) struct Class {
    pub(super) original: String,
    /// Where its lines are in the text.
    lines: Range<usize>,
    members: OnceLock<Members>,
}

/// What a mapping says of a class.
#[derive(Debug, Default)]
pub(super) struct Members {
    /// The original source file, where the mapping names it.
    pub(super) file: Option<String>,
    /// By obfuscated name.
    pub(super) methods: FxHashMap<String, Vec<Method>>,
    /// Obfuscated to original name.
    pub(super) fields: FxHashMap<String, String>,
}

/// One line of a class about a method, which may be inlined into another one.
#[derive(Debug)]
pub(super) struct Method {
    /// First and last line in the obfuscated program, if they are given.
    pub(super) lines: Option<(u32, u32)>,
    /// First and last of them in the source, if they are given.
    pub(super) source: Option<(u32, u32)>,
    /// The original name, with a class before it if that is another one.
    pub(super) name: String,
    /// The original types of its arguments, comma-separated.
    pub(super) arguments: String,
    /// R8's comments below the line.
    pub(super) notes: Vec<Note>,
}

/// A mapping with an index of its classes.
#[derive(Debug, Default)]
pub struct Mapping {
    text: String,
    /// By obfuscated name.
    pub(super) classes: FxHashMap<String, Class>,
    /// Obfuscated by original name; built when a frame first needs the file of another class.
    by_original: OnceLock<FxHashMap<String, String>>,
    /// R8's id of the mapping, which is also in the dex files.
    pub(super) id: Option<String>,
}

/// Why a mapping could not be read.
#[derive(Debug, thiserror::Error)]
#[error("{file}:{line}: not a mapping line: {text:?}")]
pub struct MappingError {
    file: String,
    line: usize,
    text: String,
}

impl Mapping {
    /// Reads the format `original -> obfuscated:` with indented member lines.
    ///
    /// # Errors
    /// The first invalid line, with its number.
    pub fn parse(text: impl Into<String>, file: &Path) -> Result<Self, MappingError> {
        let text = text.into();
        let mut mapping = Self::default();
        // The class whose lines these are, and where they begin.
        let mut open: Option<(&str, Class)> = None;
        let mut at = 0;
        for (ix, line) in text.split_inclusive('\n').enumerate() {
            let start = at;
            at += line.len();
            let line = line.trim_end_matches(['\n', '\r']);
            if let Some(comment) = line.trim_start().strip_prefix('#') {
                if let Some(id) = comment.trim().strip_prefix("pg_map_id:") {
                    mapping.id = Some(id.trim().to_owned());
                }
                continue;
            }
            if line.trim().is_empty() {
                continue;
            }
            let bad = || MappingError {
                file: file.display().to_string(),
                line: ix + 1,
                text: crate::util::text::shorten(line, 80).into_owned(),
            };
            let (left, right) = line.split_once(" -> ").ok_or_else(bad)?;
            if line.starts_with(char::is_whitespace) {
                open.as_ref().ok_or_else(bad)?;
                continue;
            }
            let obfuscated = right.trim().strip_suffix(':').ok_or_else(bad)?;
            let class = Class {
                original: left.trim().to_owned(),
                lines: at..at,
                members: OnceLock::new(),
            };
            if let Some((name, mut class)) = open.replace((obfuscated, class)) {
                class.lines.end = start;
                mapping.classes.insert(name.to_owned(), class);
            }
        }
        if let Some((name, mut class)) = open {
            class.lines.end = at;
            mapping.classes.insert(name.to_owned(), class);
        }
        mapping.text = text;
        Ok(mapping)
    }

    /// What it says of one of its classes.
    pub(super) fn members<'c>(&self, class: &'c Class) -> &'c Members {
        let lines = || self.text.get(class.lines.clone()).unwrap_or_default();
        class.members.get_or_init(|| Members::read(lines()))
    }

    /// Classes whose members were read.
    #[cfg(test)]
    fn opened(&self) -> usize {
        let members = self.classes.values().map(|class| class.members.get());
        members.flatten().count()
    }

    /// The source's name of a class; one it doesn't know stays unchanged.
    pub fn class<'n>(&'n self, name: &'n str) -> &'n str {
        self.classes.get(name).map_or(name, |class| &class.original)
    }

    /// The source file of a class of the source, where the mapping names it.
    pub(super) fn file_of_original(&self, original: &str) -> Option<&str> {
        let by_original = self.by_original.get_or_init(|| {
            let pair = |(name, class): (&String, &Class)| (class.original.clone(), name.clone());
            self.classes.iter().map(pair).collect()
        });
        let class = self.classes.get(by_original.get(original)?)?;
        self.members(class).file.as_deref()
    }

    /// The innermost of a frame's methods, as the first version of fingerprints has it: it never changes.
    pub fn retrace_v1(&self, frame: &Frame<'_>) -> (String, String) {
        let Some(class) = self.classes.get(frame.class) else {
            return (frame.class.to_owned(), frame.method.to_owned());
        };
        let candidates = self.members(class).named(frame.method);
        let covers = |method: &&Method| frame.line.is_some_and(|line| method.covers(line));
        let found = candidates
            .iter()
            .find(covers)
            .or_else(|| candidates.first());
        let found = found.and_then(|found| candidates.iter().find(|one| one.lines == found.lines));
        match found {
            Some(method) => class.owned(&method.name),
            None => (class.original.clone(), frame.method.to_owned()),
        }
    }
}

impl Members {
    fn read(lines: &str) -> Self {
        let mut members = Self::default();
        // The obfuscated name of the method that comments belong to; none before the first member, and below fields.
        let mut last: Option<String> = None;
        for line in lines.lines() {
            if let Some(comment) = line.trim_start().strip_prefix('#') {
                let method = last.as_ref().and_then(|name| members.methods.get_mut(name));
                match method.and_then(|methods| methods.last_mut()) {
                    Some(method) => method.notes.extend(Note::read(comment)),
                    None => members.comment(comment),
                }
                continue;
            }
            let Some((left, right)) = line.split_once(" -> ") else {
                continue;
            };
            let right = right.trim().to_owned();
            last = None;
            if let Some(method) = method(left.trim()) {
                last = Some(right.clone());
                members.methods.entry(right).or_default().push(method);
            } else if let Some((_, name)) = left.trim().rsplit_once(' ') {
                members.fields.insert(right, name.to_owned());
            }
        }
        members
    }

    /// The methods of this obfuscated name, in the order of the file.
    pub(super) fn named(&self, name: &str) -> &[Method] {
        self.methods.get(name).map_or(&[], Vec::as_slice)
    }

    /// The source file of the class. Most comments say other things.
    fn comment(&mut self, comment: &str) {
        if comment.contains("sourceFile")
            && let Ok(Value::Object(about)) = serde_json::from_str(comment.trim())
            && about.get("id").is_some_and(|id| id == "sourceFile")
        {
            let file = about.get("fileName").and_then(Value::as_str);
            self.file = file.map(str::to_owned);
        }
    }
}

impl Class {
    /// A method of the file with its class, which an inlined method names itself.
    pub(super) fn owned(&self, name: &str) -> (String, String) {
        let (class, method) = name
            .rsplit_once('.')
            .unwrap_or((self.original.as_str(), name));
        (class.to_owned(), method.to_owned())
    }
}

impl Method {
    /// Is this line of the obfuscated program one of its lines? Without a range all are.
    pub(super) fn covers(&self, line: u32) -> bool {
        self.lines.is_none() || self.has(line)
    }

    /// Does it have a range with this line of the obfuscated program in it?
    pub(super) fn has(&self, line: u32) -> bool {
        self.lines
            .is_some_and(|(first, last)| (first..=last).contains(&line))
    }

    /// The line of the source for a line of the obfuscated program; `None`: there is none.
    pub(super) fn source_line(&self, line: Option<u32>) -> Option<u32> {
        let found = match (self.source, self.lines, line) {
            // R8 and ProGuard write 0 where the source has no line.
            (Some((0, _)), ..) => None,
            (Some((first, last)), Some((start, _)), Some(line)) if first != last => {
                first.checked_add(line.saturating_sub(start))
            }
            (Some((first, _)), ..) => Some(first),
            (None, ..) => line,
        };
        found.filter(|line| *line > 0)
    }
}

/// `1:3:void save(int):20:22` gives lines 1 to 3, `save` and `int`; a field gives `None`.
fn method(member: &str) -> Option<Method> {
    let (head, rest) = member.split_once('(')?;
    let mut parts = head.splitn(3, ':');
    let (lines, signature) = match (parts.next(), parts.next(), parts.next()) {
        (Some(first), Some(last), Some(rest)) => {
            (range(first.parse().ok()?, last.parse().ok()?), rest)
        }
        _ => (None, head),
    };
    let (arguments, source) = rest.split_once(')').unwrap_or((rest, ""));
    let mut source = source
        .split(':')
        .skip(1)
        .map(|line| line.trim().parse().ok());
    let first: Option<u32> = source.next().flatten();
    let last = source.next().flatten().or(first);
    Some(Method {
        lines,
        source: first.zip(last).and_then(|(first, last)| range(first, last)),
        name: signature.rsplit_once(' ')?.1.to_owned(),
        arguments: arguments.to_owned(),
        notes: Vec::new(),
    })
}

/// No range where it ends before it begins, as R8 reads one.
fn range(first: u32, last: u32) -> Option<(u32, u32)> {
    (first <= last).then_some((first, last))
}

#[cfg(test)]
#[path = "mapping_tests.rs"]
mod tests;
