//! `show-config`: the settings in effect.

use super::args::{Global, Selection};
use super::shell::{MessageFormat, Shell};
use super::{Failure, load, shell};
use crate::config::show;
use crate::exit_code::ExitCode;
use crate::util::console::Clean;

#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    selection: Selection,
    /// Print where each value came from
    #[arg(long)]
    origin: bool,
}

pub fn main(global: &Global, args: &Args, shell: &Shell) -> Result<ExitCode, Failure> {
    let suite = load(global, &args.selection)?;
    shell.notices(&suite.notices);
    let text = match shell.format() {
        MessageFormat::Human => show::toml(&suite, args.origin)?,
        MessageFormat::Json => format!("{}\n", show::json(&suite)?),
    };
    shell::print(&Clean::own(&text))?;
    Ok(ExitCode::Ok)
}
