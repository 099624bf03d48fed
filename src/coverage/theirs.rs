//! The coverage of a team's own tests, from JaCoCo's XML or LCOV's tracefile, beside that of a run.

use super::jacoco::{Report, ReportError};
use crate::outcome::tests_coverage::{Shares, TestsCoverage};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fs::File;
use std::io::{BufRead, BufReader, Read as _};
use std::path::PathBuf;

/// Bytes of a file at most: ten times what the largest apps have.
const LARGEST: u64 = 512 << 20;
/// Bytes of a line of a tracefile at most.
const LINE: u64 = 1 << 20;

/// A source file as a report names it.
#[derive(Debug)]
struct SourceFile {
    /// The parts of the folder that it is in.
    folder: Vec<String>,
    /// Is the folder its package? That of a tracefile's path is below other folders, or has a part of the package only.
    exact: bool,
    /// Its covered lines.
    lines: FxHashSet<u32>,
}

impl SourceFile {
    /// The package that it is of, among those of a run's report with a source file of its name. `only`: no other file of
    /// the name is in either report.
    fn package<'r>(&self, packages: &[&'r str], only: bool) -> Option<&'r str> {
        let fits = |package: &&&str| {
            let package = parts(package);
            match self.exact || package.is_empty() {
                true => self.folder == package,
                false => self.folder.ends_with(&package),
            }
        };
        // All that fit are ends of one folder: the longest has the most parts.
        let found = packages.iter().filter(fits).max_by_key(|name| name.len());
        // Kotlin leaves the first parts of a package out of the folders.
        let shortened = |name: &&&str| only && !self.exact && !name.is_empty();
        let found = found.or_else(|| packages.first().filter(shortened));
        found.copied()
    }
}

/// Covered lines of source files of a run's report, by package and name.
type Matched<'r> = FxHashMap<(&'r str, &'r str), FxHashSet<u32>>;

/// Covered lines and methods.
#[derive(Debug, Default)]
pub struct Theirs {
    /// By the source file's name without folders.
    files: FxHashMap<String, Vec<SourceFile>>,
    /// Class, name and descriptor.
    methods: FxHashSet<(String, String, String)>,
    /// Did each file name its methods?
    names_methods: bool,
}

impl Theirs {
    /// The sum of these files: `.xml` is JaCoCo's, others are tracefiles.
    ///
    /// # Errors
    /// One cannot be read, is neither, or covers nothing.
    pub fn load(files: &[PathBuf]) -> Result<Self, ReportError> {
        let mut all = Self {
            names_methods: true,
            ..Self::default()
        };
        for file in files {
            let refused = |why: String| ReportError {
                path: file.clone(),
                why,
            };
            let opened = File::open(file).map_err(|e| refused(e.to_string()))?;
            let length = opened.metadata().map_err(|e| refused(e.to_string()))?.len();
            if length > LARGEST {
                return Err(refused(format!("larger than {} MiB", LARGEST >> 20)));
            }
            let input = BufReader::new(opened.take(LARGEST));
            let before = all.covered();
            match file.extension().is_some_and(|ending| ending == "xml") {
                true => {
                    let report = Report::read(input).map_err(|e| refused(e.to_string()))?;
                    all.add(&report);
                }
                false => all.trace(input).map_err(refused)?,
            }
            if all.covered() == before {
                return Err(refused("it covers no line and no method".to_owned()));
            }
        }
        Ok(all)
    }

    fn covered(&self) -> usize {
        let lines = self.files.values().flatten().map(|file| file.lines.len());
        lines.sum::<usize>() + self.methods.len()
    }

    fn add(&mut self, report: &Report) {
        for package in &report.packages {
            for source in &package.sources {
                let lines = source.lines.iter().filter(|line| line.is_covered());
                let folder = parts(&package.name);
                self.lines(&source.name, (folder, true), lines.map(|line| line.number));
            }
            for class in &package.classes {
                let covered = class.methods.iter();
                let covered = covered.filter(|method| method.counters.code.instruction.covered > 0);
                self.methods.extend(covered.map(|method| {
                    let (name, descriptor) = (method.name.clone(), method.descriptor.clone());
                    (class.name.clone(), name, descriptor)
                }));
            }
        }
    }

    /// Reads a tracefile: `SF`, `DA` and `end_of_record`; methods are known by their first line.
    fn trace(&mut self, mut input: impl BufRead) -> Result<(), String> {
        self.names_methods = false;
        let (mut open, mut number) = (None, 0);
        let mut bytes = Vec::new();
        loop {
            bytes.clear();
            number += 1;
            let read = (&mut input).take(LINE).read_until(b'\n', &mut bytes);
            if read.map_err(|e| e.to_string())? == 0 {
                break;
            }
            let line = String::from_utf8_lossy(&bytes);
            let wrong = |what: &str| {
                format!(
                    "line {number}: {what}; a tracefile of LCOV or JaCoCo's XML (`.xml`) is needed"
                )
            };
            match line.trim().split_once(':').unwrap_or((line.trim(), "")) {
                ("SF", path) => open = Some((path.to_owned(), Vec::new())),
                ("DA", rest) => {
                    let mut fields = rest.split(',');
                    let line = fields.next().and_then(|field| field.parse::<u32>().ok());
                    let hits = fields.next().and_then(|field| field.parse::<i64>().ok());
                    let (Some(line), Some(hits)) = (line, hits) else {
                        return Err(wrong("not `DA:LINE,COUNT`"));
                    };
                    let (_, lines) = open.as_mut().ok_or_else(|| wrong("`DA` before `SF`"))?;
                    lines.extend((hits > 0).then_some(line));
                }
                ("end_of_record", _) => {
                    let (path, lines) = open.take().ok_or_else(|| wrong("no `SF` before it"))?;
                    let mut folder = parts(&path.replace('\\', "/"));
                    let name = folder.pop().unwrap_or_default();
                    self.lines(&name, (folder, false), lines.into_iter());
                }
                ("" | "TN" | "VER" | "FN" | "FNA" | "FNL" | "FNDA" | "FNF" | "FNH" | "BRDA", _)
                | ("BRF" | "BRH" | "LF" | "LH" | "MCDC" | "MCF" | "MCH", _) => {}
                _ if line.starts_with('#') => {}
                _ => return Err(wrong("not a record of a tracefile")),
            }
        }
        match open {
            None => Ok(()),
            Some(_) => Err("it is cut off: `end_of_record` is missing".to_owned()),
        }
    }

    fn lines(
        &mut self,
        name: &str,
        (folder, exact): (Vec<String>, bool),
        lines: impl Iterator<Item = u32>,
    ) {
        let all = self.files.entry(name.to_owned()).or_default();
        let same = |file: &&mut SourceFile| file.folder == folder && file.exact == exact;
        match all.iter_mut().find(same) {
            Some(known) => known.lines.extend(lines),
            None => all.push(SourceFile {
                folder,
                exact,
                lines: lines.collect(),
            }),
        }
    }

    /// The covered lines of the source files of a run's report, and how many lines are of files that it does not have.
    fn matched<'r>(&self, ours: &'r Report) -> (Matched<'r>, usize) {
        let mut packages: FxHashMap<&str, Vec<&str>> = FxHashMap::default();
        for package in &ours.packages {
            for source in &package.sources {
                let all = packages.entry(&source.name).or_default();
                all.push(&package.name);
            }
        }
        let (mut matched, mut elsewhere) = (Matched::default(), 0);
        for (name, files) in &self.files {
            let there = packages.get_key_value(name.as_str());
            for file in files {
                let found = there.and_then(|(name, packages)| {
                    let only = files.len() == 1 && packages.len() == 1;
                    Some((file.package(packages, only)?, *name))
                });
                match found {
                    Some(source) => matched.entry(source).or_default().extend(&file.lines),
                    None => elsewhere += file.lines.len(),
                }
            }
        }
        (matched, elsewhere)
    }

    /// The tests beside the coverage of a run. Only the lines and methods of the run's report count; `None`: nothing that
    /// the tests cover is in it.
    pub fn beside(&self, ours: &Report) -> Option<TestsCoverage> {
        let mut found = TestsCoverage::default();
        let (matched, mut elsewhere) = self.matched(ours);
        for package in &ours.packages {
            for source in &package.sources {
                let theirs = matched.get(&(package.name.as_str(), source.name.as_str()));
                let mut others = theirs.map_or(0, FxHashSet::len);
                for line in &source.lines {
                    let tests = theirs.is_some_and(|lines| lines.contains(&line.number));
                    others = others.saturating_sub(usize::from(tests));
                    found.lines.count(tests, line.is_covered());
                }
                elsewhere += others;
            }
            for class in &package.classes {
                let source = class.source.as_deref();
                let lines = source.and_then(|source| matched.get(&(package.name.as_str(), source)));
                for method in &class.methods {
                    let (name, descriptor) = (method.name.clone(), method.descriptor.clone());
                    let named = self
                        .methods
                        .contains(&(class.name.clone(), name, descriptor));
                    let by_line = || {
                        let first = method.line.zip(lines);
                        !self.names_methods
                            && first.is_some_and(|(line, lines)| lines.contains(&line))
                    };
                    let run = method.counters.code.instruction.covered > 0;
                    found.methods.count(named || by_line(), run);
                }
            }
        }
        found.elsewhere = elsewhere as u64;
        let tests = |shares: Shares| shares.both + shares.only_tests;
        (tests(found.lines) + tests(found.methods) > 0).then_some(found)
    }
}

/// The parts of a path with `/`.
fn parts(path: &str) -> Vec<String> {
    let parts = path.split('/').filter(|part| !part.is_empty());
    parts.map(str::to_owned).collect()
}

#[cfg(test)]
#[path = "theirs_tests.rs"]
mod tests;
