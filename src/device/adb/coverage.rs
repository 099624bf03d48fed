//! Coverage on a device: JaCoCo's execution data, read from the hook that a debug build of the app may carry
//! (`templates/coverage-hook`). A process takes its probes with it, so they are read before each end of one.

use super::error::AdbError;
use super::handle::Handle;
use super::quote::command;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::Duration;

/// What the shell and the app take for some megabytes.
const READ: Duration = Duration::from_secs(30);
/// How an execution file starts: a block of kind 1, JaCoCo's number.
const MAGIC: [u8; 3] = [0x01, 0xC0, 0xC0];

/// The hook of one app, and what it gave so far.
#[derive(Debug)]
pub struct Hook {
    command: String,
    /// One execution file after the other, which JaCoCo reads as one.
    data: Option<File>,
    absent: bool,
}

impl Hook {
    /// The hook of this package; not looked for at all unless coverage is wanted.
    pub fn new(package: &str, wanted: bool) -> Self {
        let uri = format!("content://{package}.droidtest/coverage.exec");
        Self {
            command: command(["content", "read", "--uri", &uri]),
            data: None,
            absent: !wanted,
        }
    }

    /// Reads what the app's process has run. An app that has no hook is asked once.
    ///
    /// # Errors
    /// The device cannot be reached, or what it gave cannot be kept.
    pub fn read(&mut self, handle: &Handle) -> Result<(), AdbError> {
        if self.absent {
            return Ok(());
        }
        let bytes = handle.exec(&self.command, READ)?;
        if !bytes.starts_with(&MAGIC) {
            // A hook that gave data before is there; its process may just have died.
            self.absent = self.data.is_none();
            return Ok(());
        }
        let kept = match &mut self.data {
            Some(file) => file.write_all(&bytes),
            None => tempfile::tempfile().and_then(|mut file| {
                file.write_all(&bytes)?;
                self.data = Some(file);
                Ok(())
            }),
        };
        kept.map_err(|e| AdbError::Refused(format!("the coverage data cannot be saved: {e}")))
    }

    /// Writes all that was read to a file; `false`: there is nothing.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&mut self, to: &Path) -> io::Result<bool> {
        let Some(file) = &mut self.data else {
            return Ok(false);
        };
        file.seek(SeekFrom::Start(0))?;
        let mut whole = Vec::new();
        file.read_to_end(&mut whole)?;
        std::fs::write(to, whole)?;
        Ok(true)
    }
}
