//! Reports: what people and machines read of a run. All but the live lines are functions of the run's folder,
//! so they can be written again at any time, for a killed run too.

pub mod annotations;
pub mod causes;
mod changed;
mod code_lines;
pub mod comment;
pub mod console;
mod damage;
mod gate_lines;
pub mod html;
pub mod junit;
mod live;
mod markdown;
mod members;
pub mod messages;
mod navigation;
pub mod places;
pub mod progress;
pub mod prompt;
mod record;
pub mod repro_info;
pub mod sarif;
mod scripts;
pub mod session;
mod slot;
pub mod step_summary;
mod steps;
pub mod summarize;
mod title;
pub mod totals;
mod whole;
pub mod words;

#[cfg(test)]
mod fixture;
#[cfg(test)]
mod fixture_app;
#[cfg(test)]
mod fixture_png;
#[cfg(test)]
mod fixture_verdict;

use crate::outcome::RunSummary;
use crate::outcome::folder::{RunFolder, pretty, write_whole};
use crate::outcome::verdict::Verdict;
use std::io;
use std::path::{Path, PathBuf};
use summarize::RunRecord;

/// Which reports are written next to `summary.json`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// `junit.xml`.
    pub junit: bool,
    /// `report.html`.
    pub html: bool,
    /// `droidtest.sarif`; `None`: if the run was compared with a baseline, or has the file.
    pub sarif: Option<bool>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            junit: true,
            html: true,
            sarif: None,
        }
    }
}

/// Compares a run with a baseline.
pub type Judge<'a> = dyn Fn(&RunSummary) -> Verdict + 'a;

/// A run's reports as written.
#[derive(Clone, Debug)]
pub struct Rendered {
    /// Their content.
    pub run: RunRecord,
    /// The files, in the order written.
    pub written: Vec<PathBuf>,
}

/// Why a report could not be written.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// Reading the run's folder or writing to it failed.
    #[error("{}: {source}", path.display())]
    Io {
        /// Where.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The page's template failed.
    #[error("cannot make report.html: {0}")]
    Html(#[from] minijinja::Error),
    /// The XML writer failed.
    #[error("cannot make junit.xml: {0}")]
    Junit(#[from] junit_report::Error),
}

/// Writes all reports of a run from its folder. A session that cannot be read is reported as such
/// and doesn't keep the others from being reported. `judge` compares the run with a baseline; without it, an earlier
/// comparison stays.
///
/// # Errors
/// The folder cannot be read or a report cannot be written.
pub fn render(
    folder: &RunFolder,
    options: Options,
    judge: Option<&Judge<'_>>,
) -> Result<Rendered, ReportError> {
    let at = |path: &Path| {
        let path = path.to_owned();
        move |source| ReportError::Io { path, source }
    };
    let mut run = summarize::read(folder).map_err(at(folder.path()))?;
    let mut written = Vec::new();
    let mut write = |path: PathBuf, content: &[u8]| {
        write_whole(&path, content).map_err(at(&path))?;
        written.push(path);
        Ok::<_, ReportError>(())
    };
    if let Some(judge) = judge {
        let verdict = judge(&run.summary);
        let content = pretty(&verdict).map_err(at(&folder.verdict()))?;
        write(folder.verdict(), &content)?;
        run.verdict = Some(verdict);
    }
    let summary = pretty(&run.summary).map_err(at(&folder.summary()))?;
    write(folder.summary(), &summary)?;
    if options.junit {
        write(folder.junit(), &junit::junit(&run)?)?;
    }
    let has_sarif = || run.verdict.is_some() || folder.sarif().is_file();
    if options.sarif.unwrap_or_else(has_sarif) {
        let sarif = pretty(&sarif::sarif(&run)).map_err(at(&folder.sarif()))?;
        write(folder.sarif(), &sarif)?;
    }
    if options.html {
        write(folder.html(), html::html(folder, &run)?.as_bytes())?;
    }
    Ok(Rendered { run, written })
}

#[cfg(test)]
mod tests {
    use super::*;
    use fixture::Spec;
    use std::fs;

    #[test]
    fn everything_is_written_and_comes_out_the_same_again() {
        let base = tempfile::tempdir().unwrap();
        let folder = fixture::run(base.path(), &[Spec::default()]);
        let first = render(&folder, Options::default(), None).unwrap();
        let names: Vec<_> = first
            .written
            .iter()
            .map(|p| p.file_name().unwrap())
            .collect();
        assert_eq!(names, ["summary.json", "junit.xml", "report.html"]);
        let read = || {
            first
                .written
                .iter()
                .map(|p| fs::read(p).unwrap())
                .collect::<Vec<_>>()
        };
        let before = read();
        render(&folder, Options::default(), None).unwrap();
        assert_eq!(read(), before);
    }

    #[test]
    fn whatever_is_cut_off_or_overwritten_reports_are_written() {
        let base = tempfile::tempdir().unwrap();
        let spec = |seed| Spec {
            seed,
            events: 40,
            ..Spec::default()
        };
        let folder = fixture::run(base.path(), &[spec(1), spec(2)]);
        let journal = folder.session("notes-jvm-random-1").journal();
        let whole = fs::read(&journal).unwrap();
        for n in 0..40 {
            let mut bytes = whole[..whole.len() * n / 40].to_vec();
            if n % 3 == 0 && n > 0 {
                let at = bytes.len() / 2;
                bytes[at] = b'\n';
            }
            fs::write(&journal, bytes).unwrap();
            let run = render(&folder, Options::default(), None).unwrap().run;
            assert_eq!(run.summary.sessions[1].events, 40);
            assert!(run.summary.sessions[0].events <= 40);
        }
    }

    #[test]
    fn reports_that_cannot_be_written_are_an_error_that_names_the_file() {
        let base = tempfile::tempdir().unwrap();
        let folder = fixture::run(base.path(), &[Spec::default()]);
        fs::create_dir_all(folder.junit().join("in-the-way")).unwrap();
        let error = render(&folder, Options::default(), None).unwrap_err();
        assert!(error.to_string().contains("junit.xml"), "{error}");
    }
}
