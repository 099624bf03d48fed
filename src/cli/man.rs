//! `man`: the manual page.

use clap::CommandFactory as _;

use super::args::Cli;
use super::{Failure, shell};
use crate::exit_code::ExitCode;

#[derive(Debug, clap::Args)]
pub struct Args {}

pub fn main(_args: &Args) -> Result<ExitCode, Failure> {
    let mut page = Vec::new();
    clap_mangen::Man::new(Cli::command()).render(&mut page)?;
    shell::print(&String::from_utf8_lossy(&page))?;
    Ok(ExitCode::Ok)
}
