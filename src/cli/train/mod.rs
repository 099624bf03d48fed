//! `train`: train word vectors and policies for strategies.

mod embeddings;
mod policy;

use super::Failure;
use super::args::Global;
use super::shell::Shell;
use crate::exit_code::ExitCode;

#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    /// Train word vectors from texts
    Embeddings(embeddings::Args),
    /// Train one policy across the apps of a suite
    Policy(policy::Args),
}

pub fn main(global: &Global, args: &Args, shell: &Shell) -> Result<ExitCode, Failure> {
    match &args.what {
        What::Embeddings(args) => embeddings::main(args, shell),
        What::Policy(args) => policy::main(global, args, shell),
    }
}
