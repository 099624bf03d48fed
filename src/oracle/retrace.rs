//! The source's frames of a stack of shrunk code, as R8's `retrace` finds them
//! (<https://r8.googlesource.com/r8/+/refs/heads/main/doc/retrace.md>).

use super::fingerprint::{Frame, Thrown};
use super::mapping::{Class, Mapping, Method};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt;

/// A frame under the source's names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceFrame {
    /// Dotted class name.
    pub class: String,
    /// Method name.
    pub method: String,
    /// Source file: as the mapping names it, or the frame if its class is not in the mapping, or made of the class.
    pub file: Option<String>,
    /// Line of the source, where known.
    pub line: Option<u32>,
}

impl fmt::Display for SourceFrame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { class, method, .. } = self;
        let file = self.file.as_deref().unwrap_or("Unknown Source");
        match self.line {
            Some(line) => write!(f, "{class}.{method}({file}:{line})"),
            None => write!(f, "{class}.{method}({file})"),
        }
    }
}

/// What R8 notes about a line of a method.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Note {
    /// Of the inlined frames this many inner ones are left out, if the frame threw one of these classes.
    Rewrite {
        /// Each a descriptor: all must be the exception's.
        throws: Vec<String>,
        remove: usize,
    },
    /// The method is code that R8 moved out of other methods.
    Outline,
    /// The lines of the caller by the lines of the outline; the outline's descriptor, if it is named.
    Callsite {
        positions: BTreeMap<u32, u32>,
        outline: Option<String>,
    },
    /// The compiler made the method up.
    Synthesized,
}

#[derive(Deserialize)]
struct RawNote {
    id: String,
    #[serde(default)]
    conditions: Vec<String>,
    #[serde(default)]
    actions: Vec<String>,
    #[serde(default)]
    positions: BTreeMap<u32, u32>,
    #[serde(default)]
    outline: Option<String>,
}

impl Note {
    /// Reads a comment; `None`: it does not change what a stack shows, or is not one of R8's.
    pub(super) fn read(comment: &str) -> Option<Self> {
        if !comment.contains("com.android.tools.r8.") {
            return None;
        }
        let raw: RawNote = serde_json::from_str(comment.trim()).ok()?;
        match raw.id.strip_prefix("com.android.tools.r8.")? {
            "rewriteFrame" => {
                let inner = |text: &String, name: &str| {
                    let inner = text.trim().strip_prefix(name)?.strip_prefix('(')?;
                    Some(inner.strip_suffix(')')?.trim().to_owned())
                };
                // A condition or an action of a later version: the frames stay.
                let throws = raw.conditions.iter().map(|one| inner(one, "throws"));
                let remove = raw
                    .actions
                    .iter()
                    .map(|one| inner(one, "removeInnerFrames")?.parse::<usize>().ok());
                Some(Self::Rewrite {
                    throws: throws.collect::<Option<_>>()?,
                    remove: remove.collect::<Option<Vec<_>>>()?.iter().sum(),
                })
            }
            "outline" => Some(Self::Outline),
            "outlineCallsite" => Some(Self::Callsite {
                positions: raw.positions,
                outline: raw.outline,
            }),
            "synthesized" => Some(Self::Synthesized),
            _ => None,
        }
    }
}

/// The outline that the frame within this one was in.
struct Left<'f> {
    frame: &'f Frame<'f>,
    /// The line within it, of the obfuscated program.
    line: Option<u32>,
}

impl Mapping {
    /// The source's frames of each frame of an exception, both from the inside out: several where R8 inlined methods,
    /// none where it made the method up. Names that it doesn't know stay unchanged.
    pub fn retrace(&self, thrown: &Thrown<'_>) -> Vec<Vec<SourceFrame>> {
        let mut left: Option<Left<'_>> = None;
        let mut all = Vec::with_capacity(thrown.frames.len());
        for (depth, frame) in thrown.frames.iter().enumerate() {
            let outline = left.take();
            let Some(class) = self.classes.get(frame.class) else {
                all.push(vec![unknown(frame)]);
                continue;
            };
            let candidates = self.members(class).named(frame.method);
            let mut line = frame.line;
            let mut group = at_line(candidates, line);
            if let Some(outline) = outline
                && let Some(moved) = caller_line(group, &outline)
            {
                line = Some(moved);
                group = at_line(candidates, line);
            }
            let Some(outer) = group.last() else {
                let named = self.members(class).file.clone();
                all.push(vec![SourceFrame {
                    file: named.or_else(|| Some(usual_file(&class.original, frame.place))),
                    class: class.original.clone(),
                    method: frame.method.to_owned(),
                    line,
                }]);
                continue;
            };
            if is_noted(candidates, outer, &Note::Outline) {
                left = Some(Left { frame, line });
                all.push(Vec::new());
                continue;
            }
            // What a frame threw is known of the first alone: the others called it.
            let skip = match depth {
                0 => self.left_out(group, thrown.class),
                _ => 0,
            };
            let made_up = is_noted(candidates, outer, &Note::Synthesized);
            // R8 shows what it made up only where the exception would have no place without it.
            let take = match made_up && (group.len() > 1 || depth > 0) {
                true => group.len() - 1,
                false => group.len(),
            };
            let shown = group.iter().take(take).skip(skip);
            let shown = shown.map(|method| {
                let at = source_line(candidates, method, line);
                self.shown(class, method, frame, at)
            });
            all.push(shown.collect());
        }
        all
    }

    /// The inner frames that do not count where this exception was thrown.
    fn left_out(&self, group: &[Method], exception: &str) -> usize {
        let is = |descriptor: &String| {
            let class = descriptor.strip_prefix('L');
            let class = class.and_then(|class| class.strip_suffix(';'));
            let class = class.unwrap_or(descriptor).replace('/', ".");
            self.class(&class) == self.class(exception)
        };
        let notes = group.iter().flat_map(|method| &method.notes);
        let removed = notes.map(|note| match note {
            Note::Rewrite { throws, remove } if throws.iter().all(is) => *remove,
            _ => 0,
        });
        removed.sum()
    }

    fn shown(
        &self,
        of: &Class,
        method: &Method,
        frame: &Frame<'_>,
        source_line: Option<u32>,
    ) -> SourceFrame {
        let (class, name) = of.owned(&method.name);
        let around = self.members(of).file.as_deref();
        let file = match class == of.original {
            true => around,
            false => self.file_of_original(&class),
        };
        let beside = around.unwrap_or(frame.place);
        let file = file.map_or_else(|| usual_file(&class, beside), str::to_owned);
        SourceFrame {
            file: Some(file),
            class,
            method: name,
            line: source_line,
        }
    }
}

/// A frame whose class is not in the mapping.
fn unknown(frame: &Frame<'_>) -> SourceFrame {
    let file = match frame.line {
        Some(_) => frame.place.rsplit_once(':').map(|(file, _)| file),
        None => Some(frame.place),
    };
    SourceFrame {
        class: frame.class.to_owned(),
        method: frame.method.to_owned(),
        file: file.filter(|file| !file.is_empty()).map(str::to_owned),
        line: frame.line,
    }
}

/// The file that a class usually is in, in the language of the place that its method is inlined into.
fn usual_file(class: &str, beside: &str) -> String {
    let simple = class.rsplit('.').next().unwrap_or(class);
    let outer = simple.split('$').next().unwrap_or(simple);
    // A file's functions are in a class of this name. Where R8 took the file's name away nothing says it is Java.
    let of_file = outer.ends_with("Kt") && !beside.contains('.');
    match beside.contains(".kt") || of_file {
        true => format!("{}.kt", outer.strip_suffix("Kt").unwrap_or(outer)),
        false => format!("{outer}.java"),
    }
}

/// The methods at a line, inlined into one another from the inside out: those whose range has it; else one without a
/// range, of which any may be meant; else those without a line, or the first.
fn at_line(candidates: &[Method], line: Option<u32>) -> &[Method] {
    let at = |of: &dyn Fn(&Method) -> bool| candidates.iter().position(of);
    let ranged = line.and_then(|line| at(&|method| method.has(line)));
    let found = ranged
        .or_else(|| at(&|method| method.lines.is_none()))
        .or_else(|| at(&|method| method.has(0)));
    let rest = &candidates[found.unwrap_or(0)..];
    let Some(first) = rest.first() else {
        return rest;
    };
    let same = match first.lines {
        None => 1,
        // Lines of one range that follow each other belong together.
        range => rest.iter().take_while(|one| one.lines == range).count(),
    };
    &rest[..same]
}

/// The line of the source of a method at a line of the obfuscated program, 0 in a stack without lines. Where no range has
/// that line, it is known only if whatever may be meant leads to one.
fn source_line(candidates: &[Method], method: &Method, line: Option<u32>) -> Option<u32> {
    let one_line = |one: &Method| {
        let (first, last) = one.source?;
        (first == last && first > 0).then_some(first)
    };
    match line {
        Some(at) if method.lines.is_none() || method.has(at) => return method.source_line(line),
        None if method.has(0) => return one_line(method),
        _ => {}
    }
    let no_range = |one: &Method| one.lines.is_none();
    let may_be = |one: &&Method| one.name == method.name || no_range(method) && no_range(one);
    let mut lines = candidates.iter().filter(may_be).map(one_line);
    let first = lines.next()?;
    lines.all(|line| line == first).then_some(first)?
}

/// The line at which these methods called the outline.
fn caller_line(group: &[Method], outline: &Left<'_>) -> Option<u32> {
    let mut notes = group.iter().flat_map(|method| &method.notes);
    let is_it = |descriptor: &str| {
        let Some((class, rest)) = descriptor.split_once(';') else {
            return true;
        };
        let class = class.trim_start_matches('L').replace('/', ".");
        let method = rest.split('(').next().unwrap_or_default();
        class == outline.frame.class && method == outline.frame.method
    };
    notes.find_map(|note| match note {
        Note::Callsite {
            positions,
            outline: named,
        } if named.as_deref().is_none_or(is_it) => positions.get(&outline.line?).copied(),
        _ => None,
    })
}

/// Does any line of the method have the note? R8 writes it once, below one of the method's ranges.
fn is_noted(candidates: &[Method], method: &Method, note: &Note) -> bool {
    let same = |one: &&Method| one.name == method.name && one.arguments == method.arguments;
    candidates
        .iter()
        .filter(same)
        .any(|one| one.notes.contains(note))
}

#[cfg(test)]
#[path = "retrace_tests.rs"]
mod tests;
