//! The subject of a coverage report, saved in the run's folder so that reports can be regenerated at any time.

use crate::apk::Changed;
use crate::config::CoverageFormats;
use crate::coverage::at::{self, SessionPoint};
use crate::coverage::jacoco::Report;
use crate::coverage::report::{Subject as Reported, complete};
use crate::coverage::theirs::Theirs;
use crate::coverage::tool::Tool;
use crate::coverage::{Counted, Sources};
use crate::device::jvm::cache::Cache;
use crate::device::jvm::parts::Parts;
use crate::device::progress::Watch;
use crate::outcome::folder::{RunFolder, RunInfo, pretty, write_whole};
use crate::run::local_files::LocalFiles;
use crate::util::foreign;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// One app's classes, and the report formats to write.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Subject {
    /// The app's name in the suite.
    pub app: String,
    /// The Android version whose parts hold the report tool.
    pub api: u32,
    /// Class files before they were instrumented.
    pub classes: Vec<PathBuf>,
    /// The classes that count.
    pub counted: Counted,
    /// The formats to write.
    pub formats: CoverageFormats,
    /// What changed since an earlier build, if the app is compared with one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changed: Option<Changed>,
    /// Coverage reports of the app's own tests.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tests: Vec<PathBuf>,
}

fn file(run: &RunFolder, app: &str) -> PathBuf {
    run.coverage(app).join("subject.json")
}

impl Subject {
    /// Saves it in the run's folder.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn save(&self, run: &RunFolder) -> io::Result<()> {
        let path = file(run, &self.app);
        fs::create_dir_all(path.parent().unwrap_or(Path::new(".")))?;
        write_whole(&path, &pretty(self)?)
    }

    /// The subject of an app of a run, if coverage was measured.
    ///
    /// # Errors
    /// The file exists but cannot be read.
    pub fn load(run: &RunFolder, app: &str) -> io::Result<Option<Self>> {
        match foreign::read(&file(run, app)) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(e) => Err(e),
            Ok(text) => Ok(Some(serde_json::from_slice(&text)?)),
        }
    }

    fn reported<'a>(&'a self, sources: &'a Sources) -> Reported<'a> {
        Reported {
            app: &self.app,
            classes: &self.classes,
            counted: &self.counted,
            changed: self.changed.as_ref(),
            sources,
            formats: self.formats,
        }
    }
}

/// Writes the coverage reports of all apps of a run, until the user interrupts. Of this machine only `files` are read.
/// Returns a message for each app that failed, and for each folder of sources that only the run names.
pub fn report(run: &RunFolder, info: &RunInfo, files: &LocalFiles, watch: &Watch) -> Vec<String> {
    let mut apps: Vec<&str> = info.sessions.iter().map(|s| s.app.as_str()).collect();
    apps.sort_unstable();
    apps.dedup();
    let mut problems = Vec::new();
    for app in apps {
        match report_app(run, info, (app, files), watch) {
            // An interrupted report is not a problem to report.
            _ if watch.interrupted() => break,
            Err(reason) => problems.push(format!("coverage of {app}: {reason}")),
            Ok(refused) => problems.extend(refused.iter().map(|folder| {
                let folder = folder.display();
                format!(
                    "the run names sources of {app} in {folder}, and the suite here does not: they are not shown; `--sources {folder}` shows them"
                )
            })),
        }
    }
    problems
}

/// Gives the folders of sources that only the run names.
fn report_app(
    run: &RunFolder,
    info: &RunInfo,
    (app, files): (&str, &LocalFiles),
    watch: &Watch,
) -> Result<Vec<PathBuf>, String> {
    let Some(subject) = Subject::load(run, app).map_err(|e| e.to_string())? else {
        return Ok(Vec::new());
    };
    let subject = files.subject(subject).ok_or(
        "its classes are not on this machine; report on one that has run the app, in the suite's folder",
    )?;
    let sessions: Vec<String> = info
        .sessions
        .iter()
        .filter(|s| s.app == app && run.session(&s.session).journal().is_file())
        .map(|s| s.session.clone())
        .collect();
    if sessions.is_empty() {
        return Ok(Vec::new());
    }
    watch.report("reporting", &format!("coverage of {app}"), 0, 0);
    let tool = tool(subject.api, watch)?;
    let (sources, refused) = files.sources(info, app);
    let stopped = || watch.interrupted();
    let report = complete(&tool, &subject.reported(&sources), run, &sessions, &stopped)
        .map_err(|e| e.to_string())?;
    match subject.tests.as_slice() {
        [] => {}
        tests => beside_tests(run, app, tests, &report)?,
    }
    Ok(refused)
}

/// Writes what the run covered beside the app's own tests.
fn beside_tests(
    run: &RunFolder,
    app: &str,
    tests: &[PathBuf],
    report: &Report,
) -> Result<(), String> {
    let theirs = Theirs::load(tests).map_err(|e| e.to_string())?;
    let found = theirs.beside(report).ok_or_else(|| {
        let files: Vec<_> = tests
            .iter()
            .map(|file| file.display().to_string())
            .collect();
        format!(
            "nothing that the tests cover in {} is in the app: they are of another app or build",
            files.join(", ")
        )
    })?;
    let file = run.tests_coverage(app);
    pretty(&found)
        .and_then(|bytes| write_whole(&file, &bytes))
        .map_err(|e| format!("{}: {e}", file.display()))
}

/// Determines the lines that sessions had covered at these points, until the user interrupts. Returns one message per
/// app that failed.
pub fn lines_at(
    run: &RunFolder,
    info: &RunInfo,
    places: &[SessionPoint],
    watch: &Watch,
) -> Vec<String> {
    let mut by_app: BTreeMap<&str, Vec<&SessionPoint>> = BTreeMap::new();
    for place in places {
        let own = info.sessions.iter().find(|s| s.session == place.session);
        if let Some(session) = own {
            by_app.entry(&session.app).or_default().push(place);
        }
    }
    let mut done = 0;
    let mut problems = Vec::new();
    for (app, places) in by_app {
        let mut on_progress = |some: &[&SessionPoint]| {
            let what = format!("covered lines of {app} over time");
            watch.report("reporting", &what, done, places.len() as u64);
            done += some.len() as u64;
        };
        match lines_of_app(run, app, &places, watch, &mut on_progress) {
            _ if watch.interrupted() => break,
            Err(reason) => problems.push(format!("covered lines of {app} over time: {reason}")),
            Ok(()) => {}
        }
        done = 0;
    }
    problems
}

fn lines_of_app(
    run: &RunFolder,
    app: &str,
    places: &[&SessionPoint],
    watch: &Watch,
    on_progress: &mut dyn FnMut(&[&SessionPoint]),
) -> Result<(), String> {
    let Some(subject) = Subject::load(run, app).map_err(|e| e.to_string())? else {
        return Ok(());
    };
    let tool = tool(subject.api, watch)?;
    let sources = Sources::default();
    let stopped = || watch.interrupted();
    let subject = subject.reported(&sources);
    at::complete(&tool, &subject, run, places, on_progress, &stopped).map_err(|e| e.to_string())
}

/// The report tool of an Android version's parts, which a run has fetched.
///
/// # Errors
/// A part is missing.
pub(super) fn tool(api: u32, watch: &Watch) -> Result<Tool, String> {
    let cache = Cache::locate().map_err(|e| e.to_string())?;
    // The run has fetched them; a report never downloads.
    let parts = Parts::ensure(&cache, api, true, watch).map_err(|e| e.to_string())?;
    Ok(Tool {
        java: parts.jdk.java(),
        class_path: parts.class_path().map_err(|e| e.to_string())?,
        home: Some(parts.jdk.home),
    })
}
