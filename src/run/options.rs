//! What a run is asked for, and what comes of it.

use super::corpus::Source;
use super::failed::SessionFailed;
use super::gate::Replays;
use super::prepare::PrepareError;
use crate::config::Problems;
use crate::corpus::CorpusError;
use crate::outcome::folder::RunFolder;
use crate::outcome::run_event::EndReason;
use std::io;
use std::path::PathBuf;

/// Options of a run.
#[derive(Clone, Debug)]
pub struct Options {
    /// Folder of all runs.
    pub base: PathBuf,
    /// This run's name; by default, the time.
    pub run_id: Option<String>,
    /// Concurrent sessions.
    pub jobs: usize,
    /// Do not download.
    pub offline: bool,
    /// The corpus to start from.
    pub corpus: Option<Source>,
    /// What the gate replays, if there is one.
    pub gate: Option<Replays>,
    /// Run as a bench: sessions end by modelled time where the suite limits it, and an earlier bench of this name
    /// is resumed.
    pub bench: bool,
    /// The run to continue.
    pub resume: Option<RunFolder>,
    /// Start from the event models that earlier runs left, and add to them.
    pub reuse: bool,
}

impl Options {
    /// The folder of the run or bench that continues.
    pub(super) fn earlier(&self) -> Option<RunFolder> {
        let bench = self.run_id.as_ref().filter(|_| self.bench);
        let bench = bench.map(|id| RunFolder::at(self.base.join(id)));
        let bench = bench.filter(|folder| folder.info_path().is_file());
        self.resume.clone().or(bench)
    }
}

/// The outcome of a run.
#[derive(Debug)]
pub struct Outcome {
    /// Its folder.
    pub folder: RunFolder,
    /// How each session of the plan ended; `None` if it never started.
    pub ended: Vec<Option<Result<EndReason, SessionFailed>>>,
    /// New traces of the corpus, below its folder; else why none could be added.
    pub added: Result<Vec<PathBuf>, CorpusError>,
    /// Whether the user stopped it.
    pub interrupted: bool,
    /// Whether the suite's total time was used up.
    pub used_up: bool,
}

/// Why a run failed.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// An app is not ready.
    #[error(transparent)]
    Prepare(#[from] PrepareError),
    /// The run's folder cannot be created.
    #[error("cannot create the run's folder in {base}: {source}")]
    Folder {
        /// Where.
        base: String,
        /// Why.
        source: io::Error,
    },
    /// A bench cannot resume in this folder, as the folder is not its folder.
    #[error("{path} is not a folder of this bench: {why}; choose another name with --run-id")]
    NoBench {
        /// The folder.
        path: String,
        /// Why not.
        why: String,
    },
    /// The earlier run cannot be continued.
    #[error("{path} cannot be resumed: {why}")]
    NotResumed {
        /// Its folder.
        path: String,
        /// Why not.
        why: String,
    },
    /// Worker threads cannot be started.
    #[error("cannot start a worker: {0}")]
    Worker(io::Error),
    /// An event model that the run would start from cannot be used.
    #[error(
        "{path}: {reason}; move or delete the file to start without it, or set `reuse = false` in `[suite]`"
    )]
    Model {
        /// The file, with the line if it is known.
        path: String,
        /// Why not.
        reason: String,
    },
    /// A strategy cannot load the files that the suite names for it.
    #[error("{0}")]
    Learned(Problems),
}
