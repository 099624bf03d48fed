//! What a person did in a session, saved in the run's folder while the session goes on.

use super::{Demonstration, scripts};
use crate::corpus::folder;
use crate::outcome::folder::RunFolder;
use crate::run::prepare::static_texts;
use crate::util::durable::{self, Lasting};
use serde::Deserialize;
use std::io;
use std::path::{Path, PathBuf};

/// Keeps the demonstrations of a session.
#[derive(Clone, Debug)]
pub struct Keeper {
    run: RunFolder,
    session: String,
    apk: Option<PathBuf>,
}

/// The forms in which a demonstration is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// `[[app.script]]` tables.
    Script,
    /// A corpus of traces.
    Corpus,
    /// An event model.
    Model,
}

/// What is not kept, and why.
#[derive(Debug, thiserror::Error)]
pub enum NotKept {
    /// There is no demonstration.
    #[error("no person has done anything in this session yet: pause it, and act")]
    Nothing,
    /// A file cannot be read or written.
    #[error("{0}")]
    Failed(String),
}

fn failed(why: impl ToString) -> NotKept {
    NotKept::Failed(why.to_string())
}

impl Keeper {
    /// Of this session of a run; `apk` has the texts of the app's resources.
    pub fn new(run: RunFolder, session: &str, apk: Option<&Path>) -> Self {
        Self {
            run,
            session: session.to_owned(),
            apk: apk.map(Path::to_owned),
        }
    }

    /// The run.
    pub fn run(&self) -> &RunFolder {
        &self.run
    }

    /// Saves what a person has done so far, under names that depend on nothing but its content; the files.
    ///
    /// # Errors
    /// No person did anything, the journal or the APK cannot be read, or the folder cannot be written.
    pub fn keep(&self, form: Form) -> Result<Vec<PathBuf>, NotKept> {
        let session = self.run.session(&self.session);
        let found = Demonstration::read(&session).map_err(failed)?;
        if found.is_empty() {
            return Err(NotKept::Nothing);
        }
        let to = session.demonstration();
        durable::create_folder(&to).map_err(failed)?;
        match form {
            Form::Script => {
                let text = scripts(&found.stretches);
                one(to.join("script.toml"), text.as_bytes()).map_err(failed)
            }
            Form::Model => {
                let texts = static_texts(self.apk.as_deref()).map_err(failed)?;
                let model = found.model(&texts).to_bytes();
                let written = model.and_then(|model| one(to.join("model.jsonl"), &model));
                written.map_err(failed)
            }
            Form::Corpus => {
                let to = to.join("corpus");
                let added = found.traces.into_iter().map(|trace| {
                    let (entry, _) = folder::add(&to, trace).map_err(failed)?;
                    Ok(to.join(entry.file))
                });
                let files: Vec<_> = added.collect::<Result<_, _>>()?;
                // Those of an earlier save are beginnings of these.
                for old in folder::load_all(&to).map_err(failed)? {
                    if !files.contains(&to.join(&old.file)) {
                        folder::remove(&to, &old).map_err(failed)?;
                    }
                }
                Ok(files)
            }
        }
    }
}

fn one(file: PathBuf, bytes: &[u8]) -> io::Result<Vec<PathBuf>> {
    durable::write(&file, bytes, Lasting::Sure)?;
    Ok(vec![file])
}
