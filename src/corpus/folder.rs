//! The corpus's folder: `<package>/<name>.toml`, one trace a file.
//!
//! A new trace is named by its app, device, seed and steps, so that the same trace is added once, whoever adds it.

use crate::trace::{AppRef, DeviceRef, Trace, TraceError, load, write};
use crate::util::durable::{self, Lasting};
use crate::util::sha256;
use crate::util::text::{for_file_name, for_terminal};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Characters of a content's hash in a name.
const NAME: usize = 12;

/// A trace of the corpus.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    /// Its file, below the corpus's folder.
    pub file: PathBuf,
    /// The trace.
    pub trace: Trace,
    /// SHA-256 of the file's content, lower-case hexadecimal.
    pub content: String,
}

impl Entry {
    /// Its file's name without folder and extension.
    pub fn name(&self) -> String {
        let name = self.file.file_stem().unwrap_or_default();
        name.to_string_lossy().into_owned()
    }
}

/// Why a corpus cannot be used. Nothing in its folder was changed.
#[derive(Debug, thiserror::Error)]
pub enum CorpusError {
    /// A trace cannot be understood.
    #[error(transparent)]
    Trace(Box<TraceError>),
    /// Something does not belong there; the text names the file and the fix.
    #[error("{0}")]
    Misplaced(String),
    /// The folder cannot be read or written.
    #[error("{}: {source}", for_terminal(&path.display().to_string()))]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// The folder of an app's traces.
pub fn of_app(corpus: &Path, package: &str) -> PathBuf {
    corpus.join(for_file_name(package))
}

/// The traces of a corpus, sorted by their files' names; none where the folder does not exist yet.
///
/// # Errors
/// A file that is no trace, a trace in another app's folder, a link, or a folder that cannot be read.
pub fn load_all(corpus: &Path) -> Result<Vec<Entry>, CorpusError> {
    let mut all = Vec::new();
    for folder in names(corpus)? {
        let path = corpus.join(&folder);
        match fs::symlink_metadata(&path) {
            Ok(found) if found.is_dir() => {}
            Ok(found) if found.is_symlink() => {
                let shown = for_terminal(&path.display().to_string()).into_owned();
                return Err(CorpusError::Misplaced(format!(
                    "{shown} is a link: a corpus has none; put the folder itself there"
                )));
            }
            // Such as a README of the team's.
            _ => continue,
        }
        for name in names(&path)? {
            let file = path.join(&name);
            if file.extension().is_none_or(|ending| ending != "toml") {
                continue;
            }
            all.push(entry(&file, PathBuf::from(&folder).join(&name))?);
        }
    }
    Ok(all)
}

fn entry(path: &Path, file: PathBuf) -> Result<Entry, CorpusError> {
    let shown = for_terminal(&path.display().to_string()).into_owned();
    let found = fs::symlink_metadata(path);
    if !found.is_ok_and(|found| found.is_file()) {
        return Err(CorpusError::Misplaced(format!(
            "{shown} is not a plain file: a corpus has no links; remove it"
        )));
    }
    let trace = load(path).map_err(CorpusError::Trace)?;
    let own = for_file_name(&trace.app.package);
    if file.parent() != Some(Path::new(&own)) {
        let package = for_terminal(&trace.app.package);
        return Err(CorpusError::Misplaced(format!(
            "{shown} is a trace of the app {package}: move it to the folder {own} of the corpus, or delete it"
        )));
    }
    let content = sha256::of_file(path).map_err(|source| CorpusError::Io {
        path: path.to_owned(),
        source,
    })?;
    Ok(Entry {
        file,
        trace,
        content,
    })
}

/// The names in a folder, sorted; none where it does not exist.
fn names(folder: &Path) -> Result<Vec<std::ffi::OsString>, CorpusError> {
    let failed = |source| CorpusError::Io {
        path: folder.to_owned(),
        source,
    };
    let entries = match fs::read_dir(folder) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(e) if e.kind() == io::ErrorKind::NotADirectory => {
            let shown = for_terminal(&folder.display().to_string()).into_owned();
            return Err(CorpusError::Misplaced(format!(
                "{shown} is a file: name a folder for the corpus"
            )));
        }
        entries => entries.map_err(failed)?,
    };
    let names = entries.map(|entry| entry.map(|entry| entry.file_name()));
    let mut names = names.collect::<Result<Vec<_>, _>>().map_err(failed)?;
    names.sort();
    Ok(names)
}

/// Adds a trace; what is in the corpus then, and whether it was not there before.
///
/// # Errors
/// The folder cannot be written.
pub fn add(corpus: &Path, trace: Trace) -> Result<(Entry, bool), CorpusError> {
    let text = write(&trace);
    let bare = Trace {
        app: AppRef {
            package: trace.app.package.clone(),
            ..AppRef::default()
        },
        device: DeviceRef {
            name: trace.device.name.clone(),
            ..DeviceRef::default()
        },
        ..trace.clone()
    };
    let name = &sha256::of_bytes(write(&bare).as_bytes())[..NAME];
    let folder = of_app(corpus, &trace.app.package);
    let mut path = folder.join(format!("{name}.toml"));
    // Somebody may have edited the file of that name.
    let same = |path: &Path| match load(path) {
        Ok(there) => (there.seed, &there.steps) == (trace.seed, &trace.steps),
        Err(_) => false,
    };
    for number in 2.. {
        if !path.exists() || same(&path) {
            break;
        }
        path = folder.join(format!("{name}-{number}.toml"));
    }
    let new = !path.exists();
    if new {
        durable::create_folder(&folder)
            .and_then(|()| durable::write(&path, text.as_bytes(), Lasting::Sure))
            .map_err(|source| CorpusError::Io {
                path: path.clone(),
                source,
            })?;
    }
    let below = path.strip_prefix(corpus).unwrap_or(&path).to_owned();
    match new {
        true => {
            let content = sha256::of_bytes(text.as_bytes());
            let entry = Entry {
                file: below,
                trace,
                content,
            };
            Ok((entry, new))
        }
        // It was recorded with another build.
        false => Ok((entry(&path, below)?, new)),
    }
}

/// Removes a trace.
///
/// # Errors
/// The folder cannot be written.
pub fn remove(corpus: &Path, entry: &Entry) -> Result<(), CorpusError> {
    let path = corpus.join(&entry.file);
    fs::remove_file(&path).map_err(|source| CorpusError::Io { path, source })
}

#[cfg(test)]
#[path = "folder_tests.rs"]
mod tests;
