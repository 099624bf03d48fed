//! What the suite wants done in the device's shell around an app's session.

use super::error::AdbError;
use super::handle::{Handle, Output};
use super::quote::command;
use crate::device::progress::Watch;
use crate::device::{App, DeviceError};
use crate::settings::ShellCommand;
use std::sync::Arc;

/// Runs the commands for the end once, at the latest when this is dropped.
#[derive(Debug)]
pub struct Commands {
    handle: Arc<Handle>,
    watch: Watch,
    after: Vec<ShellCommand>,
}

impl Commands {
    /// Runs the app's commands for the start, in their order. Once the first has started, those for the end follow in any
    /// case.
    ///
    /// # Errors
    /// A command fails or takes too long, or the device cannot be reached.
    pub fn start(handle: &Arc<Handle>, app: &App, watch: &Watch) -> Result<Self, DeviceError> {
        let this = Self {
            handle: handle.clone(),
            watch: watch.clone(),
            after: app.after.clone(),
        };
        for one in &app.before {
            let line = command(one.run.iter().map(String::as_str));
            watch.report("running", &line, 0, 0);
            let done = handle.shell(&line, one.limit.0);
            succeeded("before", &line, done).map_err(DeviceError::Setup)?;
        }
        Ok(this)
    }

    /// Runs those for the end, also after one that failed. Gives what was not done, in words.
    pub fn finish(&mut self) -> Vec<String> {
        let after = std::mem::take(&mut self.after).into_iter();
        let failed = after.filter_map(|one| {
            let line = command(one.run.iter().map(String::as_str));
            let done = self.handle.close(&line, one.limit.0);
            succeeded("after", &line, done).err()
        });
        failed.collect()
    }
}

impl Drop for Commands {
    fn drop(&mut self) {
        for failed in self.finish() {
            self.watch.report("not done:", &failed, 0, 0);
        }
    }
}

/// Did it end well? If not, why, with its last words.
fn succeeded(when: &str, line: &str, done: Result<Output, AdbError>) -> Result<(), String> {
    let why = match done {
        Ok(output) if output.code == 0 => return Ok(()),
        Ok(output) => format!("ended with {}: {}", output.code, output.words()),
        Err(error) => error.to_string(),
    };
    Err(format!("the command `{line}` of `{when}`: {why}"))
}
