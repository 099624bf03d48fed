//! The suite: finds it, checks all of it, and reads it into types.
//!
//! A setting comes from a flag, else from the environment, else from the profile and those it inherits from, else from
//! the suite's tables, else from the defaults in [`crate::settings`]. Tables are merged key by key; anything else,
//! arrays included, is replaced.
//!
//! [`load::load`] returns a [`Suite`], or all [`diagnose::Problems`] at once.

pub mod apks;
pub mod cargo;
pub mod check;
pub mod diagnose;

pub mod edit;
pub mod env;
pub mod gradle;
mod gradle_scripts;
mod hints;
pub mod layer;
pub mod load;
pub mod locate;
pub mod profile;
pub mod renamed;
pub mod rules;
pub mod schema;
pub mod show;
pub mod source;
mod strategy;
mod suite_file;
mod syntax;

pub use crate::settings::*;
pub use diagnose::{Problem, Problems};
pub use load::{Override, Request, load, process_env};
pub use strategy::Strategy;
pub use suite_file::Settings;

use camino::{Utf8Path, Utf8PathBuf};
use std::path::PathBuf;

use diagnose::Location;
use layer::{Origin, Stack};
use source::Segment;

/// A suite, checked and resolved for one profile.
#[derive(Clone, Debug)]
pub struct Suite {
    /// The settings. Paths are relative to the working folder; there is at least one app, one device and one strategy.
    pub settings: Settings,
    /// The chosen profile.
    pub profile: String,
    /// All profiles.
    pub profiles: Vec<String>,
    /// The suite's file; empty if there is none.
    pub file: Utf8PathBuf,
    /// The APKs that are explored instead of the suite's apps, relative to the working folder.
    pub apks: Vec<Utf8PathBuf>,
    /// The folder of the suite's relative paths and of build commands.
    pub root: Utf8PathBuf,
    /// Notices for the user, one line each.
    pub notices: Vec<String>,
    base: Utf8PathBuf,
    stack: Stack,
}

impl Suite {
    /// The suite's name.
    pub fn name(&self) -> &str {
        &self.settings.suite.name
    }

    /// The limits of a session.
    pub fn budget(&self) -> &Budget {
        &self.settings.suite.budget
    }

    /// The seeds; each gives one session.
    pub fn seeds(&self) -> &[u64] {
        &self.settings.suite.seeds
    }

    /// The origin of the value at a path of keys and indices.
    pub fn origin(&self, path: &[Segment]) -> Origin {
        self.stack.origin(path)
    }

    /// The source text of the value at a path, labelled for an error.
    pub fn place(&self, path: &[Segment], label: &str) -> Option<Location> {
        self.stack.place(path, label)
    }

    /// A path of the settings, relative to the working folder.
    pub fn on_disk(&self, path: &Utf8Path) -> Utf8PathBuf {
        self.base.join(path)
    }

    /// The coverage reports of an app's own tests, as the process must open them.
    pub fn tests_coverage(&self, app: &App) -> Vec<PathBuf> {
        let files = app.tests_coverage.iter();
        files
            .map(|path| self.on_disk(path).into_std_path_buf())
            .collect()
    }

    /// The target folder of the cargo project in the working folder, else `target` in the suite's folder.
    pub fn target_dir(&self) -> Result<Utf8PathBuf, Problem> {
        let project = cargo::project(&self.base)?;
        Ok(project.map_or_else(|| self.root.join("target"), |project| project.target_dir))
    }
}
