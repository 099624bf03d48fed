//! `man`: the manual pages.

use clap::CommandFactory as _;

use super::args::Cli;
use super::{Failure, shell};
use crate::exit_code::ExitCode;
use crate::util::console::Clean;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// The command whose page to print [default: the page of all commands]
    #[arg(value_name = "COMMAND")]
    command: Option<String>,
}

pub fn main(args: &Args) -> Result<ExitCode, Failure> {
    // Built, so that the options of every command are there on each page.
    let mut all = Cli::command();
    all.build();
    let command = match &args.command {
        None => all,
        Some(name) => all.find_subcommand(name).cloned().ok_or_else(|| {
            Failure::Other(ExitCode::Usage, format!("there is no command `{name}`"))
        })?,
    };
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page)?;
    shell::print(&Clean::own(&String::from_utf8_lossy(&page)))?;
    Ok(ExitCode::Ok)
}
