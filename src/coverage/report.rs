//! Writes coverage reports from execution data: JaCoCo's tool writes XML and HTML, the other formats derive from its
//! XML.

use super::classes::write_counted;
use super::jacoco::{Report, ReportError};
use super::tool::{Call, Tool};
use super::{ClassIds, ExecData, ExecError, Sources, changed, cobertura, lcov};
use crate::apk::{Changed, Counted};
use crate::outcome::CountedCode;
use crate::outcome::changed::ChangedCoverage;
use crate::outcome::folder::{RunFolder, SessionFolder, pretty, write_whole};
use crate::outcome::journal::{JournalError, JournalReader};
use crate::settings::CoverageFormats;
use serde::Serialize;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{self, Path, PathBuf};
use std::time::Duration;
use tempfile::TempDir;

/// Time limit of a report; the largest apps take half a minute.
const LIMIT: Duration = Duration::from_secs(300);
/// Added for each further report of one call.
const LIMIT_OF_MORE: Duration = Duration::from_secs(60);
/// Most reports of one call of Java, whose start costs more than most reports. Limited, as the XML of a large app is
/// 50 MB.
pub(super) const AT_ONCE: usize = 8;
/// The prefix of temporary folders.
const SCRATCH: &str = ".droidtest-";
/// Longer than any call of Java; each one renews the time of its temporary folder.
const ABANDONED: Duration = Duration::from_secs(60 * 60);
/// The app to report on.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// Its name in the suite.
    pub app: &'a str,
    /// Class files before they were instrumented: jars and folders.
    pub classes: &'a [PathBuf],
    /// The classes that count.
    pub counted: &'a Counted,
    /// What changed since an earlier build, if the app is compared with one.
    pub changed: Option<&'a Changed>,
    /// The folders of sources.
    pub sources: &'a Sources,
    /// The formats to write.
    pub formats: CoverageFormats,
}

/// Why there is no coverage report.
#[derive(Debug, thiserror::Error)]
pub enum CoverageError {
    /// All classes are excluded.
    #[error(
        "no class of {0} is measured: `coverage.exclude` or `coverage.scope` leaves out all of them"
    )]
    NoClasses(String),
    /// The tool failed.
    #[error("JaCoCo's report failed: {0}")]
    Tool(String),
    /// Reading or writing failed.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// JaCoCo's XML cannot be read.
    #[error(transparent)]
    Report(#[from] ReportError),
    /// Execution data cannot be read or merged.
    #[error(transparent)]
    Exec(#[from] ExecError),
    /// A journal cannot be read.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

pub(super) fn io_error(path: &Path) -> impl FnOnce(io::Error) -> CoverageError + '_ {
    move |source| CoverageError::Io {
        path: path.to_owned(),
        source,
    }
}

/// The coverage of a session: from its journal, which is complete to the last step even if the session or its device
/// was killed, and from the device's file if it is readable.
///
/// # Errors
/// The journal is missing or cannot be read.
pub fn session_data(folder: &SessionFolder, ids: &ClassIds) -> Result<ExecData, CoverageError> {
    let journal = JournalReader::open(&folder.journal())?;
    let name = folder.path().file_name().unwrap_or_default();
    let name = name.to_string_lossy().into_owned();
    let events: Vec<_> = journal.filter(is_of_coverage).collect::<Result<_, _>>()?;
    let mut data = ExecData::from_journal(&name, &events, |class| ids.get(class));
    // A truncated file, or one of another build, is ignored: the journal has the same data.
    if let Ok(own) = ExecData::load(&folder.exec()) {
        let mut both = data.clone();
        if both.merge(own).is_ok() {
            data = both;
        }
    }
    Ok(data)
}

pub(super) fn is_of_coverage(event: &Result<crate::outcome::RunEvent, JournalError>) -> bool {
    use crate::outcome::RunEvent::{Class, Launch, Step};
    matches!(event, Err(_) | Ok(Class { .. } | Launch { .. } | Step(_)))
}

/// Common inputs of all reports on an app.
pub(super) struct Ground {
    /// A temporary folder, removed on drop.
    pub(super) scratch: TempDir,
    /// The classes that count.
    pub(super) jar: PathBuf,
    /// The ids of all classes.
    pub(super) ids: ClassIds,
    /// How many classes count.
    counted: CountedCode,
}

impl Ground {
    pub(super) fn of(subject: &Subject<'_>, run: &RunFolder) -> Result<Self, CoverageError> {
        let out = run.coverage(subject.app);
        let scratch = scratch(&out).map_err(io_error(&out))?;
        let jar = scratch.path().join("counted.jar");
        let counted = write_counted(subject.classes, subject.counted, &jar);
        let counted = counted.map_err(io_error(&jar))?;
        if counted.classes == 0 {
            return Err(CoverageError::NoClasses(subject.app.to_owned()));
        }
        let ids = class_ids(subject)?;
        Ok(Self {
            scratch,
            jar,
            ids,
            counted,
        })
    }
}

/// Writes all coverage files of an app in a run: each session's `coverage.json`, and below `coverage/<app>` the merged
/// `jacoco.exec`, `summary.json` and the configured formats. Can be repeated at any time.
///
/// # Errors
/// See [`CoverageError`]; files written before stay. A running call fails once it is `stopped`.
pub fn complete(
    tool: &Tool,
    subject: &Subject<'_>,
    run: &RunFolder,
    sessions: &[String],
    stopped: &dyn Fn() -> bool,
) -> Result<Report, CoverageError> {
    let out = run.coverage(subject.app);
    let Ground {
        scratch,
        jar,
        ids,
        counted,
    } = Ground::of(subject, run)?;
    write_json(&run.counted(subject.app), &counted)?;
    let mut all = ExecData::default();
    let of_sessions = Job {
        tool,
        name: subject.app,
        classes: &jar,
        sources: &Sources::default(),
        html: false,
        stopped,
    };
    for some in sessions.chunks(AT_ONCE) {
        let mut data = Vec::with_capacity(some.len());
        for session in some {
            let folder = run.session(session);
            let own = session_data(&folder, &ids)?;
            // The device's file covers only its last process.
            let exec = folder.exec();
            own.save(&exec).map_err(io_error(&exec))?;
            data.push(own);
        }
        if sessions.len() > 1 {
            let reports = of_sessions.run(&data, &scratch.path().join("sessions"))?;
            for (session, report) in some.iter().zip(&reports) {
                write_session(&run.session(session), subject, report)?;
            }
        }
        for own in data {
            all.merge(own)?;
        }
    }
    let made = scratch.path().join("app");
    let job = Job {
        sources: subject.sources,
        html: subject.formats.html,
        ..of_sessions
    };
    let report = job.run(std::slice::from_ref(&all), &made)?.remove(0);
    let made = made.join("0");
    if let [session] = sessions {
        write_session(&run.session(session), subject, &report)?;
    }
    let exec = out.join("jacoco.exec");
    all.save(&exec).map_err(io_error(&exec))?;
    keep(&made, &out, "html", subject.formats.html)?;
    keep(&made, &out, "jacoco.xml", subject.formats.xml)?;
    let mut text = Vec::new();
    if subject.formats.lcov {
        let file = out.join("lcov.info");
        let written = lcov::write(&report, subject.sources, &mut text);
        written
            .and_then(|()| write_whole(&file, &text))
            .map_err(io_error(&file))?;
    }
    if subject.formats.cobertura {
        let file = out.join("cobertura.xml");
        text.clear();
        let written = cobertura::write(&report, subject.sources, &mut text);
        written
            .and_then(|()| write_whole(&file, &text))
            .map_err(io_error(&file))?;
    }
    write_json(&run.coverage_summary(subject.app), &report.total.code)?;
    if let Some(changed) = subject.changed {
        write_json(&run.changed(subject.app), &changed::cover(changed, &report))?;
    }
    Ok(report)
}

/// A temporary folder next to the reports, so that complete files can be moved there.
fn scratch(out: &Path) -> io::Result<TempDir> {
    fs::create_dir_all(out)?;
    // Remove remains of killed processes; a running process has no folder as old as this.
    for entry in fs::read_dir(out)?.flatten() {
        let changed = entry.metadata().and_then(|of| of.modified());
        let age = changed.ok().and_then(|at| at.elapsed().ok());
        if age.is_some_and(|age| age > ABANDONED)
            && entry.file_name().to_string_lossy().starts_with(SCRATCH)
        {
            // A folder that cannot be removed only wastes space.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
    tempfile::Builder::new().prefix(SCRATCH).tempdir_in(out)
}

/// The ids of all classes of the app.
fn class_ids(subject: &Subject<'_>) -> Result<ClassIds, CoverageError> {
    let mut ids = ClassIds::default();
    for classes in subject.classes {
        ids.extend(ClassIds::of(classes).map_err(io_error(classes))?);
    }
    Ok(ids)
}

/// Writes the coverage of a session.
fn write_session(
    session: &SessionFolder,
    subject: &Subject<'_>,
    report: &Report,
) -> Result<(), CoverageError> {
    if let Some(changed) = subject.changed {
        let covered = ChangedCoverage {
            unreached: Vec::new(),
            ..changed::cover(changed, report)
        };
        write_json(&session.changed(), &covered)?;
    }
    write_json(&session.coverage(), &report.total.code)
}

fn write_json(file: &Path, content: &impl Serialize) -> Result<(), CoverageError> {
    let bytes = pretty(content).map_err(io_error(file))?;
    write_whole(file, &bytes).map_err(io_error(file))
}

/// Moves a file or folder to its destination, replacing an older one.
fn keep(from: &Path, to: &Path, name: &str, wanted: bool) -> Result<(), CoverageError> {
    let (from, to) = (from.join(name), to.join(name));
    let removed = if to.is_dir() {
        fs::remove_dir_all(&to)
    } else {
        fs::remove_file(&to)
    };
    match removed {
        Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(io_error(&to)(e)),
        _ if !wanted => return Ok(()),
        _ => {}
    }
    fs::rename(&from, &to).map_err(io_error(&to))
}

/// A call of JaCoCo's report.
#[derive(Clone, Copy)]
pub(super) struct Job<'a> {
    pub(super) tool: &'a Tool,
    pub(super) name: &'a str,
    pub(super) classes: &'a Path,
    pub(super) sources: &'a Sources,
    pub(super) html: bool,
    /// Polled while it runs: has the user interrupted?
    pub(super) stopped: &'a dyn Fn() -> bool,
}

impl Job<'_> {
    /// Reports on each data set separately; writes `jacoco.xml`, and `html` if requested, to the folders `0`, `1` and
    /// so on.
    pub(super) fn run(&self, data: &[ExecData], to: &Path) -> Result<Vec<Report>, CoverageError> {
        // Remove the files of an earlier call.
        match fs::remove_dir_all(to) {
            Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(io_error(to)(e)),
            _ => fs::create_dir_all(to).map_err(io_error(to))?,
        }
        let folders: Vec<PathBuf> = (0..data.len()).map(|i| to.join(i.to_string())).collect();
        for (data, folder) in data.iter().zip(&folders) {
            let exec = folder.with_extension("exec");
            data.save(&exec).map_err(io_error(&exec))?;
        }
        let more = u32::try_from(data.len())
            .unwrap_or(u32::MAX)
            .saturating_sub(1);
        let limit = LIMIT + LIMIT_OF_MORE.saturating_mul(more);
        let call = Call {
            main: "droidtest.tool.Coverage",
            arguments: self.arguments(&folders, to)?,
            reads: self
                .sources
                .folders()
                .iter()
                .chain([&self.classes.to_owned()])
                .cloned()
                .collect(),
            limit,
            stopped: self.stopped,
        };
        self.tool.run(&call, to)?;
        let reports = folders.iter().map(|f| Report::load(&f.join("jacoco.xml")));
        Ok(reports.collect::<Result<_, _>>()?)
    }

    fn arguments(&self, folders: &[PathBuf], to: &Path) -> Result<Vec<OsString>, CoverageError> {
        let absolute = |file: &Path| {
            let file = path::absolute(file).map_err(io_error(file))?;
            Ok::<_, CoverageError>(file.into_os_string())
        };
        let html = if self.html { "yes" } else { "no" };
        let mut arguments: Vec<OsString> = vec![
            "--classes".into(),
            absolute(self.classes)?,
            "--out".into(),
            absolute(to)?,
            "--name".into(),
            self.name.into(),
            "--html".into(),
            html.into(),
        ];
        for folder in folders {
            arguments.push("--exec".into());
            arguments.push(absolute(&folder.with_extension("exec"))?);
        }
        for folder in self.sources.folders() {
            arguments.push("--sources".into());
            arguments.push(absolute(folder)?);
        }
        Ok(arguments)
    }
}

#[cfg(all(test, unix))]
#[path = "report_tests.rs"]
mod tests;
