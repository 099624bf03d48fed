//! `report`: write the reports of a run again, from its folder.

use camino::Utf8PathBuf;
use clap::ValueHint;

use super::Failure;
use super::args::Global;
use super::shell::Shell;
use crate::exit_code::ExitCode;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// The run's folder, or its name in the folder of all runs
    #[arg(value_name = "RUN", default_value = "latest", value_hint = ValueHint::DirPath)]
    run: Utf8PathBuf,
}

pub fn main(_global: &Global, args: &Args, _shell: &Shell) -> Result<ExitCode, Failure> {
    let _ = &args.run;
    Err(Failure::Other(
        ExitCode::Internal,
        "`report` is not in this build yet".to_owned(),
    ))
}
