//! R8's and ProGuard's `mapping.txt`: obfuscated names back to the source's.

use super::fingerprint::Frame;
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
    /// First and last line in the obfuscated program; 0 and MAX if none are given.
    pub(super) lines: (u32, u32),
    /// The first of them in the source.
    pub(super) source_line: Option<u32>,
    /// The original name, with a class before it if that is another one.
    pub(super) name: String,
    /// The original types of its arguments, comma-separated.
    pub(super) arguments: String,
}

/// A mapping with an index of its classes.
#[derive(Debug, Default)]
pub struct Mapping {
    text: String,
    pub(super) classes: FxHashMap<String, Class>,
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

    /// The source's classes and methods of a frame, from the inside out: several where R8 inlined methods. Names it
    /// doesn't know stay unchanged.
    pub fn retrace(&self, frame: &Frame<'_>) -> Vec<(String, String)> {
        let Some(class) = self.classes.get(frame.class) else {
            return vec![(frame.class.to_owned(), frame.method.to_owned())];
        };
        let candidates = self
            .members(class)
            .methods
            .get(frame.method)
            .map_or(&[][..], Vec::as_slice);
        let covers = |method: &&Method| frame.line.is_some_and(|line| method.covers(line));
        // Lines of one range belong together; without lines, any of the overloads gives the name.
        let range = candidates
            .iter()
            .find(covers)
            .or_else(|| candidates.first())
            .map(|method| method.lines);
        let Some(range) = range else {
            return vec![(class.original.clone(), frame.method.to_owned())];
        };
        let same = candidates.iter().filter(|method| method.lines == range);
        let inlined = match range {
            (0, u32::MAX) => 1,
            _ => usize::MAX,
        };
        same.take(inlined)
            .map(|method| class.owned(&method.name))
            .collect()
    }

    /// The innermost of a frame's methods, as the first version of fingerprints has it.
    pub fn retrace_v1(&self, frame: &Frame<'_>) -> (String, String) {
        let mut all = self.retrace(frame);
        all.swap_remove(0)
    }
}

impl Members {
    fn read(lines: &str) -> Self {
        let mut members = Self::default();
        for line in lines.lines() {
            if let Some(comment) = line.trim_start().strip_prefix('#') {
                members.comment(comment);
                continue;
            }
            let Some((left, right)) = line.split_once(" -> ") else {
                continue;
            };
            let right = right.trim().to_owned();
            if let Some(method) = method(left.trim()) {
                members.methods.entry(right).or_default().push(method);
            } else if let Some((_, name)) = left.trim().rsplit_once(' ') {
                members.fields.insert(right, name.to_owned());
            }
        }
        members
    }

    /// The source file of the class. Most comments are of methods, and say other things.
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
    /// Is this line of the obfuscated program one of its lines?
    pub(super) fn covers(&self, line: u32) -> bool {
        (self.lines.0..=self.lines.1).contains(&line)
    }
}

/// `1:3:void save(int):20:22` gives lines 1 to 3, `save` and `int`; a field gives `None`.
fn method(member: &str) -> Option<Method> {
    let (head, rest) = member.split_once('(')?;
    let mut parts = head.splitn(3, ':');
    let (lines, signature) = match (parts.next(), parts.next(), parts.next()) {
        (Some(first), Some(last), Some(rest)) => ((first.parse().ok()?, last.parse().ok()?), rest),
        _ => ((0, u32::MAX), head),
    };
    let (arguments, source) = rest.split_once(')').unwrap_or((rest, ""));
    let source_line = source.split(':').nth(1);
    Some(Method {
        lines,
        source_line: source_line.and_then(|line| line.parse().ok()),
        name: signature.rsplit_once(' ')?.1.to_owned(),
        arguments: arguments.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# compiler: R8\ncom.x.Main -> a.b:\n    int count -> a\n    1:3:void save(int):20:22 -> a\n    \
        4:9:void load() -> a\n    10:10:int com.x.Util.first(int):7:7 -> a\n    10:10:void load():31:31 -> a\n    1:1:void com.x.Util.check():5:5 -> c\n";

    fn retrace(class: &str, method: &str, line: u32) -> (String, String) {
        let mapping = Mapping::parse(TEXT, Path::new("mapping.txt")).unwrap();
        mapping.retrace_v1(&Frame {
            class,
            method,
            place: "",
            line: Some(line),
        })
    }

    #[test]
    fn overloads_are_told_by_their_lines() {
        assert_eq!(retrace("a.b", "a", 2), ("com.x.Main".into(), "save".into()));
        assert_eq!(retrace("a.b", "a", 5), ("com.x.Main".into(), "load".into()));
    }

    #[test]
    fn an_inlined_method_keeps_its_class() {
        assert_eq!(
            retrace("a.b", "c", 1),
            ("com.x.Util".into(), "check".into())
        );
    }

    #[test]
    fn inlined_methods_are_given_from_the_inside_out() {
        let mapping = Mapping::parse(TEXT, Path::new("mapping.txt")).unwrap();
        let frame = Frame {
            class: "a.b",
            method: "a",
            place: "SourceFile:10",
            line: Some(10),
        };
        let names = [("com.x.Util", "first"), ("com.x.Main", "load")];
        let names = names.map(|(class, method)| (class.to_owned(), method.to_owned()));
        assert_eq!(mapping.retrace(&frame), names);
        assert_eq!(mapping.class("a.b"), "com.x.Main");
        assert_eq!(mapping.class("z"), "z");
    }

    #[test]
    fn unknown_names_stay() {
        assert_eq!(retrace("z.z", "q", 1), ("z.z".into(), "q".into()));
    }

    #[test]
    fn a_bad_line_is_named() {
        let error = Mapping::parse("com.x.Main -> a:\nnonsense\n", Path::new("m.txt")).unwrap_err();
        assert_eq!(
            error.to_string(),
            "m.txt:2: not a mapping line: \"nonsense\""
        );
    }

    #[test]
    fn only_the_members_of_classes_that_frames_name_are_read() {
        let class = |n: usize| {
            format!(
                "com.x.C{n} -> a.c{n}:\n# {{\"id\":\"sourceFile\",\"fileName\":\"C{n}.kt\"}}\n    1:3:void run():{n}:{n} -> a\r\n"
            )
        };
        let text: String = (0..10_000).map(class).collect();
        let mapping = Mapping::parse(text, Path::new("m.txt")).unwrap();
        assert_eq!((mapping.classes.len(), mapping.opened()), (10_000, 0));
        let frame = Frame {
            class: "a.c77",
            method: "a",
            place: "",
            line: Some(2),
        };
        assert_eq!(
            mapping.retrace_v1(&frame),
            ("com.x.C77".into(), "run".into())
        );
        assert_eq!(
            crate::apk::Names::file(&mapping, "a.c9999"),
            Some("C9999.kt")
        );
        assert_eq!((mapping.class("a.c5"), mapping.opened()), ("com.x.C5", 2));
    }
}
