//! `run`: explore the apps of the suite.

use camino::Utf8PathBuf;
use clap::ValueHint;

use super::args::{Global, Selection};
use super::shell::Shell;
use super::{Failure, load};
use crate::exit_code::ExitCode;
use crate::run::Plan;

#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    selection: Selection,
    /// The folder of all runs [default: droidtest in cargo's target folder]
    #[arg(long, value_name = "DIR", env = "DROIDTEST_OUT", hide_env_values = true, value_hint = ValueHint::DirPath)]
    out: Option<Utf8PathBuf>,
    /// The name of this run's folder [default: the time]
    #[arg(
        long,
        value_name = "NAME",
        env = "DROIDTEST_RUN_ID",
        hide_env_values = true
    )]
    run_id: Option<String>,
}

pub fn main(global: &Global, args: &Args, _shell: &Shell) -> Result<ExitCode, Failure> {
    let suite = load(global, &args.selection)?;
    let plan = Plan::new(&suite)?;
    let _ = (&args.out, &args.run_id, plan);
    Err(Failure::Other(
        ExitCode::Internal,
        "`run` is not in this build yet".to_owned(),
    ))
}
