//! `run --live`: the live view.

use clap::Args;

use super::Failure;
use super::shell::Shell;
use crate::exit_code::ExitCode;
use crate::report::progress::Named;
use crate::watch::Watch;
use std::sync::Arc;

/// The live view.
#[derive(Clone, Copy, Debug, Default, Args)]
#[command(next_help_heading = "Live view")]
pub struct LiveFlags {
    /// Show the run in a browser on this machine, where you can pause a session and act in it; prints the page's address
    /// [default port: any free one]
    #[arg(
        long,
        value_name = "PORT",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "0"
    )]
    pub live: Option<u16>,
    /// Start every session paused: you act first, for example log in
    #[arg(long, requires = "live")]
    pub paused: bool,
}

impl LiveFlags {
    /// Starts the live view of these sessions, if it is wanted, and prints its address. `asks`: scripts ask there, too.
    ///
    /// # Errors
    /// The port cannot be used.
    pub fn start(
        self,
        sessions: Vec<Named>,
        asks: bool,
        shell: &Shell,
    ) -> Result<Option<Arc<Watch>>, Failure> {
        let Some(port) = self.live else {
            return Ok(None);
        };
        let watch = Watch::start(sessions, port, (self.paused, asks)).map_err(|why| {
            let text = format!(
                "--live={port}: cannot serve the live view on this port: {why}; choose another port, or --live for a free one"
            );
            Failure::Other(ExitCode::Usage, text)
        })?;
        shell.always("Live view", &watch.url());
        Ok(Some(Arc::new(watch)))
    }
}
