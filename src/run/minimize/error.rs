//! Why findings could not be minimized.

use crate::device::DeviceError;
use crate::explore::SessionError;
use std::io;

/// Why findings could not be minimized.
#[derive(Debug, thiserror::Error)]
pub enum MinimizeError {
    /// The run's folder cannot be read or written.
    #[error("cannot save the results of minimization: {0}")]
    Folder(#[from] io::Error),
    /// A device is not available.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// The session for findings observed during minimization failed.
    #[error(transparent)]
    Session(#[from] SessionError),
}
