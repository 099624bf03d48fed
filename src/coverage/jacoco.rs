//! JaCoCo's XML report, read as a stream: a large app's is 50 MB, and its tree would be ten times that.

use crate::outcome::summary::{CodeCoverage, Ratio};
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};
use rustc_hash::FxHashMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

/// What is covered of a part of the app.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counters {
    /// Lines, branches, methods, classes, instructions.
    pub code: CodeCoverage,
    /// Cyclomatic complexity, covered or not.
    pub complexity: u64,
}

/// A line with code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Line {
    /// Its number, from 1.
    pub number: u32,
    /// Its instructions.
    pub instructions: Ratio,
    /// Its branches.
    pub branches: Ratio,
}

impl Line {
    /// Was any of it run? That is what JaCoCo counts.
    pub fn is_covered(&self) -> bool {
        self.instructions.covered > 0
    }
}

/// A method.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Method {
    /// Name, such as `<init>`.
    pub name: String,
    /// Descriptor, such as `(I)V`.
    pub descriptor: String,
    /// Its first line, where lines are known.
    pub line: Option<u32>,
    /// What is covered.
    pub counters: Counters,
}

/// A class.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Class {
    /// Internal name, such as `a/b/C$D`.
    pub name: String,
    /// Its source file's name without folders, where known.
    pub source: Option<String>,
    /// Methods with code.
    pub methods: Vec<Method>,
    /// What is covered.
    pub counters: Counters,
}

/// A source file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceFile {
    /// Name without folders.
    pub name: String,
    /// Lines with code, in order.
    pub lines: Vec<Line>,
    /// What is covered.
    pub counters: Counters,
}

/// A package.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Package {
    /// Internal name, such as `a/b`; empty for the nameless one.
    pub name: String,
    /// Classes.
    pub classes: Vec<Class>,
    /// Source files.
    pub sources: Vec<SourceFile>,
    /// What is covered.
    pub counters: Counters,
}

impl Package {
    /// The classes of each source file, as indices in their order. A build may put all of an app's classes into one
    /// package, so no file looks for its classes itself.
    pub fn by_source(&self) -> FxHashMap<&str, Vec<usize>> {
        let mut found: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
        for (ix, class) in self.classes.iter().enumerate() {
            if let Some(source) = &class.source {
                found.entry(source).or_default().push(ix);
            }
        }
        found
    }
}

/// A complete report.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// The report's name.
    pub name: String,
    /// When the last session was written, milliseconds since 1970; 0 if not stated.
    pub written: u64,
    /// Packages.
    pub packages: Vec<Package>,
    /// What is covered of everything.
    pub total: Counters,
}

/// Why a report cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("{}: {why}", path.display())]
pub struct ReportError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong.
    pub why: String,
}

impl Report {
    /// Reads a file.
    pub fn load(path: &Path) -> Result<Self, ReportError> {
        let error = |why: String| ReportError {
            path: path.to_owned(),
            why,
        };
        let file = File::open(path).map_err(|e| error(e.to_string()))?;
        Self::read(BufReader::with_capacity(1 << 16, file)).map_err(|e| error(e.to_string()))
    }

    /// Reads a stream.
    pub fn read(input: impl BufRead) -> io::Result<Self> {
        let mut reader = Reader::from_reader(input);
        reader.config_mut().expand_empty_elements = true;
        let mut parser = Parser::default();
        let mut buffer = Vec::new();
        let mut depth = 0_usize;
        loop {
            match reader
                .read_event_into(&mut buffer)
                .map_err(io::Error::other)?
            {
                Event::Start(start) => {
                    parser.start(&start)?;
                    depth += 1;
                }
                Event::End(end) => {
                    parser.end(end.name().as_ref());
                    depth = depth.saturating_sub(1);
                }
                Event::Eof if depth > 0 => {
                    return Err(io::Error::other("the report is cut off"));
                }
                Event::Eof => break,
                _ => {}
            }
            buffer.clear();
        }
        if !parser.seen {
            return Err(io::Error::other("it is not a JaCoCo report"));
        }
        Ok(parser.report)
    }

    /// What to show as the app's coverage, and what it counts: lines, or instructions where lines are not known.
    pub fn headline(&self) -> (Ratio, &'static str) {
        headline(&self.total.code)
    }
}

/// Are line numbers known for most of an app's code? A method with line numbers has a line; some share one, and an
/// app without line numbers may hold a library that has them.
pub fn has_lines(code: &CodeCoverage) -> bool {
    code.line.total > 0 && code.line.total.saturating_mul(4) >= code.method.total
}

/// What to show as an app's coverage, and what it counts.
pub fn headline(code: &CodeCoverage) -> (Ratio, &'static str) {
    if has_lines(code) {
        (code.line, "lines")
    } else {
        (code.instruction, "instructions (line numbers are missing)")
    }
}

/// What is open while reading. Counters belong to the innermost.
#[derive(Default)]
struct Parser {
    report: Report,
    seen: bool,
    package: Option<Package>,
    class: Option<Class>,
    method: Option<Method>,
    source: Option<SourceFile>,
    /// Groups open; their counters are sums of what is inside, and passed over.
    groups: usize,
}

impl Parser {
    fn start(&mut self, element: &BytesStart<'_>) -> io::Result<()> {
        let text = |name| attribute(element, name);
        let number = |name| Ok::<_, io::Error>(text(name)?.parse().unwrap_or(0_u64));
        let ratio = |missed, covered| {
            let (missed, covered) = (number(missed)?, number(covered)?);
            Ok::<_, io::Error>(Ratio {
                covered,
                total: covered.saturating_add(missed),
            })
        };
        match element.name().as_ref() {
            b"report" => {
                self.seen = true;
                self.report.name = text("name")?;
            }
            b"sessioninfo" => self.report.written = self.report.written.max(number("dump")?),
            b"group" => self.groups += 1,
            b"package" => {
                self.package = Some(Package {
                    name: text("name")?,
                    classes: Vec::new(),
                    sources: Vec::new(),
                    counters: Counters::default(),
                });
            }
            b"class" => {
                self.class = Some(Class {
                    name: text("name")?,
                    source: Some(text("sourcefilename")?).filter(|name| !name.is_empty()),
                    methods: Vec::new(),
                    counters: Counters::default(),
                });
            }
            b"method" => {
                self.method = Some(Method {
                    name: text("name")?,
                    descriptor: text("desc")?,
                    line: text("line")?.parse().ok(),
                    counters: Counters::default(),
                });
            }
            b"sourcefile" => {
                self.source = Some(SourceFile {
                    name: text("name")?,
                    lines: Vec::new(),
                    counters: Counters::default(),
                });
            }
            b"line" => {
                let line = Line {
                    number: u32::try_from(number("nr")?).unwrap_or(0),
                    instructions: ratio("mi", "ci")?,
                    branches: ratio("mb", "cb")?,
                };
                if let Some(source) = &mut self.source {
                    source.lines.push(line);
                }
            }
            b"counter" => {
                let (kind, ratio) = (text("type")?, ratio("missed", "covered")?);
                self.count(&kind, ratio);
            }
            _ => {}
        }
        Ok(())
    }

    fn count(&mut self, kind: &str, ratio: Ratio) {
        let counters = if let Some(method) = &mut self.method {
            &mut method.counters
        } else if let Some(class) = &mut self.class {
            &mut class.counters
        } else if let Some(source) = &mut self.source {
            &mut source.counters
        } else if let Some(package) = &mut self.package {
            &mut package.counters
        } else if self.groups == 0 {
            &mut self.report.total
        } else {
            return;
        };
        match kind {
            "INSTRUCTION" => counters.code.instruction = ratio,
            "BRANCH" => counters.code.branch = ratio,
            "LINE" => counters.code.line = ratio,
            "METHOD" => counters.code.method = ratio,
            "CLASS" => counters.code.class = ratio,
            "COMPLEXITY" => counters.complexity = ratio.total,
            _ => {}
        }
    }

    fn end(&mut self, name: &[u8]) {
        match name {
            b"group" => self.groups = self.groups.saturating_sub(1),
            b"package" => self.report.packages.extend(self.package.take()),
            b"class" => {
                if let Some((package, class)) = self.package.as_mut().zip(self.class.take()) {
                    package.classes.push(class);
                }
            }
            b"method" => {
                if let Some((class, method)) = self.class.as_mut().zip(self.method.take()) {
                    class.methods.push(method);
                }
            }
            b"sourcefile" => {
                if let Some((package, source)) = self.package.as_mut().zip(self.source.take()) {
                    package.sources.push(source);
                }
            }
            _ => {}
        }
    }
}

/// An attribute's text, empty if it is missing.
fn attribute(element: &BytesStart<'_>, name: &str) -> io::Result<String> {
    match element.try_get_attribute(name).map_err(io::Error::other)? {
        None => Ok(String::new()),
        Some(attribute) => {
            let value = attribute
                .normalized_value(XmlVersion::Implicit1_0)
                .map_err(io::Error::other)?;
            Ok(value.into_owned())
        }
    }
}

#[cfg(test)]
#[path = "jacoco_tests.rs"]
pub(super) mod tests;
