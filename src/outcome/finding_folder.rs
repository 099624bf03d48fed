//! The folder of one finding: every name in one place.

use super::folder::SessionFolder;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The folder of one finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FindingFolder {
    path: PathBuf,
}

impl FindingFolder {
    /// The folder at this path, which may not exist yet.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// Makes the folder.
    pub fn create(&self) -> io::Result<()> {
        crate::util::durable::create_folder(&self.path)
    }

    /// The folder itself.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The folder of the session that this one is in, if it has a journal.
    pub fn session(&self) -> Option<SessionFolder> {
        let path = std::path::absolute(&self.path).ok()?;
        let findings = path.parent().filter(|p| p.ends_with("findings"))?;
        let session = SessionFolder::at(findings.parent()?);
        session.journal().is_file().then_some(session)
    }

    /// The finding as JSON.
    pub fn finding(&self) -> PathBuf {
        self.path.join("finding.json")
    }

    /// The steps that led to it.
    pub fn trace(&self) -> PathBuf {
        self.path.join("trace.toml")
    }

    /// The fewest steps that lead to it, after minimization.
    pub fn minimized(&self) -> PathBuf {
        self.path.join("minimized.toml")
    }

    /// The result of minimizing and confirming it, in JSON.
    pub fn reproduction(&self) -> PathBuf {
        self.path.join("reproduction.json")
    }

    /// The screen before step `number` (from 1) of the fewest steps.
    pub fn step_image(&self, number: usize) -> PathBuf {
        self.path.join(format!("step-{number:02}.png"))
    }

    /// Deletes the fewest steps, if they are there.
    pub fn forget_minimized(&self) -> io::Result<()> {
        gone(fs::remove_file(self.minimized()))
    }

    /// Deletes the screenshots of all steps after the first ones.
    pub fn forget_step_images(&self, steps: usize) -> io::Result<()> {
        for entry in fs::read_dir(&self.path)? {
            let entry = entry?;
            let name = entry.file_name();
            let number = name.to_str().and_then(|name| {
                let number = name.strip_prefix("step-")?.strip_suffix(".png")?;
                number.parse::<usize>().ok()
            });
            if number.is_some_and(|number| number > steps) {
                gone(fs::remove_file(entry.path()))?;
            }
        }
        Ok(())
    }

    /// The widgets before the step.
    pub fn hierarchy_before(&self) -> PathBuf {
        self.path.join("hierarchy-before.xml")
    }

    /// The widgets after it.
    pub fn hierarchy_after(&self) -> PathBuf {
        self.path.join("hierarchy-after.xml")
    }

    /// The screen before the step.
    pub fn before(&self) -> PathBuf {
        self.path.join("before.png")
    }

    /// The screen after it.
    pub fn after(&self) -> PathBuf {
        self.path.join("after.png")
    }
}

/// A missing file counts as deleted.
fn gone(deleted: io::Result<()>) -> io::Result<()> {
    match deleted {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        deleted => deleted,
    }
}
