//! `completions`: a completion script for a shell.

use clap::CommandFactory as _;
use clap_complete::Shell;

use super::args::Cli;
use super::{Failure, shell};
use crate::exit_code::ExitCode;
use crate::util::console::Clean;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

pub fn main(args: &Args) -> Result<ExitCode, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(
        args.shell,
        &mut Cli::command(),
        "cargo-droidtest",
        &mut script,
    );
    shell::print(&Clean::own(&String::from_utf8_lossy(&script)))?;
    Ok(ExitCode::Ok)
}
