//! The layout of a run's folder: every name and path in one place.
//!
//! ```text
//! <base>/latest -> <run-id>
//! <base>/models/<package>.jsonl
//! <base>/<run-id>/run.json  summary.json  junit.xml  report.html  replays.json  gate.json
//!                 reused/<package>.jsonl
//!                 corpus/<package>/<name>.toml
//!                 coverage/<app>/summary.json  counted.json  changed.json  tests.json  html/index.html …
//!                 sessions/<name>/journal.jsonl  timing.jsonl  jacoco.exec  coverage.json  changed.json  logs/
//!                                 demonstration/script.toml  model.jsonl  corpus/<package>/<name>.toml
//!                                 lines-at.json  pages/<page id>.png  policy.safetensors  model.jsonl  failed.txt
//!                                 findings/<id>/finding.json  hierarchy-before.xml  hierarchy-after.xml
//!                                               before.png  after.png  trace.toml
//!                                               minimized.toml  reproduction.json  step-01.png …
//! ```

pub use super::finding_folder::FindingFolder;
use super::plain;
pub use super::run_info::{Division, PlannedSession, RUN_VERSION, RunInfo, Shard, WholePlan};
use crate::gui::PageId;
use crate::util::durable::{self, Lasting};
use crate::util::foreign;
use crate::util::text::for_file_name;
use serde::Serialize;
use std::io;
use std::{fs, path::Path, path::PathBuf};

/// The link to the latest run, in the folder of all runs.
pub const LATEST: &str = "latest";

/// The folder of one run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunFolder {
    path: PathBuf,
}

impl RunFolder {
    /// Makes `<base>/<info.run>` with `run.json` in it and points `latest` to it.
    /// A folder of that name is an error of kind `AlreadyExists`: the caller picks another id.
    pub fn create(base: &Path, info: &RunInfo) -> io::Result<Self> {
        durable::create_folder(base)?;
        let folder = Self::at(base.join(&info.run));
        fs::create_dir(&folder.path)?;
        durable::sync_folder(base)?;
        write_whole(&folder.info_path(), &pretty(info)?)?;
        durable::create_folder(&folder.path.join("sessions"))?;
        point_latest(base, &info.run)?;
        Ok(folder)
    }

    /// The folder at this path, which may not exist yet.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// The run with this id, or the latest one; a path to a run's folder is taken, too. It may be another party's.
    pub fn find(base: &Path, run: Option<&str>) -> io::Result<Self> {
        let name = run.unwrap_or(LATEST);
        let mut path = base.join(name);
        if name == LATEST && path.is_file() {
            path = base.join(fs::read_to_string(&path)?.trim());
        }
        if name == LATEST && path.is_symlink() {
            path = base.join(fs::read_link(&path)?);
        }
        [path, PathBuf::from(name)]
            .into_iter()
            .find(|p| p.join("run.json").is_file() || p.join("sessions").is_dir())
            .map(Self::at)
            .ok_or_else(|| {
                let which = run.map_or("a latest run".to_owned(), |r| format!("the run {r:?}"));
                let message = format!("{} does not contain {which}", base.display());
                io::Error::new(io::ErrorKind::NotFound, message)
            })
            .and_then(|found| plain::check(&found.path).map(|()| found))
    }

    /// The folder itself.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads `run.json`.
    ///
    /// # Errors
    /// It cannot be read or understood; the error names it.
    pub fn info(&self) -> io::Result<RunInfo> {
        let path = self.info_path();
        let read = |path: &Path| {
            let info: RunInfo = serde_json::from_slice(&foreign::read(path)?)?;
            if info.version > RUN_VERSION {
                let newer = format!(
                    "version {} is newer than this tool's {RUN_VERSION}",
                    info.version
                );
                return Err(io::Error::new(io::ErrorKind::InvalidData, newer));
            }
            Ok(info)
        };
        read(&path)
            .map_err(|e: io::Error| io::Error::new(e.kind(), format!("{}: {e}", path.display())))
    }

    /// `run.json`.
    pub fn info_path(&self) -> PathBuf {
        self.path.join("run.json")
    }

    /// `summary.json`.
    pub fn summary(&self) -> PathBuf {
        self.path.join("summary.json")
    }

    /// `corpus`: the traces that the run started from.
    pub fn corpus(&self) -> PathBuf {
        self.path.join("corpus")
    }

    /// `replays.json`: the replays of the gate.
    pub fn replays(&self) -> PathBuf {
        self.path.join("replays.json")
    }

    /// `gate.json`: the run compared with a baseline.
    pub fn verdict(&self) -> PathBuf {
        self.path.join("gate.json")
    }

    /// `junit.xml`.
    pub fn junit(&self) -> PathBuf {
        self.path.join("junit.xml")
    }

    /// `report.html`.
    pub fn html(&self) -> PathBuf {
        self.path.join("report.html")
    }

    /// `droidtest.sarif`.
    pub fn sarif(&self) -> PathBuf {
        self.path.join("droidtest.sarif")
    }

    /// Folder of an app's coverage reports over all its sessions.
    pub fn coverage(&self, app: &str) -> PathBuf {
        self.path.join("coverage").join(for_file_name(app))
    }

    /// An app's code coverage over all its sessions, as a `CodeCoverage` in JSON.
    pub fn coverage_summary(&self, app: &str) -> PathBuf {
        self.coverage(app).join("summary.json")
    }

    /// The classes that an app's code coverage counts, as a `CountedCode` in JSON.
    pub fn counted(&self, app: &str) -> PathBuf {
        self.coverage(app).join("counted.json")
    }

    /// What all sessions reached of an app's changed code, as a `ChangedCoverage` in JSON.
    pub fn changed(&self, app: &str) -> PathBuf {
        self.coverage(app).join("changed.json")
    }

    /// The coverage beside that of an app's own tests, as a `TestsCoverage` in JSON.
    pub fn tests_coverage(&self, app: &str) -> PathBuf {
        self.coverage(app).join("tests.json")
    }

    /// Folder of a session.
    pub fn session(&self, name: &str) -> SessionFolder {
        SessionFolder {
            path: self.path.join("sessions").join(for_file_name(name)),
        }
    }

    /// Names of the sessions that have a folder, sorted.
    pub fn sessions(&self) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        match fs::read_dir(self.path.join("sessions")) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => {}
            Err(e) => return Err(e),
            Ok(entries) => {
                for entry in entries {
                    let entry = entry?;
                    if entry.file_type()?.is_dir() {
                        names.push(entry.file_name().to_string_lossy().into_owned());
                    }
                }
            }
        }
        names.sort();
        Ok(names)
    }
}

/// The folder of one session.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SessionFolder {
    path: PathBuf,
}

impl SessionFolder {
    /// The folder at this path, which may not exist yet.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// Makes the folder.
    pub fn create(&self) -> io::Result<()> {
        durable::create_folder(&self.path)
    }

    /// The folder itself.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// `journal.jsonl`.
    pub fn journal(&self) -> PathBuf {
        self.path.join("journal.jsonl")
    }

    /// `timing.jsonl`.
    pub fn timing(&self) -> PathBuf {
        self.path.join("timing.jsonl")
    }

    /// JaCoCo's execution data.
    pub fn exec(&self) -> PathBuf {
        self.path.join("jacoco.exec")
    }

    /// The session's code coverage, as a `CodeCoverage` in JSON.
    pub fn coverage(&self) -> PathBuf {
        self.path.join("coverage.json")
    }

    /// What it reached of the changed code, as a `ChangedCoverage` in JSON.
    pub fn changed(&self) -> PathBuf {
        self.path.join("changed.json")
    }

    /// Lines covered over time, by how many entries of the journal had been written.
    pub fn lines_at(&self) -> PathBuf {
        self.path.join("lines-at.json")
    }

    /// Why the tool failed to complete the session, in one line; exists only then.
    pub fn failed(&self) -> PathBuf {
        self.path.join("failed.txt")
    }

    /// What is in [`Self::failed`].
    pub fn why_failed(&self) -> Option<String> {
        let text = foreign::read(&self.failed()).ok()?;
        Some(String::from_utf8_lossy(&text).trim_end().to_owned())
    }

    /// Logs of the device and the app.
    pub fn logs(&self) -> PathBuf {
        self.path.join("logs")
    }

    /// What a person did in it, saved while it went on.
    pub fn demonstration(&self) -> PathBuf {
        self.path.join("demonstration")
    }

    /// What a learning strategy has learned.
    pub fn policy(&self) -> PathBuf {
        self.path.join("policy.safetensors")
    }

    /// What a strategy has counted for its event model.
    pub fn event_model(&self) -> PathBuf {
        self.path.join("model.jsonl")
    }

    /// Pictures of pages as first seen.
    pub fn pages(&self) -> PathBuf {
        self.path.join("pages")
    }

    /// The picture of one page.
    pub fn page_image(&self, page: PageId) -> PathBuf {
        self.pages().join(format!("{page}.png"))
    }

    /// The folder of a finding, by its id.
    pub fn finding(&self, id: &str) -> FindingFolder {
        FindingFolder::at(self.path.join("findings").join(for_file_name(id)))
    }
}

/// Indented JSON with a newline at its end.
pub fn pretty<T: Serialize>(value: &T) -> io::Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec_pretty(value)?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// Writes a file so that its readers see the old content or all of the new one, never a part; it is on the disk then.
pub fn write_whole(path: &Path, content: &[u8]) -> io::Result<()> {
    durable::write(path, content, Lasting::Sure)
}

/// Points `latest` to a run: a link, or a text file with the run's id on systems without links.
fn point_latest(base: &Path, run: &str) -> io::Result<()> {
    let latest = base.join(LATEST);
    #[cfg(unix)]
    {
        let new = base.join(format!(".{LATEST}-{run}"));
        let linked =
            std::os::unix::fs::symlink(run, &new).and_then(|()| durable::rename(&new, &latest));
        if linked.is_ok() {
            return Ok(());
        }
        let _ = fs::remove_file(&new);
    }
    write_whole(&latest, format!("{run}\n").as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info(run: &str) -> RunInfo {
        RunInfo {
            version: RUN_VERSION,
            run: run.into(),
            ..RunInfo::default()
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_run_and_its_sessions_are_on_the_disk_once_they_are_made() {
        let base = tempfile::tempdir().unwrap();
        let runs = base.path().join("runs");
        durable::synced();
        let folder = RunFolder::create(&runs, &info("1")).unwrap();
        let all = durable::synced();
        for needed in [base.path(), &runs, folder.path()] {
            assert!(all.iter().any(|synced| synced == needed), "{needed:?}");
        }
        // The link to it was made last.
        assert_eq!(all.last().unwrap(), &runs);
        folder.session("a").create().unwrap();
        assert_eq!(durable::synced(), [folder.path().join("sessions")]);
    }

    #[test]
    fn latest_is_the_run_made_last() {
        let base = tempfile::tempdir().unwrap();
        RunFolder::create(base.path(), &info("1")).unwrap();
        let second = RunFolder::create(base.path(), &info("2")).unwrap();
        assert_eq!(RunFolder::find(base.path(), None).unwrap(), second);
        assert_eq!(second.info().unwrap(), info("2"));
        let first = RunFolder::find(base.path(), Some("1")).unwrap();
        assert_eq!(first.info().unwrap().run, "1");
        assert!(RunFolder::find(base.path(), Some("3")).is_err());
    }

    #[test]
    fn where_links_cannot_be_made_a_text_file_names_the_latest_run() {
        let base = tempfile::tempdir().unwrap();
        let folder = RunFolder::create(base.path(), &info("1")).unwrap();
        fs::remove_file(base.path().join(LATEST)).unwrap();
        fs::write(base.path().join(LATEST), "1\n").unwrap();
        assert_eq!(RunFolder::find(base.path(), None).unwrap(), folder);
    }

    #[test]
    fn a_run_never_takes_another_ones_folder() {
        let base = tempfile::tempdir().unwrap();
        RunFolder::create(base.path(), &info("1")).unwrap();
        let again = RunFolder::create(base.path(), &info("1")).unwrap_err();
        assert_eq!(again.kind(), io::ErrorKind::AlreadyExists);
    }

    #[test]
    fn names_cannot_lead_out_of_the_folder() {
        let folder = RunFolder::at("run");
        let session = folder.session("../../etc");
        assert_eq!(session.path(), Path::new("run/sessions/_.._.._etc"));
    }

    #[test]
    fn sessions_are_listed_by_name() {
        let base = tempfile::tempdir().unwrap();
        let folder = RunFolder::create(base.path(), &info("1")).unwrap();
        assert!(folder.sessions().unwrap().is_empty());
        folder.session("b").create().unwrap();
        folder.session("a").create().unwrap();
        assert_eq!(folder.sessions().unwrap(), ["a", "b"]);
    }
}
