//! The suite: found, checked as a whole, and read into types.
//!
//! A setting comes from a flag, else from the environment, else from the
//! profile and those it inherits from, else from the suite's own tables, else
//! from the defaults in [`crate::settings`]. Tables are merged key by key; anything
//! else, arrays included, is replaced as a whole.
//!
//! [`load::load`] gives a [`Suite`] or all the [`diagnose::Problems`] at once.

pub mod cargo;
pub mod check;
pub mod diagnose;

pub mod env;
mod hints;
pub mod layer;
pub mod load;
pub mod locate;
pub mod profile;
mod renamed;
pub mod rules;
pub mod schema;
pub mod show;
pub mod source;
mod strategy;
mod suite_file;

pub use crate::settings::*;
pub use diagnose::{Problem, Problems};
pub use load::{Override, Request, load, process_env};
pub use strategy::Strategy;
pub use suite_file::Settings;

use camino::{Utf8Path, Utf8PathBuf};

use diagnose::Place;
use layer::{Origin, Stack};
use source::Step;

/// A suite, checked and resolved for one profile.
#[derive(Clone, Debug)]
pub struct Suite {
    /// The settings. Paths start where the process stands; there is at least
    /// one app, one device and one strategy.
    pub settings: Settings,
    /// The chosen profile.
    pub profile: String,
    /// All profiles.
    pub profiles: Vec<String>,
    /// The file that holds the suite.
    pub file: Utf8PathBuf,
    /// The folder that the suite's relative paths start from, and that build
    /// commands run in.
    pub root: Utf8PathBuf,
    /// What the user should change in the suite, a line each.
    pub notices: Vec<String>,
    base: Utf8PathBuf,
    stack: Stack,
}

impl Suite {
    /// The suite's name.
    pub fn name(&self) -> &str {
        &self.settings.suite.name
    }

    /// When a session ends.
    pub fn budget(&self) -> &Budget {
        &self.settings.suite.budget
    }

    /// One session a seed.
    pub fn seeds(&self) -> &[u64] {
        &self.settings.suite.seeds
    }

    /// Where the value at a path of keys and positions came from.
    pub fn origin(&self, path: &[Step]) -> Origin {
        self.stack.origin(path)
    }

    /// The text that set the value at a path, for an error that points at it.
    pub fn place(&self, path: &[Step], label: &str) -> Option<Place> {
        self.stack.place(path, label)
    }

    /// A path of the settings as the process must open it.
    pub fn on_disk(&self, path: &Utf8Path) -> Utf8PathBuf {
        self.base.join(path)
    }

    /// The target folder of the cargo project that the process stands in, or
    /// `target` in the suite's folder where there is none.
    pub fn target_dir(&self) -> Result<Utf8PathBuf, Problem> {
        let project = cargo::project(&self.base)?;
        Ok(project.map_or_else(|| self.root.join("target"), |project| project.target_dir))
    }
}
