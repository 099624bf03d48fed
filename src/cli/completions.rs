//! `completions`: a completion script for a shell. It serves `cargo-droidtest` and `cargo droidtest`.

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
    let mut script = String::from_utf8_lossy(&script).into_owned();
    if args.shell == Shell::Bash {
        // clap_complete 4.6 spells a dash in the program's name in two ways, so that no command would have options.
        script = script.replace("cargo__subcmd__droidtest", "cargo__droidtest");
    }
    shell::print(&Clean::own(&(script + of_cargo(args.shell))))?;
    Ok(ExitCode::Ok)
}

/// The part of the script for `cargo droidtest`. Zsh needs none: cargo's own completion calls the function
/// `_cargo-droidtest`. For other shells there is none.
fn of_cargo(shell: Shell) -> &'static str {
    match shell {
        Shell::Bash => include_str!("completions/cargo.bash"),
        Shell::Fish => include_str!("completions/cargo.fish"),
        _ => "",
    }
}
