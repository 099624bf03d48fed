//! What a coverage report is about, kept in the run's folder so that reports can be made again at any time.

use crate::config::CoverageFormats;
use crate::coverage::at::{self, Place};
use crate::coverage::report::{Subject as Reported, Tool, complete};
use crate::coverage::{Counted, Sources};
use crate::device::jvm::cache::Cache;
use crate::device::jvm::parts::Parts;
use crate::device::progress::Watch;
use crate::outcome::folder::{RunFolder, RunInfo, pretty, write_whole};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// One app's classes and what to write about them.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Subject {
    /// The app's name in the suite.
    pub app: String,
    /// The Android version whose parts hold the report tool.
    pub api: u32,
    /// Class files before they were instrumented.
    pub classes: Vec<PathBuf>,
    /// Which of them count.
    pub counted: Counted,
    /// What is written.
    pub formats: CoverageFormats,
}

fn file(run: &RunFolder, app: &str) -> PathBuf {
    run.coverage(app).join("subject.json")
}

impl Subject {
    /// Keeps it in the run's folder.
    ///
    /// # Errors
    /// The folder does not take it.
    pub fn save(&self, run: &RunFolder) -> io::Result<()> {
        let path = file(run, &self.app);
        fs::create_dir_all(path.parent().unwrap_or(Path::new(".")))?;
        write_whole(&path, &pretty(self)?)
    }

    /// The subject of an app of a run, if coverage was measured.
    ///
    /// # Errors
    /// It is there and cannot be read.
    pub fn load(run: &RunFolder, app: &str) -> io::Result<Option<Self>> {
        match fs::read(file(run, app)) {
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
            sources,
            formats: self.formats,
        }
    }
}

/// Writes the coverage reports of all apps of a run, until the user has had enough. Gives what went wrong, app by app.
pub fn report(run: &RunFolder, info: &RunInfo, watch: &Watch) -> Vec<String> {
    let mut apps: Vec<&str> = info.sessions.iter().map(|s| s.app.as_str()).collect();
    apps.sort_unstable();
    apps.dedup();
    let mut problems = Vec::new();
    for app in apps {
        match report_app(run, info, app, watch) {
            // Work cut off is no problem to tell of.
            _ if watch.interrupted() => break,
            Err(reason) => problems.push(format!("coverage of {app}: {reason}")),
            Ok(()) => {}
        }
    }
    problems
}

fn report_app(run: &RunFolder, info: &RunInfo, app: &str, watch: &Watch) -> Result<(), String> {
    let Some(subject) = Subject::load(run, app).map_err(|e| e.to_string())? else {
        return Ok(());
    };
    let sessions: Vec<String> = info
        .sessions
        .iter()
        .filter(|s| s.app == app && run.session(&s.session).journal().is_file())
        .map(|s| s.session.clone())
        .collect();
    if sessions.is_empty() {
        return Ok(());
    }
    watch.report("reporting", &format!("coverage of {app}"), 0, 0);
    let tool = tool(&subject, watch)?;
    let sources = Sources::default();
    let stopped = || watch.interrupted();
    complete(&tool, &subject.reported(&sources), run, &sessions, &stopped)
        .map(|_| ())
        .map_err(|e| e.to_string())
}

/// Works out which lines of the app sessions had covered at places on their way, until the user has had enough. Gives
/// what went wrong, app by app.
pub fn lines_at(run: &RunFolder, info: &RunInfo, places: &[Place], watch: &Watch) -> Vec<String> {
    let mut by_app: BTreeMap<&str, Vec<&Place>> = BTreeMap::new();
    for place in places {
        let own = info.sessions.iter().find(|s| s.session == place.session);
        if let Some(session) = own {
            by_app.entry(&session.app).or_default().push(place);
        }
    }
    let mut done = 0;
    let mut problems = Vec::new();
    for (app, places) in by_app {
        let mut told = |some: &[&Place]| {
            let what = format!("lines on the way of {app}");
            watch.report("reporting", &what, done, places.len() as u64);
            done += some.len() as u64;
        };
        match lines_of_app(run, app, &places, watch, &mut told) {
            _ if watch.interrupted() => break,
            Err(reason) => problems.push(format!("lines of {app} on the way: {reason}")),
            Ok(()) => {}
        }
        done = 0;
    }
    problems
}

fn lines_of_app(
    run: &RunFolder,
    app: &str,
    places: &[&Place],
    watch: &Watch,
    told: &mut dyn FnMut(&[&Place]),
) -> Result<(), String> {
    let Some(subject) = Subject::load(run, app).map_err(|e| e.to_string())? else {
        return Ok(());
    };
    let tool = tool(&subject, watch)?;
    let sources = Sources::default();
    let stopped = || watch.interrupted();
    let subject = subject.reported(&sources);
    at::complete(&tool, &subject, run, places, told, &stopped).map_err(|e| e.to_string())
}

fn tool(subject: &Subject, watch: &Watch) -> Result<Tool, String> {
    let cache = Cache::locate().map_err(|e| e.to_string())?;
    // A run has fetched them; a report never does.
    let parts = Parts::ensure(&cache, subject.api, true, watch).map_err(|e| e.to_string())?;
    Ok(Tool {
        java: parts.jdk.java(),
        class_path: parts.class_path().map_err(|e| e.to_string())?,
        home: Some(parts.jdk.home),
    })
}
