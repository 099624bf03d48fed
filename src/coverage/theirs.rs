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

/// The parts of the folder that a source file is in, and its covered lines.
type SourceFile = (Vec<String>, FxHashSet<u32>);

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
        let lines = self.files.values().flatten().map(|(_, lines)| lines.len());
        lines.sum::<usize>() + self.methods.len()
    }

    fn add(&mut self, report: &Report) {
        for package in &report.packages {
            for source in &package.sources {
                let lines = source.lines.iter().filter(|line| line.is_covered());
                let folder = parts(&package.name);
                self.lines(&source.name, folder, lines.map(|line| line.number));
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
                    self.lines(&name, folder, lines.into_iter());
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

    fn lines(&mut self, name: &str, folder: Vec<String>, lines: impl Iterator<Item = u32>) {
        let all = self.files.entry(name.to_owned()).or_default();
        match all.iter_mut().find(|(known, _)| *known == folder) {
            Some((_, known)) => known.extend(lines),
            None => all.push((folder, lines.collect())),
        }
    }

    /// The covered lines of a source file of a package: that of a file below folders as its package, else (Kotlin leaves
    /// the first parts of a package out) of the only file of that name.
    fn of(&self, package: &str, name: &str) -> FxHashSet<u32> {
        let Some(all) = self.files.get(name) else {
            return FxHashSet::default();
        };
        let package = parts(package);
        let below = all.iter().filter(|(folder, _)| folder.ends_with(&package));
        let found: Vec<_> = match below.clone().next() {
            Some(_) => below.collect(),
            None => all.iter().filter(|_| all.len() == 1).collect(),
        };
        found.iter().flat_map(|(_, lines)| lines).copied().collect()
    }

    /// The tests beside the coverage of a run. Only the lines and methods of the run's report count; `None`: nothing that
    /// the tests cover is in it.
    pub fn beside(&self, ours: &Report) -> Option<TestsCoverage> {
        let mut found = TestsCoverage::default();
        let mut matched = 0;
        for package in &ours.packages {
            let mut by_source = FxHashMap::default();
            for source in &package.sources {
                let theirs = self.of(&package.name, &source.name);
                for line in &source.lines {
                    let tests = theirs.contains(&line.number);
                    matched += u64::from(tests);
                    found.lines.count(tests, line.is_covered());
                }
                by_source.insert(source.name.as_str(), theirs);
            }
            for class in &package.classes {
                let lines = class.source.as_deref().and_then(|name| by_source.get(name));
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
        let lines = self.files.values().flatten().map(|(_, lines)| lines.len());
        found.elsewhere = (lines.sum::<usize>() as u64).saturating_sub(matched);
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
mod tests {
    use super::super::jacoco::tests::fixture;
    use super::super::lcov;
    use super::super::sources::Sources;
    use super::*;

    fn file(folder: &tempfile::TempDir, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let file = folder.path().join(name);
        std::fs::write(&file, text).unwrap();
        file
    }

    fn tracefile(report: &Report) -> Vec<u8> {
        let mut out = Vec::new();
        lcov::write(report, &Sources::default(), &mut out).unwrap();
        out
    }

    #[test]
    fn a_report_beside_itself_is_covered_by_both_in_each_format() {
        let folder = tempfile::tempdir().unwrap();
        let ours = fixture();
        let mut theirs = Theirs {
            names_methods: true,
            ..Theirs::default()
        };
        theirs.add(&ours);
        let same = theirs.beside(&ours).unwrap();
        let code = ours.total.code;
        assert_eq!(
            (same.lines.both, same.lines.total),
            (code.line.covered, code.line.total)
        );
        assert_eq!(
            (same.methods.both, same.methods.total),
            (code.method.covered, code.method.total)
        );
        assert_eq!(
            (same.lines.only_tests, same.lines.only_run, same.elsewhere),
            (0, 0, 0)
        );
        assert_eq!(same.lines.degree(), Some(100.0));
        let traced = Theirs::load(&[file(&folder, "lcov.info", tracefile(&ours))]).unwrap();
        assert_eq!(traced.beside(&ours).unwrap().lines, same.lines);
    }

    #[test]
    fn a_tracefile_is_matched_by_the_package_below_any_folder() {
        let folder = tempfile::tempdir().unwrap();
        let ours = fixture();
        let (package, source) = (ours.packages.iter())
            .find_map(|package| {
                Some((
                    package,
                    package.sources.iter().find(|s| !s.lines.is_empty())?,
                ))
            })
            .unwrap();
        let all: String = source
            .lines
            .iter()
            .map(|l| format!("DA:{},3\n", l.number))
            .collect();
        for (path, fits) in [
            (
                format!("/ci/app/src/main/java/{}/{}", package.name, source.name),
                true,
            ),
            (
                format!(
                    "C:\\ci\\{}\\{}",
                    package.name.replace('/', "\\"),
                    source.name
                ),
                true,
            ),
            (format!("src/{}", source.name), true),
            (format!("src/Other{}", source.name), false),
        ] {
            let text = format!("TN:\nSF:{path}\n{all}DA:99999,1\nend_of_record\n");
            let theirs = Theirs::load(&[file(&folder, "lcov.info", text)]).unwrap();
            let found = theirs.beside(&ours);
            assert_eq!(found.is_some(), fits, "{path}");
            let Some(found) = found else { continue };
            let lines = source.lines.len() as u64;
            assert_eq!(found.lines.both + found.lines.only_tests, lines, "{path}");
            assert_eq!(found.elsewhere, 1, "{path}");
        }
    }

    #[test]
    fn what_is_no_report_is_refused_with_its_file_and_line() {
        let folder = tempfile::tempdir().unwrap();
        for (name, text, why) in [
            (
                "a.info",
                "SF:A.java\nDA:x,1\nend_of_record\n",
                "line 2: not `DA:LINE,COUNT`",
            ),
            ("b.info", "DA:1,1\n", "line 1: `DA` before `SF`"),
            ("c.info", "SF:A.java\nDA:1,1\n", "cut off"),
            (
                "d.info",
                "{\"a\": 1}\n",
                "line 1: not a record of a tracefile",
            ),
            (
                "e.info",
                "SF:A.java\nDA:1,0\nend_of_record\n",
                "covers no line",
            ),
            ("f.info", "", "covers no line"),
            ("g.xml", "<html></html>", "not a JaCoCo report"),
            ("h.xml", "<report name=\"x\"><package", "h.xml: "),
        ] {
            let error = Theirs::load(&[file(&folder, name, text)]).expect_err(name);
            let text = error.to_string();
            assert!(text.contains(name) && text.contains(why), "{name}: {text}");
        }
        let missing = Theirs::load(&[folder.path().join("none.xml")]).expect_err("missing");
        assert!(missing.to_string().contains("none.xml"), "{missing}");
    }
}
