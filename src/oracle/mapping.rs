//! R8's and ProGuard's `mapping.txt`: obfuscated names back to the source's.

use super::fingerprint::Frame;
use rustc_hash::FxHashMap;
use std::path::Path;

#[derive(Debug, Default)]
struct Class {
    original: String,
    /// Obfuscated method name to (first line, last line, original name); lines 0..=MAX if none are given.
    methods: FxHashMap<String, Vec<(u32, u32, String)>>,
}

/// A parsed mapping.
#[derive(Debug, Default)]
pub struct Mapping {
    classes: FxHashMap<String, Class>,
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
    pub fn parse(text: &str, file: &Path) -> Result<Self, MappingError> {
        let mut mapping = Self::default();
        let mut current: Option<String> = None;
        for (ix, line) in text.lines().enumerate() {
            if line.trim().is_empty() || line.trim_start().starts_with('#') {
                continue;
            }
            let bad = || MappingError {
                file: file.display().to_string(),
                line: ix + 1,
                text: crate::util::text::shorten(line, 80).into_owned(),
            };
            let (left, right) = line.split_once(" -> ").ok_or_else(bad)?;
            if line.starts_with(char::is_whitespace) {
                let class = current
                    .as_ref()
                    .and_then(|c| mapping.classes.get_mut(c))
                    .ok_or_else(bad)?;
                if let Some((lines, name)) = method(left.trim()) {
                    class
                        .methods
                        .entry(right.trim().to_owned())
                        .or_default()
                        .push((lines.0, lines.1, name.to_owned()));
                }
            } else {
                let obfuscated = right.trim().strip_suffix(':').ok_or_else(bad)?;
                mapping.classes.insert(
                    obfuscated.to_owned(),
                    Class {
                        original: left.trim().to_owned(),
                        ..Class::default()
                    },
                );
                current = Some(obfuscated.to_owned());
            }
        }
        Ok(mapping)
    }

    /// The source's class and method of a frame; names it doesn't know stay unchanged.
    pub fn retrace(&self, frame: &Frame<'_>) -> (String, String) {
        let Some(class) = self.classes.get(frame.class) else {
            return (frame.class.to_owned(), frame.method.to_owned());
        };
        let candidates = class
            .methods
            .get(frame.method)
            .map_or(&[][..], Vec::as_slice);
        let chosen = frame
            .line
            .and_then(|line| {
                candidates
                    .iter()
                    .find(|(first, last, _)| (*first..=*last).contains(&line))
            })
            .or_else(|| candidates.first());
        let method = chosen.map_or(frame.method, |(_, _, name)| name);
        match method.rsplit_once('.') {
            // An inlined method names its class.
            Some((inlined, method)) => (inlined.to_owned(), method.to_owned()),
            None => (class.original.clone(), method.to_owned()),
        }
    }
}

/// `1:3:void save(int):20:22` gives lines 1 to 3 and `save`; a field gives `None`.
fn method(member: &str) -> Option<((u32, u32), &str)> {
    let head = &member[..member.find('(')?];
    let mut parts = head.splitn(3, ':');
    let (lines, signature) = match (parts.next(), parts.next(), parts.next()) {
        (Some(first), Some(last), Some(rest)) => ((first.parse().ok()?, last.parse().ok()?), rest),
        _ => ((0, u32::MAX), head),
    };
    Some((lines, signature.rsplit_once(' ')?.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# compiler: R8\ncom.x.Main -> a.b:\n    int count -> a\n    1:3:void save(int):20:22 -> a\n    \
        4:9:void load() -> a\n    1:1:void com.x.Util.check():5:5 -> c\n";

    fn retrace(class: &str, method: &str, line: u32) -> (String, String) {
        let mapping = Mapping::parse(TEXT, Path::new("mapping.txt")).unwrap();
        mapping.retrace(&Frame {
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
}
