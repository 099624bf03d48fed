//! Why a run could not be performed.

use super::prepare::PrepareError;
use crate::config::Problems;
use std::io;

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
    /// A strategy cannot load the files that the suite names for it.
    #[error("{0}")]
    Learned(Problems),
}
