//! `doctor`: check what the suite needs on this machine.

use super::args::Global;
use super::shell::{self, MessageFormat, Shell};
use super::{Failure, preparation};
use crate::doctor::{self, Verdict};
use crate::exit_code::ExitCode;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// An Android API level to look for [default: those of the suite's devices, else 34]
    #[arg(long, value_name = "LEVEL", value_parser = clap::value_parser!(u32).range(34..=34))]
    api: Vec<u32>,
}

pub fn main(global: &Global, args: &Args, shell: &Shell) -> Result<ExitCode, Failure> {
    let levels = preparation::api_levels(global, &args.api);
    let checks = {
        let watch = preparation::watch(shell, std::sync::Arc::default());
        doctor::examine(&levels, preparation::wanted(global), &watch)
    };
    shell::print(&match shell.format() {
        MessageFormat::Human => doctor::human(&checks, shell.color_stdout()),
        MessageFormat::Json => doctor::json(&checks),
    })?;
    Ok(match doctor::worst(&checks) {
        Verdict::Ok | Verdict::Warning => ExitCode::Ok,
        Verdict::Failed => ExitCode::Config,
    })
}
